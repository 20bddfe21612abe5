//! The two Matérn kernels that have a closed form between the Laplacian's corner and the Gaussian's smoothness.

use super::{Form, Kernel, checked_bandwidth};
use crate::error::Result;
use crate::rows::{Scalar, squared_distance};

/// The Matérn kernel of smoothness 3/2.
///
/// # Formula
///
/// ```text
/// k(x, y) = (1 + √3 r) exp(−√3 r)
/// ```
///
/// where r = ‖x − y‖/σ and σ is the bandwidth.
///
/// # Examples
///
/// ```
/// use protodash::{Matern32, Kernel};
///
/// let kernel = Matern32::new(2.0)?;
/// let root = 3.0_f64.sqrt();
/// assert!((kernel.evaluate(&[0.0], &[2.0]) - (1.0 + root) * (-root).exp()).abs() < 1e-15);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matern32 {
    bandwidth: f64,
}

impl Matern32 {
    /// The kernel with this bandwidth σ.
    ///
    /// # Errors
    ///
    /// If the bandwidth is not a finite number above 0, or so small or large that its square is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Matern32;
    ///
    /// assert!(Matern32::new(0.5).is_ok());
    /// let error = Matern32::new(-1.0).unwrap_err();
    /// assert_eq!(error.to_string(), "bandwidth is -1; it must be above 0 and finite (1e-150 to 1e150)");
    /// ```
    pub fn new(bandwidth: f64) -> Result<Self> {
        checked_bandwidth(bandwidth).map(|bandwidth| Matern32 { bandwidth })
    }

    /// The bandwidth σ.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Matern32::new(0.5)?.bandwidth(), 0.5);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }
}

impl<T: Scalar> Kernel<T> for Matern32 {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        let scaled = 3.0_f64.sqrt() * squared_distance(x, y).sqrt() / self.bandwidth;
        (1.0 + scaled) * (-scaled).exp()
    }

    fn form(&self) -> Form {
        Form::Matern32 { bandwidth: self.bandwidth }
    }
}

/// The Matérn kernel of smoothness 5/2.
///
/// # Formula
///
/// ```text
/// k(x, y) = (1 + √5 r + 5r²/3) exp(−√5 r)
/// ```
///
/// where r = ‖x − y‖/σ and σ is the bandwidth.
///
/// # Examples
///
/// ```
/// use protodash::{Matern52, Kernel};
///
/// let kernel = Matern52::new(2.0)?;
/// let root = 5.0_f64.sqrt();
/// assert!((kernel.evaluate(&[0.0], &[2.0]) - (1.0 + root + 5.0 / 3.0) * (-root).exp()).abs() < 1e-15);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matern52 {
    bandwidth: f64,
}

impl Matern52 {
    /// The kernel with this bandwidth σ.
    ///
    /// # Errors
    ///
    /// If the bandwidth is not a finite number above 0, or so small or large that its square is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Matern52;
    ///
    /// assert!(Matern52::new(0.5).is_ok());
    /// let error = Matern52::new(-1.0).unwrap_err();
    /// assert_eq!(error.to_string(), "bandwidth is -1; it must be above 0 and finite (1e-150 to 1e150)");
    /// ```
    pub fn new(bandwidth: f64) -> Result<Self> {
        checked_bandwidth(bandwidth).map(|bandwidth| Matern52 { bandwidth })
    }

    /// The bandwidth σ.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Matern52::new(0.5)?.bandwidth(), 0.5);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }
}

impl<T: Scalar> Kernel<T> for Matern52 {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        let scaled = 5.0_f64.sqrt() * squared_distance(x, y).sqrt() / self.bandwidth;
        (1.0 + scaled + scaled * scaled / 3.0) * (-scaled).exp()
    }

    fn form(&self) -> Form {
        Form::Matern52 { bandwidth: self.bandwidth }
    }
}
