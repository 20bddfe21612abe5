//! The linear kernel.

use super::{Form, Kernel};
use crate::rows::{Scalar, product};

/// The linear kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = xᵀy
/// ```
///
/// Its kernel mean is the mean row: prototypes are rows whose weighted sum is nearest the target's mean.
///
/// # Examples
///
/// ```
/// use protodash::{Kernel, Linear};
///
/// assert_eq!(Linear.evaluate(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Linear;

impl<T: Scalar> Kernel<T> for Linear {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        product(x, y)
    }

    fn form(&self) -> Form {
        Form::Linear
    }
}
