//! Whole files that cells of a table name.

use std::io;
use std::path::Path;

/// The content of a regular file.
///
/// A cell may name anything. A pipe would wait for a writer, and some devices never end.
///
/// # Errors
///
/// [`io::ErrorKind::InvalidInput`] if the path leads to something else, such as a folder, a pipe or a device; else the error of
/// the operating system.
///
/// # Examples
///
/// ```
/// use protodash_table::read_regular_file;
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("a.png");
/// std::fs::write(&path, "pixels")?;
/// assert_eq!(read_regular_file(&path)?, b"pixels");
/// assert_eq!(read_regular_file(directory.path()).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_regular_file(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    std::fs::read(path)
}
