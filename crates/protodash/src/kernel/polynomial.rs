//! The polynomial kernel.

use super::definition::{BuiltIn, KernelDefinition, Parameter, ParameterDefault, ParameterValue};
use super::loop_formula::{Curve, LoopFormula};
use super::{BuiltInKernel, Distance, Kernel};
use crate::error::Result;
use crate::rows::{Scalar, difference_of_squares, product, squared_distance};
use crate::simd::{Element, Simd};

const DEGREE: Parameter = Parameter {
    name: "degree",
    help: "power p of (xᵀy / n_features + offset)^p",
    is_whole: true,
    default: ParameterDefault::Value(ParameterValue::Whole(3)),
    range: (1.0, 1000.0),
    allowed: "a whole number from 1 to 1000",
};

const SCALE: Parameter = Parameter {
    name: "scale",
    help: "factor of the product in the polynomial kernel",
    is_whole: false,
    default: ParameterDefault::OneOverFeatures,
    range: (f64::from_bits(1), f64::MAX),
    allowed: "a finite number above 0",
};

const OFFSET: Parameter = Parameter {
    name: "offset",
    help: "offset of the polynomial kernel",
    is_whole: false,
    default: ParameterDefault::Value(ParameterValue::Number(1.0)),
    range: (0.0, f64::MAX),
    allowed: "a finite number, at least 0",
};

/// The polynomial kernel.
///
/// # Formula
///
/// ```text
/// k(x, y) = (s xᵀy + c)^p
/// ```
///
/// where p (1 to 1000) is the degree, s > 0 the scale and c ≥ 0 the offset.
///
/// # Examples
///
/// ```
/// use protodash::{Kernel, Polynomial};
///
/// let kernel = Polynomial::new(2, 0.5, 1.0)?;
/// assert_eq!(kernel.evaluate(&[2.0], &[3.0]), 16.0); // (½ · 6 + 1)²
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial {
    degree: u32,
    scale: f64,
    offset: f64,
}

impl Polynomial {
    /// The kernel with this degree, scale and offset.
    ///
    /// # Errors
    ///
    /// If the degree is not from 1 to 1000, the scale not a finite number above 0, or the offset not a finite number of
    /// at least 0: the kernel would not be positive definite.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Polynomial;
    ///
    /// let error = Polynomial::new(3, 1.0, -1.0).unwrap_err();
    /// assert_eq!(error.to_string(), "offset is -1; it must be a finite number, at least 0");
    /// ```
    pub fn new(degree: u32, scale: f64, offset: f64) -> Result<Self> {
        DEGREE.check(f64::from(degree))?;
        SCALE.check(scale)?;
        OFFSET.check(offset)?;
        Ok(Polynomial { degree, scale, offset })
    }

    /// k(x, x) + k(y, y) − 2 k(x, y), without the cancellation of large similarities that are nearly equal.
    ///
    /// # Formula
    ///
    /// ```text
    /// aᵖ + bᵖ − 2mᵖ = 2 Σ_{k = 2, 4, …} C(p, k) hᵖ⁻ᵏ eᵏ + 2 (h − m) Σᵢ hᵖ⁻¹⁻ⁱ mⁱ
    /// ```
    ///
    /// with a, b and m the arguments of the three powers, h = (a + b)/2, e = (a − b)/2 = ½ s (x − y)ᵀ(x + y) and
    /// h − m = ½ s ‖x − y‖², both from differences. |e| and |m| are at most h.
    pub(crate) fn squared_feature_distance<T: Scalar>(&self, x: &[T], y: &[T]) -> f64 {
        let argument = |x: &[T], y: &[T]| self.scale * product(x, y) + self.offset;
        let (middle, half) = (argument(x, y), 0.5 * (argument(x, x) + argument(y, y)));
        if half <= 0.0 {
            return 0.0; // two rows of zeros
        }
        let uneven = 0.5 * self.scale * difference_of_squares(x, y) / half;
        let (mut term, mut even) = (1.0, 0.0);
        for k in 1..=self.degree {
            term *= f64::from(self.degree + 1 - k) / f64::from(k) * uneven;
            even += if k % 2 == 0 { term } else { 0.0 };
        }
        let ratio = middle / half;
        let geometric = (0..self.degree).fold(0.0, |sum, _| sum * ratio + 1.0);
        let apart = 0.5 * self.scale * squared_distance(x, y) / half;
        2.0 * half.powi(self.degree as i32) * (even + apart * geometric)
    }
}

impl BuiltIn for Polynomial {
    const DEFINITION: KernelDefinition = KernelDefinition {
        name: "polynomial",
        aliases: &["poly"],
        formula: "(scale · xᵀy + offset)^degree, with scale 1 / n_features unless given",
        parameters: &[DEGREE, SCALE, OFFSET],
        distance: Distance::FeatureSpace,
        unit_diagonal: false,
        compares_codes: false,
        auto_bandwidth: None,
        build: |values| {
            // Checked to be whole and small.
            let degree = values.get(&DEGREE)? as u32;
            Polynomial::new(degree, values.get(&SCALE)?, values.get(&OFFSET)?).map(BuiltInKernel::from)
        },
    };

    fn parameters(&self) -> Vec<(&'static str, ParameterValue)> {
        vec![
            (DEGREE.name, ParameterValue::Whole(self.degree)),
            (SCALE.name, ParameterValue::Number(self.scale)),
            (OFFSET.name, ParameterValue::Number(self.offset)),
        ]
    }

    fn loop_formula(&self) -> Option<LoopFormula> {
        Some(LoopFormula::Product { curve: Power(self.degree).into(), scale: self.scale, offset: self.offset })
    }
}

impl<T: Scalar> Kernel<T> for Polynomial {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (self.scale * product(x, y) + self.offset).powi(self.degree as i32)
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        Some((*self).into())
    }
}

/// a^p for a whole p ≥ 1, by repeated squaring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Power(u32);

impl Power {
    /// p.
    pub(crate) fn degree(self) -> u32 {
        self.0
    }
}

impl Curve for Power {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector {
        let mut power = simd.splat(S::Element::of(1.0));
        let (mut square, mut rest) = (argument, self.0);
        loop {
            if rest % 2 == 1 {
                power = simd.mul(power, square);
            }
            rest /= 2;
            if rest == 0 {
                return power;
            }
            square = simd.mul(square, square);
        }
    }
}
