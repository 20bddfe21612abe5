//! Tests the wheel in every installed Python: with the oldest supported packages, the newest, and none.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::python::{self, ALLOW_WARNINGS, Environment, NEWEST_WITH_OLD_NUMPY, OLDEST, OLDEST_PACKAGES};
use crate::workspace::{StepError, Workspace, say};

/// Last minor version of Python to look for.
const NEWEST: u32 = 15;
/// Optional dependencies, NumPy and pytest.
const PACKAGES: [&str; 9] =
    ["numpy", "scipy", "pandas", "polars", "pyarrow", "datasets", "scikit-learn", "matplotlib", "pytest"];

/// Runs the tests in each Python found and returns the results.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let found = interpreters();
    let Some(first) = found.values().next() else {
        return Err(StepError::new(format!("there is no Python {}.{} or newer", OLDEST.0, OLDEST.1)));
    };
    let builder = Environment::new(workspace, &python::find_python().unwrap_or_else(|| first.clone()), "python")?;
    builder.install(&["maturin>=1.9,<2"])?;
    let wheel = builder.build()?;
    let mut verdicts = Vec::new();
    for (version, python) in &found {
        for setup in setups(*version) {
            let name = format!("{}.{} {}", version.0, version.1, setup.name);
            let environment = Environment::new(workspace, python, &format!("pythons/{}", name.replace(' ', "-")))?;
            environment.install_with_wheel(setup.packages, &wheel)?;
            let arguments = [setup.arguments, &["crates/protodash-py/tests"]].concat();
            let verdict = environment.pytest(&arguments, setup.variables)?;
            say(&format!("{name}: {verdict}"));
            verdicts.push(format!("{name}: {verdict}"));
        }
    }
    Ok(verdicts.join("\n                       "))
}

/// Packages installed next to the wheel, and how pytest is called.
struct PythonSetup {
    name: &'static str,
    packages: &'static [&'static str],
    arguments: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
}

fn setups(version: (u32, u32)) -> Vec<PythonSetup> {
    let mut setups = vec![
        PythonSetup { name: "newest", packages: &PACKAGES, arguments: &[], variables: &[] },
        // Skips tests of packages that are not installed.
        PythonSetup {
            name: "bare",
            packages: &["numpy", "pytest"],
            arguments: &[],
            variables: &[("PROTODASH_BARE", "1")],
        },
    ];
    if version <= NEWEST_WITH_OLD_NUMPY {
        setups.push(PythonSetup {
            name: "oldest",
            packages: &OLDEST_PACKAGES,
            arguments: &ALLOW_WARNINGS,
            variables: &[],
        });
    }
    setups
}

/// One interpreter per supported version, from `PATH` and pyenv.
pub(crate) fn interpreters() -> BTreeMap<(u32, u32), PathBuf> {
    let named = (OLDEST.1..=NEWEST).map(|minor| PathBuf::from(format!("python3.{minor}")));
    let root = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let root = root.or_else(|| std::env::home_dir().map(|home| home.join(".pyenv")));
    let versions = root.and_then(|root| std::fs::read_dir(root.join("versions")).ok());
    let pyenv = versions.into_iter().flatten().flatten().map(|version| version.path().join("bin").join("python"));
    let mut found = BTreeMap::new();
    for python in named.chain(pyenv).chain(python::find_python()) {
        if let Some(version) = python::version(&python).filter(|version| *version >= OLDEST) {
            found.entry(version).or_insert(python);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_numpy_is_tested_on_old_pythons_only() {
        let names = |version| setups(version).iter().map(|setup| setup.name).collect::<Vec<_>>();
        assert_eq!(names((3, 10)), ["newest", "bare", "oldest"]);
        assert_eq!(names((3, 13)), ["newest", "bare"]);
    }
}
