//! The Python package: built as a wheel, installed into an environment of its own, and tested there.
//!
//! The wheel is built with the settings of `cargo test`, whose compiled dependencies it shares. Where there is no Python
//! or no package index the step says so; with the variable `CI` set that is a failure.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::readme;
use crate::workspace::{Failure, Workspace, output, run, run_watched, say};

/// The oldest Python that the wheel is for.
const OLDEST: (u32, u32) = (3, 10);

/// Builds, installs and tests the package: tests, documentation examples and types.
pub(crate) fn check(workspace: &Workspace) -> Result<String, Failure> {
    let Some(python) = find_python() else {
        return absent(&format!("there is no Python {}.{} or newer on the search path", OLDEST.0, OLDEST.1));
    };
    let environment = Environment::new(workspace, &python)?;
    if let Err(failure) = run(&mut environment.pip(&["install", "--quiet", "maturin>=1.9,<2"])) {
        return absent(&format!("maturin cannot be installed ({failure})"));
    }
    let wheel = environment.build()?;
    run(&mut environment.pip(&["install", "--quiet", "--force-reinstall", "--no-deps", &wheel]))?;
    if let Err(failure) = run(&mut environment.pip(&["install", "--quiet", &format!("{wheel}[test]")])) {
        return absent(&format!("what the tests need cannot be installed ({failure})"));
    }
    environment.test()
}

/// Nothing was checked: a failure where everything has to be there, a plain word about it elsewhere.
fn absent(what: &str) -> Result<String, Failure> {
    if std::env::var_os("CI").is_some() {
        return Err(Failure::new(format!("the Python package cannot be tested: {what}")));
    }
    say(&format!("note: the Python package was NOT tested: {what}"));
    Ok("SKIPPED, see above".into())
}

/// The first Python that is new enough: the one that `PYTHON` names, or else the one on the search path.
fn find_python() -> Option<PathBuf> {
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    named.into_iter().chain(["python3", "python"].map(PathBuf::from)).find(|python| is_new_enough(python))
}

fn is_new_enough(python: &Path) -> bool {
    let script = format!("import sys; sys.exit(sys.version_info < ({}, {}))", OLDEST.0, OLDEST.1);
    let mut command = Command::new(python);
    command.args(["-c", &script]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A virtual environment in the target folder.
struct Environment<'a> {
    workspace: &'a Workspace,
    folder: PathBuf,
}

impl<'a> Environment<'a> {
    fn new(workspace: &'a Workspace, python: &Path) -> Result<Self, Failure> {
        let folder = workspace.root().join("target").join("python");
        let environment = Self { workspace, folder };
        if !is_new_enough(&environment.program("python")) {
            let mut command = Command::new(python);
            run(command.args(["-m", "venv", "--clear"]).arg(&environment.folder).current_dir(workspace.root()))?;
        }
        Ok(environment)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.folder.join(if cfg!(windows) { "Scripts" } else { "bin" }).join(name)
    }

    /// Python in the environment, started in the root.
    fn python(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program("python"));
        command.args(arguments).current_dir(self.workspace.root());
        command
    }

    fn pip(&self, arguments: &[&str]) -> Command {
        let mut command = self.python(&["-m", "pip", "--disable-pip-version-check"]);
        command.args(arguments);
        command
    }

    /// Builds the wheel and returns where it is.
    fn build(&self) -> Result<String, Failure> {
        let wheels = self.folder.join("wheels");
        drop(std::fs::remove_dir_all(&wheels));
        let mut command = Command::new(self.program("maturin"));
        command.args(["build", "--quiet", "--profile", "dev", "--interpreter"]).arg(self.program("python"));
        // The settings of [profile.test] under another name, since maturin would take `test` for a test program.
        command.arg("--out").arg(&wheels).env("CARGO_PROFILE_DEV_OPT_LEVEL", "2").current_dir(self.workspace.root());
        run(&mut command)?;
        let built = std::fs::read_dir(&wheels).ok().and_then(|mut files| files.next()).and_then(Result::ok);
        let built = built.ok_or_else(|| Failure::new("maturin built no wheel"))?;
        Ok(built.path().to_string_lossy().into_owned())
    }

    /// Runs the tests on the installed wheel, then checks the types.
    fn test(&self) -> Result<String, Failure> {
        let package = output(&mut self.python(&["-c", "import protodash; print(protodash.__path__[0])"]))?;
        let program = readme::build(self.workspace)?;
        let mut verdict = String::new();
        let mut tests = self.python(&["-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules"]);
        tests.args(["crates/protodash-py/tests", package.trim()]).env("PROTODASH_COMMAND", program);
        run_watched(&mut tests, |line| verdict = line.trim_matches(['=', ' ']).to_owned())?;
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_python_is_not_new_enough() {
        assert!(!is_new_enough(Path::new("no-such-program-here")));
        assert!(!is_new_enough(Path::new("cargo")));
    }
}
