//! What a page shows, gathered from results and data. How it looks is `protodash-report`'s business.

mod cells;
mod columns;
mod examples;
mod map;
mod pictures;
mod selection;
mod settings;

use std::path::Path;

use protodash_report::Report;

use crate::error::{Failure, WriteError};
use crate::messages;
use crate::output::Output;

pub(crate) use pictures::check_shape;
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

/// A file's name without its folder.
fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}
