//! The oldest Rust version that builds the workspace: `rust-version` in `Cargo.toml`.
//!
//! Clippy's `incompatible_msrv` finds newer items of the standard library. This step makes sure that no dependency asks
//! for more, and builds with that version where rustup has it.

use std::process::{Command, Stdio};

use crate::metadata::{self, Package};
use crate::workspace::{StepError, Workspace, run, say};

/// Checks what dependencies declare, then compiles with the oldest version if it is installed.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let packages = metadata::packages(workspace)?;
    let promised = packages.iter().filter(|package| package.is_ours()).find_map(|package| package.rust_version.clone());
    let promised = promised.ok_or_else(|| StepError::new("Cargo.toml declares no rust-version"))?;
    let faults = faults(&packages, &promised);
    for fault in &faults {
        say(fault);
    }
    if !faults.is_empty() {
        return Err(StepError::new(format!("{} crates need more than Rust {promised}, see above", faults.len())));
    }
    run(&mut workspace.cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "clippy::incompatible_msrv"]))?;
    if !is_installed(&promised) {
        say(&format!("note: NOT compiled with Rust {promised}: `rustup toolchain install {promised}` would allow it"));
        return Ok(format!("Rust {promised}: {} crates agree, not compiled", packages.len()));
    }
    run(Command::new("rustup")
        .args(["run", &promised, "cargo", "check", "--workspace", "--target-dir", "target/minimum-rust"])
        .current_dir(workspace.root()))?;
    Ok(format!("Rust {promised}: {} crates agree, compiled", packages.len()))
}

/// The crates that declare a later version than the promised one.
fn faults(packages: &[Package], promised: &str) -> Vec<String> {
    let later = |package: &&Package| {
        package.rust_version.as_deref().is_some_and(|version| numbers(version) > numbers(promised))
    };
    let fault = |package: &Package| {
        let needed = package.rust_version.as_deref().unwrap_or_default();
        format!("{} {} needs Rust {needed}, Cargo.toml promises {promised}", package.name, package.version)
    };
    packages.iter().filter(later).map(fault).collect()
}

/// A version as numbers that compare: `1.89` is `1.89.0`.
fn numbers(version: &str) -> [u32; 3] {
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
    fn versions_compare_as_numbers() {
        assert!(numbers("1.9") < numbers("1.10.1"));
        assert_eq!(numbers("1.89"), numbers("1.89.0"));
    }

    #[test]
    fn a_dependency_that_needs_more_is_named() {
        let package = |name: &str, version: Option<&str>| Package {
            name: name.into(),
            version: "2.0.0".into(),
            license: None,
            source: None,
            rust_version: version.map(String::from),
            dependencies: Vec::new(),
        };
        let packages = [package("old", Some("1.60")), package("new", Some("1.95")), package("silent", None)];
        assert_eq!(faults(&packages, "1.89"), ["new 2.0.0 needs Rust 1.95, Cargo.toml promises 1.89"]);
    }
}
