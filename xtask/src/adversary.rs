//! `cargo xtask adversary [--minutes N] [--seed S]`: the core's differential test for as long as one likes.
//!
//! The test is `crates/protodash/tests/adversary`; a failure prints the seed and the smallest problem that still fails.

use crate::options::MinutesAndSeed;
use crate::workspace::{StepError, Workspace, run};

/// The name of the step.
pub(crate) const NAME: &str = "adversary";

/// Runs the test with the options after the name of the step.
pub(crate) fn attack(workspace: &Workspace) -> Result<String, StepError> {
    let options: Vec<String> = std::env::args().skip(2).collect();
    let MinutesAndSeed { minutes, seed } = MinutesAndSeed::parse(NAME, &options)?;
    let mut command = workspace.cargo(&["test", "--workspace", "--test", "adversary", "--", "--nocapture"]);
    command.env("PROTODASH_ADVERSARY_MINUTES", &minutes).env("PROTODASH_ADVERSARY_SEED", &seed);
    run(&mut command)?;
    Ok(format!("{minutes} minutes from seed {seed}, no fault"))
}
