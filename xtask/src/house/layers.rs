//! Allowed imports between crates.

use std::collections::BTreeSet;

use crate::metadata::Package;

/// The workspace crates that each crate may import. A crate that is not listed may import none.
const ALLOWED: &[(&str, &[&str])] = &[
    ("protodash-meter", &["protodash"]),
    ("protodash-terminal", &["protodash-meter"]),
    ("protodash-cli", &["protodash", "protodash-meter", "protodash-table", "protodash-report", "protodash-terminal"]),
    ("protodash-py", &["protodash", "protodash-meter", "protodash-table", "protodash-report"]),
    ("protodash-studies", &["protodash", "protodash-table", "protodash-report", "protodash-terminal"]),
    ("protodash-report", &["protodash", "protodash-table"]),
];

/// Forbidden imports between our crates. Tests may import anything.
pub(super) fn violations(packages: &[Package]) -> Vec<String> {
    let ours: BTreeSet<&str> =
        packages.iter().filter(|package| package.is_ours()).map(|package| package.name.as_str()).collect();
    let mut violations = Vec::new();
    for package in packages.iter().filter(|package| package.is_ours()) {
        let allowed = ALLOWED.iter().find(|(name, _)| *name == package.name).map_or(&[][..], |(_, allowed)| *allowed);
        let used = package.dependencies.iter().filter(|dependency| dependency.kind.as_deref() != Some("dev"));
        for name in used.map(|dependency| dependency.name.as_str()).filter(|name| ours.contains(name)) {
            if !allowed.contains(&name) {
                violations.push(format!("crate {} must not import {name}", package.name));
            }
        }
    }
    violations
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
    fn cli_may_import_libraries_and_all_may_import_external_crates() {
        let allowed = [("protodash-cli", "protodash", None), ("protodash", "ndarray", None)];
        assert_eq!(violations(&packages(&allowed)), Vec::<String>::new());
    }

    #[test]
    fn tables_must_not_import_the_core() {
        let forbidden = [("protodash-table", "protodash", None)];
        assert_eq!(violations(&packages(&forbidden)), ["crate protodash-table must not import protodash"]);
        let in_tests = [("protodash", "protodash-table", Some("dev"))];
        assert_eq!(violations(&packages(&in_tests)), Vec::<String>::new());
    }
}
