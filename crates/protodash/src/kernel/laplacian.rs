//! The Laplacian kernel.

use std::f64::consts::LOG2_E;

use super::definition::{BANDWIDTH, BuiltIn, KernelDefinition, ParameterValue, impl_bandwidth};
use super::loop_formula::{Exponential, LoopFormula};
use super::{BuiltInKernel, Distance, Kernel};
use crate::rows::{Scalar, manhattan_distance};

/// The Laplacian kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = exp(−Σᵢ|xᵢ − yᵢ| / σ)
/// ```
///
/// where σ is the bandwidth. More robust to outlying values than the Gaussian, since it uses absolute instead of
/// squared differences.
///
/// `auto` takes the median of Σᵢ|xᵢ − yᵢ|, the best multiple for exponentials of a distance.
///
/// # Examples
///
/// ```
/// use protodash::{Laplacian, Kernel};
///
/// let kernel = Laplacian::new(2.0)?;
/// let value = kernel.evaluate(&[0.0, 0.0], &[1.0, 1.0]); // a sum of differences of 2, one bandwidth
/// assert!((value - (-1.0_f64).exp()).abs() < 1e-15);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Laplacian {
    bandwidth: f64,
}

impl_bandwidth!(Laplacian);

impl BuiltIn for Laplacian {
    const DEFINITION: KernelDefinition = KernelDefinition {
        name: "laplacian",
        aliases: &["laplace", "exponential"],
        formula: "exp(−‖x−y‖₁ / bandwidth), with the sum of absolute differences",
        parameters: &[BANDWIDTH],
        distance: Distance::Manhattan,
        unit_diagonal: true,
        compares_codes: false,
        auto_bandwidth: Some(1.0),
        build: |values| Laplacian::new(values.get(&BANDWIDTH)?).map(BuiltInKernel::from),
    };

    fn parameters(&self) -> Vec<(&'static str, ParameterValue)> {
        vec![(BANDWIDTH.name, ParameterValue::Number(self.bandwidth))]
    }

    fn loop_formula(&self) -> Option<LoopFormula> {
        Some(LoopFormula::ManhattanDistance { curve: Exponential.into(), factor: -LOG2_E, bandwidth: self.bandwidth })
    }
}

impl<T: Scalar> Kernel<T> for Laplacian {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (-manhattan_distance(x, y) / self.bandwidth).exp()
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        Some((*self).into())
    }
}
