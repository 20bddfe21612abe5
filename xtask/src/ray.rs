//! `cargo xtask ray`: the Python package on a Ray cluster of real processes on this machine, some of which are killed.
//!
//! Uses the environment and the wheel of the step `python`. `cargo xtask chaos [--minutes N] [--seed S]` kills at random for
//! as long as one likes. Without Python or a package index the step is skipped, or fails if `CI` is set.

use crate::options::MinutesAndSeed;
use crate::programs;
use crate::python::{ALLOW_WARNINGS, Environment, find_python, skip};
use crate::workspace::{StepError, Workspace, run};

/// The name of the step that takes options.
pub(crate) const CHAOS: &str = "chaos";

/// Where the tests are.
const TESTS: &str = "crates/protodash-py/ray_tests";

/// Runs the tests.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    match environment(workspace)? {
        Ok(environment) => environment.pytest(&[&ALLOW_WARNINGS[..], &[TESTS]].concat(), &[]),
        Err(reason) => skip(&reason),
    }
}

/// Kills workers at random until the time is over.
pub(crate) fn chaos(workspace: &Workspace) -> Result<String, StepError> {
    let given = MinutesAndSeed::parse(CHAOS, &std::env::args().skip(2).collect::<Vec<_>>())?;
    let environment = environment(workspace)?.map_err(StepError::new)?;
    let script = format!("{TESTS}/chaos.py");
    let MinutesAndSeed { minutes, seed } = given;
    let mut command = environment.python(&[&script, &minutes, &seed]);
    run(command.env("PROTODASH_COMMAND", programs::build(workspace, "protodash")?))?;
    Ok(format!("{minutes} minutes from seed {seed}, no fault"))
}

/// The environment of the step `python`, with Ray; or why there is none.
fn environment(workspace: &Workspace) -> Result<Result<Environment<'_>, String>, StepError> {
    let Some(python) = find_python() else { return Ok(Err("there is no Python".to_owned())) };
    let environment = Environment::new(workspace, &python, "python")?;
    let wheel = match environment.wheel() {
        Some(wheel) => wheel,
        None => {
            if let Err(failure) = environment.install(&["maturin>=1.9,<2"]) {
                return Ok(Err(format!("maturin cannot be installed ({failure})")));
            }
            environment.build()?
        }
    };
    let with_extras = format!("{wheel}[ray,test]");
    Ok(match environment.install(&[&with_extras]) {
        Ok(()) => Ok(environment),
        Err(failure) => Err(format!("Ray cannot be installed ({failure})")),
    })
}
