//! The pages in a real browser: they open quietly, ask for nothing, fit every width, and do what they offer.
//!
//! Chromium and its driver come from the system, what drives them from the package index. Where one of these is not there
//! the step says so; with the variable `CI` set that is a failure.

use std::path::PathBuf;

use crate::programs;
use crate::python::{Environment, find_python};
use crate::workspace::{StepError, Workspace, run_watched, say};

/// The browser under the names that systems give it.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const DRIVERS: [&str; 1] = ["chromedriver"];
/// What the tests are written with: the driver's library, a strict parser, and rules for pages that all can read.
const PACKAGES: [&str; 4] = ["pytest>=8,<10", "selenium>=4.20,<5", "html5lib>=1.1,<2", "axe-core-python>=0.1,<1"];

/// Makes every kind of page, opens it and tries it out; pictures of them are left in the target folder.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let (Some(browser), Some(driver)) = (find(&BROWSERS), find(&DRIVERS)) else {
        return absent("there is no Chromium with its driver (Debian: chromium and chromium-driver)");
    };
    let Some(python) = find_python() else { return absent("there is no Python to drive it with") };
    let environment = Environment::new(workspace, &python, "browser")?;
    if let Err(failure) = environment.install(&PACKAGES) {
        return absent(&format!("what drives it cannot be installed ({failure})"));
    }
    let mut verdict = String::new();
    let mut tests = environment.python(&["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    tests
        .arg("crates/protodash-report/tests/browser")
        .env("PROTODASH_COMMAND", programs::build(workspace, "protodash")?);
    tests.env("PROTODASH_STUDIES", programs::build(workspace, "protodash-studies")?);
    tests.env("PROTODASH_BROWSER", browser).env("PROTODASH_DRIVER", driver);
    run_watched(&mut tests, |line| verdict = line.trim_matches(['=', ' ']).to_owned())?;
    Ok(verdict)
}

/// Nothing was checked: a failure where everything has to be there, a plain word about it elsewhere.
fn absent(what: &str) -> Result<String, StepError> {
    if std::env::var_os("CI").is_some() {
        return Err(StepError::new(format!("the pages cannot be opened in a browser: {what}")));
    }
    say(&format!("note: the pages were NOT opened in a browser: {what}"));
    Ok("SKIPPED for want of a browser, see above".into())
}

/// The first of these programs that is on the search path.
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
    fn programs_are_found_by_name() {
        assert!(find(&["cargo"]).is_some());
        assert_eq!(find(&["no-such-program-here"]), None);
    }
}
