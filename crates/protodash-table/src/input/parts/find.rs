//! Which files a path names: one, those of a folder, those that match a pattern, or standard input.

use std::fs;
use std::path::{Path, PathBuf};

use super::glob;
use crate::{Error, Result};

/// The path that stands for standard input.
const STDIN: &str = "-";

/// What a path names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PathMeaning {
    /// A file, or nothing at all.
    File,
    /// Standard input.
    Stdin,
    /// These files, in the order of their names; at least one.
    Parts(Vec<PathBuf>),
}

impl PathMeaning {
    /// Returns what `path` names.
    ///
    /// # Errors
    ///
    /// [`Error::NoParts`] for a folder without files and [`Error::NoMatch`] for a pattern that matches none.
    pub(crate) fn of(path: &Path) -> Result<PathMeaning> {
        if path.as_os_str() == STDIN {
            return Ok(PathMeaning::Stdin);
        }
        if path.is_dir() {
            return Ok(PathMeaning::Parts(in_folder(path)?));
        }
        // A file whose name looks like a pattern is that file.
        if path.exists() || !glob::is_pattern(path) {
            return Ok(PathMeaning::File);
        }
        let expand = |pattern: &Path| glob::expand(pattern).map_err(|cause| Error::from_io(path, cause));
        let mut found = expand(path)?;
        // `*.npz:train` names the same array of each file.
        if let (true, Some((files, array))) = (found.is_empty(), path.to_str().and_then(|path| path.rsplit_once(':'))) {
            let named = |file: PathBuf| PathBuf::from(format!("{}:{array}", file.display()));
            found = expand(Path::new(files))?.into_iter().map(named).collect();
        }
        if found.is_empty() {
            return Err(Error::NoMatch { path: path.to_owned() });
        }
        Ok(PathMeaning::Parts(found))
    }
}

/// Returns whether reading `path` reads the file `file`, which may not exist yet.
///
/// # Examples
///
/// ```
/// use protodash_table::reads_file;
///
/// let directory = tempfile::tempdir()?;
/// std::fs::write(directory.path().join("a.csv"), "x\n1\n")?;
/// // A new file in a folder of parts would be one more part.
/// assert!(reads_file(directory.path(), &directory.path().join("b.csv")));
/// assert!(!reads_file(&directory.path().join("a.csv"), &directory.path().join("b.csv")));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn reads_file(path: &Path, file: &Path) -> bool {
    let resolved = |path: &Path| fs::canonicalize(path).ok();
    if path.is_dir() {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        return is_part(file) && resolved(folder).is_some_and(|folder| Some(folder) == resolved(path));
    }
    let Some(file) = resolved(file) else { return false };
    match PathMeaning::of(path) {
        Ok(PathMeaning::Parts(parts)) => parts.iter().any(|part| resolved(part).as_ref() == Some(&file)),
        Ok(PathMeaning::File) => resolved(path) == Some(file),
        Ok(PathMeaning::Stdin) | Err(_) => false,
    }
}

/// Returns the files of a folder, not of folders in it, in the order of their names.
fn in_folder(path: &Path) -> Result<Vec<PathBuf>> {
    let fail = |cause| Error::from_io(path, cause);
    let entries = fs::read_dir(path).map_err(fail)?.collect::<std::io::Result<Vec<_>>>().map_err(fail)?;
    let entries = entries.into_iter().map(|entry| path.join(entry.file_name())).filter(|path| is_part(path));
    let (mut files, folders): (Vec<_>, Vec<_>) = entries.partition(|path| !path.is_dir());
    files.retain(|path| path.is_file());
    files.sort_unstable();
    match files.is_empty() {
        true => Err(Error::NoParts { path: path.to_owned(), n_folders: folders.len() }),
        false => Ok(files),
    }
}

/// Returns whether a file of a folder is data: names that begin with a dot or an underscore are markers and checksums that
/// programs such as Spark write beside the parts.
fn is_part(file: &Path) -> bool {
    file.file_name().is_some_and(|name| !name.to_string_lossy().starts_with(['.', '_']))
}
