//! Kernel means of which only rounding is left.

use std::cell::LazyCell;

use super::Target;
use crate::kernel::Kernel;
use crate::rows::{Rows, Scalar};

/// The means, or 0 for each if they are rounding.
///
/// A kernel that takes both signs can cancel out: of columns with mean 0 the linear kernel has the mean 0, and what is
/// computed is the rounding of its terms. Weights would be fitted to that, and be called good.
///
/// # Formula
///
/// ```text
/// |Σᵢ pᵢ k(xᵢ, yⱼ)| ≤ δ Σᵢ pᵢ |k(xᵢ, yⱼ)|                    for the j with the largest mean
/// |Σᵢ pᵢ k(xᵢ, yⱼ)| ≤ δ Σᵢ pᵢ √(k(xᵢ, xᵢ) k(yⱼ, yⱼ))        for every j
/// ```
///
/// with a δ a few digits above the rounding of the data themselves. Kernels without negative values have both sides
/// equal and are never touched.
pub(crate) fn zero_if_cancelled<T: Scalar, K: Kernel<T> + ?Sized>(
    mut means: Vec<f64>,
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &K,
) -> Vec<f64> {
    let larger = |one: usize, other: usize| if means[other].abs() > means[one].abs() { other } else { one };
    let Some(largest) = (0..means.len()).reduce(larger).filter(|row| means[*row] != 0.0) else { return means };
    let rounding = if size_of::<T>() == size_of::<f32>() { 1e-7 } else { 1e-13 };
    // |k(x, y)| ≤ √(k(x, x) k(y, y)), so that this is at least the sum of the sizes of a row's terms.
    let length = |row: &[T]| kernel.evaluate(row, row).max(0.0).sqrt();
    let weight = |row: usize| target.weights.map_or(1.0 / target.rows.n_rows() as f64, |weights| weights[row]);
    let lengths = LazyCell::new(|| target.rows.iter().enumerate().map(|(row, x)| weight(row) * length(x)).sum::<f64>());
    let bound = |row: usize| *lengths * length(source.row(row));
    let (mut sum, mut size) = (0.0, 0.0);
    for (row, x) in target.rows.iter().enumerate() {
        let term = weight(row) * kernel.evaluate(x, source.row(largest));
        sum += term;
        size += term.abs();
    }
    if sum.abs() <= rounding * size && (0..means.len()).all(|row| means[row].abs() <= rounding * bound(row)) {
        means.fill(0.0);
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Gaussian, Linear};
    use crate::kernel_mean::mean_over_target;
    use crate::observe::{Stage, Unobserved};

    fn means<K: Kernel<f64>>(values: &[f64], weights: Option<&[f64]>, kernel: &K) -> Vec<f64> {
        let rows = Rows::new(values, 1);
        let target = Target { rows, weights };
        let means = mean_over_target(target, rows, kernel, (Stage::KernelMean, &mut Unobserved)).unwrap();
        zero_if_cancelled(means, target, rows, kernel)
    }

    #[test]
    fn columns_with_mean_zero_have_the_linear_mean_zero() {
        // 0.1 + 0.2 − 0.3 is 5.6e-17 in f64.
        assert_eq!(means(&[0.1, 0.2, -0.3], None, &Linear), [0.0; 3]);
        assert_eq!(means(&[0.1, 0.2, -0.4], Some(&[0.4, 0.4, 0.3]), &Linear), [0.0; 3]);
        // Weighted otherwise they have a mean.
        assert!(means(&[0.1, 0.2, -0.3], Some(&[0.5, 0.25, 0.25]), &Linear).iter().all(|mean| *mean != 0.0));
    }

    #[test]
    fn one_row_that_cancels_does_not_speak_for_the_others() {
        // The first two rows cancel out in the first column but for their rounding; the others have the mean 1.
        let values = [1e8, 1.0, -1e8, 1.0, 3.0, 1.0, -3.0, 1.0];
        let rows = Rows::new(&values, 2);
        let target = Target { rows, weights: None };
        let means = zero_if_cancelled(vec![1.0; 4], target, rows, &Linear);
        assert_eq!(means, [1.0; 4]);
    }

    #[test]
    fn small_means_that_do_not_cancel_stay() {
        assert_eq!(means(&[0.0, 1e-12], None, &Linear), [0.0, 0.5e-24]);
        let narrow = means(&[0.0, 20.0], None, &Gaussian::new(1.0).unwrap());
        assert!(narrow.iter().all(|mean| *mean >= 0.5));
        let mean = 1e-9; // far above rounding
        assert!(means(&[1.0, -1.0 + 2.0 * mean], None, &Linear)[0] > 0.9 * mean);
    }
}
