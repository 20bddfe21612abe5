//! The one wheel in every Python of the machine: with the oldest packages that it works with, the newest, and none.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::python::{self, Environment, NEWEST_WITH_OLD_NUMPY, OLDEST, OLDEST_PACKAGES, WARNINGS_OF_OTHERS};
use crate::workspace::{StepError, Workspace, say};

/// The newest Python that is looked for by its name.
const NEWEST: u32 = 15;
/// All that the package works with.
const PACKAGES: [&str; 8] = ["numpy", "scipy", "pandas", "polars", "pyarrow", "scikit-learn", "matplotlib", "pytest"];

/// Runs the tests in each Python that is found, and says what they come to.
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
        for kind in kinds(*version) {
            let name = format!("{}.{} {}", version.0, version.1, kind.name);
            let environment = Environment::new(workspace, python, &format!("pythons/{}", name.replace(' ', "-")))?;
            environment.fill(kind.packages, &wheel)?;
            let arguments = [kind.arguments, &["crates/protodash-py/tests"]].concat();
            let verdict = environment.pytest(&arguments, kind.variables)?;
            say(&format!("{name}: {verdict}"));
            verdicts.push(format!("{name}: {verdict}"));
        }
    }
    Ok(verdicts.join("\n                       "))
}

/// What is installed beside the wheel.
struct PythonSetup {
    name: &'static str,
    packages: &'static [&'static str],
    arguments: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
}

fn kinds(version: (u32, u32)) -> Vec<PythonSetup> {
    let mut kinds = vec![
        PythonSetup { name: "newest", packages: &PACKAGES, arguments: &[], variables: &[] },
        // Tests of what is not there are left out.
        PythonSetup {
            name: "bare",
            packages: &["numpy", "pytest"],
            arguments: &[],
            variables: &[("PROTODASH_BARE", "1")],
        },
    ];
    if version <= NEWEST_WITH_OLD_NUMPY {
        kinds.push(PythonSetup {
            name: "oldest",
            packages: &OLDEST_PACKAGES,
            arguments: &WARNINGS_OF_OTHERS,
            variables: &[],
        });
    }
    kinds
}

/// One interpreter of each version that is new enough: those on the search path by their names, and pyenv's.
pub(crate) fn interpreters() -> BTreeMap<(u32, u32), PathBuf> {
    let named = (OLDEST.1..=NEWEST).map(|minor| PathBuf::from(format!("python3.{minor}")));
    let root = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let root = root.or_else(|| std::env::home_dir().map(|home| home.join(".pyenv")));
    let versions = root.and_then(|root| std::fs::read_dir(root.join("versions")).ok());
    let kept = versions.into_iter().flatten().flatten().map(|version| version.path().join("bin").join("python"));
    let mut found = BTreeMap::new();
    for python in named.chain(kept).chain(python::find_python()) {
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
    fn an_old_numpy_is_for_old_pythons() {
        let names = |version| kinds(version).iter().map(|kind| kind.name).collect::<Vec<_>>();
        assert_eq!(names((3, 10)), ["newest", "bare", "oldest"]);
        assert_eq!(names((3, 13)), ["newest", "bare"]);
    }
}
