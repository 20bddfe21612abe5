//! The free space of a disk.

use std::path::Path;

/// Returns the number of bytes that this user may still write to the disk of `directory`, if the system can tell.
#[cfg(unix)]
pub(crate) fn free_space(directory: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(directory).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// Returns the number of bytes that this user may still write to the disk of `directory`, if the system can tell.
#[cfg(not(unix))]
pub(crate) fn free_space(_directory: &Path) -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_temporary_directory_has_free_space_and_a_missing_one_has_none() {
        assert!(free_space(&std::env::temp_dir()).unwrap() > 0);
        assert_eq!(free_space(Path::new("/no/such/folder")), None);
    }
}
