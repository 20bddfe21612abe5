//! The options of steps that run for as long as one likes.

use crate::workspace::StepError;

/// How long to run, and the seed of the first trial.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MinutesAndSeed {
    pub(crate) minutes: String,
    pub(crate) seed: String,
}

impl MinutesAndSeed {
    /// The options after the name of a step.
    pub(crate) fn parse(step: &str, options: &[String]) -> Result<Self, StepError> {
        let mut parsed = MinutesAndSeed { minutes: "10".to_owned(), seed: "0".to_owned() };
        for pair in options.chunks(2) {
            let number = pair.get(1).filter(|value| value.parse::<f64>().is_ok_and(|number| number >= 0.0));
            match (pair[0].as_str(), number) {
                ("--minutes", Some(number)) => parsed.minutes.clone_from(number),
                ("--seed", Some(number)) => parsed.seed.clone_from(number),
                _ => return Err(StepError::new(format!("usage: cargo xtask {step} [--minutes N] [--seed S]"))),
            }
        }
        Ok(parsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(options: &[&str]) -> Option<[String; 2]> {
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        MinutesAndSeed::parse("adversary", &options).ok().map(|parsed| [parsed.minutes, parsed.seed])
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
