//! What a page shows, gathered from results and data. How it looks is `protodash-report`'s business.

mod cells;
mod columns;
mod comparison;
mod follow;
mod map;
mod pictures;
mod relation;
mod selection;
mod settings;

use std::io::Write;
use std::path::Path;

use protodash_report::Report;

use crate::error::{Failure, WriteError};
use crate::messages;
use crate::output::Output;

pub(crate) use comparison::comparison_report;
pub(crate) use pictures::check_shape;
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
        messages::say(&format!("report written to {}", output.path().display()));
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

/// The name of a result, after the file that it is about.
fn attachment_name(path: &str, what: &str) -> String {
    let name = file_name(path);
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or("result");
    format!("{stem}-{what}.json")
}

/// A file's name without its folder.
fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}
