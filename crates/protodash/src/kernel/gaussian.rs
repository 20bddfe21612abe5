//! The Gaussian kernel.

use super::{Form, Kernel, checked_bandwidth};
use crate::error::Result;
use crate::rows::{Scalar, squared_distance};

/// The Gaussian kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = exp(−‖x − y‖² / (2σ²))
/// ```
///
/// where σ is the bandwidth.
///
/// # Examples
///
/// ```
/// use protodash::{Gaussian, Kernel};
///
/// let kernel = Gaussian::new(2.0)?;
/// let at_one_bandwidth = kernel.evaluate(&[0.0], &[2.0]);
/// assert!((at_one_bandwidth - (-0.5_f64).exp()).abs() < 1e-15);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaussian {
    bandwidth: f64,
}

impl Gaussian {
    /// The kernel with this bandwidth σ.
    ///
    /// # Errors
    ///
    /// If the bandwidth is not a finite number above 0, or so small or large that its square is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Gaussian;
    ///
    /// assert!(Gaussian::new(0.5).is_ok());
    /// let error = Gaussian::new(-1.0).unwrap_err();
    /// assert_eq!(error.to_string(), "bandwidth is -1; it must be above 0 and finite (1e-150 to 1e150)");
    /// ```
    pub fn new(bandwidth: f64) -> Result<Self> {
        checked_bandwidth(bandwidth).map(|bandwidth| Gaussian { bandwidth })
    }

    /// The bandwidth σ.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Gaussian::new(0.5)?.bandwidth(), 0.5);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }
}

impl<T: Scalar> Kernel<T> for Gaussian {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (-squared_distance(x, y) / (2.0 * self.bandwidth * self.bandwidth)).exp()
    }

    fn form(&self) -> Form {
        Form::Gaussian { bandwidth: self.bandwidth }
    }
}
