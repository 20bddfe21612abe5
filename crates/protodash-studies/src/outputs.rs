//! Output files of a study; each appears complete or not at all.

use std::path::Path;

use protodash_terminal::write_atomically;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::figure::Figure;

/// Creates the folder if it does not exist.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|cause| Error::Write { path: folder.to_owned(), cause })
}

/// Writes `results.json`.
pub(crate) fn write_json(folder: &Path, results: &impl Serialize) -> Result<()> {
    let path = folder.join("results.json");
    let text = serde_json::to_string_pretty(results)
        .map_err(|cause| Error::Write { path: path.clone(), cause: cause.into() })?;
    write_text(folder, "results.json", &(text + "\n"))
}

/// Writes a CSV file for each figure.
pub(crate) fn write_figures(folder: &Path, figures: &[Figure]) -> Result<()> {
    figures.iter().try_for_each(|figure| write_text(folder, &format!("figure_{}.csv", figure.name), &figure.csv()))
}

/// Writes a text file of the folder.
pub(crate) fn write_text(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    write_atomically(&path, |writer| writer.write_all(text.as_bytes()))
        .map_err(|cause| Error::Write { path: path.clone(), cause })
}
