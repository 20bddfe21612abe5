//! Detects kernel means that are 0 up to rounding, because their terms cancel.

use std::cell::LazyCell;

use super::Target;
use crate::kernel::Kernel;
use crate::rows::{Rows, Scalar};

/// The means, or zeros if they are only rounding errors.
///
/// The terms of a kernel with values of both signs can cancel: if every column has mean 0, so has the linear kernel, and
/// what is computed is rounding error. Weights fitted to it would look like a good fit.
///
/// # Formula
///
/// ```text
/// |Σᵢ pᵢ k(xᵢ, yⱼ)| ≤ δ Σᵢ pᵢ |k(xᵢ, yⱼ)|                    for the j with the largest mean
/// |Σᵢ pᵢ k(xᵢ, yⱼ)| ≤ δ Σᵢ pᵢ √(k(xᵢ, xᵢ) k(yⱼ, yⱼ))        for every j
/// ```
///
/// with δ a few digits above the rounding of the data. For kernels without negative values both sums in the first line
/// are equal, so their means never become 0.
pub(crate) fn zero_if_cancelled<T: Scalar>(
    mut means: Vec<f64>,
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
) -> Vec<f64> {
    let larger = |one: usize, other: usize| if means[other].abs() > means[one].abs() { other } else { one };
    let Some(largest) = (0..means.len()).reduce(larger).filter(|row| means[*row] != 0.0) else { return means };
    let rounding = if size_of::<T>() == size_of::<f32>() { 1e-7 } else { 1e-13 };
    // |k(x, y)| ≤ √(k(x, x) k(y, y)), so this bounds the sum of the absolute values of a row's terms.
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

    fn means(values: &[f64], weights: Option<&[f64]>, kernel: &dyn Kernel<f64>) -> Vec<f64> {
        let rows = Rows::new(values, 1);
        let target = Target { rows, weights };
        let means = mean_over_target(target, rows, kernel, (Stage::KernelMean, &mut Unobserved)).unwrap();
        zero_if_cancelled(means, target, rows, kernel)
    }

    #[test]
    fn the_linear_mean_of_centred_columns_is_exactly_zero() {
        // 0.1 + 0.2 − 0.3 is 5.6e-17 in f64.
        assert_eq!(means(&[0.1, 0.2, -0.3], None, &Linear), [0.0; 3]);
        assert_eq!(means(&[0.1, 0.2, -0.4], Some(&[0.4, 0.4, 0.3]), &Linear), [0.0; 3]);
        // With other weights the mean is not 0.
        assert!(means(&[0.1, 0.2, -0.3], Some(&[0.5, 0.25, 0.25]), &Linear).iter().all(|mean| *mean != 0.0));
    }

    #[test]
    fn means_are_kept_unless_all_rows_cancel() {
        // The first two rows cancel in the first column up to rounding; the others have mean 1.
        let values = [1e8, 1.0, -1e8, 1.0, 3.0, 1.0, -3.0, 1.0];
        let rows = Rows::new(&values, 2);
        let target = Target { rows, weights: None };
        let means = zero_if_cancelled(vec![1.0; 4], target, rows, &Linear);
        assert_eq!(means, [1.0; 4]);
    }

    #[test]
    fn small_means_that_do_not_cancel_are_kept() {
        assert_eq!(means(&[0.0, 1e-12], None, &Linear), [0.0, 0.5e-24]);
        let narrow = means(&[0.0, 20.0], None, &Gaussian::new(1.0).unwrap());
        assert!(narrow.iter().all(|mean| *mean >= 0.5));
        let mean = 1e-9; // far above rounding
        assert!(means(&[1.0, -1.0 + 2.0 * mean], None, &Linear)[0] > 0.9 * mean);
    }
}
