//! Polynomial kernels of degree 1 or 2, whose mean follows from the target's moments.

use super::weighted_sum;
use crate::kernel_mean::Target;
use crate::parallel;
use crate::rows::{Rows, Scalar, product};

/// Columns of the second moments summed by one task.
const COLUMNS_PER_TASK: usize = 8;

/// Second and first moments of the target, and its total weight.
///
/// # Formula
///
/// ```text
/// Σᵢ pᵢ (s xᵢᵀy + c)² = s² yᵀ(Σ pᵢ xᵢxᵢᵀ)y + 2sc (Σ pᵢ xᵢ)ᵀy + c² Σ pᵢ
/// ```
pub(super) struct TargetMoments {
    /// Σ pᵢ xᵢxᵢᵀ, row-major.
    second: Vec<f64>,
    first: Vec<f64>,
    total: f64,
}

impl TargetMoments {
    /// The moments, each summed in the order of the rows. Costs n₁d².
    pub(super) fn of<T: Scalar>(target: Target<'_, T>) -> Self {
        let weight = |row: usize| target.weights.map_or(1.0, |weights| weights[row]);
        let n_columns = target.rows.n_columns();
        let mut second = vec![0.0; n_columns * n_columns];
        parallel::map_chunks(&mut second, COLUMNS_PER_TASK * n_columns, |task, sums| {
            let first = task * COLUMNS_PER_TASK;
            let mut values = vec![0.0; n_columns];
            for (index, row) in target.rows.iter().enumerate() {
                values.iter_mut().zip(row).for_each(|(value, x)| *value = x.to_f64());
                for (column, sums) in (first..).zip(sums.chunks_exact_mut(n_columns)) {
                    let factor = weight(index) * values[column];
                    sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum += factor * value);
                }
            }
        });
        let total = (0..target.rows.n_rows()).map(weight).sum();
        TargetMoments { second, first: weighted_sum(target.rows, weight), total }
    }

    /// Σᵢ pᵢ (scale · xᵢᵀy + offset)^degree for each source row, for a degree of 1 or 2. Costs n₂d².
    pub(super) fn sums<T: Scalar>(&self, source: Rows<'_, T>, (degree, scale, offset): (u32, f64, f64)) -> Vec<f64> {
        let n_columns = source.n_columns();
        parallel::map(0..source.n_rows(), |row| {
            let row = source.row(row);
            let linear = product(row, &self.first);
            if degree == 1 {
                return scale * linear + offset * self.total;
            }
            let second = self.second.chunks_exact(n_columns).zip(row);
            let square: f64 = second.map(|(moments, y)| y.to_f64() * product(row, moments)).sum();
            scale * scale * square + 2.0 * scale * offset * linear + offset * offset * self.total
        })
    }
}
