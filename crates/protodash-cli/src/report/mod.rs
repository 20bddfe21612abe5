//! HTML reports of results, from the files that the command reads.

mod comparison;
mod pictures;
mod selection;

use std::path::Path;

use protodash_report::Report;

use crate::data::Data;
use crate::error::{Failure, WriteError};
use crate::output::Output;

pub(crate) use comparison::comparison_report;
pub(crate) use pictures::check_shape;
use pictures::shape;
pub(crate) use selection::{PageInput, selection_report};

/// What adds the data to the page of a result alone.
const ADD_DATA: &str = "“protodash report RESULT.json SOURCE”";

/// The page's file, checked before the long work; it may be neither an input nor the other output.
pub(crate) fn destination(
    path: Option<&Path>,
    inputs: &[&Path],
    output: Option<&Output>,
) -> Result<Option<Output>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let page = Output::page(path)?;
    if output.is_some_and(|output| output.path() == path) {
        let message = format!("--report and --output both name {}", path.display());
        return Err(Failure::call(message, "give them different names"));
    }
    page.check(inputs)?;
    Ok(Some(page))
}

/// Writes the page, if there is to be one, and says so.
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

/// A result that cannot be written into the page.
fn json_failure(cause: serde_json::Error) -> Failure {
    Failure::Write { path: "the result in the page".into(), cause: WriteError::Json(cause) }
}

/// Why a page cannot be made, in terms of the files.
pub(crate) fn failure(data: Option<&Data>, error: protodash_report::Error) -> Failure {
    use protodash_report::Error;
    match (error, data) {
        (Error::Core(error), Some(data)) => data.failure(error),
        (Error::Core(error), None) => Failure::core(Path::new("the result"), error),
        (Error::Table(error), _) => Failure::Table(error),
        (Error::Json(cause), _) => json_failure(cause),
        (other, _) => Failure::call(other.to_string(), "give the shape of the images"),
    }
}
