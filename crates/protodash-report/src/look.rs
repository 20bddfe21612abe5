//! Description of a row in one line: its cells as in the file, the most unusual ones if not all fit.
//!
//! The command and Python both use this module, so they say the same about a row.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::row::Cell;
use crate::typical::Column;

/// Maximum length of a cell; longer ones are cut.
const CELL: usize = 28;
/// How many of the most unusual cells are tried if one does not fit.
const TRIED: usize = 12;

/// The feature cells of a row.
///
/// # Examples
///
/// ```
/// use protodash_report::{Column, Look};
///
/// let columns = [Column::of_numbers("age", vec![30.0, 40.0]), Column::of_levels("city", [("Ulm", 9), ("Bonn", 1)])];
/// let cells = [columns[0].number("40", Some(40.0)), columns[1].level("Bonn", 0.1)];
/// let look = Look::new(&columns, &cells);
/// assert_eq!(look.fit(80), "age 40, city Bonn");
/// assert_eq!(look.fit(12), "city Bonn"); // the more unusual of the two
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Look {
    /// `name value` of each cell with its distance from what is typical, in file order.
    cells: Vec<(String, f64)>,
}

impl Look {
    /// The cells of a row, one for each column.
    #[must_use]
    pub fn new(columns: &[Column], cells: &[Cell]) -> Look {
        let named = columns.iter().zip(cells);
        let cell = |(column, cell): (&Column, &Cell)| {
            (format!("{} {}", column.name, cut(cell.in_file(), CELL)), cell.distance)
        };
        Look { cells: named.map(cell).collect() }
    }

    /// The stored values of a sparse row with the names of their columns, in file order.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::Look;
    ///
    /// let look = Look::of_sparse([("x7".to_owned(), 0.5), ("x90".to_owned(), -2.0), ("x123".to_owned(), 1.0)].into_iter());
    /// assert_eq!((look.fit(80).as_str(), look.fit(14).as_str()), ("x7 0.5, x90 -2, x123 1", "x90 -2, x123 1"));
    /// ```
    #[must_use]
    pub fn of_sparse(values: impl Iterator<Item = (String, f64)>) -> Look {
        let cell = |(name, value): (String, f64)| {
            let text = Cell::of_number(&value.to_string(), Some(value)).text;
            (format!("{name} {text}"), value.abs())
        };
        Look { cells: values.map(cell).collect() }
    }

    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All cells if they fit into `width` columns of text, else the most unusual ones that do, cut if a single one does not.
    #[must_use]
    pub fn fit(&self, width: usize) -> String {
        let joined = |cells: &[&str]| cells.join(", ");
        let all = joined(&self.cells.iter().map(|(cell, _)| cell.as_str()).collect::<Vec<_>>());
        if all.width() <= width {
            return all;
        }
        let mut order: Vec<&(String, f64)> = self.cells.iter().collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut shown: Vec<&str> = Vec::new();
        for (cell, _) in order.into_iter().take(TRIED) {
            let longer: Vec<&str> = shown.iter().copied().chain([cell.as_str()]).collect();
            if joined(&longer).width() <= width || shown.is_empty() {
                shown = longer;
            }
        }
        cut(&joined(&shown), width)
    }
}

/// The text, cut to `limit` columns with an ellipsis; control characters become spaces.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::cut("college graduate", 8), "college…");
/// assert_eq!(protodash_report::cut("日本語日本語", 5), "日本…"); // two columns each
/// ```
#[must_use]
pub fn cut(text: &str, limit: usize) -> String {
    let plain: String = text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    if plain.width() <= limit {
        return plain;
    }
    let mut kept = String::new();
    let mut width = 0;
    for char in plain.chars() {
        width += char.width().unwrap_or(0);
        if width + 1 > limit {
            break;
        }
        kept.push(char);
    }
    kept.trim_end().to_owned() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_unusual_cells_come_first_when_not_all_fit() {
        let cells = [("age 80", 2.5), ("city Ulm", 0.1), ("income 20,000", 1.0)];
        let look = Look { cells: cells.map(|(cell, distance)| (cell.to_owned(), distance)).to_vec() };
        assert_eq!(look.fit(40), "age 80, city Ulm, income 20,000");
        assert_eq!(look.fit(25), "age 80, income 20,000");
        assert_eq!(look.fit(17), "age 80, city Ulm");
        assert_eq!(look.fit(6), "age 80");
        assert_eq!(look.fit(4), "age…");
    }

    #[test]
    fn long_text_is_cut_at_its_display_width() {
        assert_eq!(cut("college graduate", 8), "college…");
        assert_eq!(cut("日本語日本語", 5), "日本…");
        assert_eq!(cut("two\nlines", 20), "two lines");
    }
}
