//! The polynomial kernel.

use super::{Form, Kernel};
use crate::error::Result;
use crate::params::in_range;
use crate::rows::{Scalar, product};

/// The polynomial kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = (s xᵀy + c)^p
/// ```
///
/// where p ≥ 1 is the degree, s > 0 the scale and c ≥ 0 the offset.
///
/// # Examples
///
/// ```
/// use protodash::{Kernel, Polynomial};
///
/// let kernel = Polynomial::new(2, 0.5, 1.0)?;
/// assert_eq!(kernel.evaluate(&[2.0], &[3.0]), 16.0); // (½ · 6 + 1)²
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial {
    degree: u32,
    scale: f64,
    offset: f64,
}

impl Polynomial {
    /// The kernel with this degree, scale and offset.
    ///
    /// # Errors
    ///
    /// If the degree is 0, the scale not a finite number above 0, or the offset not a finite number of at least 0:
    /// the kernel would not be positive definite.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Polynomial;
    ///
    /// let error = Polynomial::new(3, 1.0, -1.0).unwrap_err();
    /// assert_eq!(error.to_string(), "offset is -1; it must be a finite number, at least 0");
    /// ```
    pub fn new(degree: u32, scale: f64, offset: f64) -> Result<Self> {
        in_range("degree", f64::from(degree), degree >= 1 && degree <= i32::MAX as u32, "a whole number, at least 1")?;
        in_range("scale", scale, scale.is_finite() && scale > 0.0, "a finite number above 0")?;
        in_range("offset", offset, offset.is_finite() && offset >= 0.0, "a finite number, at least 0")?;
        Ok(Polynomial { degree, scale, offset })
    }
}

impl<T: Scalar> Kernel<T> for Polynomial {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (self.scale * product(x, y) + self.offset).powi(self.degree as i32)
    }

    fn form(&self) -> Form {
        Form::Polynomial { degree: self.degree, scale: self.scale, offset: self.offset }
    }
}
