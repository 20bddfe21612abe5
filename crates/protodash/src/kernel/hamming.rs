//! The Hamming kernel, for categorical data.

use super::definition::{BuiltIn, KernelDefinition, ParameterValue};
use super::{BuiltInKernel, Distance, Kernel, LoopFormula};
use crate::rows::{Scalar, hamming_distance};

/// The Hamming kernel: the fraction of the values that agree.
///
/// # Formula
///
/// ```text
/// k(x, y) = (1/d) Σᵢ [xᵢ = yᵢ]
/// ```
///
/// where d is the number of columns. Intended for category codes, one column per variable; in one-hot columns most
/// zeros agree.
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

impl BuiltIn for Hamming {
    const DEFINITION: KernelDefinition = KernelDefinition {
        name: "hamming",
        aliases: &["categorical", "overlap"],
        formula: "fraction of the columns in which two rows agree, for categories and codes",
        parameters: &[],
        distance: Distance::Hamming,
        unit_diagonal: true,
        compares_codes: true,
        auto_bandwidth: None,
        build: |_| Ok(Hamming.into()),
    };

    fn parameters(&self) -> Vec<(&'static str, ParameterValue)> {
        Vec::new()
    }

    fn loop_formula(&self) -> Option<LoopFormula> {
        Some(LoopFormula::EqualValues)
    }
}

impl<T: Scalar> Kernel<T> for Hamming {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        1.0 - hamming_distance(x, y) / x.len() as f64
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        Some((*self).into())
    }
}
