//! Some columns of sparse rows, for those who look at them.

use ndarray::Array2;

use super::{SparseKernel, SparseMatrix};
use crate::error::Role;

impl SparseKernel {
    /// The source.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{KernelSpec, SparseKernel, SparseMatrix};
    ///
    /// let rows = SparseMatrix::new(2, vec![0, 1], vec![0], vec![1.0])?;
    /// let kernel = SparseKernel::new(rows.clone(), None, &KernelSpec::new("linear")?, 0)?;
    /// assert_eq!((kernel.source(), kernel.target()), (&rows, None));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn source(&self) -> &SparseMatrix {
        &self.rows.source
    }

    /// The target; `None` if the source is to be represented.
    pub fn target(&self) -> Option<&SparseMatrix> {
        self.own_target().map(|(target, _)| target)
    }

    /// The rows of a side; without a target, the source is the target.
    fn side(&self, role: Role) -> &SparseMatrix {
        self.target().filter(|_| role == Role::Target).unwrap_or(self.source())
    }

    /// At most `n_columns` columns in which some rows have their largest values, ascending.
    ///
    /// The column of each row's largest absolute value comes first, then those of the second largest, and so on. Rows that do
    /// not exist have no values.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{KernelSpec, Role, SparseKernel, SparseMatrix};
    ///
    /// let rows = SparseMatrix::new(9, vec![0, 3, 4], vec![1, 4, 7, 8], vec![0.5, -3.0, 2.0, 1.0])?;
    /// let kernel = SparseKernel::new(rows, None, &KernelSpec::new("linear")?, 0)?;
    /// assert_eq!(kernel.largest_columns(&[(Role::Source, 0), (Role::Source, 1)], 3), [4, 7, 8]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn largest_columns(&self, rows: &[(Role, usize)], n_columns: usize) -> Vec<usize> {
        let largest_first = |&(role, row): &(Role, usize)| {
            let side = self.side(role);
            if row >= side.n_rows() {
                return Vec::new();
            }
            let (columns, values) = side.stored(row);
            let mut order: Vec<usize> = (0..columns.len()).collect();
            // Stable, so that of equal values the first comes first; more than `n_columns` are never used.
            order.sort_by(|one, other| values[*other].abs().total_cmp(&values[*one].abs()));
            order.into_iter().take(n_columns).map(|at| columns[at] as usize).collect()
        };
        let of_rows: Vec<Vec<usize>> = rows.iter().map(largest_first).collect();
        let longest = of_rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut chosen = std::collections::BTreeSet::new();
        for column in (0..longest).flat_map(|rank| of_rows.iter().filter_map(move |columns| columns.get(rank))) {
            if chosen.len() == n_columns {
                break;
            }
            chosen.insert(*column);
        }
        chosen.into_iter().collect()
    }

    /// These columns of all rows of a side, with their zeros.
    ///
    /// Costs one pass over the stored values, and 4 bytes for each column.
    ///
    /// # Panics
    ///
    /// If a column does not exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{KernelSpec, Role, SparseKernel, SparseMatrix};
    ///
    /// let rows = SparseMatrix::new(9, vec![0, 2, 3], vec![1, 4, 4], vec![0.5, 3.0, 2.0])?;
    /// let kernel = SparseKernel::new(rows, None, &KernelSpec::new("linear")?, 0)?;
    /// assert_eq!(kernel.dense_columns(Role::Target, &[4, 1]), array![[3.0, 0.5], [2.0, 0.0]]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn dense_columns(&self, role: Role, columns: &[usize]) -> Array2<f64> {
        let side = self.side(role);
        let mut places = vec![u32::MAX; side.n_columns()];
        columns.iter().zip(0..).for_each(|(column, place)| places[*column] = place);
        let mut dense = Array2::zeros((side.n_rows(), columns.len()));
        for (row, mut values) in dense.rows_mut().into_iter().enumerate() {
            let (stored, numbers) = side.stored(row);
            for (column, number) in stored.iter().zip(numbers) {
                if let Some(value) = values.get_mut(places[*column as usize] as usize) {
                    *value = *number;
                }
            }
        }
        dense
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::KernelSpec;

    #[test]
    fn every_row_has_its_turn() {
        // Row 0 has the three largest values of all, row 2 none.
        let rows = SparseMatrix::new(8, vec![0, 3, 5, 5], vec![0, 1, 2, 5, 6], vec![7.0, 8.0, 9.0, 1.0, -2.0]).unwrap();
        let kernel = SparseKernel::new(rows, None, &KernelSpec::new("linear").unwrap(), 0).unwrap();
        let rows: Vec<(Role, usize)> = (0..4).map(|row| (Role::Source, row)).collect();
        assert_eq!(kernel.largest_columns(&rows, 2), [2, 6]);
        assert_eq!(kernel.largest_columns(&rows, 3), [1, 2, 6]);
        assert_eq!(kernel.largest_columns(&rows, 99), [0, 1, 2, 5, 6]);
        assert_eq!(kernel.largest_columns(&rows, 0), [0; 0]);
    }
}
