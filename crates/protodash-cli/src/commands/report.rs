//! `protodash report`: an HTML report from a saved result, or of two selections side by side.

use std::path::{Path, PathBuf};

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
    let given = Given::new(call)?;
    let inputs: Vec<&Path> = [call.result.as_path()]
        .into_iter()
        .chain([&call.source, &call.data, &call.target].into_iter().filter_map(|path| path.as_deref()))
        .collect();
    output.check(&inputs)?;
    let mut progress = Progress::new(call.run.quiet, true);
    let first = json::read_any(&call.result)?;
    if let Some(second) = &given.second {
        let page = side_by_side(&given, (first, second), &output, &mut progress)?;
        return report::finish(Some((&output, &page)), call.run.quiet);
    }
    let page = match first {
        Saved::Selection(document) => selection(&given, &document, &output, &mut progress)?,
        Saved::Comparison(comparison) => comparison_page(&given, &comparison, &output, &mut progress)?,
        Saved::Relation(relation) => {
            if given.source.is_some() {
                let message =
                    format!("{} was written by `protodash relate`; its report takes no SOURCE", call.result.display());
                return Err(Failure::call(message, "omit SOURCE"));
            }
            protodash_report::relation_report(&relation).map_err(|error| report::failure(None, error))?
        }
        Saved::Explanations(document) => explanations(&given, &document, &output, &mut progress)?,
    };
    report::finish(Some((&output, &page)), call.run.quiet)
}

/// What the arguments mean: the second file may be the data or another selection.
struct Given<'a> {
    call: &'a ReportArgs,
    /// The second selection.
    second: Option<PathBuf>,
    /// The data.
    source: Option<PathBuf>,
}

impl Given<'_> {
    /// Decides by the content of the second file.
    fn new(call: &ReportArgs) -> Result<Given<'_>, Failure> {
        if !call.others.is_empty() {
            let message =
                format!("{} files are given, but a report has one result or two selections", 2 + call.others.len());
            return Err(Failure::call(
                message,
                "give RESULT and SOURCE, or two selections, with their data as --data FILE",
            ));
        }
        let second = call.source.as_deref().filter(|path| json::is_result(path)).map(Path::to_owned);
        let source = match (&second, &call.source, &call.data) {
            (None, Some(source), Some(data)) => {
                let message =
                    format!("the data are given twice, as {} and as --data {}", source.display(), data.display());
                return Err(Failure::call(message, "omit one of them"));
            }
            (None, source, data) => source.as_ref().or(data.as_ref()).cloned(),
            (Some(_), _, data) => data.clone(),
        };
        let flag = match (call.target.is_some(), call.image_shape.is_some()) {
            (true, _) => "--target",
            (_, true) => "--image-shape",
            _ => return Ok(Given { call, second, source }),
        };
        if source.is_none() {
            return Err(Failure::call(format!("{flag} needs the data of the selections"), "add --data FILE"));
        }
        Ok(Given { call, second, source })
    }
}

/// The report of two selections, with their rows if the data are given.
fn side_by_side(
    given: &Given<'_>,
    (first, second_path): (Saved, &Path),
    output: &Output,
    progress: &mut Progress,
) -> Result<Page, Failure> {
    let first_path = given.call.result.as_path();
    let documents = [selection_of(first, first_path)?, selection_of(json::read_any(second_path)?, second_path)?];
    let [first, second] = documents.each_ref();
    let Some(source) = &given.source else {
        return report::side_by_side_report([first, second], None, second_path, progress);
    };
    let origin = SavedOrigin { result: first_path, source };
    let data = load(given.call, origin, (&first.data, &first.kernel, first.seed), output, progress)?;
    origin.prototypes(&data, first)?;
    report::side_by_side_report([first, second], Some((&data, given.call.image_shape)), second_path, progress)
}

/// The selection in a result.
fn selection_of(saved: Saved, path: &Path) -> Result<SelectionDocument, Failure> {
    let command = match saved {
        Saved::Selection(document) => return Ok(*document),
        Saved::Comparison(_) => "compare",
        Saved::Relation(_) => "relate",
        Saved::Explanations(_) => "explain",
    };
    Err(Failure::NotAResult {
        path: path.to_owned(),
        message: format!("is a result of `protodash {command}`, but two results side by side must both be selections"),
        hint: "create a report of it alone with `protodash report RESULT.json`",
    })
}

fn selection(
    given: &Given<'_>,
    document: &SelectionDocument,
    output: &Output,
    progress: &mut Progress,
) -> Result<Page, Failure> {
    let call = given.call;
    let Some(source) = &given.source else {
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
    given: &Given<'_>,
    document: &ExplanationDocument,
    output: &Output,
    progress: &mut Progress,
) -> Result<Page, Failure> {
    let call = given.call;
    let Some(source) = &given.source else { return explanation_report(document, None, progress) };
    let origin = SavedOrigin { result: &call.result, source };
    let data = load(call, origin, (&document.data, &document.kernel, document.seed), output, progress)?;
    origin.check_sizes(&data, document.n_source, document.explanations.len(), document.n_features)?;
    explanation_report(document, Some((&data, call.image_shape)), progress)
}

fn comparison_page(
    given: &Given<'_>,
    comparison: &ComparisonDocument,
    output: &Output,
    progress: &mut Progress,
) -> Result<Page, Failure> {
    let call = given.call;
    let data = match &given.source {
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
