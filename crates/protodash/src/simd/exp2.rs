//! Powers of two: 2^a = 2ⁿ · 2^r with n = ⌊a⌋ and a polynomial for 2^r, 0 ≤ r ≤ 1.
//!
//! The polynomials minimise the largest relative error with the constant term fixed at 1 (Remez algorithm, 50 digits).

use super::Simd;

/// 2^r with a relative error of at most 2.2e-16 before rounding; highest power first.
pub(super) const COEFFICIENTS_F64: [f64; 11] = [
    9.935328665487222e-9,
    9.469650356321015e-8,
    1.331080116503607e-6,
    1.5244895732627356e-5,
    1.5403939743330823e-4,
    1.3333544569761335e-3,
    9.618129384467843e-3,
    5.550410863258518e-2,
    2.4022650696094675e-1,
    6.93147180559909e-1,
    1.0,
];

/// 2^r with a relative error of at most 8.3e-8 before rounding; highest power first.
pub(super) const COEFFICIENTS_F32: [f32; 6] = [1.8671302e-3, 9.017031e-3, 5.5799913e-2, 2.4016444e-1, 6.931513e-1, 1.0];

/// The polynomial at r, by Horner's rule: a dozen independent evaluations hide the latency of each.
#[inline(always)]
pub(super) fn polynomial<S: Simd>(simd: S, r: S::Vector, coefficients: &[S::Element]) -> S::Vector {
    let mut power = simd.splat(coefficients[0]);
    for &coefficient in &coefficients[1..] {
        power = simd.mul_add(power, r, simd.splat(coefficient));
    }
    power
}
