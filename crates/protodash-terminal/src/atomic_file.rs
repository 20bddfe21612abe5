//! Atomic output files: written to a temporary file in the same folder, which is then renamed.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Fails early, before the long work, if `path` cannot be written.
///
/// # Errors
///
/// The error of the operating system: no such folder, no permission, or `path` is a folder. Anything else that is not a
/// regular file, such as a device or a named pipe, is never replaced, not even through a link.
///
/// # Examples
///
/// ```
/// let folder = tempfile::tempdir()?;
/// protodash_terminal::check_writable(&folder.path().join("result.json"))?;
/// assert!(protodash_terminal::check_writable(folder.path()).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check_writable(path: &Path) -> io::Result<()> {
    draft(&replaceable(path)?).map(drop)
}

/// Writes the file at `path` atomically, through a temporary file.
///
/// # Errors
///
/// The error of `content` or of the operating system. An existing file is then unchanged.
///
/// # Examples
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("result.json");
/// protodash_terminal::write_atomically(&path, |writer| writer.write_all(b"{}"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "{}");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_atomically<E: From<io::Error>>(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let destination = replaceable(path)?;
    let mut draft = draft(&destination)?;
    let mut writer = BufWriter::new(&mut draft);
    content(&mut writer)?;
    writer.flush()?;
    drop(writer);
    draft.as_file().sync_all()?;
    draft.persist(destination).map_err(|refused| refused.error)?;
    Ok(())
}

/// The path to write to, if nothing exists there or a regular file.
fn replaceable(path: &Path) -> io::Result<PathBuf> {
    let destination = destination(path);
    match fs::metadata(&destination) {
        Ok(existing) if existing.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(existing) if !existing.is_file() => {
            let reason = "it exists and is not a regular file (a device or a named pipe cannot be replaced)";
            Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
        }
        // A path that cannot be inspected cannot be replaced either.
        _ => Ok(destination),
    }
}

/// Resolves symbolic links, so that a link is kept and its target replaced, even if the target does not exist yet.
fn destination(path: &Path) -> PathBuf {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(linked) = fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| linked.clone(), |folder| folder.join(&linked));
    }
    fs::canonicalize(&path).unwrap_or(path)
}

/// An empty temporary file in the same folder, deleted when dropped.
fn draft(destination: &Path) -> io::Result<NamedTempFile> {
    let folder = destination.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".protodash-").suffix(".part");
    set_permissions(&mut builder, destination);
    builder.tempfile_in(folder).map_err(without_path)
}

/// The error without the path of the temporary file, which means nothing to the user.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split_once(" at path ").map_or(text.as_str(), |(reason, _)| reason);
    io::Error::new(error.kind(), reason)
}

/// Sets the permissions of the file to be replaced, or those of a new file.
#[cfg(unix)]
fn set_permissions(builder: &mut tempfile::Builder<'_, '_>, destination: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let existing = fs::metadata(destination).map(|existing| existing.permissions());
    builder.permissions(existing.unwrap_or_else(|_| fs::Permissions::from_mode(0o666)));
}

#[cfg(not(unix))]
fn set_permissions(_: &mut tempfile::Builder<'_, '_>, _: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_complete_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        check_writable(&path).unwrap();
        let failed = write_atomically(&path, |writer| {
            writer.write_all(b"{\"half\":")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        write_atomically(&path, |writer| writer.write_all(b"{}")).unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "{}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_a_file_is_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let (device, link) = (folder.path().join("device"), folder.path().join("link.json"));
        // A socket stands for devices and pipes, which take root or another process to make.
        let _socket = std::os::unix::net::UnixListener::bind(&device).unwrap();
        std::os::unix::fs::symlink("device", &link).unwrap();
        for path in [&device, &link] {
            assert_eq!(check_writable(path).unwrap_err().kind(), io::ErrorKind::InvalidInput);
            let written: io::Result<()> = write_atomically(path, |writer| writer.write_all(b"{}"));
            assert_eq!(written.unwrap_err().kind(), io::ErrorKind::InvalidInput);
        }
        assert!(check_writable(Path::new("/dev/null")).is_err());
        assert!(fs::metadata(&device).unwrap().file_type().is_socket());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_that_does_not_exist_yet_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link.json");
        std::os::unix::fs::symlink("file.json", &link).unwrap();
        write_atomically(&link, |writer| writer.write_all(b"{}")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(folder.path().join("file.json")).unwrap(), "{}");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file.csv"), folder.path().join("link.csv"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, |writer| writer.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
