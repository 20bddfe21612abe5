//! Which crate may import which other.

use std::collections::BTreeSet;

use crate::metadata::Package;

/// Each crate with the crates of ours that it may import. A crate that is not listed may import none.
const ALLOWED: &[(&str, &[&str])] = &[
    ("protodash-meter", &["protodash"]),
    ("protodash-cli", &["protodash", "protodash-meter", "protodash-table", "protodash-report", "protodash-result", "protodash-terminal"]),
    ("protodash-py", &["protodash", "protodash-meter", "protodash-table", "protodash-report", "protodash-result"]),
    ("protodash-studies", &["protodash", "protodash-table", "protodash-report", "protodash-terminal"]),
    ("protodash-result", &["protodash", "protodash-table", "protodash-report"]),
    ("protodash-report", &["protodash"]),
];

/// The imports between our crates that are not allowed. Tests may import anything.
pub(super) fn faults(packages: &[Package]) -> Vec<String> {
    let ours: BTreeSet<&str> =
        packages.iter().filter(|package| package.is_ours()).map(|package| package.name.as_str()).collect();
    let mut faults = Vec::new();
    for package in packages.iter().filter(|package| package.is_ours()) {
        let allowed = ALLOWED.iter().find(|(name, _)| *name == package.name).map_or(&[][..], |(_, allowed)| *allowed);
        let used = package.dependencies.iter().filter(|dependency| dependency.kind.as_deref() != Some("dev"));
        for name in used.map(|dependency| dependency.name.as_str()).filter(|name| ours.contains(name)) {
            if !allowed.contains(&name) {
                faults.push(format!("crate {} must not import {name}", package.name));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Dependency;

    fn packages(dependencies: &[(&str, &str, Option<&str>)]) -> Vec<Package> {
        let package = |name: &str| Package {
            name: name.into(),
            version: "1.0.0".into(),
            license: None,
            source: None,
            rust_version: None,
            dependencies: dependencies
                .iter()
                .filter(|(from, _, _)| *from == name)
                .map(|(_, to, kind)| Dependency { name: (*to).into(), kind: kind.map(String::from) })
                .collect(),
        };
        ["protodash", "protodash-table", "protodash-cli"].map(package).into()
    }

    #[test]
    fn the_command_may_import_libraries_and_anybody_may_import_others() {
        let allowed = [("protodash-cli", "protodash", None), ("protodash", "ndarray", None)];
        assert_eq!(faults(&packages(&allowed)), Vec::<String>::new());
    }

    #[test]
    fn tables_know_no_kernel() {
        let forbidden = [("protodash-table", "protodash", None)];
        assert_eq!(faults(&packages(&forbidden)), ["crate protodash-table must not import protodash"]);
        let in_tests = [("protodash", "protodash-table", Some("dev"))];
        assert_eq!(faults(&packages(&in_tests)), Vec::<String>::new());
    }
}
