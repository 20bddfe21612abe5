//! What is typical of a column, and how far a value is from it.

use protodash_table::date_text;

use crate::numbers::{percent, short};
use crate::row::Cell;

/// The share assumed for a value that no row has: one in a million.
const UNSEEN: f64 = 1e-6;

/// What is typical of a column.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Typical {
    /// Numbers.
    Number {
        /// The median.
        median: f64,
        /// The standard deviation.
        deviation: f64,
    },
    /// Dates or times of day, in days since 1970-01-01.
    Date {
        /// The median.
        median: f64,
        /// The standard deviation.
        deviation: f64,
    },
    /// Categories.
    Level {
        /// The most frequent one.
        level: String,
        /// The share of rows that have it.
        share: f64,
    },
    /// Unknown.
    Unknown,
}

/// A column of the table with what is typical of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What is typical of it.
    pub typical: Typical,
}

impl Column {
    /// A column of numbers; values that are not finite are missing.
    pub fn of_numbers(name: &str, mut values: Vec<f64>) -> Column {
        let typical = match median_and_deviation(&mut values) {
            Some((median, deviation)) => Typical::Number { median, deviation },
            None => Typical::Unknown,
        };
        Column { name: name.to_owned(), typical }
    }

    /// A column of dates, in days since 1970-01-01.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::Column;
    ///
    /// let column = Column::of_dates("joined", vec![0.0, 2.0]);
    /// let cell = column.number("1970-01-05", Some(4.0));
    /// assert_eq!((cell.text.as_str(), cell.remark.as_str()), ("1970-01-05", "+3.0 sd"));
    /// ```
    pub fn of_dates(name: &str, mut values: Vec<f64>) -> Column {
        let typical = match median_and_deviation(&mut values) {
            Some((median, deviation)) => Typical::Date { median, deviation },
            None => Typical::Unknown,
        };
        Column { name: name.to_owned(), typical }
    }

    /// A column of categories with their counts.
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
        // Ties go to the first.
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

    /// A cell with a number; `None` if it is missing.
    ///
    /// Its distance is from the median, in standard deviations; a value that differs from a constant column is as far away
    /// as a category that no row has.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::Column;
    ///
    /// let column = Column::of_numbers("x", vec![0.0, 2.0]); // median 1, standard deviation 1
    /// assert_eq!(column.number("4", Some(4.0)).remark, "+3.0 sd");
    /// assert_eq!(column.number("1.01", Some(1.01)).remark, "typical");
    /// assert_eq!(column.number("missing", None).remark, "");
    /// ```
    pub fn number(&self, text: &str, value: Option<f64>) -> Cell {
        let (distance, remark) = match (&self.typical, value) {
            (Typical::Number { median, deviation } | Typical::Date { median, deviation }, Some(value)) => {
                self.compared(value, *median, *deviation)
            }
            _ => (0.0, String::new()),
        };
        if matches!(self.typical, Typical::Date { .. }) {
            return Cell { text: text.to_owned(), value, distance, remark, ..Cell::default() };
        }
        // The matrix may have lower precision than the file.
        let written = text.parse().ok().filter(|written: &f64| written.is_finite());
        Cell { distance, remark, ..Cell::of_number(text, written.or(value)) }
    }

    /// The distance of a number from what is typical, and the remark on it.
    fn compared(&self, value: f64, median: f64, deviation: f64) -> (f64, String) {
        if deviation > 0.0 && value.is_finite() {
            let distance = (value - median) / deviation;
            let remark = if distance.abs() < 0.05 { "typical".to_owned() } else { format!("{distance:+.1} sd") };
            (distance.abs(), remark)
        } else if value == median {
            (0.0, "same for all".to_owned())
        } else {
            (UNSEEN.recip().sqrt(), format!("all others have {}", self.typical_text()))
        }
    }

    /// A cell with a category that this share of the rows has.
    ///
    /// Its distance is √((q − p)/p), where p is its share and q that of the most frequent category: 0 for that one, 1 for
    /// one that half as many rows have, and 0 for all if every row has a different category.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::Column;
    ///
    /// let column = Column::of_levels("city", [("Ulm", 9), ("Bonn", 1)]);
    /// assert_eq!(column.level("Ulm", 0.9).distance, 0.0);
    /// assert_eq!(column.level("Bonn", 0.1).distance, 8_f64.sqrt());
    /// ```
    pub fn level(&self, text: &str, share: f64) -> Cell {
        let rare = share.clamp(UNSEEN, 1.0);
        let most = match self.typical {
            Typical::Level { share, .. } => share.max(rare),
            // A missing value among numbers: all other rows have one.
            Typical::Number { .. } | Typical::Date { .. } => 1.0,
            Typical::Unknown => rare,
        };
        let remark = if share == 0.0 { "no row has it".to_owned() } else { format!("{} have it", percent(share)) };
        Cell { text: text.to_owned(), distance: ((most - rare) / rare).sqrt(), remark, ..Cell::default() }
    }

    /// What is typical, as text.
    pub(crate) fn typical_text(&self) -> String {
        match &self.typical {
            Typical::Number { median, .. } => short(*median),
            Typical::Date { median, .. } => date_text(*median),
            Typical::Level { level, share } => format!("{level} ({})", percent(*share)),
            Typical::Unknown => String::new(),
        }
    }
}

/// Median and standard deviation of the finite values, if there are any.
fn median_and_deviation(values: &mut Vec<f64>) -> Option<(f64, f64)> {
    values.retain(|value| value.is_finite());
    if values.is_empty() {
        return None;
    }
    let n_values = values.len() as f64;
    let mean = values.iter().map(|value| value / n_values).sum::<f64>();
    let squares = values.iter().map(|value| (value - mean) * (value - mean) / n_values).sum::<f64>();
    let middle = values.len() / 2;
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    let lower = if n_values % 2.0 == 0.0 { below.iter().copied().fold(f64::NEG_INFINITY, f64::max) } else { upper };
    // The mean of equal values has a rounding error.
    let is_constant = values.windows(2).all(|pair| pair[0] == pair[1]);
    Some((lower / 2.0 + upper / 2.0, if is_constant { 0.0 } else { squares.sqrt() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        let column = Column::of_numbers("x", vec![9.0, 1.0, 3.0, 5.0]);
        // Mean 4.5; squares 20.25 + 12.25 + 2.25 + 0.25 = 35, divided by 4.
        assert_eq!(column.typical, Typical::Number { median: 4.0, deviation: 8.75_f64.sqrt() });
        assert_eq!(column.typical_text(), "4");
    }

    #[test]
    fn a_constant_column_has_no_unusual_values() {
        let column = Column::of_numbers("x", vec![2.0, 2.0]);
        let cell = column.number("2", Some(2.0));
        assert_eq!((cell.distance, cell.remark.as_str()), (0.0, "same for all"));
        let rounded = Column::of_numbers("x", vec![0.1; 3]);
        assert_eq!(rounded.number("0.1", Some(0.1)).remark, "same for all");
    }

    #[test]
    fn a_value_that_differs_from_a_constant_column_is_unusual() {
        let column = Column::of_numbers("x", vec![2.0, 2.0]);
        let cell = column.number("7", Some(7.0));
        assert_eq!((cell.distance, cell.remark.as_str()), (1000.0, "all others have 2"));
    }

    #[test]
    fn dates_are_shown_as_dates() {
        let column = Column::of_dates("day", vec![19_000.0, 19_753.0, 19_760.0]);
        assert_eq!(column.typical_text(), "2024-01-31");
        let cell = column.number("2024-02-07T00:00:00.000", Some(19_760.0));
        assert_eq!((cell.text.as_str(), cell.exact), ("2024-02-07T00:00:00.000", None));
    }

    #[test]
    fn the_typical_value_has_distance_zero() {
        // The mean is 25.75, far from the typical value.
        let skewed = Column::of_numbers("spent", vec![1.0, 1.0, 1.0, 100.0]);
        assert_eq!(skewed.number("1", Some(1.0)).remark, "typical");
        let names = Column::of_levels("name", (0..50).map(|at| (["a", "b"][at % 2], 1)));
        assert_eq!(names.level("a", 0.02).distance, 0.0);
        assert!(names.level("unseen", 0.0).distance > 100.0);
    }

    #[test]
    fn long_numbers_are_rounded_and_kept_in_full() {
        let column = Column::of_numbers("x", vec![0.0, 2.0]);
        let long = column.number("0.30000000000000004", Some(0.3));
        assert_eq!((long.text.as_str(), long.exact.as_deref()), ("0.3", Some("0.30000000000000004")));
        assert_eq!(long.value, Some(0.30000000000000004));
        for whole in ["1234567890123", "0.123456", "missing", "2024-01-31"] {
            let cell = column.number(whole, None);
            assert_eq!((cell.text.as_str(), cell.exact), (whole, None));
        }
    }

    #[test]
    fn the_first_of_the_most_frequent_levels_is_typical() {
        let column = Column::of_levels("c", [("a", 2), ("b", 2)]);
        assert_eq!(column.typical_text(), "a (50.0\u{a0}%)");
        assert_eq!(Column::of_levels("c", []).typical, Typical::Unknown);
    }
}
