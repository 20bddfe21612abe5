//! The Gaussian kernel.

use std::f64::consts::LOG2_E;

use super::definition::{BANDWIDTH, BuiltIn, KernelDefinition, ParameterValue, impl_bandwidth};
use super::loop_formula::{Exponential, LoopFormula};
use super::{BuiltInKernel, Distance, Kernel};
use crate::rows::{Scalar, squared_distance};

/// The Gaussian kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = exp(−‖x − y‖² / (2σ²))
/// ```
///
/// where σ is the bandwidth.
///
/// `auto` takes half the median distance: at the median itself, prototypes represent the overall spread rather than groups of rows.
///
/// # Examples
///
/// ```
/// use protodash::{Gaussian, Kernel};
///
/// let kernel = Gaussian::new(2.0)?;
/// let at_one_bandwidth = kernel.evaluate(&[0.0], &[2.0]);
/// assert!((at_one_bandwidth - (-0.5_f64).exp()).abs() < 1e-15);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaussian {
    bandwidth: f64,
}

impl_bandwidth!(Gaussian);

impl BuiltIn for Gaussian {
    const DEFINITION: KernelDefinition = KernelDefinition {
        name: "gaussian",
        aliases: &["rbf", "squared-exponential", "sqexp", "se", "normal"],
        formula: "exp(−‖x−y‖² / (2 bandwidth²))",
        parameters: &[BANDWIDTH],
        distance: Distance::Euclidean,
        unit_diagonal: true,
        compares_codes: false,
        auto_bandwidth: Some(0.5),
        build: |values| Gaussian::new(values.get(&BANDWIDTH)?).map(BuiltInKernel::from),
    };

    fn parameters(&self) -> Vec<(&'static str, ParameterValue)> {
        vec![(BANDWIDTH.name, ParameterValue::Number(self.bandwidth))]
    }

    fn loop_formula(&self) -> Option<LoopFormula> {
        Some(LoopFormula::SquaredDistance {
            curve: Exponential.into(),
            factor: -LOG2_E / 2.0,
            bandwidth: self.bandwidth,
        })
    }
}

impl<T: Scalar> Kernel<T> for Gaussian {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (-squared_distance(x, y) / (2.0 * self.bandwidth * self.bandwidth)).exp()
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        Some((*self).into())
    }
}
