//! Kernels centred at one source row, for weights that sum to 1.
//!
//! Under Σw = 1 only the differences of rows in feature space matter. Kernel values also depend on the origin: if it is
//! far away, or some rows are, the decisive differences are lost in the rounding of large values.

use crate::diagonal::checked_diagonal;
use crate::error::Result;
use crate::kernel::{BuiltInKernel, Kernel, known_kernel};
use crate::kernel_mean::Target;
use crate::problem::SelectionProblem;
use crate::rows::{Rows, Scalar, centred_product};

/// A Schur complement or a similarity below this fraction of its terms is rounding error.
const ROUNDING: f64 = 1e-12;
/// The smallest constant, as a fraction of k(r, r): more than the rounding error of the similarity of r to a copy of
/// it.
const LEAST_SHIFT: f64 = 1e-14;

/// Kernel values may exceed the quantity to be explained by this factor without losing too many digits.
const FAR: f64 = 1e2;

/// The kernel with a reference row r as origin.
///
/// # Formula
///
/// ```text
/// kᵣ(x, y) = ⟨φ(x) − φ(r), φ(y) − φ(r)⟩ = k(x, y) − k(x, r) − k(y, r) + k(r, r)
/// ```
///
/// For the linear kernel it is (x − r)ᵀ(y − r), which is computed from differences of the values without cancellation.
pub(crate) struct CentredKernel<'a, T> {
    kernel: &'a dyn Kernel<T>,
    reference: &'a [T],
    /// k(r, r).
    own: f64,
    is_linear: bool,
}

impl<T: Scalar> Kernel<T> for CentredKernel<'_, T> {
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        if self.is_linear {
            return centred_product(x, y, self.reference);
        }
        let similarity = |x, y| self.kernel.evaluate(x, y);
        let centred = similarity(x, y) - similarity(x, self.reference) - similarity(y, self.reference) + self.own;
        // A row's similarity to itself is a squared distance; what is left of large terms may be below 0.
        if centred < 0.0 && x == y { 0.0 } else { centred }
    }
}

/// An equivalent problem under Σw = 1: the same objective up to the constant `level`.
pub(crate) struct CentredProblem<'a, T> {
    pub(crate) kernel: CentredKernel<'a, T>,
    /// ⟨φ(y) − φ(r), μ − φ(r)⟩ of each source row y.
    pub(crate) kernel_mean: Vec<f64>,
    /// A constant to add to the kernel, see [`shift`].
    pub(crate) shift: f64,
    /// The objective of r alone.
    pub(crate) level: f64,
}

impl<'a, T: Scalar> CentredProblem<'a, T> {
    /// The problem centred at the best single row; `None` if no row is far enough away to need this.
    ///
    /// Each value needs three kernel values instead of one, and the fast loops of built-in kernels cannot be used.
    ///
    /// # Errors
    ///
    /// If a row's similarity to itself is negative or not finite.
    pub(crate) fn new(problem: &SelectionProblem<'a, T>) -> Result<Option<Self>> {
        let SelectionProblem { target, source, kernel, kernel_mean, .. } = *problem;
        if has_small_values(kernel) {
            return Ok(None);
        }
        let diagonal = checked_diagonal(kernel, source)?;
        let is_linear = matches!(kernel.built_in(), Some(BuiltInKernel::Linear(_)));
        let alone = |row: usize| kernel_mean[row] - 0.5 * diagonal[row];
        let best = if is_linear {
            // From the first row: the mean itself would be rounded to the precision of values that may be far away.
            let origin: Vec<f64> = source.row(0).iter().map(|value| value.to_f64()).collect();
            let mean = mean_from(target, &origin);
            let distance = |row: &[T]| -> f64 {
                let differences =
                    row.iter().zip(&origin).zip(&mean).map(|((x, origin), mean)| (x.to_f64() - origin) - mean);
                differences.map(|difference| difference * difference).sum()
            };
            largest(source.n_rows(), |row| -distance(source.row(row)))
        } else {
            largest(source.n_rows(), alone)
        };
        let (reference, own) = (source.row(best), diagonal[best]);
        let kernel = CentredKernel { kernel, reference, own, is_linear };
        let kernel_mean = kernel.means(target, source, kernel_mean, best);
        let terms = |row: usize| if is_linear { 0.0 } else { diagonal[row] + own };
        let spread = |row: usize| kernel.evaluate(source.row(row), source.row(row));
        let rows = (0..source.n_rows()).map(|row| (kernel_mean[row], spread(row), terms(row)));
        // The linear kernel is centred in the values, so that no similarity is rounded.
        let shift = shift(rows, own).max(if is_linear { 0.0 } else { LEAST_SHIFT * own });
        if diagonal.iter().all(|own| *own <= FAR * shift) {
            return Ok(None);
        }
        Ok(Some(CentredProblem { kernel, kernel_mean, shift, level: alone(best) }))
    }
}

/// The constant to add to a kernel that is not centred: the largest k(y, y), or 1 if that is 0; see [`shift`].
pub(crate) fn plain_shift<T: Scalar>(problem: &SelectionProblem<'_, T>) -> f64 {
    let SelectionProblem { source, kernel, .. } = problem;
    if has_small_values(*kernel) {
        return 1.0;
    }
    let largest = source.iter().map(|row| kernel.evaluate(row, row)).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

/// Whether no similarity exceeds 1.
pub(crate) fn has_small_values<T: Scalar>(kernel: &dyn Kernel<T>) -> bool {
    known_kernel(kernel).is_some_and(|kernel| kernel.definition().has_small_values())
}

impl<T: Scalar> CentredKernel<'_, T> {
    /// The kernel means of the source, from those of the kernel itself.
    fn means(&self, target: Target<'_, T>, source: Rows<'_, T>, kernel_mean: &[f64], reference: usize) -> Vec<f64> {
        if self.is_linear {
            let origin: Vec<f64> = self.reference.iter().map(|value| value.to_f64()).collect();
            let mean = mean_from(target, &origin);
            let product = |row: &[T]| -> f64 {
                row.iter().zip(&origin).zip(&mean).map(|((x, r), mean)| (x.to_f64() - r) * mean).sum()
            };
            return source.iter().map(product).collect();
        }
        let level = self.own - kernel_mean[reference];
        let mean = |(row, mean): (&[T], &f64)| mean - self.kernel.evaluate(row, self.reference) + level;
        source.iter().zip(kernel_mean).map(mean).collect()
    }
}

/// The mean row of the target minus an origin, subtracted before summing so that a large origin costs no precision.
fn mean_from<T: Scalar>(target: Target<'_, T>, origin: &[f64]) -> Vec<f64> {
    let mut mean = vec![0.0; origin.len()];
    for (index, row) in target.rows.iter().enumerate() {
        let weight = target.weights.map_or(1.0, |weights| weights[index]);
        for ((sum, x), origin) in mean.iter_mut().zip(row).zip(origin) {
            *sum += weight * (x.to_f64() - origin);
        }
    }
    let total = if target.weights.is_some() { 1.0 } else { target.rows.n_rows() as f64 };
    mean.iter_mut().for_each(|sum| *sum /= total);
    mean
}

/// The first row with the largest value.
pub(crate) fn largest(n_rows: usize, value: impl Fn(usize) -> f64) -> usize {
    let rows = (0..n_rows).map(|row| (row, value(row)));
    rows.reduce(|best, other| if other.1 > best.1 { other } else { best }).map_or(0, |(row, _)| row)
}

/// A constant to add to a centred kernel, from the mean of each row, its similarity to itself and the size of the terms that
/// this is a difference of; `own` is k(r, r).
///
/// Under Σw = 1 it changes neither gradients nor weights. It makes rows independent that lie in one linear but not in
/// one affine subspace, such as four points in space under the linear kernel, all of which may be useful.
///
/// # Formula
///
/// ```text
/// c = maxⱼ μⱼ² / Kⱼⱼ  over the rows with μⱼ > 0, or over all if there is none
/// ```
///
/// is the square of the part of μ in the direction of one row, seen from the reference, so it is at most as large as the
/// quantity to be explained, and not as large as the most distant row.
pub(crate) fn shift(rows: impl Iterator<Item = (f64, f64, f64)>, own: f64) -> f64 {
    let (mut towards, mut away, mut least_spread) = (0.0_f64, 0.0_f64, f64::INFINITY);
    for (mean, spread, _) in rows.filter(|(_, spread, terms)| *spread > ROUNDING * terms) {
        let part = if mean > 0.0 { &mut towards } else { &mut away };
        *part = part.max(mean * (mean / spread));
        least_spread = least_spread.min(spread);
    }
    // If the reference is the mean itself, nothing is left to explain.
    let small = if own > 0.0 { own.min(least_spread) } else { least_spread };
    [towards, away, small].into_iter().find(|shift| *shift > 0.0 && shift.is_finite()).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Linear, Polynomial};
    use crate::kernel_mean::mean_over_target;
    use crate::observe::{Stage, Unobserved};
    use crate::params::Params;
    use crate::search::ShardLayout;

    /// l(w) of both problems for Σw = 1.
    fn objectives(kernel: &dyn Kernel<f64>, weights: [f64; 3]) -> (f64, f64) {
        // The first source row is far away.
        let (target, source) = ([1.0, 2.0, 0.5, -1.0, 2.0, 0.0], [300.0, 100.0, 2.0, 2.0, -1.0, 3.0]);
        let (target, source) = (Target { rows: Rows::new(&target, 2), weights: None }, Rows::new(&source, 2));
        let kernel_mean = mean_over_target(target, source, kernel, (Stage::KernelMean, &mut Unobserved)).unwrap();
        let (params, layout) = (Params::new(1), ShardLayout::default());
        let problem = SelectionProblem {
            target,
            source,
            kernel,
            kernel_mean: &kernel_mean,
            approximate: None,
            params: &params,
            candidates: None,
            layout,
        };
        let objective = |kernel: &dyn Kernel<f64>, means: &[f64]| {
            let mut sum = 0.0;
            for (i, weight) in weights.iter().enumerate() {
                let product: f64 = (0..3).map(|j| weights[j] * kernel.evaluate(source.row(i), source.row(j))).sum();
                sum += weight * (means[i] - 0.5 * product);
            }
            sum
        };
        let centred = CentredProblem::new(&problem).unwrap().unwrap();
        assert!(centred.shift > 0.0);
        (objective(kernel, &kernel_mean), objective(&centred.kernel, &centred.kernel_mean) + centred.level)
    }

    #[test]
    fn centring_changes_the_objective_by_the_level_only() {
        let kernels: [&dyn Kernel<f64>; 2] = [&Linear, &Polynomial::new(3, 0.5, 1.0).unwrap()];
        for kernel in kernels {
            for weights in [[1.0, 0.0, 0.0], [1e-5, 0.3, 0.69999], [0.0, 0.75, 0.25]] {
                let (raw, centred) = objectives(kernel, weights);
                assert!((raw - centred).abs() < 1e-10 * (1.0 + raw.abs()), "{raw} {centred}");
            }
        }
    }

    #[test]
    fn the_shift_ignores_distant_rows_and_rounding() {
        // (0.6)²/0.36 = 1; the others have a negative mean, a large similarity to themselves, or only rounding of it.
        let rows = [(0.6, 0.36, 2.0), (-5.0, 1.0, 2.0), (0.9, 1e18, 1e18), (1e-3, 1e-15, 1.0)];
        assert_eq!(shift(rows.into_iter(), 1.0), 0.6 * (0.6 / 0.36));
        // If no row is better than the reference, what lies in the opposite direction: (−1)²/9.
        assert_eq!(shift([(0.0, 4.0, 0.0), (-1.0, 9.0, 0.0)].into_iter(), 1.0), 1.0 / 9.0);
        assert_eq!(shift([(0.0, 4.0, 0.0)].into_iter(), 0.0), 4.0);
        assert_eq!(shift([(0.0, 4.0, 0.0)].into_iter(), 1e-8), 1e-8);
        assert_eq!(shift([(0.0, 0.0, 0.0)].into_iter(), 0.0), 1.0);
    }
}
