//! Sums of the residual kernel over draws: the trait that racing's loops implement, and the loop for any kernel.

use super::bound::{PairError, SegmentSums};
use crate::kernel_mean::block::EvaluatedPairs;
use crate::rows::{Rows, Scalar, product};

/// Some consecutive draws from the target.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernel_mean) struct DrawnRows<'a> {
    /// The target row of each draw.
    pub(in crate::kernel_mean) rows: &'a [usize],
    /// 1/q of each.
    pub(in crate::kernel_mean) inverse_sizes: &'a [f32],
    /// π of each.
    pub(in crate::kernel_mean) rates: &'a [f32],
    /// Ωπ of each.
    pub(in crate::kernel_mean) early_rates: &'a [f32],
    pub(in crate::kernel_mean) features: Rows<'a, f32>,
    /// The row of `features` of each.
    pub(in crate::kernel_mean) feature_rows: &'a [usize],
}

/// Some source rows whose means are not exact.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernel_mean) struct RacedGroup<'a> {
    pub(in crate::kernel_mean) rows: &'a [usize],
    /// 1/√s of each.
    pub(in crate::kernel_mean) inverse_roots: &'a [f32],
    pub(in crate::kernel_mean) features: Rows<'a, f32>,
}

/// Sums over draws of u = k⊥(x, y)/(q √s), its powers, and its products with π and Ωπ.
///
/// The sums of a source row depend only on the draws, not on the other rows of the group or on the thread.
pub(in crate::kernel_mean) trait ResidualSums: Sync {
    /// Number of source rows per task.
    fn rows_per_task(&self, n_features: usize) -> usize;

    /// Error bound of a value of the residual kernel.
    fn pair_error(&self, n_features: usize) -> PairError;

    /// Adds Σu, Σu², Σu³, Σu⁴, Σπu and ΣΩπu over the draws to the sums of each row.
    fn add_residuals(&self, draws: DrawnRows<'_>, group: RacedGroup<'_>, sums: &mut [SegmentSums]);
}

/// Error of a product of features in any loop, relative to √(k(x, x) k(y, y)): features are rounded to f32, and the landmarks'
/// factor is not exact.
pub(in crate::kernel_mean) const FEATURE_ERROR: f64 = f32::EPSILON as f64 + 1e-9;

impl<T: Scalar> ResidualSums for EvaluatedPairs<'_, T> {
    fn rows_per_task(&self, _: usize) -> usize {
        // A custom kernel may be slow, as for the full mean.
        8
    }

    fn pair_error(&self, _: usize) -> PairError {
        PairError { absolute: 0.0, relative: 0.0, product: FEATURE_ERROR + 1e-12 }
    }

    fn add_residuals(&self, draws: DrawnRows<'_>, group: RacedGroup<'_>, sums: &mut [SegmentSums]) {
        for ((&row, &inverse_root), sums) in group.rows.iter().zip(group.inverse_roots).zip(sums) {
            let (y, features) = (self.source.row(row), group.features.row(row));
            for (draw, &x) in draws.rows.iter().enumerate() {
                let projected = product(draws.features.row(draws.feature_rows[draw]), features);
                let value = self.kernel.evaluate(self.target.rows.row(x), y) - projected;
                let u = value * f64::from(draws.inverse_sizes[draw]) * f64::from(inverse_root);
                let (square, rate) = (u * u, f64::from(draws.rates[draw]));
                let terms = [u, square, square * u, square * square, rate * u, f64::from(draws.early_rates[draw]) * u];
                sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
            }
        }
    }
}
