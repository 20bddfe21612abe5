//! Sparse rows in memory.

use super::StoredValue;
use crate::advice::Note;
use crate::encode::normalize_sparse;

/// Rows of which only the values other than 0 are stored, as in SciPy's `csr_matrix`.
///
/// # Examples
///
/// ```
/// use protodash_table::CsrRows;
///
/// // [[0, 5, 0], [0, 0, 0]]
/// let rows = CsrRows { n_columns: 3, first: 0, starts: vec![0, 1, 1], columns: vec![1], values: vec![5.0] };
/// assert_eq!((rows.n_rows(), rows.n_bytes()), (2, 36));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CsrRows {
    /// Number of columns.
    pub n_columns: usize,
    /// The number that the file gives column 0.
    pub first: u32,
    /// Where the values of each row start, and where the last row ends.
    pub starts: Vec<usize>,
    /// The column of each value, counted from 0, ascending within a row.
    pub columns: Vec<u32>,
    /// The values, none of them 0.
    pub values: Vec<f64>,
}

impl CsrRows {
    /// Returns no rows of `n_columns` columns, of which the first has the number `first` in the file.
    pub(crate) fn new(first: u32, n_columns: usize) -> CsrRows {
        CsrRows { n_columns, first, starts: vec![0], columns: Vec::new(), values: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, values: &[StoredValue]) {
        self.columns.extend(values.iter().map(|(column, _)| column - self.first));
        self.values.extend(values.iter().map(|(_, value)| *value));
        self.starts.push(self.values.len());
    }

    /// Returns one value.
    pub(crate) fn value(&self, row: usize, column: usize) -> f64 {
        let stored = self.starts[row]..self.starts[row + 1];
        let place = self.columns[stored.clone()].binary_search(&(column as u32));
        place.map_or(0.0, |place| self.values[stored.start + place])
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the bytes that the rows take.
    #[must_use]
    pub fn n_bytes(&self) -> u64 {
        bytes_of(self.n_rows() as u64, self.values.len() as u64)
    }

    /// Scales each row to length 1. Returns a note if there are rows of zeros, which stay as they are.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::CsrRows;
    ///
    /// let mut rows = CsrRows { n_columns: 9, first: 1, starts: vec![0, 2], columns: vec![1, 7], values: vec![3.0, 4.0] };
    /// assert!(rows.normalize().is_none());
    /// assert_eq!(rows.values, [0.6, 0.8]);
    /// ```
    pub fn normalize(&mut self) -> Option<Note> {
        normalize_sparse(&self.starts, &mut self.values)
    }
}

/// Returns the bytes of sparse rows: 12 for each value and 8 for each row.
pub(super) fn bytes_of(n_rows: u64, n_values: u64) -> u64 {
    n_rows.saturating_mul(8).saturating_add(n_values.saturating_mul(12)).saturating_add(8)
}
