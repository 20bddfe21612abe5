//! How the loops over many pairs compute a kernel: a sum over the columns, and a curve applied to it.
//!
//! [`evaluate`](super::Kernel::evaluate) is the definition of a kernel; a formula here is a faster way to compute the
//! same values, and the tests compare the two.

use crate::simd::{Element, Simd};

use super::inverse_multiquadric::InverseRoot;
use super::matern32::Matern32Decay;
use super::matern52::Matern52Decay;
use super::polynomial::Power;

/// The fast way to compute a kernel for many pairs of rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LoopFormula {
    /// curve(factor · ‖x − y‖² / bandwidth²).
    SquaredDistance { curve: AnyCurve, factor: f64, bandwidth: f64 },
    /// curve(factor · Σ|xᵢ − yᵢ| / bandwidth).
    ManhattanDistance { curve: AnyCurve, factor: f64, bandwidth: f64 },
    /// curve(scale · xᵀy + offset).
    Product { curve: AnyCurve, scale: f64, offset: f64 },
    /// xᵀy: the mean needs no pairs.
    Linear,
    /// xᵀy / (‖x‖ ‖y‖): the mean needs no pairs.
    Cosine,
    /// Fraction of the columns with equal values: the mean needs no pairs.
    EqualValues,
}

/// A function of one number, on vectors.
pub(crate) trait Curve: Copy + Into<AnyCurve> {
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector;
}

/// Work that is compiled for each curve.
pub(crate) trait CurveVisitor {
    fn visit<C: Curve>(self, curve: C);
}

/// Lists the curves that loops are compiled for.
macro_rules! curves {
    ($($curve:ident),* $(,)?) => {
        /// Any of the curves.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum AnyCurve {
            $($curve($curve)),*
        }

        impl AnyCurve {
            /// Hands the curve to work that is compiled for its type.
            #[inline(always)]
            pub(crate) fn visit(self, visitor: impl CurveVisitor) {
                match self {
                    $(AnyCurve::$curve(curve) => visitor.visit(curve)),*
                }
            }
        }

        $(impl From<$curve> for AnyCurve {
            fn from(curve: $curve) -> Self {
                AnyCurve::$curve(curve)
            }
        })*
    };
}

curves! {
    Exponential,
    Matern32Decay,
    Matern52Decay,
    InverseRoot,
    Power,
}

/// 2^a, with a at most 0 up to rounding: the Gaussian and the Laplacian kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exponential;

impl Curve for Exponential {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector {
        simd.exp2(simd.min(argument, simd.splat(S::Element::ZERO)))
    }
}

/// factor · e^−root, and 0 where the factor is so large that the product with 0 would not be 0.
#[inline(always)]
pub(super) fn damped<S: Simd>(simd: S, factor: S::Vector, root: S::Vector) -> S::Vector {
    let factor = simd.min(factor, simd.splat(S::Element::of(1e30)));
    simd.mul(factor, simd.exp2(simd.mul(root, simd.splat(S::Element::of(-std::f64::consts::LOG2_E)))))
}
