//! The cosine kernel.

use super::definition::{BuiltIn, KernelDefinition, ParameterValue};
use super::{BuiltInKernel, Distance, Kernel, LoopFormula};
use crate::rows::{Scalar, cosine, length};

/// The cosine kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = xᵀy / (‖x‖ ‖y‖)
/// ```
///
/// A row of zeros has no direction: its similarity to every row, itself included, is 0.
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

impl BuiltIn for Cosine {
    const DEFINITION: KernelDefinition = KernelDefinition {
        name: "cosine",
        aliases: &["cos", "cosine-similarity"],
        formula: "xᵀy / (‖x‖ ‖y‖), and 0 if x or y is 0",
        parameters: &[],
        distance: Distance::Cosine,
        unit_diagonal: false,
        compares_codes: false,
        auto_bandwidth: None,
        build: |_| Ok(Cosine.into()),
    };

    fn parameters(&self) -> Vec<(&'static str, ParameterValue)> {
        Vec::new()
    }

    fn loop_formula(&self) -> Option<LoopFormula> {
        Some(LoopFormula::Cosine)
    }
}

impl<T: Scalar> Kernel<T> for Cosine {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        cosine(x, y, (length(x), length(y)))
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        Some((*self).into())
    }
}
