//! The distinct values of a column, with the total weight of each.

use rayon::prelude::*;

use crate::kernel_mean::Target;
use crate::parallel;
use crate::rows::Scalar;

/// The distinct values of one target column in ascending order, and their total weights.
pub(super) struct ValueWeights {
    values: Vec<f64>,
    weights: Vec<f64>,
}

impl ValueWeights {
    /// Takes 16 bytes for each target row while sorting, then 16 for each distinct value.
    pub(super) fn of<T: Scalar>(target: Target<'_, T>, column: usize) -> Self {
        let entry = |row: usize| {
            // −0 + 0 is 0, so that both zeros sort as one value.
            let value = target.rows.row(row)[column].to_f64() + 0.0;
            (value, target.weights.map_or(1.0, |weights| weights[row]))
        };
        let mut entries: Vec<(f64, f64)> = parallel::map(0..target.rows.n_rows(), entry);
        // Ordered by weight within a value, so that the sum does not depend on how threads divide the sorting.
        entries.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (mut values, mut weights) = (Vec::new(), Vec::new());
        for level in entries.chunk_by(|a, b| a.0 == b.0) {
            values.push(level[0].0);
            weights.push(level.iter().map(|entry| entry.1).sum());
        }
        ValueWeights { values, weights }
    }

    /// Total weight of the rows with this value.
    pub(super) fn weight(&self, value: f64) -> f64 {
        let position = self.values.partition_point(|level| *level < value);
        if self.values.get(position) == Some(&value) { self.weights[position] } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Rows;

    #[test]
    fn weights_are_added_up_by_value() {
        let rows = [3.0, 9.0, -1.0, 9.0, 3.0, 9.0, 0.0, 9.0, -0.0, 9.0];
        let rows = Rows::new(&rows, 2);
        let counts = ValueWeights::of(Target { rows, weights: None }, 0);
        assert_eq!([3.0, -1.0, 0.0, -0.0, 7.0, -9.0].map(|value| counts.weight(value)), [2.0, 1.0, 2.0, 2.0, 0.0, 0.0]);
        let weighted = ValueWeights::of(Target { rows, weights: Some(&[0.5, 0.1, 0.25, 0.1, 0.05]) }, 0);
        assert_eq!(weighted.weight(3.0), 0.75);
    }
}
