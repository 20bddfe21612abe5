//! The kernel mean in f32 or in f64, with a bound on its error.

use ndarray::ArrayRef2;

use super::{Target, finite_means, mean_by};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, Unobserved};
use crate::rows::{CheckedPair, Scalar};
use crate::simd::InstructionSet;

/// Precision of kernel values; they are always summed in f64.
///
/// # Examples
///
/// ```
/// assert_ne!(protodash::Precision::Single, protodash::Precision::Double);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precision {
    /// f32, about twice as fast. Only for kernels with a bandwidth from 1e-12 to 1e12; others use f64.
    Single,
    /// f64.
    Double,
}

impl Precision {
    /// The precision in which these data are stored.
    pub(crate) fn of_data<T: Scalar>() -> Self {
        if size_of::<T>() == size_of::<f32>() { Precision::Single } else { Precision::Double }
    }
}

/// A kernel mean with a bound on its error.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Precision, kernel_mean_in};
///
/// let rows = array![[1.0_f32], [3.0]];
/// let mean = kernel_mean_in(Precision::Single, &rows, &rows, &Gaussian::new(1.0)?)?;
/// let exact = 0.5 + 0.5 * (-2.0_f64).exp();
/// assert!((mean.means[0] - exact).abs() <= mean.absolute_error + mean.relative_error * exact);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KernelMean {
    /// The mean similarity of each source row to the target.
    pub means: Vec<f64>,
    /// |computed − true| ≤ absolute error + relative error · true.
    ///
    /// The bound of f32 holds for all data. That of f64 assumes that rounding errors are independent, so that the error of a
    /// sum over d columns grows with √d and not with d. Both assume that [`Kernel::evaluate`] is exact.
    pub absolute_error: f64,
    /// See [`absolute_error`](Self::absolute_error).
    pub relative_error: f64,
}

/// [`kernel_mean`](crate::kernel_mean) in f32 or f64, with a bound on its error.
///
/// # Errors
///
/// As for [`kernel_mean`](crate::kernel_mean).
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Laplacian, Precision, kernel_mean_in};
///
/// let (target, source) = (array![[0.0_f32, 1.0], [2.0, 1.0]], array![[0.0, 1.0]]);
/// let mean = kernel_mean_in(Precision::Single, &target, &source, &Laplacian::new(1.0)?)?;
/// assert!((mean.means[0] - (1.0 + (-2.0_f64).exp()) / 2.0).abs() < 1e-6);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn kernel_mean_in<T: Scalar>(
    precision: Precision,
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &dyn Kernel<T>,
) -> Result<KernelMean> {
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    let target = Target { rows: target, weights: None };
    let watch = (Stage::KernelMean, &mut Unobserved as &mut dyn Observer);
    let (means, error) = mean_by(target, source, kernel, (InstructionSet::best(), precision), watch)?;
    Ok(KernelMean { means: finite_means(means)?, absolute_error: error.absolute, relative_error: error.relative })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Gaussian, InverseMultiquadric, Laplacian, Matern32, Matern52};
    use ndarray::Array2;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Rows around a few centres, so that there are near and far pairs.
    fn clustered(n_rows: usize, n_columns: usize, seed: u64) -> Array2<f32> {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        Array2::from_shape_fn((n_rows, n_columns), |(row, column)| {
            ((row % 4 * (column % 3)) as f32).mul_add(0.5, generator.random_range(-1.0..1.0))
        })
    }

    #[test]
    fn single_precision_stays_within_its_bound() {
        for n_columns in [1, 10, 50, 300] {
            let (target, source) = (clustered(700, n_columns, 1), clustered(150, n_columns, 2));
            // From wide to so narrow that all distances come from differences.
            for factor in [2.0, 1.0, 0.3, 0.1, 0.02] {
                let bandwidth = factor * (n_columns as f64).sqrt();
                let kernels: [Box<dyn Kernel<f32> + Send>; 5] = [
                    Box::new(Gaussian::new(bandwidth).unwrap()),
                    Box::new(Laplacian::new(bandwidth).unwrap()),
                    Box::new(Matern32::new(bandwidth).unwrap()),
                    Box::new(Matern52::new(bandwidth).unwrap()),
                    Box::new(InverseMultiquadric::new(bandwidth).unwrap()),
                ];
                for kernel in kernels {
                    for source in [&source, &target] {
                        let single = kernel_mean_in(Precision::Single, &target, source, &kernel).unwrap();
                        let double = kernel_mean_in(Precision::Double, &target, source, &kernel).unwrap();
                        assert!(double.relative_error < 1.3e-12 && double.absolute_error < 1e-14);
                        // The worst case: all rounding errors have the same sign.
                        assert!(single.relative_error < 5e-5 && single.absolute_error < 2e-6);
                        for (single_mean, mean) in single.means.iter().zip(&double.means) {
                            let bound = single.absolute_error + single.relative_error * mean;
                            assert!(
                                (single_mean - mean).abs() <= bound,
                                "{:?} {single_mean} {mean}",
                                kernel.built_in()
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn errors_on_ordinary_data_are_far_below_the_bound() {
        let rows = clustered(3000, 50, 3);
        let kernel = Gaussian::new(7.0).unwrap();
        let single = kernel_mean_in(Precision::Single, &rows, &rows, &kernel).unwrap();
        let double = kernel_mean_in(Precision::Double, &rows, &rows, &kernel).unwrap();
        let relative = single.means.iter().zip(&double.means).map(|(single, double)| (single / double - 1.0).abs());
        let largest = relative.fold(0.0, f64::max);
        assert!(largest < 1e-7, "{largest:e}");
    }

    #[test]
    fn kernels_without_a_formula_or_a_distance_are_computed_in_double() {
        let rows = clustered(40, 3, 4);
        let kernel = crate::kernel::Polynomial::new(2, 1.0, 0.0).unwrap();
        let single = kernel_mean_in(Precision::Single, &rows, &rows, &kernel).unwrap();
        assert_eq!(single, kernel_mean_in(Precision::Double, &rows, &rows, &kernel).unwrap());
    }
}
