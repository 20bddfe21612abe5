//! The Matérn 5/2 kernel.

use super::definition::{BANDWIDTH, BuiltIn, KernelDefinition, ParameterValue, impl_bandwidth};
use super::loop_formula::{Curve, LoopFormula, damped};
use super::{BuiltInKernel, Distance, Kernel};
use crate::rows::{Scalar, squared_distance};
use crate::simd::{Element, Simd};

/// The Matérn kernel of smoothness 5/2.
///
/// # Formula
///
/// ```text
/// k(x, y) = (1 + √5 r + 5r²/3) exp(−√5 r)
/// ```
///
/// where r = ‖x − y‖/σ and σ is the bandwidth.
///
/// `auto` takes half the median distance, as for the Gaussian, of which it is a less smooth relative.
///
/// # Examples
///
/// ```
/// use protodash::{Matern52, Kernel};
///
/// let kernel = Matern52::new(2.0)?;
/// let root = 5.0_f64.sqrt();
/// assert!((kernel.evaluate(&[0.0], &[2.0]) - (1.0 + root + 5.0 / 3.0) * (-root).exp()).abs() < 1e-15);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matern52 {
    bandwidth: f64,
}

impl_bandwidth!(Matern52);

impl BuiltIn for Matern52 {
    const DEFINITION: KernelDefinition = KernelDefinition {
        name: "matern52",
        aliases: &["matern-5/2", "matern_52"],
        formula: "Matérn of smoothness 5/2: (1 + √5 r + 5r²/3) exp(−√5 r) with r = ‖x−y‖ / bandwidth",
        parameters: &[BANDWIDTH],
        distance: Distance::Euclidean,
        unit_diagonal: true,
        compares_codes: false,
        auto_bandwidth: Some(0.5),
        build: |values| Matern52::new(values.get(&BANDWIDTH)?).map(BuiltInKernel::from),
    };

    fn parameters(&self) -> Vec<(&'static str, ParameterValue)> {
        vec![(BANDWIDTH.name, ParameterValue::Number(self.bandwidth))]
    }

    fn loop_formula(&self) -> Option<LoopFormula> {
        Some(LoopFormula::SquaredDistance { curve: Matern52Decay.into(), factor: 5.0, bandwidth: self.bandwidth })
    }
}

impl<T: Scalar> Kernel<T> for Matern52 {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        let scaled = 5.0_f64.sqrt() * squared_distance(x, y).sqrt() / self.bandwidth;
        (1.0 + scaled + scaled * scaled / 3.0) * (-scaled).exp()
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        Some((*self).into())
    }
}

/// (1 + √a + a/3) e^−√a, with a at least 0 up to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matern52Decay;

impl Curve for Matern52Decay {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector {
        let argument = simd.max(argument, simd.splat(S::Element::ZERO));
        let root = simd.sqrt(argument);
        let factor = simd.add(simd.splat(S::Element::of(1.0)), root);
        let factor = simd.mul_add(argument, simd.splat(S::Element::of(1.0 / 3.0)), factor);
        damped(simd, factor, root)
    }
}
