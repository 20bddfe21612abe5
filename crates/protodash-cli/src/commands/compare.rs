//! `protodash compare`: several methods on the same data, side by side.

use protodash::{Params, Role, TargetEnergy};

use crate::args::{Compare, KernelName, Method, word};
use crate::bandwidth::cross_validated;
use crate::classes::Classes;
use crate::contest::{Contest, Outcome, Results};
use crate::data::Data;
use crate::error::Failure;
use crate::holdout::Split;
use crate::json;
use crate::kernel::Recipe;
use crate::output::{Kind, Output};
use crate::progress::Progress;
use crate::report::{self, comparison_report};
use crate::terminal;
use protodash_report::{
    ChosenRecord, ComparisonDocument, CrossValidationRecord, Kernel, OutcomeRecord, OverlapRecord, SCHEMA, stopped_name,
};
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
    let recipe = Recipe::from_flags(&call.kernel, call.seed).map_err(|error| Failure::core(&call.source, error))?;
    let mut progress = Progress::new(call.run.quiet, true);
    let mut data =
        Data::load(&call.source, &call.data, recipe.as_ref(), (call.run.memory(), call.seed), &mut progress)?;
    report::check_shape(&data, call.page.image_shape)?;
    let whole = params(call, &data, &Split::default());
    let curve = cross_validated(&mut data, &call.kernel, &whole, call.seed, &mut progress)?;
    let mut comparison = compare(call, &data, &mut progress)?;
    comparison.kernel.cross_validation = curve.as_ref().map(CrossValidationRecord::new);
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
                Kind::Csv => Ok(comparison.write_csv(writer)?),
                _ => Ok(comparison.write(writer)?),
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

fn compare(call: &Compare, data: &Data, progress: &mut Progress) -> Result<ComparisonDocument, Failure> {
    let (methods, sizes) = (call.methods(), call.sizes());
    let split = split(call, data)?;
    let classes = Classes::of(data);
    let contest = Contest {
        methods: &methods.iter().map(|method| (*method).into()).collect::<Vec<_>>(),
        sizes: &sizes,
        params: params(call, data, &split),
        split: &split,
        classes: classes.as_ref(),
        progress: &mut *progress,
    };
    let results = data.matrices.run(contest).map_err(|error| data.failure(error))?;
    progress.clear();
    let classes = classes.map_or_else(Vec::new, |classes| classes.names);
    Ok(ComparisonDocument { classes, ..document(call, data, &split, &results, &sizes) })
}

fn split(call: &Compare, data: &Data) -> Result<Split, Failure> {
    let Some(part) = call.holdout else { return Ok(Split::default()) };
    let n_target = data.rows(Role::Target).len();
    Split::hold_out(part, n_target, data.target.is_none(), call.seed).ok_or_else(|| {
        let message = format!("--holdout {part} of one row leaves nothing to be represented");
        Failure::call(message, "leave --holdout out")
    })
}

fn params(call: &Compare, data: &Data, split: &Split) -> Params {
    let mut params = Params::new(call.sizes.iter().copied().max().unwrap_or(1));
    (params.oversample, params.seed) = (call.oversample, call.seed);
    let weights = |weights: &Vec<f64>| match &split.target {
        Some(rows) => rows.iter().map(|row| weights[*row]).collect(),
        None => weights.clone(),
    };
    params.target_weights = data.target_weights.as_ref().map(weights);
    params.target_energy = call.target_energy.unwrap_or_default().of(call.seed);
    if call.kernel.name == KernelName::Precomputed && data.target.is_some() {
        // How similar target rows are to each other is not in the matrices.
        params.target_energy = TargetEnergy::Skip;
    }
    params.column_memory = call.run.memory().saturating_sub(data.matrices.bytes());
    params
}

fn document(call: &Compare, data: &Data, split: &Split, results: &Results, sizes: &[usize]) -> ComparisonDocument {
    let described = |outcome: &Outcome| described(outcome, &data.source, split.source.as_deref());
    let refused = |(method, size, error): &(protodash::Method, usize, protodash::Error)| {
        format!("{} with {size} prototypes is left out: {error}", word_of(*method))
    };
    let mut comparison = ComparisonDocument {
        schema: SCHEMA,
        kernel: Kernel::new(data.matrices.form()),
        n_target: results.n_target,
        n_source: results.n_source,
        n_features: data.matrices.n_features(),
        n_test: results.n_test,
        classes: Vec::new(),
        holdout: call.holdout,
        oversample: call.oversample,
        seed: call.seed,
        preparation_seconds: results.preparation.as_secs_f64(),
        results: results.outcomes.iter().map(described).collect(),
        overlap: Vec::new(),
        notes: results.refusals.iter().map(refused).collect(),
        data: json::data_record(&call.source, &call.data),
    };
    comparison.overlap = sizes.iter().map(|size| OverlapRecord::new(*size, &comparison.at(*size))).collect();
    comparison
}

fn described(outcome: &Outcome, rows: &RowMap, kept: Option<&[usize]>) -> OutcomeRecord {
    let Outcome { own, solved_again, judgement, .. } = outcome;
    let judgement = judgement.as_ref();
    let chosen = |prototype: &protodash::Prototype| {
        let row = kept.map_or(prototype.source_index, |kept| kept[prototype.source_index]);
        ChosenRecord {
            source_index: rows.table_row(row),
            id: rows.id(row).map(str::to_owned),
            label: rows.label(row).map(str::to_owned),
            weight: prototype.weight,
        }
    };
    OutcomeRecord {
        method: word_of(outcome.method),
        n_prototypes: outcome.n_prototypes,
        n_found: own.prototypes.len(),
        stopped: stopped_name(own.stopped).to_owned(),
        objective: own.objective_final(),
        mmd2: own.mmd2(),
        explained: own.explained(),
        objective_solved_again: solved_again.objective_final(),
        mmd2_solved_again: solved_again.mmd2(),
        explained_solved_again: solved_again.explained(),
        accuracy: judgement.map(|judgement| judgement.accuracy),
        accuracy_weighted: judgement.map(|judgement| judgement.accuracy_weighted),
        confusion: judgement.map(|judgement| judgement.confusion.clone()),
        seconds: outcome.time.as_secs_f64(),
        peak_memory_bytes: outcome.peak_bytes,
        prototypes: own.prototypes.iter().map(chosen).collect(),
    }
}

/// The word for a method of the core.
fn word_of(method: protodash::Method) -> String {
    use clap::ValueEnum;
    let named = |name: &&Method| protodash::Method::from(**name) == method;
    Method::value_variants().iter().find(named).map_or_else(String::new, word)
}
