//! Checks that cargo runs.

use crate::workspace::{StepError, Workspace, run, run_with_lines};

pub(crate) fn fmt(workspace: &Workspace) -> Result<String, StepError> {
    run(&mut workspace.cargo(&["fmt", "--all", "--check"]))?;
    Ok("formatted".into())
}

pub(crate) fn clippy(workspace: &Workspace) -> Result<String, StepError> {
    run(&mut workspace.cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    Ok("no warnings".into())
}

pub(crate) fn doc(workspace: &Workspace) -> Result<String, StepError> {
    let mut command = workspace.cargo(&["doc", "--workspace", "--no-deps"]);
    run(command.env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok("no warnings".into())
}

/// Runs the unit, integration and documentation tests of every crate and counts them.
pub(crate) fn test(workspace: &Workspace) -> Result<String, StepError> {
    let mut counts = Counts::default();
    run_with_lines(&mut workspace.cargo(&["test", "--workspace"]), |line| counts.add(line))?;
    Ok(format!("{} passed, {} failed, {} ignored", counts.passed, counts.failed, counts.ignored))
}

/// Test counts, summed over the result lines of all test binaries.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Counts {
    fn add(&mut self, line: &str) {
        let Some(result) = line.strip_prefix("test result: ") else { return };
        for part in result.split(['.', ';']) {
            let Some((number, word)) = part.trim().split_once(' ') else { continue };
            let count = number.parse().unwrap_or(0);
            match word {
                "passed" => self.passed += count,
                "failed" => self.failed += count,
                "ignored" => self.ignored += count,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_summed() {
        let mut counts = Counts::default();
        for line in [
            "running 3 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.02s",
            "test tests::result: ok. 9 passed",
            "test result: FAILED. 40 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.51s",
        ] {
            counts.add(line);
        }
        assert_eq!(counts, Counts { passed: 43, failed: 2, ignored: 1 });
    }
}
