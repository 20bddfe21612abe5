//! How far the values of two rows are apart.

use crate::row::Cell;
use crate::typical::{Column, Typical};

/// Numbers and dates that differ by at most this part of the column's spread are alike.
const ALIKE: f64 = 0.25;
/// How far two different categories are apart, in spreads.
const CATEGORY: f64 = 1.5;

/// How far two cells of a column are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Difference {
    /// In units of the column's spread.
    pub(crate) size: f64,
    /// How much larger the second number or later the second date is, in standard deviations; `None` for categories.
    spreads: Option<f64>,
}

impl Difference {
    /// The difference of the second cell from the first.
    pub(crate) fn between(column: &Column, first: &Cell, second: &Cell) -> Difference {
        if first.in_file() == second.in_file() {
            return Difference { size: 0.0, spreads: None };
        }
        match (&column.typical, first.value, second.value) {
            (Typical::Number { deviation, .. } | Typical::Date { deviation, .. }, Some(first), Some(second))
                if *deviation > 0.0 =>
            {
                let spreads = (second - first) / deviation;
                Difference { size: spreads.abs(), spreads: Some(spreads) }
            }
            _ => Difference { size: CATEGORY, spreads: None },
        }
    }

    /// Whether both cells have the same value.
    pub(crate) fn is_equal(self) -> bool {
        self.size == 0.0
    }

    /// Whether the values are equal or close.
    pub(crate) fn is_alike(self) -> bool {
        self.size <= ALIKE
    }

    /// The difference in words; empty if the values are alike.
    pub(crate) fn text(self) -> String {
        match self.spreads {
            _ if self.is_alike() => String::new(),
            Some(spreads) => format!("{spreads:+.1} sd"),
            None => "differs".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> Cell {
        Cell { text: text.to_owned(), value: text.parse().ok(), ..Cell::default() }
    }

    #[test]
    fn numbers_differ_in_spreads_and_categories_at_all() {
        // The standard deviation of 0, 2, 4, 6 is the root of 5.
        let ages = Column::of_numbers("age", vec![0.0, 2.0, 4.0, 6.0]);
        let words = |first: &str, second: &str| Difference::between(&ages, &cell(first), &cell(second)).text();
        assert_eq!(
            [words("4", "1"), words("1", "4"), words("4", "4.5"), words("4", "4")],
            ["-1.3 sd", "+1.3 sd", "", ""]
        );
        assert_eq!(words("4", "missing"), "differs");
        let cities = Column::of_levels("city", [("Ulm", 1), ("Bonn", 2)]);
        let apart = Difference::between(&cities, &cell("Ulm"), &cell("Bonn"));
        assert_eq!((apart.size, apart.text().as_str(), apart.is_alike()), (CATEGORY, "differs", false));
        assert!(Difference::between(&cities, &cell("Ulm"), &cell("Ulm")).is_equal());
    }
    #[test]
    fn dates_differ_by_days_and_not_like_categories() {
        let joined = Column::of_dates("joined", vec![0.0, 400.0, 800.0]); // standard deviation 326.6
        let date = |text: &str, days| joined.number(text, Some(days));
        let next_day = Difference::between(&joined, &date("1970-01-11", 10.0), &date("1970-01-12", 11.0));
        assert!((next_day.size - 1.0 / 326.6).abs() < 1e-4 && next_day.is_alike(), "{next_day:?}");
        let later = Difference::between(&joined, &date("1970-01-11", 10.0), &date("1971-02-15", 410.0));
        assert_eq!(later.text(), "+1.2 sd");
    }
}
