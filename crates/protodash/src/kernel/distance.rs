//! The distance that belongs to a kernel.

use super::{Kernel, known_kernel};
use crate::rows::Scalar;

/// Distance that K-Medoids uses instead of a kernel.
///
/// # Examples
///
/// ```
/// use protodash::{Distance, Gaussian, Laplacian, Linear, Polynomial};
///
/// assert_eq!(Distance::of::<f64, _>(&Gaussian::new(2.0)?), Distance::Euclidean);
/// assert_eq!(Distance::of::<f64, _>(&Laplacian::new(2.0)?), Distance::Manhattan);
/// assert_eq!(Distance::of::<f64, _>(&Polynomial::new(2, 1.0, 0.0)?), Distance::FeatureSpace);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Distance {
    /// ‖x − y‖.
    Euclidean,
    /// Σ|xᵢ − yᵢ|.
    Manhattan,
    /// Fraction of the values that differ.
    Hamming,
    /// 1 − cos of the angle between the rows; 1 if one of them is all zeros, 0 if both are.
    Cosine,
    /// √(k(x, x) + k(y, y) − 2 k(x, y)), the distance in the kernel's feature space: any custom kernel.
    FeatureSpace,
}

impl Distance {
    /// The distance that belongs to a kernel.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Cosine, Distance};
    ///
    /// assert_eq!(Distance::of::<f32, _>(&Cosine), Distance::Cosine);
    /// ```
    pub fn of<T: Scalar, K: Kernel<T> + ?Sized>(kernel: &K) -> Self {
        known_kernel(kernel).map_or(Distance::FeatureSpace, |kernel| kernel.definition().distance)
    }
}
