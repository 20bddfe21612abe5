//! The number of prototypes as a user writes it: a number, a percentage of the source rows, or `all`.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// A number of prototypes whose meaning may depend on the number of source rows.
///
/// # Examples
///
/// ```
/// use protodash::{Params, RequestedNumber};
///
/// let five_percent: RequestedNumber = "5%".parse()?;
/// let mut params = Params::new(1);
/// params.n_prototypes = five_percent.among(178);
/// assert_eq!(params.n_prototypes, Some(9));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RequestedNumber {
    /// This many.
    Exactly(usize),
    /// This percentage of the source rows: above 0, at most 100.
    Percent(f64),
    /// Until no row improves the fit.
    All,
}

impl RequestedNumber {
    /// The number among `n_source` rows, for [`Params::n_prototypes`](crate::Params::n_prototypes).
    ///
    /// A percentage is rounded to the nearest integer, halves up, and is at least 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::RequestedNumber;
    ///
    /// let percent = |percent, n_source| RequestedNumber::Percent(percent).among(n_source);
    /// assert_eq!([percent(5.0, 30), percent(0.1, 30), percent(100.0, 30)], [Some(2), Some(1), Some(30)]);
    /// assert_eq!(RequestedNumber::All.among(30), None);
    /// ```
    pub fn among(self, n_source: usize) -> Option<usize> {
        match self {
            RequestedNumber::Exactly(number) => Some(number),
            RequestedNumber::Percent(percent) => Some(((percent * n_source as f64 / 100.0).round() as usize).max(1)),
            RequestedNumber::All => None,
        }
    }
}

impl FromStr for RequestedNumber {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let unknown = || Error::UnknownNumber { given: text.to_owned() };
        if text.eq_ignore_ascii_case("all") {
            return Ok(RequestedNumber::All);
        }
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.trim_end().parse().map_err(|_| unknown())?;
            return match percent {
                percent if percent > 0.0 && percent <= 100.0 => Ok(RequestedNumber::Percent(percent)),
                _ => Err(Error::OutOfRange {
                    name: "the percentage of prototypes",
                    value: text.to_owned(),
                    allowed: "above 0% and at most 100%",
                }),
            };
        }
        match text.parse() {
            Ok(0) => Err(Error::NoPrototypes),
            Ok(number) => Ok(RequestedNumber::Exactly(number)),
            Err(_) => Err(unknown()),
        }
    }
}

impl fmt::Display for RequestedNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestedNumber::Exactly(number) => number.fmt(formatter),
            RequestedNumber::Percent(percent) => write!(formatter, "{percent}%"),
            RequestedNumber::All => formatter.write_str("all"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_rounded_halves_up_and_is_at_least_one_row() {
        let among = |text: &str, n_source| text.parse::<RequestedNumber>().unwrap().among(n_source);
        // 5 % of 178 rows are 8.9, of 30 rows 1.5, of 3 rows 0.15.
        assert_eq!([among("5%", 178), among("5 %", 30), among("5%", 3)], [Some(9), Some(2), Some(1)]);
        assert_eq!([among("0.5%", 1000), among("100%", 7), among("1e-9%", 7)], [Some(5), Some(7), Some(1)]);
        assert_eq!([among("12", 5), among("ALL", 5)], [Some(12), None]);
    }

    #[test]
    fn what_is_written_is_read_again() {
        for number in [RequestedNumber::Exactly(3), RequestedNumber::Percent(2.5), RequestedNumber::All] {
            assert_eq!(number.to_string().parse(), Ok(number));
        }
    }

    #[test]
    fn everything_else_is_an_error_that_says_what_is_allowed() {
        let refused = |text: &str| text.parse::<RequestedNumber>().unwrap_err().to_string();
        for text in ["0%", "-5%", "100.1%", "NaN%", "inf%"] {
            let message = format!("the percentage of prototypes is {text}; it must be above 0% and at most 100%");
            assert_eq!(refused(text), message);
        }
        assert_eq!(refused("0"), Error::NoPrototypes.to_string());
        for text in ["", "%", "some", "1.5", "-1", "5%%", "5 percent"] {
            let message = format!(
                "unknown number of prototypes {text:?}; it must be a positive integer, a percentage of the source rows \
                 such as 5%, or all"
            );
            assert_eq!(refused(text), message);
        }
    }
}
