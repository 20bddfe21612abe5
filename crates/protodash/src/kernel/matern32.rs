//! The Matérn 3/2 kernel.

use super::definition::{BANDWIDTH, BuiltIn, KernelDefinition, ParameterValue, impl_bandwidth};
use super::loop_formula::{Curve, LoopFormula, damped};
use super::{BuiltInKernel, Distance, Kernel};
use crate::rows::{Scalar, squared_distance};
use crate::simd::{Element, Simd};

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
/// `auto` takes half the median distance, as for the Gaussian, of which it is a less smooth relative.
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

impl_bandwidth!(Matern32);

impl BuiltIn for Matern32 {
    const DEFINITION: KernelDefinition = KernelDefinition {
        name: "matern32",
        aliases: &["matern", "matern-3/2", "matern_32"],
        formula: "Matérn of smoothness 3/2: (1 + √3 r) exp(−√3 r) with r = ‖x−y‖ / bandwidth",
        parameters: &[BANDWIDTH],
        distance: Distance::Euclidean,
        unit_diagonal: true,
        compares_codes: false,
        auto_bandwidth: Some(0.5),
        build: |values| Matern32::new(values.get(&BANDWIDTH)?).map(BuiltInKernel::from),
    };

    fn parameters(&self) -> Vec<(&'static str, ParameterValue)> {
        vec![(BANDWIDTH.name, ParameterValue::Number(self.bandwidth))]
    }

    fn loop_formula(&self) -> Option<LoopFormula> {
        Some(LoopFormula::SquaredDistance { curve: Matern32Decay.into(), factor: 3.0, bandwidth: self.bandwidth })
    }
}

impl<T: Scalar> Kernel<T> for Matern32 {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        let scaled = 3.0_f64.sqrt() * squared_distance(x, y).sqrt() / self.bandwidth;
        (1.0 + scaled) * (-scaled).exp()
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        Some((*self).into())
    }
}

/// (1 + √a) e^−√a, with a at least 0 up to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matern32Decay;

impl Curve for Matern32Decay {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector {
        let root = simd.sqrt(simd.max(argument, simd.splat(S::Element::ZERO)));
        let factor = simd.add(simd.splat(S::Element::of(1.0)), root);
        damped(simd, factor, root)
    }
}
