//! The minimum supported Rust version: `rust-version` in `Cargo.toml`.
//!
//! Clippy's `incompatible_msrv` finds newer items of the standard library. This step also checks the `rust-version` of
//! all dependencies, and builds with the minimum version if it is installed.

use std::process::{Command, Stdio};

use crate::metadata::{self, Package};
use crate::workspace::{StepError, Workspace, run, say};

/// Checks the versions that dependencies declare, then compiles with the minimum version if it is installed.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let packages = metadata::packages(workspace)?;
    let minimum = packages.iter().filter(|package| package.is_ours()).find_map(|package| package.rust_version.clone());
    let minimum = minimum.ok_or_else(|| StepError::new("Cargo.toml declares no rust-version"))?;
    let violations = violations(&packages, &minimum);
    for violation in &violations {
        say(violation);
    }
    if !violations.is_empty() {
        return Err(StepError::new(format!("{} crates need a newer Rust than {minimum}, see above", violations.len())));
    }
    run(&mut workspace.cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "clippy::incompatible_msrv"]))?;
    if !is_installed(&minimum) {
        say(&format!("note: NOT compiled with Rust {minimum}; install it with `rustup toolchain install {minimum}`"));
        return Ok(format!("Rust {minimum}: {} crates agree, not compiled", packages.len()));
    }
    run(Command::new("rustup")
        .args(["run", &minimum, "cargo", "check", "--workspace", "--target-dir", "target/minimum-rust"])
        .current_dir(workspace.root()))?;
    Ok(format!("Rust {minimum}: {} crates agree, compiled", packages.len()))
}

/// Crates that declare a newer minimum version than ours.
fn violations(packages: &[Package], minimum: &str) -> Vec<String> {
    let later = |package: &&Package| {
        package.rust_version.as_deref().is_some_and(|version| parse_version(version) > parse_version(minimum))
    };
    let violation = |package: &Package| {
        let needed = package.rust_version.as_deref().unwrap_or_default();
        format!("{} {} needs Rust {needed}, Cargo.toml declares {minimum}", package.name, package.version)
    };
    packages.iter().filter(later).map(violation).collect()
}

/// Parses a version for comparison: `1.89` is `1.89.0`.
fn parse_version(version: &str) -> [u32; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

fn is_installed(version: &str) -> bool {
    let mut command = Command::new("rustup");
    command.args(["run", version, "cargo", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_numerically() {
        assert!(parse_version("1.9") < parse_version("1.10.1"));
        assert_eq!(parse_version("1.89"), parse_version("1.89.0"));
    }

    #[test]
    fn dependencies_with_a_newer_minimum_are_reported() {
        let package = |name: &str, version: Option<&str>| Package {
            name: name.into(),
            version: "2.0.0".into(),
            license: None,
            source: None,
            rust_version: version.map(String::from),
            dependencies: Vec::new(),
        };
        let packages = [package("old", Some("1.60")), package("new", Some("1.95")), package("silent", None)];
        assert_eq!(violations(&packages, "1.89"), ["new 2.0.0 needs Rust 1.95, Cargo.toml declares 1.89"]);
    }
}
