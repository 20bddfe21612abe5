//! `protodash report`: an HTML report from a saved result.

use std::path::Path;

use protodash_report::{
    ComparisonDocument, DataRecord, ExplanationDocument, Report as Page, Request, SavedKernel, SelectionDocument,
};

use crate::args::ReportArgs;
use crate::data::Data;
use crate::error::Failure;
use crate::json::{self, Saved};
use crate::origin::SavedOrigin;
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{self, PageInput, check_shape, comparison_report, explanation_report, selection_report};

/// Creates the report and writes it.
pub(super) fn run(call: &ReportArgs) -> Result<(), Failure> {
    let output = Output::page_of_report(&call.output)?;
    let inputs: Vec<&Path> =
        [call.result.as_path()].into_iter().chain(call.source.as_deref()).chain(call.target.as_deref()).collect();
    output.check(&inputs)?;
    let mut progress = Progress::new(call.run.quiet, true);
    let page = match json::read_any(&call.result)? {
        Saved::Selection(document) => selection(call, &document, &output, &mut progress)?,
        Saved::Comparison(comparison) => comparison_page(call, &comparison, &output, &mut progress)?,
        Saved::Relation(relation) => {
            if call.source.is_some() {
                let message =
                    format!("{} was written by `protodash relate`; its report takes no SOURCE", call.result.display());
                return Err(Failure::call(message, "omit SOURCE"));
            }
            protodash_report::relation_report(&relation).map_err(|error| report::failure(None, error))?
        }
        Saved::Explanations(document) => explanations(call, &document, &output, &mut progress)?,
    };
    report::finish(Some((&output, &page)), call.run.quiet)
}

fn selection(
    call: &ReportArgs,
    document: &SelectionDocument,
    output: &Output,
    progress: &mut Progress,
) -> Result<Page, Failure> {
    let Some(source) = &call.source else {
        let input = PageInput { data: None, image_shape: None, request: Request::default(), kernel_mean: None };
        return selection_report(document, input, progress);
    };
    let origin = SavedOrigin { result: &call.result, source };
    let data = load(call, origin, (&document.data, &document.kernel, document.seed), output, progress)?;
    let prototypes = origin.prototypes(&data, document)?;
    let (data, image_shape) = (Some((&data, prototypes.as_slice())), call.image_shape);
    selection_report(
        document,
        PageInput { data, image_shape, request: Request::default(), kernel_mean: None },
        progress,
    )
}

fn explanations(
    call: &ReportArgs,
    document: &ExplanationDocument,
    output: &Output,
    progress: &mut Progress,
) -> Result<Page, Failure> {
    let Some(source) = &call.source else { return explanation_report(document, None, progress) };
    let origin = SavedOrigin { result: &call.result, source };
    let data = load(call, origin, (&document.data, &document.kernel, document.seed), output, progress)?;
    origin.check_sizes(&data, document.n_source, document.explanations.len(), document.n_features)?;
    explanation_report(document, Some((&data, call.image_shape)), progress)
}

fn comparison_page(
    call: &ReportArgs,
    comparison: &ComparisonDocument,
    output: &Output,
    progress: &mut Progress,
) -> Result<Page, Failure> {
    let data = match &call.source {
        None => None,
        Some(source) => {
            let origin = SavedOrigin { result: &call.result, source };
            let saved = (&comparison.data, &comparison.kernel, comparison.seed);
            Some(load(call, origin, saved, output, progress)?)
        }
    };
    comparison_report(comparison, data.as_ref(), call.image_shape, progress)
}

/// The data, read with the settings saved in the result.
fn load(
    call: &ReportArgs,
    origin: SavedOrigin<'_>,
    (flags, kernel, seed): (&DataRecord, &SavedKernel, u64),
    output: &Output,
    progress: &mut Progress,
) -> Result<Data, Failure> {
    let flags = origin.flags(flags, call.target.as_deref())?;
    let source = origin.source.to_owned();
    output.check(&Data::paths(&source, &flags))?;
    let kernel = kernel.spec();
    let data = origin.load(&flags, kernel.as_ref(), (call.run.memory(), seed), progress)?;
    check_shape(&data, call.image_shape)?;
    Ok(data)
}
