//! `protodash compare`: methods side by side on the same data.

use protodash::compare::CompareParams;
use protodash::{Error, Params, RowCoverageParams, TargetEnergy};
use protodash_meter::RunMeter;

use crate::args::CompareArgs;
use crate::classes::{Classes, cross_validated};
use crate::data::Data;
use crate::error::Failure;
use crate::json;
use crate::output::{Kind, Output};
use crate::progress::Progress;
use crate::report::{self, comparison_report};
use crate::settings::any_flag;
use crate::terminal;
use protodash_report::{ComparisonDocument, ComparisonProvenance, CrossValidationRecord, Provenance, SavedKernel};

/// Runs every method, and shows or writes the results.
pub(super) fn run(call: &CompareArgs) -> Result<(), Failure> {
    call.check()?;
    let output = call.output.as_deref().map(Output::new).transpose()?;
    if let Some(output) = &output {
        reject_parquet(output)?;
        output.check(&Data::paths(&call.source, &call.data))?;
    }
    let inputs = Data::paths(&call.source, &call.data);
    let page = report::destination(call.page.report.as_deref(), &inputs, output.as_ref())?;
    let kernel = call.kernel.spec().map_err(|error| Failure::core(&call.source, error))?;
    let mut progress = Progress::new(call.run.quiet, true);
    let mut data =
        Data::load(&call.source, &call.data, kernel.as_ref(), (call.run.memory(), call.seed), &mut progress)?;
    report::check_shape(&data, call.page.image_shape)?;
    let mut params = CompareParams::new(&call.methods(), &call.n_prototypes(data.source.len()));
    (params.holdout, params.selection) = (call.holdout, selection_params(call, &params.n_prototypes, &data));
    params.coverage = call.coverage.then(RowCoverageParams::default);
    let curve = cross_validated(&mut data, &call.kernel, &params.selection, call.seed, &mut progress)?;
    let mut comparison = comparison(call, &data, &params, &mut progress)?;
    comparison.kernel.cross_validation = curve.as_ref().map(CrossValidationRecord::new);
    // Notes on the data were already shown.
    comparison.notes.iter().skip(data.notes.len()).for_each(|note| progress.note(note));
    let made = page
        .as_ref()
        .map(|_| comparison_report(&comparison, Some(&data), call.page.image_shape, &mut progress))
        .transpose()?;
    let sentence = terminal::comparison_sentence(&comparison);
    let offer = terminal::coverage_sentence(&comparison, |setting| Some(any_flag(setting)));
    let sentences: Vec<String> = [Some(sentence), offer].into_iter().flatten().collect();
    match output {
        None => {
            let tables = terminal::comparison_tables(&comparison);
            let lines: String = sentences.iter().map(|sentence| terminal::sentence_line(sentence)).collect();
            terminal::print(&format!("{tables}{lines}"))?;
        }
        Some(output) => {
            output.write(|writer| match output.kind() {
                Kind::Csv => Ok(comparison.write_csv(writer)?),
                _ => Ok(comparison.write(writer)?),
            })?;
            if !call.run.quiet {
                protodash_terminal::say(&format!("{}\nwritten to {}", sentences.join("\n"), output.path().display()));
            }
        }
    }
    report::finish(page.as_ref().zip(made.as_ref()), call.run.quiet)
}

fn reject_parquet(output: &Output) -> Result<(), Failure> {
    if output.kind() != Kind::Parquet {
        return Ok(());
    }
    let message = format!("--output {} ends in .parquet; allowed are .json and .csv", output.path().display());
    Err(Failure::call(message, "use .json for everything, .csv for one line per method and number of prototypes"))
}

fn comparison(
    call: &CompareArgs,
    data: &Data,
    params: &CompareParams,
    progress: &mut Progress,
) -> Result<ComparisonDocument, Failure> {
    let classes = Classes::of(data);
    let labels = classes.as_ref().map(Classes::labels);
    let found = data.matrices.compare(labels, params, &mut RunMeter::new(), progress).map_err(|error| match error {
        Error::TooFewRowsToHoldOut { .. } => Failure::call(error.to_string(), "omit --holdout"),
        error => data.failure(error),
    })?;
    progress.clear();
    let provenance = ComparisonProvenance {
        run: Provenance {
            kernel: SavedKernel::new(data.matrices.kernel()),
            n_features: data.matrices.n_features(),
            source_rows: &data.source,
            data: json::data_record(&call.source, &call.data),
            oversample: call.oversample,
            seed: call.seed,
            notes: data.notes.clone(),
        },
        classes: classes.map_or_else(Vec::new, |classes| classes.names),
        holdout: call.holdout,
    };
    Ok(ComparisonDocument::new(&found, provenance))
}

/// Settings that all methods share.
fn selection_params(call: &CompareArgs, n_prototypes: &[usize], data: &Data) -> Params {
    let mut params = Params::new(n_prototypes.iter().copied().max().unwrap_or(1));
    (params.oversample, params.seed) = (call.oversample, call.seed);
    params.target_weights.clone_from(&data.target_weights);
    params.target_energy = call.target_energy.unwrap_or(TargetEnergy::Exact).with_seed(call.seed);
    if call.kernel.is_precomputed() && data.target.is_some() {
        // The matrices do not contain the similarities between target rows.
        params.target_energy = TargetEnergy::Skip;
    }
    params.column_memory = call.run.memory().saturating_sub(data.matrices.n_bytes());
    params
}
