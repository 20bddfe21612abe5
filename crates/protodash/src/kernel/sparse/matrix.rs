//! A matrix most of whose values are 0, row by row.

use super::SparseError;
use crate::error::{Error, Result, Role};

/// Rows of which only the values other than 0 are stored, as in SciPy's `csr_matrix`.
///
/// Takes 12 bytes for each value and 8 for each row.
///
/// # Examples
///
/// ```
/// use protodash::SparseMatrix;
///
/// // [[0, 5, 0], [7, 0, 0]]; values that share a place are added.
/// let matrix = SparseMatrix::new(3, vec![0, 2, 3], vec![1, 1, 0], vec![2.0, 3.0, 7.0])?;
/// assert_eq!((matrix.n_rows(), matrix.n_columns(), matrix.n_values()), (2, 3, 2));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SparseMatrix {
    n_columns: usize,
    /// Where the values of each row start, and where the last row ends.
    starts: Vec<usize>,
    /// In ascending order within a row.
    columns: Vec<u32>,
    /// None of them 0.
    values: Vec<f64>,
}

/// The stored values of a row, with their columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StoredRow<'a> {
    pub(crate) columns: &'a [u32],
    pub(crate) values: &'a [f64],
}

impl SparseMatrix {
    /// The matrix whose row i has the values `starts[i]..starts[i + 1]` in the columns of the same positions.
    ///
    /// As in SciPy, columns may come in any order, and values that share a place are added. Stored zeros are dropped, so that
    /// equal rows are stored alike. Costs one pass over the values, and sorting where columns are not in order.
    ///
    /// # Errors
    ///
    /// If `starts` does not begin with 0, decreases, or does not end with the number of values, if there is not one column for
    /// each value, or if a column does not exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::SparseMatrix;
    ///
    /// let error = SparseMatrix::new(3, vec![0, 1], vec![3], vec![1.0]).unwrap_err();
    /// assert_eq!(error.to_string(), "row 0 of a sparse matrix has a value in column 3; columns go from 0 to 2");
    /// ```
    pub fn new(n_columns: usize, starts: Vec<usize>, columns: Vec<u32>, values: Vec<f64>) -> Result<Self> {
        check_structure(n_columns, &starts, &columns, values.len())?;
        let mut matrix = SparseMatrix { n_columns, starts, columns, values };
        matrix.tidy();
        Ok(matrix)
    }

    /// Sorts the columns of each row, adds values that share a place, and drops zeros.
    fn tidy(&mut self) {
        let (mut kept, mut start) = (0, 0);
        let mut entries: Vec<(u32, f64)> = Vec::new();
        for row in 1..self.starts.len() {
            let end = self.starts[row];
            entries.clear();
            entries.extend(self.columns[start..end].iter().copied().zip(self.values[start..end].iter().copied()));
            if !entries.is_sorted_by_key(|(column, _)| *column) {
                // Stable, so that the values of one place are added in the order given.
                entries.sort_by_key(|(column, _)| *column);
            }
            for same in entries.chunk_by(|one, other| one.0 == other.0) {
                let value: f64 = same.iter().map(|(_, value)| value).sum();
                if value != 0.0 {
                    (self.columns[kept], self.values[kept]) = (same[0].0, value);
                    kept += 1;
                }
            }
            (self.starts[row], start) = (kept, end);
        }
        self.columns.truncate(kept);
        self.values.truncate(kept);
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Number of stored values.
    pub fn n_values(&self) -> usize {
        self.values.len()
    }

    /// Bytes that the matrix takes.
    ///
    /// # Examples
    ///
    /// ```
    /// let matrix = protodash::SparseMatrix::new(1_000_000, vec![0, 1], vec![7], vec![1.0])?;
    /// assert_eq!(matrix.n_bytes(), 12 + 16);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn n_bytes(&self) -> u64 {
        ((size_of::<f64>() + size_of::<u32>()) * self.values.len() + size_of::<usize>() * self.starts.len()) as u64
    }

    /// The columns and the values that a row stores.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    ///
    /// # Examples
    ///
    /// ```
    /// let matrix = protodash::SparseMatrix::new(9, vec![0, 2], vec![7, 3], vec![1.0, 2.0])?;
    /// assert_eq!(matrix.stored(0), (&[3, 7][..], &[2.0, 1.0][..]));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn stored(&self, row: usize) -> (&[u32], &[f64]) {
        let StoredRow { columns, values } = self.row(row);
        (columns, values)
    }

    #[inline]
    pub(crate) fn row(&self, row: usize) -> StoredRow<'_> {
        let stored = self.starts[row]..self.starts[row + 1];
        StoredRow { columns: &self.columns[stored.clone()], values: &self.values[stored] }
    }

    /// An error if there are no rows or columns, or if a value is not finite.
    pub(super) fn check(&self, role: Role) -> Result<()> {
        let (rows, columns) = (self.n_rows(), self.n_columns);
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { role, rows, columns });
        }
        let Some(place) = self.values.iter().position(|value| !value.is_finite()) else { return Ok(()) };
        let row = self.starts.partition_point(|start| *start <= place) - 1;
        let (column, value) = (self.columns[place] as usize, self.values[place].to_string());
        Err(Error::NotFinite { role, row, column, value })
    }
}

fn check_structure(n_columns: usize, starts: &[usize], columns: &[u32], n_values: usize) -> Result<()> {
    let damaged = |problem| Err(Error::Sparse(SparseError::Damaged { problem }));
    if starts.first() != Some(&0) {
        return damaged("its row pointers do not begin with 0");
    }
    if !starts.is_sorted() {
        return damaged("its row pointers decrease");
    }
    if columns.len() != n_values {
        return damaged("it does not have one column for each value");
    }
    if starts.last() != Some(&n_values) {
        return damaged("its last row pointer is not the number of values");
    }
    match columns.iter().position(|column| *column as usize >= n_columns) {
        None => Ok(()),
        Some(place) => {
            let row = starts.partition_point(|start| *start <= place) - 1;
            Err(Error::Sparse(SparseError::NoSuchColumn { row, column: columns[place] as usize, n_columns }))
        }
    }
}

impl<'a> StoredRow<'a> {
    /// xᵀy, added in the order of the columns, so that it is the same to the last bit as xᵀ · (y with its zeros).
    #[inline]
    pub(crate) fn product(self, other: StoredRow<'_>) -> f64 {
        let (mut sum, mut at, mut of_other) = (0.0, 0, 0);
        while at < self.columns.len() && of_other < other.columns.len() {
            let (column, other_column) = (self.columns[at], other.columns[of_other]);
            if column == other_column {
                sum += self.values[at] * other.values[of_other];
            }
            at += usize::from(column <= other_column);
            of_other += usize::from(other_column <= column);
        }
        sum
    }

    /// xᵀy for a y with its zeros.
    #[inline]
    pub(crate) fn product_with_dense(self, dense: &[f64]) -> f64 {
        let terms = self.columns.iter().zip(self.values).map(|(column, value)| value * dense[*column as usize]);
        terms.fold(0.0, |sum, term| sum + term)
    }

    /// The values of both rows in every column that one of them stores.
    pub(super) fn pairs<'b>(self, other: StoredRow<'b>) -> impl Iterator<Item = (f64, f64)> + use<'a, 'b> {
        let (mut at, mut of_other) = (0, 0);
        std::iter::from_fn(move || {
            // No column is as large as this.
            let column =
                |row: StoredRow<'_>, at: usize| row.columns.get(at).map_or(u64::MAX, |column| u64::from(*column));
            let (first, second) = (column(self, at), column(other, of_other));
            let value = |row: StoredRow<'_>, at: &mut usize, is_here: bool| {
                if !is_here {
                    return 0.0;
                }
                *at += 1;
                row.values[*at - 1]
            };
            (first.min(second) < u64::MAX)
                .then(|| (value(self, &mut at, first <= second), value(other, &mut of_other, second <= first)))
        })
    }

    /// Σ(xᵢ − yᵢ)², from differences.
    pub(super) fn squared_difference(self, other: StoredRow<'_>) -> f64 {
        self.pairs(other).map(|(x, y)| (x - y) * (x - y)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_repeated_places_added() {
        let (columns, values) = (vec![2, 0, 2, 1, 1, 0], vec![1.0, 2.0, 4.0, 3.0, -3.0, 0.0]);
        let matrix = SparseMatrix::new(3, vec![0, 3, 3, 6], columns, values).unwrap();
        assert_eq!(matrix.row(0), StoredRow { columns: &[0, 2], values: &[2.0, 5.0] });
        assert_eq!((matrix.row(1).columns, matrix.row(2).columns), (&[][..], &[][..])); // 3 − 3 and a stored 0
        assert_eq!(matrix.n_values(), 2);
    }

    #[test]
    fn damaged_matrices_are_errors() {
        let error = |starts: &[usize], columns: &[u32], values: &[f64]| {
            SparseMatrix::new(2, starts.to_vec(), columns.to_vec(), values.to_vec()).unwrap_err().to_string()
        };
        let damaged = |problem: &str| format!("a sparse matrix is damaged: {problem}");
        assert_eq!(error(&[], &[], &[]), damaged("its row pointers do not begin with 0"));
        assert_eq!(error(&[1, 1], &[0], &[1.0]), damaged("its row pointers do not begin with 0"));
        assert_eq!(error(&[0, 2, 1], &[0], &[1.0]), damaged("its row pointers decrease"));
        assert_eq!(error(&[0, 1], &[0, 1], &[1.0]), damaged("it does not have one column for each value"));
        assert_eq!(error(&[0, 2], &[0], &[1.0]), damaged("its last row pointer is not the number of values"));
        assert_eq!(
            error(&[0, 0, 2], &[1, 7], &[1.0, 1.0]),
            "row 1 of a sparse matrix has a value in column 7; columns go from 0 to 1"
        );
    }

    #[test]
    fn empty_matrices_and_values_that_are_not_finite_are_named() {
        let check = |n_columns, starts, columns, values| {
            SparseMatrix::new(n_columns, starts, columns, values).unwrap().check(Role::Source)
        };
        assert_eq!(check(3, vec![0], vec![], vec![]), Err(Error::Empty { role: Role::Source, rows: 0, columns: 3 }));
        let found = check(9, vec![0, 1, 1, 3], vec![0, 2, 5], vec![1.0, 1.0, f64::NAN]);
        let expected = Error::NotFinite { role: Role::Source, row: 2, column: 5, value: "NaN".to_owned() };
        assert_eq!(found, Err(expected));
    }

    #[test]
    fn products_and_differences_are_those_of_the_dense_rows() {
        let matrix =
            SparseMatrix::new(6, vec![0, 3, 5, 5], vec![0, 2, 5, 2, 3], vec![1.5, -2.0, 3.0, 0.1, 4.0]).unwrap();
        let (first, second, none) = (matrix.row(0), matrix.row(1), matrix.row(2));
        assert_eq!(first.product(second), -2.0 * 0.1);
        assert_eq!(first.product_with_dense(&[0.0, 0.0, 0.1, 4.0, 0.0, 0.0]), first.product(second));
        assert_eq!(second.product(first), first.product(second));
        assert_eq!(first.product(none), 0.0);
        let pairs: Vec<(f64, f64)> = first.pairs(second).collect();
        assert_eq!(pairs, [(1.5, 0.0), (-2.0, 0.1), (0.0, 4.0), (3.0, 0.0)]);
        assert_eq!(first.squared_difference(none), 1.5 * 1.5 + 4.0 + 9.0);
    }
}
