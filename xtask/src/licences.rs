//! Licences, sources and versions of all dependencies.
//!
//! The allowed licences come from `deny.toml`, so that this check agrees with cargo-deny.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use serde::Deserialize;
use spdx::{Expression, Licensee, ParseMode};

use crate::metadata::{self, Package};
use crate::workspace::{StepError, Workspace, run, say};

#[derive(Deserialize)]
struct DenyFile {
    licenses: DenyLicenses,
}

#[derive(Deserialize)]
struct DenyLicenses {
    allow: Vec<String>,
}

/// Checks all packages in `Cargo.lock`; runs cargo-deny too if it is installed and can fetch its database.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let allowed = allowed(&workspace.read("deny.toml")?)?;
    let packages = metadata::packages(workspace)?;
    let violations: Vec<String> = packages.iter().filter_map(|package| violation(package, &allowed)).collect();
    for violation in &violations {
        say(violation);
    }
    if !violations.is_empty() {
        return Err(StepError::new(format!(
            "{} of {} packages are not allowed, see above",
            violations.len(),
            packages.len()
        )));
    }
    report_unused(&packages, &allowed);
    let duplicates = report_duplicates(&packages);
    let advisories = check_advisories(workspace)?;
    Ok(format!("{} packages, {duplicates} in more than one version, {advisories}", packages.len()))
}

fn allowed(deny: &str) -> Result<Vec<Licensee>, StepError> {
    let deny: DenyFile =
        toml::from_str(deny).map_err(|error| StepError::new(format!("cannot parse deny.toml: {error}")))?;
    let licensee = |name: &String| {
        Licensee::parse(name)
            .map_err(|error| StepError::new(format!("unknown licence {name:?} in deny.toml: {}", error.reason)))
    };
    deny.licenses.allow.iter().map(licensee).collect()
}

/// Why a package is not allowed, if so.
fn violation(package: &Package, allowed: &[Licensee]) -> Option<String> {
    let Package { name, version, .. } = package;
    if let Some(source) = package.source.as_deref().filter(|source| !is_registry(source)) {
        return Some(format!("{name} {version} comes from {source}; only registries are allowed"));
    }
    let Some(license) = &package.license else {
        return Some(format!("{name} {version} declares no licence"));
    };
    // Lax: some older packages write MIT/Apache-2.0 instead of MIT OR Apache-2.0.
    match Expression::parse_mode(license, ParseMode::LAX) {
        Err(error) => Some(format!("{name} {version} has an invalid licence {license:?}: {}", error.reason)),
        Ok(expression) if expression.evaluate(|wanted| allowed.iter().any(|licensee| licensee.satisfies(wanted))) => {
            None
        }
        Ok(_) => Some(format!("{name} {version} is under {license}, which deny.toml does not allow")),
    }
}

fn is_registry(source: &str) -> bool {
    source.starts_with("registry+") || source.starts_with("sparse+")
}

/// Prints the allowed licences that no package uses.
fn report_unused(packages: &[Package], allowed: &[Licensee]) {
    let expressions: Vec<Expression> = packages
        .iter()
        .filter_map(|package| Expression::parse_mode(package.license.as_deref()?, ParseMode::LAX).ok())
        .collect();
    let unused = |licensee: &&Licensee| {
        !expressions.iter().any(|expression| expression.requirements().any(|wanted| licensee.satisfies(&wanted.req)))
    };
    for licensee in allowed.iter().filter(unused) {
        say(&format!("note: deny.toml allows {licensee}, which no package uses"));
    }
}

/// Prints the packages with several versions and returns their number.
fn report_duplicates(packages: &[Package]) -> usize {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().insert(&package.version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    for (name, versions) in &versions {
        say(&format!(
            "note: {name} in {} versions: {}",
            versions.len(),
            Vec::from_iter(versions.iter().copied()).join(", ")
        ));
    }
    versions.len()
}

/// Runs cargo-deny, which knows security advisories and yanked versions.
fn check_advisories(workspace: &Workspace) -> Result<&'static str, StepError> {
    if !succeeds(workspace.cargo(&["deny", "--version"])) {
        say("note: advisories and yanked versions were NOT checked: cargo-deny is not installed");
        return Ok("advisories not checked");
    }
    if !succeeds(workspace.cargo(&["deny", "fetch", "db"])) {
        say("note: advisories and yanked versions were NOT checked: cargo-deny cannot fetch its database");
        return Ok("advisories not checked");
    }
    run(&mut workspace.cargo(&["deny", "--all-features", "check"]))?;
    Ok("no advisories")
}

fn succeeds(mut command: Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENY: &str = r#"
        [licenses]
        allow = ["MIT", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"]
    "#;

    fn violation_of(license: Option<&str>, source: Option<&str>) -> Option<String> {
        let package = Package {
            name: "thing".into(),
            version: "1.2.3".into(),
            license: license.map(String::from),
            source: source.map(String::from),
            rust_version: None,
            dependencies: Vec::new(),
        };
        violation(&package, &allowed(DENY).unwrap())
    }

    #[test]
    fn or_needs_one_licence_and_and_needs_both() {
        assert_eq!(violation_of(Some("MIT OR GPL-3.0-only"), None), None);
        assert_eq!(violation_of(Some("MIT/Apache-2.0"), None), None);
        assert_eq!(violation_of(Some("(MIT OR Apache-2.0) AND Unicode-3.0"), None), None);
        assert_eq!(
            violation_of(Some("MIT AND GPL-3.0-only"), None).unwrap(),
            "thing 1.2.3 is under MIT AND GPL-3.0-only, which deny.toml does not allow"
        );
    }

    #[test]
    fn an_exception_is_part_of_the_licence() {
        assert_eq!(violation_of(Some("Apache-2.0 WITH LLVM-exception"), None), None);
        assert_eq!(
            violation_of(Some("Apache-2.0"), None).unwrap(),
            "thing 1.2.3 is under Apache-2.0, which deny.toml does not allow"
        );
    }

    #[test]
    fn missing_and_unknown_licences_are_violations() {
        assert_eq!(violation_of(None, None).unwrap(), "thing 1.2.3 declares no licence");
        let violation = violation_of(Some("Freeware"), None).unwrap();
        assert!(violation.starts_with("thing 1.2.3 has an invalid licence \"Freeware\": "), "{violation}");
    }

    #[test]
    fn packages_come_from_a_registry_or_the_workspace() {
        assert_eq!(violation_of(Some("MIT"), Some("registry+https://example.org/index")), None);
        assert_eq!(
            violation_of(Some("MIT"), Some("git+https://example.org/thing")).unwrap(),
            "thing 1.2.3 comes from git+https://example.org/thing; only registries are allowed"
        );
    }

    #[test]
    fn unknown_licence_in_deny_toml_is_reported() {
        let failure = allowed("[licenses]\nallow = [\"Freeware\"]").unwrap_err().to_string();
        assert!(failure.starts_with("error: unknown licence \"Freeware\" in deny.toml: "), "{failure}");
    }
}
