//! Repeated rows merged into distinct rows with counts.

use super::Target;
use crate::distinct::first_equal_rows;
use crate::rows::{Rows, Scalar};

/// The distinct rows of a matrix, in order of first occurrence.
pub(super) struct Collapsed<T> {
    values: Vec<T>,
    n_columns: usize,
    /// For each row of the matrix, its position among the distinct rows.
    positions: Vec<usize>,
}

impl<T: Scalar> Collapsed<T> {
    /// The distinct rows, if rows occur at least twice on average: then sums over pairs take at most a quarter of the work.
    ///
    /// The copies take at most half as much memory as the matrix. One-hot rows repeat often, measured ones hardly ever.
    pub(super) fn of(rows: Rows<'_, T>) -> Option<Self> {
        let first = first_equal_rows(rows);
        let n_distinct = first.iter().enumerate().filter(|(row, first)| row == *first).count();
        if 2 * n_distinct > rows.n_rows() {
            return None;
        }
        let mut values = Vec::with_capacity(n_distinct * rows.n_columns());
        let mut positions = first;
        for row in 0..positions.len() {
            // A first occurrence takes the next position; a copy takes that of its first occurrence.
            positions[row] = if positions[row] == row {
                values.extend_from_slice(rows.row(row));
                values.len() / rows.n_columns() - 1
            } else {
                positions[positions[row]]
            };
        }
        Some(Collapsed { values, n_columns: rows.n_columns(), positions })
    }

    /// Drops what expands sums.
    pub(super) fn without_positions(self) -> Self {
        Collapsed { positions: Vec::new(), ..self }
    }

    pub(super) fn rows(&self) -> Rows<'_, T> {
        Rows::new(&self.values, self.n_columns)
    }

    /// Total weight of the rows equal to each distinct row; their number if rows have no weights.
    pub(super) fn weights(&self, target: Target<'_, T>) -> Vec<f64> {
        let mut total = vec![0.0; self.values.len() / self.n_columns];
        for (row, &position) in self.positions.iter().enumerate() {
            total[position] += target.weights.map_or(1.0, |weights| weights[row]);
        }
        total
    }

    /// The sum for each row of the matrix, given those of the distinct rows.
    pub(super) fn expand(&self, sums: &[f64]) -> Vec<f64> {
        self.positions.iter().map(|&position| sums[position]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_are_merged_with_the_sum_of_their_weights() {
        let values = [1.0, 2.0, 1.0, 1.0, 2.0, 1.0];
        let rows = Rows::new(&values, 1);
        let collapsed = Collapsed::of(rows).unwrap();
        assert_eq!(collapsed.rows().values(), [1.0, 2.0]);
        assert_eq!(collapsed.weights(Target { rows, weights: None }), [4.0, 2.0]);
        let weights = [0.5, 0.25, 0.0, 0.0, 0.125, 0.125];
        assert_eq!(collapsed.weights(Target { rows, weights: Some(&weights) }), [0.625, 0.375]);
        assert_eq!(collapsed.expand(&[7.0, 8.0]), [7.0, 8.0, 7.0, 7.0, 8.0, 7.0]);
    }

    #[test]
    fn rows_that_hardly_repeat_are_not_collapsed() {
        assert!(Collapsed::of(Rows::new(&[1.0, 2.0, 1.0], 1)).is_none());
        assert!(Collapsed::of(Rows::new(&[1.0, 2.0, 1.0, 2.0], 1)).is_some());
    }
}
