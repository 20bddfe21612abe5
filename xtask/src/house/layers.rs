//! Who may import whom among the crates of the workspace.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::workspace::{Failure, Workspace, output};

/// Each crate with the crates of ours that it may use. One that is not listed may use none.
const ALLOWED: &[(&str, &[&str])] = &[
    ("protodash-cli", &["protodash", "protodash-table", "protodash-report", "protodash-studies"]),
    ("protodash-py", &["protodash", "protodash-table", "protodash-report"]),
    ("protodash-studies", &["protodash", "protodash-table", "protodash-report"]),
    ("protodash-report", &["protodash", "protodash-table"]),
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `null` for an ordinary dependency, `"dev"` or `"build"` for the others.
    kind: Option<String>,
}

/// The imports between our crates that are not allowed; those of tests are free.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let listed = output(&mut workspace.cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Metadata = serde_json::from_str(&listed)
        .map_err(|error| Failure::new(format!("cannot understand the output of `cargo metadata`: {error}")))?;
    Ok(faults(&metadata))
}

fn faults(metadata: &Metadata) -> Vec<String> {
    let ours: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let mut faults = Vec::new();
    for package in &metadata.packages {
        let allowed = ALLOWED.iter().find(|(name, _)| *name == package.name).map_or(&[][..], |(_, allowed)| *allowed);
        let used = package.dependencies.iter().filter(|dependency| dependency.kind.as_deref() != Some("dev"));
        for name in used.map(|dependency| dependency.name.as_str()).filter(|name| ours.contains(name)) {
            if !allowed.contains(&name) {
                faults.push(format!("crate {} must not use {name}", package.name));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(dependencies: &[(&str, &str, Option<&str>)]) -> Metadata {
        let names = ["protodash", "protodash-table", "protodash-cli"];
        let package = |name: &str| Package {
            name: name.into(),
            dependencies: dependencies
                .iter()
                .filter(|(from, _, _)| *from == name)
                .map(|(_, to, kind)| Dependency { name: (*to).into(), kind: kind.map(String::from) })
                .collect(),
        };
        Metadata { packages: names.into_iter().map(package).collect() }
    }

    #[test]
    fn the_command_may_use_the_rest_and_strangers_are_free() {
        let allowed = [("protodash-cli", "protodash", None), ("protodash", "ndarray", None)];
        assert_eq!(faults(&metadata(&allowed)), Vec::<String>::new());
    }

    #[test]
    fn tables_know_no_kernel() {
        let forbidden = [("protodash-table", "protodash", None)];
        assert_eq!(faults(&metadata(&forbidden)), ["crate protodash-table must not use protodash"]);
        let in_tests = [("protodash", "protodash-table", Some("dev"))];
        assert_eq!(faults(&metadata(&in_tests)), Vec::<String>::new());
    }
}
