//! `cargo xtask adversary [--minutes N] [--seed S]`: the core's differential test for as long as one likes.
//!
//! The test is `crates/protodash/tests/adversary`; a failure prints the seed and the smallest problem that still fails.

use crate::workspace::{StepError, Workspace, run};

/// The name of the step, the only one that takes options.
pub(crate) const NAME: &str = "adversary";

/// Options of the step with the variables that the test reads, and their values if they are not given.
const OPTIONS: [(&str, &str, &str); 2] =
    [("--minutes", "PROTODASH_ADVERSARY_MINUTES", "10"), ("--seed", "PROTODASH_ADVERSARY_SEED", "0")];

/// Runs the test with the options after the name of the step.
pub(crate) fn attack(workspace: &Workspace) -> Result<String, StepError> {
    let options: Vec<String> = std::env::args().skip(2).collect();
    let values = values(&options)?;
    let mut command = workspace.cargo(&["test", "--workspace", "--test", "adversary", "--", "--nocapture"]);
    run(command.envs(values.clone()))?;
    let [minutes, seed] = values.map(|(_, value)| value);
    Ok(format!("{minutes} minutes from seed {seed}, no fault"))
}

/// The variables with their values.
fn values(options: &[String]) -> Result<[(&'static str, String); 2], StepError> {
    let mut values = OPTIONS.map(|(_, variable, default)| (variable, default.to_owned()));
    for pair in options.chunks(2) {
        let place = OPTIONS.iter().position(|(name, ..)| *name == pair[0]);
        let number = pair.get(1).filter(|value| value.parse::<f64>().is_ok_and(|number| number >= 0.0));
        let (Some(place), Some(number)) = (place, number) else {
            return Err(StepError::new("usage: cargo xtask adversary [--minutes N] [--seed S]"));
        };
        values[place].1.clone_from(number);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(options: &[&str]) -> Option<[String; 2]> {
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        values(&options).ok().map(|values| values.map(|(_, value)| value))
    }

    #[test]
    fn options_may_be_left_out_but_not_misspelt() {
        assert_eq!(given(&[]), Some(["10".to_owned(), "0".to_owned()]));
        assert_eq!(given(&["--seed", "7", "--minutes", "0.5"]), Some(["0.5".to_owned(), "7".to_owned()]));
        for wrong in [&["--minutes"][..], &["--seed", "x"], &["--minutes", "-1"], &["--hours", "1"]] {
            assert_eq!(given(wrong), None, "{wrong:?}");
        }
    }
}
