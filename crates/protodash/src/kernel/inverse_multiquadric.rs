//! The inverse multiquadric kernel.

use super::{Form, Kernel, checked_bandwidth};
use crate::error::Result;
use crate::rows::{Scalar, squared_distance};

/// The inverse multiquadric kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = 1 / √(1 + ‖x − y‖² / σ²)
/// ```
///
/// where σ is the bandwidth.
/// Its tails fall like 1/distance, so that far-off rows still count. Near 0 it bends like the Gaussian of the same σ.
///
/// # Examples
///
/// ```
/// use protodash::{InverseMultiquadric, Kernel};
///
/// let kernel = InverseMultiquadric::new(2.0)?;
/// let value = kernel.evaluate(&[0.0], &[2.0]);
/// assert!((value - 0.5_f64.sqrt()).abs() < 1e-15);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InverseMultiquadric {
    bandwidth: f64,
}

impl InverseMultiquadric {
    /// The kernel with this bandwidth σ.
    ///
    /// # Errors
    ///
    /// If the bandwidth is not a finite number above 0, or so small or large that its square is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::InverseMultiquadric;
    ///
    /// assert!(InverseMultiquadric::new(0.5).is_ok());
    /// let error = InverseMultiquadric::new(-1.0).unwrap_err();
    /// assert_eq!(error.to_string(), "bandwidth is -1; it must be above 0 and finite (1e-150 to 1e150)");
    /// ```
    pub fn new(bandwidth: f64) -> Result<Self> {
        checked_bandwidth(bandwidth).map(|bandwidth| InverseMultiquadric { bandwidth })
    }

    /// The bandwidth σ.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::InverseMultiquadric::new(0.5)?.bandwidth(), 0.5);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }
}

impl<T: Scalar> Kernel<T> for InverseMultiquadric {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (1.0 + squared_distance(x, y) / (self.bandwidth * self.bandwidth)).sqrt().recip()
    }

    fn form(&self) -> Form {
        Form::InverseMultiquadric { bandwidth: self.bandwidth }
    }
}
