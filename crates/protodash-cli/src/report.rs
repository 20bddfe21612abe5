//! HTML reports of results and the files behind them.

use std::collections::BTreeMap;
use std::path::Path;

use protodash::{Prototype, Role};
use protodash_report::{
    ComparisonDocument, ExplanationDocument, ImageShape, Images, PageData, Report, Request, SelectionDocument,
    TableCells, selection_report as made,
};

use crate::data::Data;
use crate::error::{Failure, WriteError};
use crate::output::Output;
use crate::progress::Progress;
use crate::settings::any_flag;

/// The command that adds the data to the report of a result alone.
const ADD_DATA: &str = "“protodash report RESULT.json SOURCE”";

/// The report's file, checked before the long work; it must differ from the inputs and the other output.
pub(crate) fn destination(
    path: Option<&Path>,
    inputs: &[&Path],
    output: Option<&Output>,
) -> Result<Option<Output>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let page = Output::page(path)?;
    if output.is_some_and(|output| output.path() == path) {
        let message = format!("--report and --output both name {}", path.display());
        return Err(Failure::call(message, "use different names"));
    }
    page.check(inputs)?;
    Ok(Some(page))
}

/// Writes the report, if one is requested, and says so.
pub(crate) fn finish(page: Option<(&Output, &Report)>, quiet: bool) -> Result<(), Failure> {
    let Some((output, report)) = page else { return Ok(()) };
    write(output, report)?;
    if !quiet {
        protodash_terminal::say(&format!("report written to {}", output.path().display()));
    }
    Ok(())
}

fn write(output: &Output, report: &Report) -> Result<(), Failure> {
    let html = protodash_report::render(report)
        .map_err(|cause| Failure::Write { path: output.path().to_owned(), cause: WriteError::Page(cause) })?;
    output.write(|writer| Ok(writer.write_all(html.as_bytes())?))
}

/// The failure for a result that cannot be embedded in the report.
fn json_failure(cause: serde_json::Error) -> Failure {
    Failure::Write { path: "the result in the page".into(), cause: WriteError::Json(cause) }
}

/// The failure for a report that cannot be created, with the file concerned.
pub(crate) fn failure(data: Option<&Data>, error: protodash_report::Error) -> Failure {
    use protodash_report::Error;
    match (error, data) {
        (Error::Core(error), Some(data)) => data.failure(error),
        (Error::Core(error), None) => Failure::core(Path::new("the result"), error),
        (Error::Table(error), _) => Failure::Table(error),
        (Error::Json(cause), _) => json_failure(cause),
        (other, _) => Failure::call(other.to_string(), "check the shape of the images"),
    }
}

/// What the report shows besides the result.
#[derive(Clone, Copy)]
pub(crate) struct PageInput<'a> {
    /// The data that the selection was made from, with the prototypes as rows of the matrix.
    pub(crate) data: Option<(&'a Data, &'a [Prototype])>,
    /// The shape of rows that are images, if it was given.
    pub(crate) image_shape: Option<ImageShape>,
    /// The request.
    pub(crate) request: Request,
    /// The kernel mean of each source row, if the selection was just made.
    pub(crate) kernel_mean: Option<&'a [f64]>,
}

/// The report of a selection.
pub(crate) fn selection_report(
    document: &SelectionDocument,
    input: PageInput<'_>,
    progress: &mut Progress,
) -> Result<Report, Failure> {
    let Some((data, prototypes)) = input.data else {
        return made(document, None, input.request, ADD_DATA, progress).map_err(|error| failure(None, error));
    };
    let image_shape = shape(data, input.image_shape);
    let kernel_mean = input.kernel_mean;
    let page = PageData { rows: data.row_data(), prototypes, image_shape, kernel: None, kernel_mean };
    let report = made(document, Some(&page), input.request, ADD_DATA, progress);
    progress.clear();
    report.map_err(|error| failure(Some(data), error))
}

/// The report of explanations, with the rows if the data are given.
pub(crate) fn explanation_report(
    document: &ExplanationDocument,
    data: Option<(&Data, Option<ImageShape>)>,
    progress: &mut Progress,
) -> Result<Report, Failure> {
    let rows = data.map(|(data, _)| data.row_data());
    let shown = rows.as_ref().zip(data).map(|(rows, (data, given))| (rows, shape(data, given)));
    let report = protodash_report::explanation_report(document, shown, ADD_DATA, progress);
    progress.clear();
    report.map_err(|error| failure(data.map(|(data, _)| data), error))
}

/// The report of two selections side by side, with their rows if the data of the first are given.
pub(crate) fn side_by_side_report(
    documents: [&SelectionDocument; 2],
    data: Option<(&Data, Option<ImageShape>)>,
    second: &Path,
    progress: &mut Progress,
) -> Result<Report, Failure> {
    let rows = data.map(|(data, _)| data.row_data());
    let shown = rows.as_ref().zip(data).map(|(rows, (data, given))| (rows, shape(data, given)));
    let report = protodash_report::side_by_side_report(documents, shown, "“--data FILE”", progress);
    progress.clear();
    report.map_err(|error| match error {
        protodash_report::Error::DifferentTables { .. } | protodash_report::Error::DifferentRows { .. } => {
            Failure::NotAResult {
                path: second.to_owned(),
                message: error.to_string(),
                hint: "compare selections from the same table, such as with other settings or another target",
            }
        }
        other => failure(data.map(|(data, _)| data), other),
    })
}

/// The report of a comparison, with images if the data are given and are images.
pub(crate) fn comparison_report(
    comparison: &ComparisonDocument,
    data: Option<&Data>,
    image_shape: Option<ImageShape>,
    progress: &mut Progress,
) -> Result<Report, Failure> {
    let shape = data.and_then(|data| shape(data, image_shape));
    let images = match data.zip(shape) {
        Some((data, shape)) => images(comparison, data, shape, progress)?,
        None => (Images::default(), BTreeMap::new()),
    };
    let report = protodash_report::comparison_report(comparison, images, shape, |setting| Some(any_flag(setting)));
    let mut report = report.map_err(|error| failure(data, error))?;
    if data.is_none() {
        let missing = "images of the rows, if they are images: they need the data; use";
        report.missing.push(format!("{missing} {ADD_DATA} to add them"));
    }
    Ok(report)
}

/// The images of all chosen rows, and the image of each row.
fn images(
    comparison: &ComparisonDocument,
    data: &Data,
    shape: ImageShape,
    progress: &mut Progress,
) -> Result<(Images, BTreeMap<u64, usize>), Failure> {
    let chosen = comparison.results.iter().flat_map(|outcome| &outcome.prototypes);
    let mut rows: Vec<(Role, u64)> = chosen.map(|chosen| (Role::Source, chosen.source_index)).collect();
    rows.sort_unstable_by_key(|(_, number)| *number);
    rows.dedup();
    let cells = progress.waiting("reading the rows", || TableCells::read(&data.tables, &rows));
    let cells = cells.map_err(|error| failure(Some(data), error))?;
    let mut images = Images::default();
    let found = cells.images(&data.features, shape, &rows, &mut images);
    let image_of = rows.iter().zip(found).filter_map(|((_, number), image)| Some((*number, image?))).collect();
    Ok((images, image_of))
}

/// The shape of the rows as images: as given, or as stored in the file; `None` if they are not images.
fn shape(data: &Data, given: Option<ImageShape>) -> Option<ImageShape> {
    given.or_else(|| ImageShape::of_data(data.tables.source.image_shape()?, &data.features))
}

/// Rejects a shape that does not match the rows.
pub(crate) fn check_shape(data: &Data, given: Option<ImageShape>) -> Result<(), Failure> {
    let Some(shape) = given else { return Ok(()) };
    shape.check(&data.features).map_err(|error| {
        Failure::call(error.to_string(), "check the shape, and exclude other columns with --id, --label or --drop")
    })
}
