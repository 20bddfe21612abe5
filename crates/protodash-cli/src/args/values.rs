//! Values of flags that are more than a word: read once, refused with what is allowed.

use std::str::FromStr;

use clap::ValueEnum;
use protodash::Gaussian;

/// Where the width of the kernel comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bandwidth {
    /// The median distance between two rows.
    Median,
    /// The one of several widths whose prototypes serve held-out rows best.
    CrossValidated,
    /// A number of the caller's.
    Number(f64),
}

impl FromStr for Bandwidth {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("median") {
            return Ok(Bandwidth::Median);
        }
        if text.eq_ignore_ascii_case("cv") {
            return Ok(Bandwidth::CrossValidated);
        }
        let allowed = "it must be `median`, `cv` or a number above 0";
        let number: f64 = text.parse().map_err(|_| format!("not a number; {allowed}"))?;
        // The kernels agree on which widths they can have.
        Gaussian::new(number).map_err(|_| format!("{allowed} (1e-150 to 1e150)"))?;
        Ok(Bandwidth::Number(number))
    }
}

/// How many prototypes are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NPrototypes {
    /// So many.
    Exactly(usize),
    /// As many as raise the objective.
    All,
}

impl FromStr for NPrototypes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(NPrototypes::All);
        }
        match text.parse() {
            Ok(0) => Err("at least 1 is needed".to_owned()),
            Ok(number) => Ok(NPrototypes::Exactly(number)),
            Err(_) => Err("it must be a whole number, at least 1, or `all`".to_owned()),
        }
    }
}

/// A finite number that is not negative.
pub(super) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("it must be a finite number, at least 0".to_owned()),
    }
}

/// A finite number that multiplies without making less.
pub(super) fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 1.0 => Ok(number),
        _ => Err("it must be a finite number, at least 1".to_owned()),
    }
}

/// A part of a whole, neither none nor all of it.
pub(super) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number < 1.0 => Ok(number),
        _ => Err("it must be a number between 0 and 1, such as 0.2".to_owned()),
    }
}

/// What separates the cells of a CSV file: one ASCII sign, or a word for one that is hard to type.
pub(super) fn delimiter(text: &str) -> Result<char, String> {
    match (text, text.as_bytes()) {
        ("tab" | "\\t" | "\t", _) => Ok('\t'),
        (_, &[sign]) if sign.is_ascii() && !b"\"\r\n\0".contains(&sign) => Ok(char::from(sign)),
        _ => Err("it must be one ASCII character other than a quotation mark, or `tab`".to_owned()),
    }
}

/// The word for one of the values of a flag.
pub(crate) fn word<E: ValueEnum>(value: &E) -> String {
    value.to_possible_value().map_or_else(String::new, |word| word.get_name().to_owned())
}

/// Column names separated by commas; one that holds a comma stands in double quotes, in which two of them mean one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl FromStr for Names {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut names = vec![String::new()];
        let mut quoted = false;
        let mut signs = text.chars().peekable();
        while let Some(sign) = signs.next() {
            match sign {
                '"' if quoted && signs.next_if_eq(&'"').is_some() => {
                    names.last_mut().into_iter().for_each(|name| name.push('"'));
                }
                '"' => quoted = !quoted,
                ',' if !quoted => names.push(String::new()),
                _ => names.last_mut().into_iter().for_each(|name| name.push(sign)),
            }
        }
        if quoted {
            return Err("a double quote is opened and never closed".to_owned());
        }
        if names.iter().any(String::is_empty) {
            return Err("a column name is empty; names are separated by single commas".to_owned());
        }
        Ok(Names(names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bandwidth_is_the_median_or_a_positive_number() {
        assert_eq!("median".parse(), Ok(Bandwidth::Median));
        assert_eq!("cv".parse(), Ok(Bandwidth::CrossValidated));
        assert_eq!("0.5".parse(), Ok(Bandwidth::Number(0.5)));
        for text in ["-1", "0", "nan", "inf", "1e-200", "wide"] {
            assert!(text.parse::<Bandwidth>().is_err(), "{text}");
        }
    }

    #[test]
    fn prototypes_are_counted_or_all() {
        assert_eq!(("7".parse(), "all".parse()), (Ok(NPrototypes::Exactly(7)), Ok(NPrototypes::All)));
        for text in ["0", "-1", "1.5", "some"] {
            assert!(text.parse::<NPrototypes>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_name_may_hold_a_comma() {
        assert_eq!("a,b".parse(), Ok(Names(vec!["a".into(), "b".into()])));
        assert_eq!("\"a,b\",c d".parse(), Ok(Names(vec!["a,b".into(), "c d".into()])));
        assert_eq!("\"5\"\" disks\",b".parse(), Ok(Names(vec!["5\" disks".into(), "b".into()])));
        assert!("a,,b".parse::<Names>().is_err());
        assert!("\"a".parse::<Names>().is_err());
    }

    #[test]
    fn a_delimiter_is_one_sign() {
        assert_eq!((delimiter(";"), delimiter("tab"), delimiter("\\t")), (Ok(';'), Ok('\t'), Ok('\t')));
        for text in ["", ",,", "\"", "ä", "\n"] {
            assert!(delimiter(text).is_err(), "{text:?}");
        }
    }
}
