//! The Python package: built as a wheel, installed in a virtual environment and tested there.
//!
//! The wheel is built with the settings of `cargo test`, to share its compiled dependencies. All tests run with the
//! newest supported packages; tests that use these packages also run with the oldest. Without Python or a package index
//! the step is skipped, or fails if `CI` is set.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::programs;
use crate::workspace::{StepError, Workspace, output, run, run_with_lines, say};

/// The oldest supported Python.
pub(crate) const OLDEST: (u32, u32) = (3, 10);
/// The newest Python that NumPy 1.26 supports.
pub(crate) const NEWEST_WITH_OLD_NUMPY: (u32, u32) = (3, 12);
/// The oldest versions tested; for NumPy, the oldest supported.
pub(crate) const OLDEST_PACKAGES: [&str; 8] = [
    "numpy==1.26.0",
    "scipy==1.11.4",
    "pandas==2.1.1",
    "polars==1.3.0",
    "pyarrow==14.0.1",
    "scikit-learn==1.6.0",
    "matplotlib==3.8.0",
    "pytest",
];
/// Warnings are errors with the newest packages only: old packages trigger deprecation warnings in each other.
pub(crate) const ALLOW_WARNINGS: [&str; 2] = ["-W", "default"];
/// Tests that use other packages.
const TESTS_WITH_PACKAGES: [&str; 5] = ["arrays", "estimators", "report", "selection", "tables"];

/// Builds and installs the package, then runs its tests, doctests and type checks.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let Some(python) = find_python() else {
        return skip(&format!("there is no Python {}.{} or newer on PATH", OLDEST.0, OLDEST.1));
    };
    let environment = Environment::new(workspace, &python, "python")?;
    if let Err(failure) = run(&mut environment.pip(&["install", "--quiet", "maturin>=1.9,<2"])) {
        return skip(&format!("maturin cannot be installed ({failure})"));
    }
    let wheel = environment.build()?;
    run(&mut environment.pip(&["install", "--quiet", "--force-reinstall", "--no-deps", &wheel]))?;
    if let Err(failure) = run(&mut environment.pip(&["install", "--quiet", &format!("{wheel}[test]")])) {
        return skip(&format!("the test dependencies cannot be installed ({failure})"));
    }
    let newest = environment.test()?;
    let Some(oldest) = test_oldest(workspace, &python, &wheel)? else { return Ok(newest) };
    Ok(format!("{newest}; with the oldest packages: {oldest}"))
}

/// Runs the tests that use other packages, with the oldest versions of them.
fn test_oldest(workspace: &Workspace, python: &Path, wheel: &str) -> Result<Option<String>, StepError> {
    if version(python).is_none_or(|version| version > NEWEST_WITH_OLD_NUMPY) {
        say("note: NumPy 1.26 does not support this Python; only the newest packages were tested");
        return Ok(None);
    }
    let environment = Environment::new(workspace, python, "python-oldest")?;
    environment.install_with_wheel(&OLDEST_PACKAGES, wheel)?;
    let files = TESTS_WITH_PACKAGES.map(|name| format!("crates/protodash-py/tests/test_{name}.py"));
    let files = files.each_ref().map(String::as_str);
    environment.pytest(&[&ALLOW_WARNINGS, &files[..]].concat(), &[]).map(Some)
}

/// Skips the step, or fails it if `CI` is set.
pub(crate) fn skip(reason: &str) -> Result<String, StepError> {
    if std::env::var_os("CI").is_some() {
        return Err(StepError::new(format!("cannot test the Python package: {reason}")));
    }
    say(&format!("note: the Python package was NOT tested: {reason}"));
    Ok("SKIPPED, see above".into())
}

/// The first supported Python: the one named by `PYTHON`, else the one on `PATH`.
pub(crate) fn find_python() -> Option<PathBuf> {
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    named.into_iter().chain(["python3", "python"].map(PathBuf::from)).find(|python| is_new_enough(python))
}

fn is_new_enough(python: &Path) -> bool {
    version(python).is_some_and(|version| version >= OLDEST)
}

/// The version of an interpreter, or `None` if it is not Python.
pub(crate) fn version(python: &Path) -> Option<(u32, u32)> {
    let script = "import sys; print(*sys.version_info[:2])";
    let printed = Command::new(python).args(["-c", script]).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(printed.stdout).ok()?;
    let (major, minor) = text.trim().split_once(' ')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// A virtual environment in the target folder.
pub(crate) struct Environment<'a> {
    workspace: &'a Workspace,
    folder: PathBuf,
}

impl<'a> Environment<'a> {
    /// Returns the environment `name`, created if it is missing or has another Python version.
    pub(crate) fn new(workspace: &'a Workspace, python: &Path, name: &str) -> Result<Self, StepError> {
        let folder = workspace.root().join("target").join(name);
        let environment = Self { workspace, folder };
        if version(&environment.program("python")) != version(python) {
            let mut command = Command::new(python);
            run(command.args(["-m", "venv", "--clear"]).arg(&environment.folder).current_dir(workspace.root()))?;
        }
        Ok(environment)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.folder.join(if cfg!(windows) { "Scripts" } else { "bin" }).join(name)
    }

    /// Command for the environment's Python, run in the root.
    pub(crate) fn python(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program("python"));
        command.args(arguments).current_dir(self.workspace.root());
        command
    }

    fn pip(&self, arguments: &[&str]) -> Command {
        let mut command = self.python(&["-m", "pip", "--disable-pip-version-check"]);
        command.args(arguments);
        command
    }

    /// Installs packages from the index.
    pub(crate) fn install(&self, packages: &[&str]) -> Result<(), StepError> {
        run(self.pip(&["install", "--quiet"]).args(packages))
    }

    /// Installs packages from the index, then the wheel.
    pub(crate) fn install_with_wheel(&self, packages: &[&str], wheel: &str) -> Result<(), StepError> {
        self.install(packages)?;
        run(&mut self.pip(&["install", "--quiet", "--force-reinstall", "--no-deps", wheel]))
    }

    /// Builds the wheel and returns its path.
    pub(crate) fn build(&self) -> Result<String, StepError> {
        let wheels = self.folder.join("wheels");
        drop(std::fs::remove_dir_all(&wheels));
        let mut command = self.maturin_command(&["build", "--quiet", "--profile", "dev", "--out"]);
        // The settings of [profile.test]; maturin cannot use that profile itself.
        run(command.arg(&wheels).env("CARGO_PROFILE_DEV_OPT_LEVEL", "2"))?;
        only_file(&wheels).map(|wheel| wheel.to_string_lossy().into_owned())
    }

    /// The path of the wheel, if it was built.
    pub(crate) fn wheel(&self) -> Option<String> {
        only_file(&self.folder.join("wheels")).ok().map(|wheel| wheel.to_string_lossy().into_owned())
    }

    /// Runs maturin for the environment's Python.
    pub(crate) fn maturin(&self, arguments: &[&str]) -> Result<(), StepError> {
        run(&mut self.maturin_command(arguments))
    }

    fn maturin_command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program("maturin"));
        command
            .args(&arguments[..1])
            .args(["--locked", "--interpreter"])
            .arg(self.program("python"))
            .args(&arguments[1..]);
        command.current_dir(self.workspace.root());
        command
    }

    /// Total size of the environment in bytes.
    pub(crate) fn bytes(&self) -> Result<u64, StepError> {
        size(&self.folder).map_err(|error| StepError::new(format!("cannot read {}: {error}", self.folder.display())))
    }

    /// Runs the tests on the installed wheel, then the type checks.
    fn test(&self) -> Result<String, StepError> {
        let package = output(&mut self.python(&["-c", "import protodash; print(protodash.__path__[0])"]))?;
        let verdict = self.pytest(&["--doctest-modules", "crates/protodash-py/tests", package.trim()], &[])?;
        run(&mut self.python(&["-m", "mypy", "--cache-dir", "target/python/mypy", "-p", "protodash"]))?;
        run(&mut self.python(&[
            "-m",
            "mypy",
            "--cache-dir",
            "target/python/mypy",
            "crates/protodash-py/tests/typed_use.py",
        ]))?;
        run(&mut self.python(&["-m", "mypy.stubtest", "protodash._native"]))?;
        Ok(verdict)
    }

    /// Runs pytest and returns its summary line.
    pub(crate) fn pytest(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Result<String, StepError> {
        let program = programs::build(self.workspace, "protodash")?;
        let mut verdict = String::new();
        let mut tests = self.python(&["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
        tests.args(arguments).env("PROTODASH_COMMAND", program).envs(variables.iter().copied());
        run_with_lines(&mut tests, |line| verdict = line.trim_matches(['=', ' ']).to_owned())?;
        Ok(verdict)
    }
}

/// The only file in a folder.
pub(crate) fn only_file(folder: &Path) -> Result<PathBuf, StepError> {
    let found = std::fs::read_dir(folder).ok().and_then(|mut files| files.next()).and_then(Result::ok);
    found.map(|file| file.path()).ok_or_else(|| StepError::new(format!("there is no wheel in {}", folder.display())))
}

fn size(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
        bytes += if kind.is_dir() { size(&path)? } else { path.symlink_metadata()?.len() };
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_have_no_python_version() {
        assert!(!is_new_enough(Path::new("no-such-program-here")));
        assert!(!is_new_enough(Path::new("cargo")));
        assert_eq!(version(Path::new("cargo")), None);
    }
}
