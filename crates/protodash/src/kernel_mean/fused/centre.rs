//! Which rows are close enough to the centre to compute their distances from products, and how accurate those are.

use std::ops::Range;

use super::pack::{Rescaling, squared_norms};
use super::tile::n_roundings;
use crate::kernel_mean::separable::weighted_sum;
use crate::rows::{Rows, Scalar};
use crate::simd::{Element, Simd};

/// Largest relative error of a kernel value that distances from products may cause, in f64.
const TOLERANCE_DOUBLE: f64 = 1e-12;
/// Largest relative error of a kernel value that distances from products may cause, in f32.
const TOLERANCE_SINGLE: f64 = 4e-5;

/// Splits rows by their distance from the centre of the target.
pub(super) struct CentreSplit<E> {
    centre: Vec<f64>,
    scale: f64,
    reach: f64,
    /// ‖u‖² for each target row, u being the row centred and scaled.
    target_norms: Vec<E>,
    /// ‖u‖² for each source row; `None` if the source is the target.
    source_norms: Option<Vec<E>>,
}

/// Some rows, split into those within reach of the centre and the others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SplitRows {
    pub(super) central: Vec<usize>,
    pub(super) distant: Vec<usize>,
}

impl<E: Element> CentreSplit<E> {
    /// Splits rows for distances of `scale` times the rows.
    ///
    /// The centre depends only on the target, and each row is classified on its own: the sum of a source row must not
    /// depend on the other source rows.
    pub(super) fn new<S: Simd<Element = E>, T: Scalar>(
        simd: S,
        scale: f64,
        target: Rows<'_, T>,
        source: Option<Rows<'_, T>>,
    ) -> Self {
        let centre = mean_row(target);
        let rescaling = Rescaling { centre: Some(&centre), scale };
        let norms = |rows| squared_norms(simd, rows, rescaling);
        let (target_norms, source_norms) = (norms(target), source.map(norms));
        let tolerance = if E::ROUNDOFF < TOLERANCE_DOUBLE { TOLERANCE_DOUBLE } else { TOLERANCE_SINGLE };
        let reach = reach::<E>(tolerance, target.n_columns());
        CentreSplit { centre, scale, reach, target_norms, source_norms }
    }

    /// Largest relative error that distances from products cause in kernel values of these rows.
    pub(super) fn largest_error(&self, n_columns: usize) -> f64 {
        let within_reach = |norms: &[E]| {
            let halves = norms.iter().map(|norm| 0.5 * norm.to_f64()).filter(|half| *half <= self.reach);
            halves.fold(0.0, f64::max)
        };
        let halves = within_reach(&self.target_norms) + within_reach(self.source_norms());
        E::ROUNDOFF * roundings_of_distance::<E>(n_columns) * halves
    }

    /// How rows within reach are centred and scaled.
    pub(super) fn rescaling(&self) -> Rescaling<'_> {
        Rescaling { centre: Some(&self.centre), scale: self.scale }
    }

    pub(super) fn target_norms(&self) -> &[E] {
        &self.target_norms
    }

    pub(super) fn source_norms(&self) -> &[E] {
        self.source_norms.as_ref().unwrap_or(&self.target_norms)
    }

    /// Splits a range of rows, given the norms of all rows.
    pub(super) fn split(&self, rows: Range<usize>, norms: &[E]) -> SplitRows {
        let (central, distant) = rows.partition(|&row| self.is_central(row, norms));
        SplitRows { central, distant }
    }

    /// Positions in a list of rows: those of rows within reach, and those of the others.
    pub(super) fn split_positions(&self, rows: &[usize], norms: &[E]) -> [Vec<usize>; 2] {
        let (central, distant) = (0..rows.len()).partition(|&position| self.is_central(rows[position], norms));
        [central, distant]
    }

    fn is_central(&self, row: usize, norms: &[E]) -> bool {
        self.is_within_reach(norms[row].to_f64())
    }

    /// Whether a row with this squared norm is within reach; one with a NaN is not.
    pub(super) fn is_within_reach(&self, norm: f64) -> bool {
        0.5 * norm <= self.reach
    }
}

/// The mean row; if it overflows, no row is within reach of it.
fn mean_row<T: Scalar>(rows: Rows<'_, T>) -> Vec<f64> {
    let n_rows = rows.n_rows() as f64;
    weighted_sum(rows, |_| 1.0).into_iter().map(|sum| sum / n_rows).collect()
}

/// How far from the centre a row may be for its distances to be computed from products.
///
/// # Formula
///
/// ```text
/// ½‖u − v‖² = ½‖u‖² + ½‖v‖² − uᵀv
/// ```
///
/// has an error of at most ε r (½‖u‖² + ½‖v‖²), where ε is the unit roundoff and r the number of roundings. A kernel value
/// that is a curve of ½‖u − v‖² then has at most about that relative error. Two rows with ½‖u‖² within this reach keep it
/// below the tolerance.
fn reach<E: Element>(tolerance: f64, n_columns: usize) -> f64 {
    0.5 * tolerance / (E::ROUNDOFF * roundings_of_distance::<E>(n_columns))
}

/// r in the error bound of distances from products.
///
/// The product has the roundings of its sum, and |uᵀv| ≤ Σ|uᵢvᵢ| ≤ ½‖u‖² + ½‖v‖². In f32 the rounding of the rows themselves
/// moves ½‖u − v‖² by at most 4ε (½‖u‖² + ½‖v‖²); four more are those of the norms and of the sum of the three terms.
fn roundings_of_distance<E: Element>(n_columns: usize) -> f64 {
    n_roundings::<E>(n_columns) + if E::TERMS_PER_SUM == usize::MAX { 0.0 } else { 8.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;

    #[test]
    fn the_mean_row_has_the_mean_of_each_column() {
        let values: Vec<f64> = (0..30_000).map(|i| f64::from(i % 3)).collect();
        assert_eq!(mean_row(Rows::new(&values, 3)), [0.0, 1.0, 2.0]);
    }

    #[test]
    fn rows_too_far_or_too_large_are_not_within_reach() {
        // The reach in f64 is 4503 for one column. ½ · (2 · 40)² = 3200, ½ · (2 · 50)² = 5000; the square of 1e200
        // overflows, and so does the sum of two of the largest numbers.
        let target = [1.0];
        let source = [1.0, 41.0, -49.0, 1e200, -f64::MAX];
        let split = CentreSplit::new(Portable::<f64>::new(), 2.0, Rows::new(&target, 1), Some(Rows::new(&source, 1)));
        let split = split.split(0..5, split.source_norms());
        assert_eq!(split, SplitRows { central: vec![0, 1], distant: vec![2, 3, 4] });
        let huge = [f64::MAX, f64::MAX];
        let split = CentreSplit::new(Portable::<f64>::new(), 1.0, Rows::new(&huge, 1), None);
        assert_eq!(split.split(0..2, split.source_norms()), SplitRows { central: vec![], distant: vec![0, 1] });
    }

    #[test]
    fn the_reach_shrinks_with_the_number_of_columns() {
        assert_eq!(
            [1, 100].map(|n_columns| (reach::<f64>(1e-12, n_columns) * f64::EPSILON * 1e14).round()),
            [100.0, 10.0]
        );
        // 10 + 1 + 8 roundings, and 32 + 4 + 8 of 100 columns in sums of 32.
        let in_single = |n_columns| (reach::<f32>(1e-5, n_columns) * f64::from(f32::EPSILON) * 1e5).recip().round();
        assert_eq!([10, 100].map(in_single), [19.0, 44.0]);
    }
}
