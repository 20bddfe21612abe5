//! What is typical of a column, and how far a value is from it.

use crate::numbers::{percent, short};
use crate::row::Cell;

/// What most rows have in a column.
///
/// # Examples
///
/// ```
/// use protodash_report::{Column, Typical};
///
/// let column = Column::of_levels("city", [("Ulm", 3), ("Bonn", 1)]);
/// assert_eq!(column.typical, Typical::Level { level: "Ulm".to_owned(), share: 0.75 });
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Typical {
    /// Numbers.
    Number {
        /// Half of the rows have no more.
        median: f64,
        /// Their mean.
        mean: f64,
        /// Their standard deviation.
        deviation: f64,
    },
    /// Categories.
    Level {
        /// The most frequent one.
        level: String,
        /// The part of the rows that has it.
        share: f64,
    },
    /// Nothing is known.
    Unknown,
}

/// A column of the file with what is typical of it.
///
/// # Examples
///
/// ```
/// use protodash_report::{Column, Typical};
///
/// let column = Column { name: "age".to_owned(), typical: Typical::Unknown };
/// assert_eq!(column.number("80", Some(80.0)).remark, "");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What most rows have in it.
    pub typical: Typical,
}

impl Column {
    /// A column of numbers; values that are no numbers are missing ones.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::{Column, Typical};
    ///
    /// let column = Column::of_numbers("x", vec![1.0, f64::NAN, 3.0, 8.0]);
    /// assert!(matches!(column.typical, Typical::Number { median: 3.0, mean: 4.0, .. }));
    /// assert_eq!(Column::of_numbers("x", Vec::new()).typical, Typical::Unknown);
    /// ```
    pub fn of_numbers(name: &str, mut values: Vec<f64>) -> Column {
        values.retain(|value| value.is_finite());
        let typical = if values.is_empty() { Typical::Unknown } else { typical_number(&mut values) };
        Column { name: name.to_owned(), typical }
    }

    /// A column of categories, each with the number of rows that have it.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::Column;
    ///
    /// let column = Column::of_levels("member", [("no", 1), ("yes", 9)]);
    /// assert_eq!(column.level("no", 0.1).remark, "10.0\u{a0}% have it");
    /// ```
    pub fn of_levels<'a>(name: &str, counts: impl IntoIterator<Item = (&'a str, usize)>) -> Column {
        let counts: Vec<(&str, usize)> = counts.into_iter().collect();
        let total: usize = counts.iter().map(|(_, count)| count).sum();
        // The first of several that are equally frequent.
        let most = counts.iter().fold(None, |most: Option<&(&str, usize)>, other| match most {
            Some(most) if most.1 >= other.1 => Some(most),
            _ => Some(other),
        });
        let typical = most.filter(|_| total > 0).map_or(Typical::Unknown, |(level, count)| Typical::Level {
            level: (*level).to_owned(),
            share: *count as f64 / total as f64,
        });
        Column { name: name.to_owned(), typical }
    }

    /// A cell that holds a number, `None` if it is missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::Column;
    ///
    /// let column = Column::of_numbers("x", vec![0.0, 2.0]); // mean 1, standard deviation 1
    /// assert_eq!(column.number("4", Some(4.0)).remark, "+3.0 sd");
    /// assert_eq!(column.number("1.01", Some(1.01)).remark, "average");
    /// assert_eq!(column.number("missing", None).remark, "");
    /// ```
    pub fn number(&self, text: &str, value: Option<f64>) -> Cell {
        let (distance, remark) = match (&self.typical, value) {
            (Typical::Number { mean, deviation, .. }, Some(value)) if *deviation > 0.0 && value.is_finite() => {
                let distance = (value - mean) / deviation;
                let remark = if distance.abs() < 0.05 { "average".to_owned() } else { format!("{distance:+.1} sd") };
                (distance.abs(), remark)
            }
            (Typical::Number { .. }, Some(_)) => (0.0, "as all".to_owned()),
            _ => (0.0, String::new()),
        };
        Cell { text: text.to_owned(), distance, remark }
    }

    /// A cell that holds a category which this part of the rows has.
    ///
    /// Its distance is that of a 1 in a column of ones and zeros: √((1 − p)/p) standard deviations.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::Column;
    ///
    /// let column = Column::of_levels("city", [("Ulm", 9), ("Bonn", 1)]);
    /// assert_eq!(column.level("Bonn", 0.1).distance, 3.0);
    /// ```
    pub fn level(&self, text: &str, share: f64) -> Cell {
        // A level that no row has is as rare as one in a million.
        let rare = share.clamp(1e-6, 1.0);
        let remark = if share == 0.0 { "nobody has it".to_owned() } else { format!("{} have it", percent(share)) };
        Cell { text: text.to_owned(), distance: ((1.0 - rare) / rare).sqrt(), remark }
    }

    /// What is typical, in a few words.
    pub(crate) fn typical_text(&self) -> String {
        match &self.typical {
            Typical::Number { median, .. } => short(*median),
            Typical::Level { level, share } => format!("{level} ({})", percent(*share)),
            Typical::Unknown => String::new(),
        }
    }
}

fn typical_number(values: &mut [f64]) -> Typical {
    let n_values = values.len() as f64;
    let mean = values.iter().map(|value| value / n_values).sum::<f64>();
    let squares = values.iter().map(|value| (value - mean) * (value - mean) / n_values).sum::<f64>();
    let middle = values.len() / 2;
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    let lower = if n_values % 2.0 == 0.0 { below.iter().copied().fold(f64::NEG_INFINITY, f64::max) } else { upper };
    Typical::Number { median: lower / 2.0 + upper / 2.0, mean, deviation: squares.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        let column = Column::of_numbers("x", vec![9.0, 1.0, 3.0, 5.0]);
        // Mean 4.5; squares 20.25 + 12.25 + 2.25 + 0.25 = 35, divided by 4.
        assert_eq!(column.typical, Typical::Number { median: 4.0, mean: 4.5, deviation: 8.75_f64.sqrt() });
        assert_eq!(column.typical_text(), "4");
    }

    #[test]
    fn a_constant_column_sets_nobody_apart() {
        let column = Column::of_numbers("x", vec![2.0, 2.0]);
        let cell = column.number("2", Some(2.0));
        assert_eq!((cell.distance, cell.remark.as_str()), (0.0, "as all"));
    }

    #[test]
    fn the_first_of_the_most_frequent_levels_is_typical() {
        let column = Column::of_levels("c", [("a", 2), ("b", 2)]);
        assert_eq!(column.typical_text(), "a (50.0\u{a0}%)");
        assert_eq!(Column::of_levels("c", []).typical, Typical::Unknown);
    }
}
