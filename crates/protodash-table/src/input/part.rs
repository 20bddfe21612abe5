//! Names of parts of a file: `arrays.npz:train` is the array `train` of `arrays.npz`.

use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Returns the file in `path` and the part, if there is one.
///
/// If no file has the whole name, what follows its last colon is a part.
pub(crate) fn split(path: &Path) -> (PathBuf, Option<String>) {
    let whole = || (path.to_owned(), None);
    if path.exists() {
        return whole();
    }
    let Some((file, part)) = path.to_str().and_then(|path| path.rsplit_once(':')) else { return whole() };
    match (Path::new(file).is_file(), part) {
        (true, part) if !part.is_empty() => (file.into(), Some(part.to_owned())),
        _ => whole(),
    }
}

/// Returns the position of the part `wanted` among `names`, or of the only part if none is wanted.
///
/// `what` is the word for parts in messages.
pub(crate) fn choose(path: &Path, what: &'static str, names: Vec<String>, wanted: Option<&String>) -> Result<usize> {
    let path = path.to_owned();
    match wanted {
        Some(wanted) => match names.iter().position(|name| name == wanted) {
            Some(position) => Ok(position),
            None => Err(Error::NoSuchPart { path, what, wanted: wanted.clone(), names }),
        },
        None if names.len() == 1 => Ok(0),
        None => Err(Error::ManyParts { path, what, names }),
    }
}
