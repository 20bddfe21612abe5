//! `protodash compare`: several methods on the same data, side by side.

use ndarray::ArrayRef2;
use protodash::compare::{CompareParams, MethodComparison, MethodResult, SkippedRun, compare};
use protodash::{Error, Job, Kernel, Labels, Params, Scalar, TargetEnergy};
use protodash_meter::{RunCost, RunMeter};

use crate::args::{Compare, Method, word};
use crate::bandwidth::cross_validated;
use crate::classes::Classes;
use crate::data::Data;
use crate::error::Failure;
use crate::json::{self, Comparison, Overlap};
use crate::output::{Kind, Output};
use crate::progress::Progress;
use crate::report::{self, comparison_report};
use crate::terminal;
use protodash_table::RowMap;

/// Runs every method, and shows or writes how they did.
pub(super) fn run(call: &Compare) -> Result<(), Failure> {
    call.check()?;
    let output = call.output.as_deref().map(Output::new).transpose()?;
    if let Some(output) = &output {
        refuse_parquet(output)?;
        output.check(&Data::paths(&call.source, &call.data))?;
    }
    let inputs = Data::paths(&call.source, &call.data);
    let page = report::destination(call.page.report.as_deref(), &inputs, output.as_ref())?;
    let kernel = call.kernel.spec().map_err(|error| Failure::core(&call.source, error))?;
    let mut progress = Progress::new(call.run.quiet, true);
    let mut data =
        Data::load(&call.source, &call.data, kernel.as_ref(), (call.run.memory(), call.seed), &mut progress)?;
    report::check_shape(&data, call.page.image_shape)?;
    let mut params = CompareParams::new(&call.methods(), &call.n_prototypes);
    (params.holdout, params.selection) = (call.holdout, selection_params(call, &data));
    let curve = cross_validated(&mut data, &call.kernel, &params.selection, call.seed, &mut progress)?;
    let mut comparison = comparison(call, &data, &params, &mut progress)?;
    comparison.kernel.cross_validation = curve.as_ref().map(json::CrossValidation::new);
    comparison.notes.iter().for_each(|note| progress.note(note));
    let made = page
        .as_ref()
        .map(|_| comparison_report(&comparison, Some(&data), call.page.image_shape, &mut progress))
        .transpose()?;
    let sentence = terminal::comparison_sentence(&comparison);
    match output {
        None => {
            let tables = terminal::comparison_tables(&comparison);
            terminal::print(&format!("{tables}{}", terminal::sentence_line(&sentence)))?;
        }
        Some(output) => {
            output.write(|writer| match output.kind() {
                Kind::Csv => comparison.write_csv(writer),
                _ => comparison.write(writer),
            })?;
            if !call.run.quiet {
                protodash_terminal::say(&format!("{sentence}\nwritten to {}", output.path().display()));
            }
        }
    }
    report::finish(page.as_ref().zip(made.as_ref()), call.run.quiet)
}

fn refuse_parquet(output: &Output) -> Result<(), Failure> {
    if output.kind() != Kind::Parquet {
        return Ok(());
    }
    let message = format!("--output {} ends in .parquet; allowed are .json and .csv", output.path().display());
    Err(Failure::call(message, ".json holds everything, .csv a line for each method and number of prototypes"))
}

fn comparison(
    call: &Compare,
    data: &Data,
    params: &CompareParams,
    progress: &mut Progress,
) -> Result<Comparison, Failure> {
    let classes = Classes::of(data);
    let job = CompareMethods { params, classes: classes.as_ref(), progress: &mut *progress };
    let found = data.matrices.run(job).map_err(|error| match error {
        Error::TooFewRowsToHoldOut { .. } => Failure::call(error.to_string(), "omit --holdout"),
        error => data.failure(error),
    })?;
    progress.clear();
    let names = classes.map_or_else(Vec::new, |classes| classes.names);
    Ok(document(call, data, &found, names))
}

/// Compares the methods on whatever type the data have.
struct CompareMethods<'a> {
    params: &'a CompareParams,
    classes: Option<&'a Classes>,
    progress: &'a mut Progress,
}

impl Job for CompareMethods<'_> {
    type Output = MethodComparison<RunCost>;

    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
    ) -> Result<Self::Output, Error> {
        let labels = self.classes.map(|classes| Labels { target: &classes.target, source: &classes.source });
        compare(target, source, labels, kernel, self.params, &mut RunMeter::new(), self.progress)
    }
}

/// What all methods have in common.
fn selection_params(call: &Compare, data: &Data) -> Params {
    let mut params = Params::new(call.n_prototypes.iter().copied().max().unwrap_or(1));
    (params.oversample, params.seed) = (call.oversample, call.seed);
    params.target_weights.clone_from(&data.target_weights);
    params.target_energy = call.target_energy.unwrap_or_default().with_seed(call.seed);
    if call.kernel.is_precomputed() && data.target.is_some() {
        // The matrices do not contain the similarities between target rows.
        params.target_energy = TargetEnergy::Skip;
    }
    params.column_memory = call.run.memory().saturating_sub(data.matrices.n_bytes());
    params
}

fn document(call: &Compare, data: &Data, found: &MethodComparison<RunCost>, classes: Vec<String>) -> Comparison {
    let described = |result: &MethodResult<RunCost>| described(result, &data.source);
    let note = |skipped: &SkippedRun| {
        let SkippedRun { method, n_prototypes, error } = skipped;
        format!("skipped {} with {n_prototypes} prototypes: {error}", word_of(*method))
    };
    let overlap = |size: &usize| Overlap {
        n_prototypes: *size,
        methods: found.results.iter().filter(|result| result.n_prototypes == *size).map(|result| word_of(result.method)).collect(),
        shared: found.shared_rows(*size),
    };
    let mut sizes = call.n_prototypes.clone();
    sizes.sort_unstable();
    sizes.dedup();
    Comparison {
        schema: json::SCHEMA,
        kernel: json::SavedKernel::new(data.matrices.kernel()),
        n_target: found.n_target,
        n_source: found.n_source,
        n_features: data.matrices.n_features(),
        n_test: found.n_test,
        classes,
        holdout: call.holdout,
        oversample: call.oversample,
        seed: call.seed,
        preparation_seconds: found.preparation.seconds,
        results: found.results.iter().map(described).collect(),
        overlap: sizes.iter().map(overlap).collect(),
        notes: found.skipped.iter().map(note).collect(),
        data: json::flags_of(&call.source, &call.data),
    }
}

fn described(result: &MethodResult<RunCost>, rows: &RowMap) -> json::Outcome {
    let accuracy = result.accuracy.as_ref();
    let chosen = |prototype: &protodash::Prototype| {
        let row = prototype.source_index;
        json::Chosen {
            source_index: rows.table_row(row),
            id: rows.id(row).map(str::to_owned),
            label: rows.label(row).map(str::to_owned),
            weight: prototype.weight,
        }
    };
    json::Outcome {
        method: word_of(result.method),
        n_prototypes: result.n_prototypes,
        n_found: result.prototypes.len(),
        stopped: json::stopped(result.stopped).to_owned(),
        objective: result.own.objective,
        mmd2: result.own.mmd2,
        explained: result.own.explained,
        objective_solved_again: result.refitted.objective,
        mmd2_solved_again: result.refitted.mmd2,
        explained_solved_again: result.refitted.explained,
        accuracy: accuracy.map(|accuracy| accuracy.nearest),
        accuracy_weighted: accuracy.map(|accuracy| accuracy.weighted),
        confusion: accuracy.map(|accuracy| accuracy.confusion.clone()),
        seconds: result.cost.seconds,
        peak_memory_bytes: result.cost.peak_memory_bytes,
        prototypes: result.prototypes.iter().map(chosen).collect(),
    }
}

/// The flag's word for a method of the core.
fn word_of(method: protodash::Method) -> String {
    use clap::ValueEnum;
    let named = |name: &&Method| protodash::Method::from(**name) == method;
    Method::value_variants().iter().find(named).map_or_else(String::new, word)
}
