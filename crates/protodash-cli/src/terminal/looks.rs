//! Description of a row: its cells as in the file, the most unusual ones if not all fit.

use protodash_report::{Cell, Column};
use unicode_width::UnicodeWidthStr;

use super::grid::cut;

/// Maximum length of a cell; longer ones are cut.
const CELL: usize = 28;
/// How many of the most unusual cells are tried if one does not fit.
const TRIED: usize = 12;

/// The feature cells of a row.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Look {
    /// `name value` of each cell with its distance from what is typical, in file order.
    cells: Vec<(String, f64)>,
}

impl Look {
    /// The cells of a row, as [`protodash_report::described_rows`] describes them.
    pub(crate) fn new(columns: &[Column], cells: &[Cell]) -> Look {
        let named = columns.iter().zip(cells);
        let cell = |(column, cell): (&Column, &Cell)| {
            (format!("{} {}", column.name, cut(cell.in_file(), CELL)), cell.distance)
        };
        Look { cells: named.map(cell).collect() }
    }

    /// Whether there is nothing to show.
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All cells if they fit into `width`, else the most unusual ones that do.
    pub(super) fn fit(&self, width: usize) -> String {
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
        joined(&shown)
    }
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
        assert_eq!(look.fit(3), "age 80");
    }
}
