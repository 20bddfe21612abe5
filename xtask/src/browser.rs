//! HTML reports in a real browser: no errors, no network requests, responsive layout, working controls.
//!
//! Chromium and its driver come from the system, Selenium from the package index. If one of them is missing, the step
//! is skipped, or fails when `CI` is set.

use std::path::PathBuf;

use crate::programs;
use crate::python::{Environment, find_python};
use crate::workspace::{StepError, Workspace, run_with_lines, say};

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const DRIVERS: [&str; 1] = ["chromedriver"];
const PACKAGES: [&str; 4] = ["pytest>=8,<10", "selenium>=4.20,<5", "html5lib>=1.1,<2", "axe-core-python>=0.1,<1"];

/// Creates and tests every kind of report; screenshots go to the target folder.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let (Some(browser), Some(driver)) = (find(&BROWSERS), find(&DRIVERS)) else {
        return skip("Chromium or its driver is not installed (Debian: chromium and chromium-driver)");
    };
    let Some(python) = find_python() else { return skip("there is no Python to run the tests") };
    let environment = Environment::new(workspace, &python, "browser")?;
    if let Err(failure) = environment.install(&PACKAGES) {
        return skip(&format!("the test packages cannot be installed ({failure})"));
    }
    let mut verdict = String::new();
    let mut tests = environment.python(&["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    tests
        .arg("crates/protodash-report/tests/browser")
        .env("PROTODASH_COMMAND", programs::build(workspace, "protodash")?);
    tests.env("PROTODASH_STUDIES", programs::build(workspace, "protodash-studies")?);
    tests.env("PROTODASH_BROWSER", browser).env("PROTODASH_DRIVER", driver);
    run_with_lines(&mut tests, |line| verdict = line.trim_matches(['=', ' ']).to_owned())?;
    Ok(verdict)
}

/// Skips the step, or fails it if `CI` is set.
fn skip(reason: &str) -> Result<String, StepError> {
    if std::env::var_os("CI").is_some() {
        return Err(StepError::new(format!("cannot test the reports in a browser: {reason}")));
    }
    say(&format!("note: the reports were NOT tested in a browser: {reason}"));
    Ok("SKIPPED, see above".into())
}

/// The first of these programs found on `PATH`.
fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let endings = if cfg!(windows) { [".exe"] } else { [""] };
    let candidates = names.iter().flat_map(|name| endings.map(|ending| format!("{name}{ending}")));
    candidates.flat_map(|name| folders.iter().map(move |folder| folder.join(&name))).find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_on_path() {
        assert!(find(&["cargo"]).is_some());
        assert_eq!(find(&["no-such-program-here"]), None);
    }
}
