//! Parsers of flag values; an error says what is allowed.

use std::str::FromStr;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use protodash::{Allocation, Choice, Error, RequestedNumber};

/// Parses a number of prototypes: an integer, a percentage or `all`.
pub(super) fn n_prototypes(text: &str) -> Result<RequestedNumber, String> {
    requested(text, "a positive integer, a percentage of the source rows such as 5%, or `all`")
}

/// Parses a number of prototypes that is not `all`.
pub(super) fn some_prototypes(text: &str) -> Result<RequestedNumber, String> {
    let allowed = "a positive integer or a percentage of the source rows such as 5%";
    match requested(text, allowed)? {
        RequestedNumber::All => Err(format!("must be {allowed}")),
        number => Ok(number),
    }
}

/// Parses a number of prototypes; an error says that it must be what is `allowed`.
fn requested(text: &str, allowed: &str) -> Result<RequestedNumber, String> {
    text.parse::<RequestedNumber>().map_err(|error| match error {
        Error::NoPrototypes => "must be at least 1".to_owned(),
        Error::OutOfRange { allowed, .. } => format!("must be {allowed}"),
        _ => format!("must be {allowed}{}", without_separators(text)),
    })
}

/// What a number with separators between groups of three digits probably means.
fn without_separators(text: &str) -> String {
    let groups: Vec<&str> = text.split([',', '.', '_', '\'', ' ']).collect();
    let is_group = |group: &&str| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
    let plain = groups.concat();
    let is_number =
        groups.len() > 1 && groups[1..].iter().all(is_group) && plain.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && !groups[0].is_empty() { format!(", without separators: {plain}") } else { String::new() }
}

/// Parses a seed.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be an integer from 0 to {}", u64::MAX))
}

/// Parses a finite, non-negative number.
pub(super) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("must be a number of at least 0".to_owned()),
    }
}

/// Parses a number that is at least 0 and below 1.
pub(super) fn below_one(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..1.0).contains(&number) => Ok(number),
        _ => Err("must be a number of at least 0 and below 1, such as 0.1".to_owned()),
    }
}

/// Parses a finite number that is at least 1.
pub(super) fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 1.0 => Ok(number),
        _ => Err("must be a number of at least 1".to_owned()),
    }
}

/// Parses a fraction strictly between 0 and 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number < 1.0 => Ok(number),
        _ => Err("must be a number between 0 and 1, such as 0.2".to_owned()),
    }
}

/// Parses a number above 0 and at most 1.
pub(super) fn part(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number <= 1.0 => Ok(number),
        _ => Err("must be a number above 0 and at most 1, such as 0.05".to_owned()),
    }
}

/// Parses a CSV delimiter: one ASCII character, or a name for one that is hard to type.
pub(super) fn delimiter(text: &str) -> Result<char, String> {
    match (text, text.as_bytes()) {
        ("tab" | "\\t" | "\t", _) => Ok('\t'),
        (_, &[byte]) if byte.is_ascii() && !b"\"\r\n\0".contains(&byte) => Ok(char::from(byte)),
        _ => Err("must be one ASCII character other than a double quote, or `tab`".to_owned()),
    }
}

/// A parser for one of these values, by name.
pub(super) fn one_of<T: Copy + Send + Sync>(
    all: &'static [(T, &'static str, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(|(_, name, help)| PossibleValue::new(*name).help(*help));
    // clap has already rejected unknown names.
    let value = |name: String| all.iter().find(|(_, known, _)| *known == name).map(|(value, ..)| *value);
    PossibleValuesParser::new(values).try_map(move |name| value(name).ok_or("unknown value"))
}

/// The name of a flag's value.
pub(crate) fn word<E: ValueEnum>(value: &E) -> String {
    value.to_possible_value().map_or_else(String::new, |word| word.get_name().to_owned())
}

/// Column names separated by commas; a name that contains a comma goes in double quotes, doubled inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl FromStr for Names {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut names = vec![String::new()];
        let mut quoted = false;
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            match char {
                '"' if quoted && chars.next_if_eq(&'"').is_some() => {
                    names.last_mut().into_iter().for_each(|name| name.push('"'));
                }
                '"' => quoted = !quoted,
                ',' if !quoted => names.push(String::new()),
                _ => names.last_mut().into_iter().for_each(|name| name.push(char)),
            }
        }
        if quoted {
            return Err("a double quote is not closed".to_owned());
        }
        if names.iter().any(String::is_empty) {
            return Err("a column name is empty; separate names with single commas".to_owned());
        }
        Ok(Names(names))
    }
}

/// How many prototypes each class gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PerLabelValue {
    /// A rule divides the total.
    Rule(Allocation),
    /// These numbers of these classes.
    Given(Vec<(String, usize)>),
}

impl PerLabelValue {
    /// The number of prototypes of all classes together, if the caller gave that of each.
    pub(crate) fn total(&self) -> Option<usize> {
        match self {
            PerLabelValue::Rule(_) => None,
            PerLabelValue::Given(numbers) => {
                Some(numbers.iter().fold(0, |sum, (_, number)| sum.saturating_add(*number)))
            }
        }
    }
}

impl FromStr for PerLabelValue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(rule) = Allocation::from_name(text) {
            return Ok(PerLabelValue::Rule(rule));
        }
        let refused = || "must be `proportional`, `equal`, or counts per class such as FR=10,DE=5".to_owned();
        let number = |entry: &String| {
            let (class, number) = entry.rsplit_once('=').ok_or_else(refused)?;
            Ok((class.to_owned(), number.parse::<usize>().map_err(|_| refused())?))
        };
        let entries = text.parse::<Names>().map_err(|_| refused())?.0;
        Ok(PerLabelValue::Given(entries.iter().map(number).collect::<Result<_, String>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_a_rule_or_a_number_each() {
        let given = |entries: &[(&str, usize)]| {
            Ok(PerLabelValue::Given(entries.iter().map(|(class, number)| ((*class).to_owned(), *number)).collect()))
        };
        assert_eq!("equal".parse(), Ok(PerLabelValue::Rule(Allocation::Equal)));
        assert_eq!("FR=10,DE=0".parse(), given(&[("FR", 10), ("DE", 0)]));
        assert_eq!("equal=3".parse(), given(&[("equal", 3)]));
        // Names of classes may contain anything; the data decide whether there is such a class.
        assert_eq!("FR=10;DE=5".parse(), given(&[("FR=10;DE", 5)]));
        assert_eq!("\"a, b\"=2,x=y=1,=4".parse(), given(&[("a, b", 2), ("x=y", 1), ("", 4)]));
        for text in ["", "fair", "FR", "FR=", "FR=-1", "FR=1.5", "FR=1,,DE=2", "\"FR=1"] {
            let message = text.parse::<PerLabelValue>().unwrap_err();
            assert_eq!(message, "must be `proportional`, `equal`, or counts per class such as FR=10,DE=5", "{text}");
        }
    }

    #[test]
    fn the_number_of_prototypes_is_a_number_a_percentage_or_all() {
        assert_eq!(
            (n_prototypes("7"), n_prototypes("all")),
            (Ok(RequestedNumber::Exactly(7)), Ok(RequestedNumber::All))
        );
        assert_eq!(n_prototypes("2.5%"), Ok(RequestedNumber::Percent(2.5)));
        assert_eq!(n_prototypes("101%"), Err("must be above 0% and at most 100%".to_owned()));
        assert_eq!(n_prototypes("0"), Err("must be at least 1".to_owned()));
        for text in ["-1", "1.5", "some", "1,00", ",100", "%"] {
            let message = n_prototypes(text).unwrap_err();
            assert!(!message.contains("separators"), "{text}: {message}");
            assert!(!some_prototypes(text).unwrap_err().contains("all"), "{text}");
        }
        for text in ["1,000", "1.000", "1_000", "1 000"] {
            let message = n_prototypes(text).unwrap_err();
            assert!(message.ends_with("5%, or `all`, without separators: 1000"), "{message}");
        }
        assert!(some_prototypes("all").is_err());
        assert!(seed("-1").unwrap_err().starts_with("must be an integer from 0 to"));
    }

    #[test]
    fn a_column_name_may_contain_a_comma() {
        assert_eq!("a,b".parse(), Ok(Names(vec!["a".into(), "b".into()])));
        assert_eq!("\"a,b\",c d".parse(), Ok(Names(vec!["a,b".into(), "c d".into()])));
        assert_eq!("\"5\"\" disks\",b".parse(), Ok(Names(vec!["5\" disks".into(), "b".into()])));
        assert!("a,,b".parse::<Names>().is_err());
        assert!("\"a".parse::<Names>().is_err());
    }

    #[test]
    fn a_delimiter_is_one_ascii_character() {
        assert_eq!((delimiter(";"), delimiter("tab"), delimiter("\\t")), (Ok(';'), Ok('\t'), Ok('\t')));
        for text in ["", ",,", "\"", "ä", "\n"] {
            assert!(delimiter(text).is_err(), "{text:?}");
        }
    }
}
