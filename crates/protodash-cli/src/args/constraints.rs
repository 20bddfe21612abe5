//! Flags for quotas and a budget.

use std::str::FromStr;

use super::SelectArgs;
use crate::error::Failure;

/// Quotas and a budget.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Prototypes")]
pub(crate) struct ConstraintArgs {
    /// Choose at least N rows with this value; repeat for others
    ///
    /// Quotas must not share rows. The column stays a feature unless --drop names it.
    #[arg(long, value_name = "COLUMN=VALUE:N")]
    pub(crate) at_least: Vec<ValueLimit>,

    /// Choose at most N rows with this value
    #[arg(long, value_name = "COLUMN=VALUE:N")]
    pub(crate) at_most: Vec<ValueLimit>,

    /// Column of costs; each step takes the largest gain per cost
    #[arg(long, value_name = "COLUMN")]
    pub(crate) cost: Option<String>,

    /// Maximum total cost; without -m, it alone limits the number
    #[arg(long, value_name = "X", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) budget: Option<f64>,
}

impl ConstraintArgs {
    /// Rejects flags that cannot be valid for any file.
    pub(super) fn check(&self, call: &SelectArgs) -> Result<(), Failure> {
        match (&self.cost, self.budget) {
            (Some(cost), None) => {
                let message = format!("--cost {cost} has no effect without --budget");
                return Err(Failure::call(message, "add --budget with the maximum cost of all prototypes"));
            }
            (None, Some(_)) => {
                let message = "--budget needs the cost of each row";
                return Err(Failure::call(message, "add --cost with the name of the column"));
            }
            _ => {}
        }
        if *self == ConstraintArgs::default() {
            return Ok(());
        }
        if call.per_label.is_some() {
            let message = "quotas and --budget cannot be used with --per-label";
            return Err(Failure::call(message, "use --at-least and --at-most with the label column instead"));
        }
        if call.kernel.is_precomputed() {
            let message = "quotas and --budget need columns, which kernel matrices do not have";
            return Err(Failure::call(message, "use another kernel"));
        }
        Ok(())
    }
}

/// `COLUMN=VALUE:N`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueLimit {
    pub(crate) column: String,
    pub(crate) value: String,
    pub(crate) number: usize,
}

impl FromStr for ValueLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once(':').and_then(|(name, number)| Some((name.split_once('=')?, number)));
        let parsed = parts.and_then(|((column, value), number)| Some((column, value, number.trim().parse().ok()?)));
        match parsed {
            Some((column, value, number)) if !column.trim().is_empty() => {
                Ok(ValueLimit { column: column.trim().to_owned(), value: value.to_owned(), number })
            }
            _ => Err("must have the form COLUMN=VALUE:N, such as country=FR:10".to_owned()),
        }
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("must be a number above 0".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_contain_colons_and_equals_signs() {
        let limit = |column: &str, value: &str, number| {
            Ok(ValueLimit { column: column.to_owned(), value: value.to_owned(), number })
        };
        assert_eq!("country=FR:10".parse(), limit("country", "FR", 10));
        assert_eq!("time=10:30:2".parse(), limit("time", "10:30", 2));
        assert_eq!("rule=a=b:0".parse(), limit("rule", "a=b", 0));
        for wrong in ["country", "country=FR", "country:3", "=FR:3", "country=FR:-1", "country=FR:x"] {
            assert!(wrong.parse::<ValueLimit>().is_err(), "{wrong}");
        }
    }
}
