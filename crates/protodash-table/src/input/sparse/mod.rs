//! Files of sparse rows: svmlight text and the `.npz` files of SciPy.
//!
//! As a table, such a file has the label of each row, if there is one, and its stored values as text. The values themselves
//! are read row by row, never with their zeros.

mod csr;
mod scipy;
mod svmlight;
mod svmlight_line;

pub use self::csr::CsrRows;
pub(crate) use self::scipy::{is_scipy, open as open_scipy};
pub(crate) use self::svmlight::open as open_svmlight;
pub(crate) use self::svmlight_line::looks_like_svmlight;

use crate::Result;
use crate::cell::shortest;

/// The column with the label of each row.
pub(crate) const LABEL: &str = "label";
/// The column with the query that each row belongs to, in files for ranking.
const QUERY: &str = "qid";
/// The column with the stored values of each row as text.
const FEATURES: &str = "features";

/// A file of sparse rows, which can be read repeatedly.
pub(crate) trait SparseReader: Send + Sync {
    /// Returns which columns there are.
    fn width(&self) -> SparseWidth;

    /// Returns the bytes that are in memory while the rows are read.
    fn n_bytes(&self) -> u64;

    /// Calls `visit` with the stored values of each row, in ascending order of their columns and without zeros.
    fn for_each_row(&self, visit: RowVisitor<'_>) -> Result<()>;
}

/// Receives the number of a row and its stored values.
pub(crate) type RowVisitor<'a> = &'a mut dyn FnMut(u64, &[StoredValue]) -> Result<()>;

/// A column as the file numbers it, with the value of a row there.
pub(crate) type StoredValue = (u32, f64);

/// The columns of a file of sparse rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SparseWidth {
    /// The file says how many there are; they are counted from 0.
    Declared(usize),
    /// The smallest and the largest with a value; `None` if no row has any.
    Used(Option<(u32, u32)>),
}

impl SparseWidth {
    /// Returns the width of two files together: the larger number, or the range of both.
    pub(crate) fn with(self, other: SparseWidth) -> SparseWidth {
        use SparseWidth::{Declared, Used};
        match (self, other) {
            (Declared(one), Declared(two)) => Declared(one.max(two)),
            (Used(Some((first, last))), Used(Some((least, largest)))) => {
                Used(Some((first.min(least), last.max(largest))))
            }
            (Used(None), other) | (other, Used(None)) => other,
            (Declared(n), Used(Some((_, last)))) | (Used(Some((_, last))), Declared(n)) => {
                Declared(n.max(last as usize + 1))
            }
        }
    }

    /// Returns the number of the first column, and how many there are.
    ///
    /// svmlight files count from 1 unless they have a column 0.
    pub(crate) fn first_and_count(self) -> (u32, usize) {
        match self {
            SparseWidth::Declared(n) => (0, n),
            SparseWidth::Used(None) => (1, 0),
            SparseWidth::Used(Some((first, last))) => {
                let first = first.min(1);
                (first, (last - first) as usize + 1)
            }
        }
    }
}

/// Returns stored values as svmlight writes them; `None` if there are none.
fn as_text(values: &[StoredValue]) -> Option<String> {
    let texts: Vec<String> = values.iter().map(|(column, value)| format!("{column}:{}", number_text(*value))).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Returns the shortest text that reads back as `value`.
fn number_text(value: f64) -> String {
    shortest(value, (1e-5..1e16).contains(&value.abs()), false)
}

/// Sorts stored values by column and drops zeros; fails with a column that comes twice.
fn tidy(values: &mut Vec<StoredValue>) -> std::result::Result<(), u32> {
    if !values.is_sorted_by_key(|(column, _)| *column) {
        values.sort_by_key(|(column, _)| *column);
    }
    if let Some(pair) = values.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(pair[0].0);
    }
    values.retain(|(_, value)| *value != 0.0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn svmlight_counts_from_1_unless_there_is_a_column_0() {
        let used = |range| SparseWidth::Used(range);
        assert_eq!(used(Some((3, 7))).first_and_count(), (1, 7));
        assert_eq!(used(Some((3, 7))).with(used(Some((0, 2)))).first_and_count(), (0, 8));
        assert_eq!(used(None).with(used(Some((2, 2)))).first_and_count(), (1, 2));
        assert_eq!(used(None).first_and_count(), (1, 0));
        assert_eq!(SparseWidth::Declared(5).with(SparseWidth::Declared(9)).first_and_count(), (0, 9));
    }

    #[test]
    fn values_are_written_so_that_they_read_back() {
        let values = [(3, 1.0), (7, -0.1), (9, 1e-30), (10, f64::MAX)];
        assert_eq!(as_text(&values).unwrap(), "3:1 7:-0.1 9:1e-30 10:1.7976931348623157e308");
        assert_eq!(as_text(&[]), None);
    }
}
