//! `cargo metadata` for our crates and their dependencies.

use serde::Deserialize;

use crate::workspace::{StepError, Workspace, output};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// A crate in `Cargo.lock`.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    /// Registry or repository; `None` for a crate of this workspace.
    pub(crate) source: Option<String>,
    /// Minimum supported Rust version.
    pub(crate) rust_version: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A dependency in a crate's `Cargo.toml`.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `None` for a normal dependency, otherwise `"dev"` or `"build"`.
    pub(crate) kind: Option<String>,
}

impl Package {
    /// Whether the crate belongs to this workspace.
    pub(crate) fn is_ours(&self) -> bool {
        self.source.is_none()
    }
}

/// All crates of `Cargo.lock`, ours included.
pub(crate) fn packages(workspace: &Workspace) -> Result<Vec<Package>, StepError> {
    let listed = output(&mut workspace.cargo(&["metadata", "--format-version", "1", "--locked", "--all-features"]))?;
    let metadata: Metadata = serde_json::from_str(&listed)
        .map_err(|error| StepError::new(format!("cannot parse the output of `cargo metadata`: {error}")))?;
    Ok(metadata.packages)
}
