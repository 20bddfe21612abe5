//! Locates the real data.

use std::path::{Path, PathBuf};

/// The folder of a data set, or `None` after reporting what is skipped.
pub(crate) fn real_data(what: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("PROTODASH_DATA").map_or_else(beside, PathBuf::from);
    let found = folder.join(what);
    if found.exists() {
        return Some(found);
    }
    assert!(std::env::var_os("CI").is_none(), "{} not found", found.display());
    eprintln!("skipped: {} not found", found.display());
    None
}
