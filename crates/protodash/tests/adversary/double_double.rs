//! Numbers of about 32 digits, as the unevaluated sum of two f64.
//!
//! The algorithms are those of Dekker (1971) and Knuth, with a fused multiplication for the error of a product.

use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A sum of two f64 of which the second is at most half a unit in the last place of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

/// ln 2 to 32 digits.
const LN_2: DoubleDouble = DoubleDouble { high: std::f64::consts::LN_2, low: 2.319_046_813_846_299_6e-17 };
/// Halvings of an exponent before its series, and terms of the series: 0.35/2⁸ to the 11th over 11! is below 1e-38.
const HALVINGS: i32 = 8;
const TERMS: i32 = 11;

impl DoubleDouble {
    pub(crate) const ZERO: DoubleDouble = DoubleDouble { high: 0.0, low: 0.0 };
    pub(crate) const ONE: DoubleDouble = DoubleDouble { high: 1.0, low: 0.0 };

    /// The exact sum of two f64.
    fn of_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let rest = high - a;
        DoubleDouble { high, low: (a - (high - rest)) + (b - rest) }
    }

    /// The exact product of two f64.
    fn of_product(a: f64, b: f64) -> Self {
        let high = a * b;
        DoubleDouble { high, low: a.mul_add(b, -high) }
    }

    pub(crate) fn to_f64(self) -> f64 {
        self.high + self.low
    }

    pub(crate) fn is_finite(self) -> bool {
        self.high.is_finite() && self.low.is_finite()
    }

    pub(crate) fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }

    pub(crate) fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::ZERO;
        }
        let root = Self::from(self.high.sqrt());
        root + (self - root * root) / (root + root)
    }

    /// e to this power.
    pub(crate) fn exp(self) -> Self {
        if self.high < -700.0 {
            return Self::ZERO;
        }
        let doublings = (self.high / LN_2.high).round();
        let reduced = (self - LN_2 * doublings.into()) * Self::from(0.5_f64.powi(HALVINGS));
        let mut sum = Self::ONE;
        for term in (1..=TERMS).rev() {
            sum = Self::ONE + reduced * sum / Self::from(f64::from(term));
        }
        for _ in 0..HALVINGS {
            sum = sum * sum;
        }
        // In two steps, since the whole power of 2 may be out of range.
        let half = (doublings / 2.0).trunc();
        sum * Self::from(2.0_f64.powi(half as i32)) * Self::from(2.0_f64.powi((doublings - half) as i32))
    }

    pub(crate) fn powi(self, power: u32) -> Self {
        (0..power).fold(Self::ONE, |product, _| product * self)
    }
}

impl From<f64> for DoubleDouble {
    fn from(high: f64) -> Self {
        DoubleDouble { high, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (high, low) = (Self::of_sum(self.high, other.high), Self::of_sum(self.low, other.low));
        let sum = Self::of_sum(high.high, high.low + low.high);
        Self::of_sum(sum.high, sum.low + low.low)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        DoubleDouble { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let product = Self::of_product(self.high, other.high);
        Self::of_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = Self::from(self.high / other.high);
        let rest = self - other * first;
        let second = Self::from(rest.high / other.high);
        let rest = rest - other * second;
        first + second + Self::from(rest.high / other.high)
    }
}

impl PartialOrd for DoubleDouble {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (*self - *other).high.partial_cmp(&0.0)
    }
}

impl Sum for DoubleDouble {
    fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self::ZERO, |sum, value| sum + value)
    }
}

#[test]
fn has_thirty_digits() {
    let [one, three, tenth] = [1.0, 3.0, 0.1].map(DoubleDouble::from);
    assert!((one / three * three - one).abs().to_f64() < 1e-31);
    assert!((three.sqrt() * three.sqrt() - three).abs().to_f64() < 1e-30);
    for exponent in [-690.0, -20.5, -1.0, -0.1, 0.0, 0.7] {
        let power = DoubleDouble::from(exponent);
        let error = (power.exp() * (-power).exp() - one).abs().to_f64();
        assert!(exponent < -600.0 || error < 1e-29, "{exponent}: {error:e}");
        assert!((power.exp().to_f64() / exponent.exp() - 1.0).abs() < 1e-13);
    }
    // (1 + 10⁻²⁰)² − 1 − 2·10⁻²⁰ is 10⁻⁴⁰: lost, but 2·10⁻²⁰ is not.
    let small = DoubleDouble::from(1e-20);
    assert!(((one + small) * (one + small) - one - small - small).abs().to_f64() < 1e-31);
    assert!((tenth.powi(3).to_f64() - 0.001).abs() < 1e-18);
}
