//! The place of a row in its file, for messages.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where a row is: a line of a text file, counted from 1 as editors do, or else a row of the table, counted from 0 as in
/// results.
///
/// # Examples
///
/// ```
/// use protodash_table::RowPlace;
///
/// assert_eq!(RowPlace::Line(4).to_string(), "line 4");
/// assert_eq!(RowPlace::Row(3).to_string(), "row 3 (counted from 0)");
/// let in_part = RowPlace::Part { path: "parts/b.csv".into(), place: Box::new(RowPlace::Line(4)) };
/// assert_eq!(in_part.to_string(), "line 4 of parts/b.csv");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowPlace {
    /// The line in which the row begins, counted from 1, the header included.
    Line(u64),
    /// The row, counted from 0, the header not included.
    Row(u64),
    /// A place in one of the files that the table consists of.
    Part {
        /// The file.
        path: PathBuf,
        /// The place in it.
        place: Box<RowPlace>,
    },
}

impl RowPlace {
    /// Returns the place in the file `path`, one of several.
    pub(crate) fn of_part(self, path: &Path) -> RowPlace {
        RowPlace::Part { path: path.to_owned(), place: Box::new(self) }
    }
}

impl fmt::Display for RowPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowPlace::Line(line) => write!(f, "line {line}"),
            RowPlace::Row(row) => write!(f, "row {row} (counted from 0)"),
            RowPlace::Part { path, place } => write!(f, "{place} of {}", path.display()),
        }
    }
}

/// The line of every row, stored as the rows at which the offset between row and line changes.
#[derive(Debug, Default)]
pub(crate) struct LineMap {
    /// Row (from 0) and line (from 1) at each change, in ascending order.
    changes: Vec<(u64, u64)>,
    full: bool,
}

/// The limit on memory for files with line breaks in many cells, which have a change for almost every row.
const MAX_CHANGES: usize = 1 << 16;

impl LineMap {
    /// Records that `row`, which follows all rows recorded before, begins in `line`.
    pub(crate) fn note(&mut self, row: u64, line: u64) {
        let expected = self.changes.last().map(|(last_row, last_line)| last_line + (row - last_row));
        if expected == Some(line) || self.full {
            return;
        }
        self.full = self.changes.len() == MAX_CHANGES;
        if !self.full {
            self.changes.push((row, line));
        }
    }

    /// Returns the line of `row`, or the row itself if its line is not known.
    pub(crate) fn place(&self, row: u64) -> RowPlace {
        let after = self.changes.partition_point(|(changed, _)| *changed <= row);
        match after.checked_sub(1).and_then(|at| self.changes.get(at)) {
            Some((changed, line)) if !self.full => RowPlace::Line(line + (row - changed)),
            _ => RowPlace::Row(row),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_rows_until_a_row_spans_several() {
        // Header in line 1; row 1 spans lines 3 to 5.
        let mut lines = LineMap::default();
        for (row, line) in [(0, 2), (1, 3), (2, 6), (3, 7)] {
            lines.note(row, line);
        }
        assert_eq!(lines.changes, [(0, 2), (2, 6)]);
        assert_eq!((0..4).map(|row| lines.place(row)).collect::<Vec<_>>(), [2, 3, 6, 7].map(RowPlace::Line));
    }

    #[test]
    fn rows_are_given_after_too_many_changes() {
        let mut lines = LineMap::default();
        (0..=MAX_CHANGES as u64).for_each(|row| lines.note(row, 2 * row + 1));
        assert_eq!(lines.place(5), RowPlace::Row(5));
        assert_eq!(LineMap::default().place(5), RowPlace::Row(5));
    }
}
