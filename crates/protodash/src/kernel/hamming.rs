//! The Hamming kernel, for categorical data.

use super::{Form, Kernel};
use crate::rows::{Scalar, hamming_distance};

/// The Hamming kernel: the part of the values that agree.
///
/// # Formula
///
/// ```text
/// k(x, y) = (1/d) Σᵢ [xᵢ = yᵢ]
/// ```
///
/// where d is the number of columns. It is meant for level codes, one column for each categorical variable; on one-hot
/// columns most zeros agree with most zeros.
///
/// # Examples
///
/// ```
/// use protodash::{Hamming, Kernel};
///
/// assert_eq!(Hamming.evaluate(&[1.0, 7.0, 2.0, 0.0], &[1.0, 3.0, 2.0, 0.0]), 0.75);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hamming;

impl<T: Scalar> Kernel<T> for Hamming {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        1.0 - hamming_distance(x, y) / x.len() as f64
    }

    fn form(&self) -> Form {
        Form::Hamming
    }
}
