//! What cargo reports about our crates and everything they depend on.

use serde::Deserialize;

use crate::workspace::{StepError, Workspace, output};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// A crate of `Cargo.lock`.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    /// Where it was fetched from; `null` for a crate of this repository.
    pub(crate) source: Option<String>,
    /// The oldest compiler it promises to build with.
    pub(crate) rust_version: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// An entry of a crate's `Cargo.toml`.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `null` for an ordinary dependency, `"dev"` or `"build"` for the others.
    pub(crate) kind: Option<String>,
}

impl Package {
    /// Whether the crate belongs to this repository.
    pub(crate) fn is_ours(&self) -> bool {
        self.source.is_none()
    }
}

/// All crates of `Cargo.lock`, ours included.
pub(crate) fn packages(workspace: &Workspace) -> Result<Vec<Package>, StepError> {
    let listed = output(&mut workspace.cargo(&["metadata", "--format-version", "1", "--locked", "--all-features"]))?;
    let metadata: Metadata = serde_json::from_str(&listed)
        .map_err(|error| StepError::new(format!("cannot understand the output of `cargo metadata`: {error}")))?;
    Ok(metadata.packages)
}
