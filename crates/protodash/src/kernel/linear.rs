//! The linear kernel.

use super::definition::{BuiltIn, KernelDefinition, ParameterValue};
use super::{BuiltInKernel, Distance, Kernel, LoopFormula};
use crate::rows::{Scalar, product};

/// The linear kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = xᵀy
/// ```
///
/// Its kernel mean is the mean row: prototypes are rows whose weighted sum is closest to the mean of the target.
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

impl BuiltIn for Linear {
    const DEFINITION: KernelDefinition = KernelDefinition {
        name: "linear",
        aliases: &["dot", "dot-product"],
        formula: "xᵀy",
        parameters: &[],
        distance: Distance::Euclidean,
        unit_diagonal: false,
        compares_codes: false,
        auto_bandwidth: None,
        build: |_| Ok(Linear.into()),
    };

    fn parameters(&self) -> Vec<(&'static str, ParameterValue)> {
        Vec::new()
    }

    fn loop_formula(&self) -> Option<LoopFormula> {
        Some(LoopFormula::Linear)
    }
}

impl<T: Scalar> Kernel<T> for Linear {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        product(x, y)
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        Some((*self).into())
    }
}
