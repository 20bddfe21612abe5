//! The files of a study, each of which appears whole or not at all.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::figure::Figure;

/// The folder, made if it is not there.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|cause| Error::Write { path: folder.to_owned(), cause })
}

/// Writes `results.json`.
pub(crate) fn write_json(folder: &Path, results: &impl Serialize) -> Result<()> {
    let path = folder.join("results.json");
    let text = serde_json::to_string_pretty(results)
        .map_err(|cause| Error::Write { path: path.clone(), cause: cause.into() })?;
    write_whole(folder, "results.json", &(text + "\n"))
}

/// Writes a CSV file for each figure.
pub(crate) fn write_figures(folder: &Path, figures: &[Figure]) -> Result<()> {
    figures.iter().try_for_each(|figure| write_whole(folder, &format!("figure_{}.csv", figure.name), &figure.csv()))
}

/// Writes a file by way of a draft beside it, which takes its name when it is complete.
pub(crate) fn write_whole(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    let written = || {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".protodash-").suffix(".part");
        permit(&mut builder);
        let mut draft = builder.tempfile_in(folder)?;
        draft.write_all(text.as_bytes())?;
        draft.as_file().sync_all()?;
        draft.persist(&path).map(drop).map_err(|refused| refused.error)
    };
    written().map_err(|cause| Error::Write { path: path.clone(), cause })
}

/// Gives a draft the permissions of any new file.
#[cfg(unix)]
fn permit(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn permit(_: &mut tempfile::Builder<'_, '_>) {}
