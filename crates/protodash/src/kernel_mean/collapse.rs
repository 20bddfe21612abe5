//! Rows that occur many times, each taken once and counted.

use super::Target;
use crate::distinct::first_equal_rows;
use crate::rows::{Rows, Scalar};

/// The rows of a matrix without repetition, in the order in which each first occurs.
pub(super) struct Collapsed<T> {
    values: Vec<T>,
    n_columns: usize,
    /// For each row of the matrix its place here.
    places: Vec<usize>,
}

impl<T: Scalar> Collapsed<T> {
    /// `None` unless each row occurs at least twice on average: then sums over pairs take a quarter of the work.
    ///
    /// Half a matrix is also the most that the copies may take. One-hot rows repeat by the thousand, measured ones never.
    pub(super) fn of(rows: Rows<'_, T>) -> Option<Self> {
        let first = first_equal_rows(rows);
        let n_distinct = first.iter().enumerate().filter(|(row, first)| row == *first).count();
        if 2 * n_distinct > rows.n_rows() {
            return None;
        }
        let mut values = Vec::with_capacity(n_distinct * rows.n_columns());
        let mut places = first;
        for row in 0..places.len() {
            // An earlier row knows its place already; a first one takes the next.
            places[row] = if places[row] == row {
                values.extend_from_slice(rows.row(row));
                values.len() / rows.n_columns() - 1
            } else {
                places[places[row]]
            };
        }
        Some(Collapsed { values, n_columns: rows.n_columns(), places })
    }

    pub(super) fn rows(&self) -> Rows<'_, T> {
        Rows::new(&self.values, self.n_columns)
    }

    /// What the rows weigh that are equal to each; how many they are where rows have no weights.
    pub(super) fn weights(&self, target: Target<'_, T>) -> Vec<f64> {
        let mut total = vec![0.0; self.values.len() / self.n_columns];
        for (row, &place) in self.places.iter().enumerate() {
            total[place] += target.weights.map_or(1.0, |weights| weights[row]);
        }
        total
    }

    /// The sum of each row of the matrix, given those of the rows here.
    pub(super) fn spread(&self, sums: &[f64]) -> Vec<f64> {
        self.places.iter().map(|&place| sums[place]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_or_weighed_and_sums_go_back_to_all() {
        let values = [1.0, 2.0, 1.0, 1.0, 2.0, 1.0];
        let rows = Rows::new(&values, 1);
        let collapsed = Collapsed::of(rows).unwrap();
        assert_eq!(collapsed.rows().values(), [1.0, 2.0]);
        assert_eq!(collapsed.weights(Target { rows, weights: None }), [4.0, 2.0]);
        let weights = [0.5, 0.25, 0.0, 0.0, 0.125, 0.125];
        assert_eq!(collapsed.weights(Target { rows, weights: Some(&weights) }), [0.625, 0.375]);
        assert_eq!(collapsed.spread(&[7.0, 8.0]), [7.0, 8.0, 7.0, 7.0, 8.0, 7.0]);
    }

    #[test]
    fn rows_that_hardly_repeat_are_left_alone() {
        assert!(Collapsed::of(Rows::new(&[1.0, 2.0, 1.0], 1)).is_none());
        assert!(Collapsed::of(Rows::new(&[1.0, 2.0, 1.0, 2.0], 1)).is_some());
    }
}
