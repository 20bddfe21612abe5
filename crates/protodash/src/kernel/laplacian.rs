//! The Laplacian kernel.

use super::{Form, Kernel, checked_bandwidth};
use crate::error::Result;
use crate::rows::{Scalar, manhattan_distance};

/// The Laplacian kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = exp(−Σᵢ|xᵢ − yᵢ| / σ)
/// ```
///
/// where σ is the bandwidth.
/// Less troubled by single far-off values than the Gaussian, since it looks at absolute and not squared differences.
///
/// # Examples
///
/// ```
/// use protodash::{Laplacian, Kernel};
///
/// let kernel = Laplacian::new(2.0)?;
/// let value = kernel.evaluate(&[0.0, 0.0], &[1.0, 1.0]); // a sum of differences of 2, one bandwidth
/// assert!((value - (-1.0_f64).exp()).abs() < 1e-15);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Laplacian {
    bandwidth: f64,
}

impl Laplacian {
    /// The kernel with this bandwidth σ.
    ///
    /// # Errors
    ///
    /// If the bandwidth is not a finite number above 0, or so small or large that its square is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Laplacian;
    ///
    /// assert!(Laplacian::new(0.5).is_ok());
    /// let error = Laplacian::new(-1.0).unwrap_err();
    /// assert_eq!(error.to_string(), "bandwidth is -1; it must be above 0 and finite (1e-150 to 1e150)");
    /// ```
    pub fn new(bandwidth: f64) -> Result<Self> {
        checked_bandwidth(bandwidth).map(|bandwidth| Laplacian { bandwidth })
    }

    /// The bandwidth σ.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Laplacian::new(0.5)?.bandwidth(), 0.5);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }
}

impl<T: Scalar> Kernel<T> for Laplacian {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (-manhattan_distance(x, y) / self.bandwidth).exp()
    }

    fn form(&self) -> Form {
        Form::Laplacian { bandwidth: self.bandwidth }
    }
}
