//! The cosine kernel.

use super::{Form, Kernel};
use crate::rows::{Scalar, product};

/// The cosine kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = xᵀy / (‖x‖ ‖y‖)
/// ```
///
/// A row of zeros has no direction: its similarity to every row, also to itself, is 0.
///
/// # Examples
///
/// ```
/// use protodash::{Cosine, Kernel};
///
/// assert_eq!(Cosine.evaluate(&[3.0, 0.0], &[3.0, 4.0]), 0.6);
/// assert_eq!(Cosine.evaluate(&[0.0, 0.0], &[0.0, 0.0]), 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cosine;

impl<T: Scalar> Kernel<T> for Cosine {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        // The roots are taken before the product, which could leave the range of f64 where the two roots do not.
        let norms = product(x, x).sqrt() * product(y, y).sqrt();
        if norms > 0.0 { product(x, y) / norms } else { 0.0 }
    }

    fn form(&self) -> Form {
        Form::Cosine
    }
}
