//! What a page shows, gathered from results and data. How it looks is `protodash-report`'s business.

mod comparison;
mod pictures;
mod relation;
mod selection;
mod settings;

use std::io::Write;
use std::path::Path;

use protodash_report::Report;

use crate::data::Data;
use crate::error::{Failure, WriteError};
use crate::output::Output;

pub(crate) use comparison::comparison_report;
pub(crate) use pictures::check_shape;
use pictures::shape;
pub(crate) use relation::relation_report;
pub(crate) use selection::{Known, selection_report};

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

/// What a writer of JSON writes.
fn text(write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|cause| Failure::Write { path: "the result in the page".into(), cause })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What kept a page from being gathered, as something about the files.
fn failure(data: Option<&Data>, error: protodash_result::Error) -> Failure {
    use protodash_result::Error;
    match (error, data) {
        (Error::Core(error), Some(data)) => data.failure(error),
        (Error::Core(error), None) => Failure::core(Path::new("the result"), error),
        (Error::Table(error), _) => Failure::Table(error),
        (Error::Json(cause), _) => {
            Failure::Write { path: "the result in the page".into(), cause: WriteError::Json(cause) }
        }
        (other, _) => Failure::call(other.to_string(), "give the shape of the images"),
    }
}
