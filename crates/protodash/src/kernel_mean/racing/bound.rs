//! The upper confidence bound of a kernel mean that is known from a part of the target, with its proof.
//!
//! # Setting
//!
//! pᵢ are the target's weights, Σpᵢ = 1. The residual kernel k⊥(x, y) = k(x, y) − ψ(x)ᵀψ(y) is what the projection onto the
//! landmarks' features leaves ([`landmarks`](super::landmarks)); it is positive semi-definite, so |k⊥(x, y)| ≤ √(s(x) s(y))
//! with s(x) = k⊥(x, x). For a source row y let
//!
//! ```text
//! qᵢ = max(√s(xᵢ), ¼ Σp√s)    πᵢ = pᵢqᵢ    vᵢ = k⊥(xᵢ, y)    uᵢ = vᵢ / (qᵢ √s(y)) ≤ 1    M = Σᵢ pᵢvᵢ
//! ```
//!
//! so that the kernel mean of y is ψ(y)ᵀψ̄ + M, with ψ̄ = Σ pᵢψ(xᵢ) known exactly. The target is put in the order of Exp(1)/πᵢ:
//! successive sampling without replacement, in which draw t takes row i of those left with probability πᵢ/Rₜ, where Rₜ is
//! the sum of π over the rows left. Let Ωₜ = Σ_{r ≤ t} 1/R_r, and Sₜ the sum of pv over the first t draws.
//!
//! # Theorem
//!
//! With probability at least 1 − 8 e^−L, for all B at once,
//!
//! ```text
//! M ≤ [ √s(y) · min_λ (L + Σ_{t ≤ B} ℓ(λuₜ))/λ + Σ_{t ≤ B} (Ω_B − Ωₜ) pₜvₜ ] / Ω_B,    ℓ(x) ≥ −ln(1 − x) for x ≤ λ
//! ```
//!
//! with λ from the eight [`BETS`].
//!
//! # Proof
//!
//! Given the past, E[uₜ] = Σ (πᵢ/Rₜ) uᵢ over the rows left, which is (M − Sₜ₋₁)/(Rₜ √s(y)). Call λ times this xₜ; since uₜ ≤
//! 1, xₜ ≤ λ < 1. Every factor (1 − λuₜ)/(1 − xₜ) is non-negative and has the conditional expectation 1, so that their product
//! is a non-negative martingale with mean 1. By Ville's inequality it stays below e^L for all t with probability at least
//! 1 − e^−L. Then Σ −ln(1 − xₜ) < L − Σ ln(1 − λuₜ), and x ≤ −ln(1 − x) gives
//!
//! ```text
//! λ/√s(y) · Σ_{t ≤ B} (M − Sₜ₋₁)/Rₜ < L + Σ_{t ≤ B} ℓ(λuₜ)
//! ```
//!
//! Exchanging the order of summation, Σ_{t ≤ B} Sₜ₋₁/Rₜ = Σ_{t ≤ B} (Ω_B − Ωₜ) pₜvₜ; solving for M gives the bound for one λ.
//! The union over eight of them costs the factor 8. ∎
//!
//! With L = ln(8 n₂/δ) the bounds of all n₂ source rows hold together with probability 1 − δ: whatever is done with them, how
//! often, and at which B, needs no further correction.
//!
//! # Four sums instead of logarithms
//!
//! ```text
//! −ln(1 − x) ≤ x + x²/2 + x³/3 + ρ(λ) x⁴ for all x ≤ λ,    ρ(λ) = (−ln(1 − λ) − λ − λ²/2 − λ³/3)/λ⁴
//! ```
//!
//! since (−ln(1 − x) − x − x²/2 − x³/3)/x⁴ = ∫₀¹ r³/(1 − rx) dr increases with x below 1, and x⁴ ≥ 0. Equality holds at x = λ,
//! and the fourth power of the usual small x hardly matters. So the loop over pairs adds up uₜ, uₜ², uₜ³ and uₜ⁴ once for all λ.
//!
//! # Rounding
//!
//! The theorem holds for *any* numbers vᵢ that depend on the pair alone and satisfy uᵢ ≤ 1, so also for the rounded values that
//! the loops compute: they are bounded as if they were the kernel, and the distance of their mean from the exact one is added
//! once ([`PairError`]). To keep uᵢ ≤ 1, s is enlarged by the error E of a pair relative to √(k(x, x) k(y, y)): √((a + Ek)(b +
//! El)) ≥ √(ab) + E√(kl). The sums themselves are bounded by [`SUM_ERROR`] of the sum of their terms' absolute values.

use std::sync::LazyLock;

/// λ: what the martingale bets on the next value.
pub(super) const BETS: [f64; 8] = [0.95, 0.8, 0.62, 0.45, 0.32, 0.22, 0.14, 0.08];

/// ρ(λ) λ⁴ of each.
static RESTS: LazyLock<[f64; 8]> =
    LazyLock::new(|| BETS.map(|bet| -(1.0 - bet).ln() - bet - bet * bet / 2.0 - bet * bet * bet / 3.0));

/// Largest error of a sum over draws, as a part of the sum of absolute values: up to 12 terms in f32 with two roundings each,
/// and a rounding to f32 at each of up to 24 levels.
const SUM_ERROR: f64 = 50.0 * (f32::EPSILON as f64) / 2.0;

/// Sums over the draws so far, for one source row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct DrawSums {
    /// Σu − ΣΩπu.
    pub(super) linear: f32,
    /// Σπu.
    pub(super) drawn: f32,
    /// Σu², Σu³ and Σu⁴.
    pub(super) powers: [f32; 3],
}

/// Σu, Σu², Σu³, Σu⁴, Σπu and ΣΩπu over some draws, in f64.
pub(in crate::kernel_mean) type SegmentSums = [f64; 6];

impl DrawSums {
    /// The sums with those of further draws.
    pub(super) fn add(&mut self, more: &SegmentSums) {
        let [first, second, third, fourth, drawn, early] = *more;
        let sums = [&mut self.linear, &mut self.drawn].into_iter().chain(&mut self.powers);
        for (sum, more) in sums.zip([first - early, drawn, second, third, fourth]) {
            *sum = (f64::from(*sum) + more) as f32;
        }
    }
}

/// What the bound needs to know of a prefix of the order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prefix {
    /// B.
    pub(super) n_draws: usize,
    /// Ω_B.
    pub(super) omega: f64,
    /// Σπ² over the draws.
    pub(super) squares: f64,
}

/// How far a computed value of the residual kernel may be from the exact one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kernel_mean) struct PairError {
    /// Of the kernel: absolute + relative · k(x, y).
    pub(in crate::kernel_mean) absolute: f64,
    /// See [`absolute`](Self::absolute).
    pub(in crate::kernel_mean) relative: f64,
    /// Of the product of features, relative to √(k(x, x) k(y, y)).
    pub(in crate::kernel_mean) product: f64,
}

impl PairError {
    /// E: the error of any pair, relative to √(k(x, x) k(y, y)); with a few roundings of u itself.
    ///
    /// The absolute error is that of kernels with k(x, x) = 1; it is 0 for others.
    pub(super) fn of_any_pair(self) -> f64 {
        self.absolute + self.relative + self.product + 8.0 * f64::from(f32::EPSILON)
    }
}

/// An upper confidence bound and an estimate of M/√s(y).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ResidualMean {
    pub(super) upper: f64,
    pub(super) estimate: f64,
}

/// M/√s(y) by the sums over a prefix; see the module for the theorem. `penalty` is L.
pub(super) fn residual_mean(sums: &DrawSums, prefix: Prefix, penalty: f64) -> ResidualMean {
    let [second, third, fourth] = sums.powers.map(f64::from);
    let drawn = f64::from(sums.drawn);
    let (second, fourth) = (second * (1.0 + SUM_ERROR), fourth * (1.0 + SUM_ERROR));
    // Sums of absolute values by the inequality of Cauchy and Schwarz.
    let absolute_first = (prefix.n_draws as f64 * second).sqrt();
    let third = third + SUM_ERROR * (second * fourth).sqrt();
    let absolute_drawn = (prefix.squares * second).sqrt();
    let excess = |(bet, rest): (f64, f64)| {
        let (square, cube) = (bet * bet, bet * bet * bet);
        (penalty + square / 2.0 * second + cube / 3.0 * third + rest * fourth) / bet
    };
    let excess = BETS.into_iter().zip(*RESTS).map(excess).fold(f64::INFINITY, f64::min);
    let linear = f64::from(sums.linear) + prefix.omega * drawn;
    let rounding = SUM_ERROR * (absolute_first + 2.0 * prefix.omega * absolute_drawn);
    ResidualMean { upper: (linear + rounding + excess) / prefix.omega, estimate: linear / prefix.omega }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        #[test]
        fn the_polynomial_is_above_the_logarithm(bet in prop::sample::select(BETS.to_vec()), u in -3.0..=1.0_f64) {
            let x = bet * u;
            let rest = -(1.0 - bet).ln() - bet - bet.powi(2) / 2.0 - bet.powi(3) / 3.0;
            let above = x + x * x / 2.0 + x.powi(3) / 3.0 + rest * u.powi(4);
            prop_assert!(above >= -(1.0 - x).ln() - 1e-14, "{above} {x}");
        }
    }

    #[test]
    fn the_polynomial_touches_the_logarithm_at_the_largest_value() {
        for bet in BETS {
            let sums = DrawSums { linear: 1.0, drawn: 0.0, powers: [1.0; 3] };
            let prefix = Prefix { n_draws: 1, omega: 1.0, squares: 0.0 };
            let least = BETS.into_iter().map(|bet| (3.0 - (1.0 - bet).ln()) / bet).fold(f64::INFINITY, f64::min);
            assert!((residual_mean(&sums, prefix, 3.0).upper - least).abs() < 1e-4, "{bet}");
        }
    }

    #[test]
    fn sums_are_added_in_their_places() {
        let mut sums = DrawSums::default();
        sums.add(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        sums.add(&[1.0; 6]);
        assert_eq!(sums, DrawSums { linear: -5.0, drawn: 6.0, powers: [3.0, 4.0, 5.0] });
    }
}
