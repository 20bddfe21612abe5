//! Optimal weights with limits: no weight above a share of the total, no fewer effective members than a floor.

use super::bounded::{BoundedSolver, LEAST_RIDGE};
use super::equal;
use super::limit_error::LimitError;
use crate::error::{Error, Result};
use crate::gram::Gram;
use crate::params::in_range;

/// Limits on the weights of a set; both are relative to their total.
///
/// # Formula
///
/// ```text
/// wⱼ ≤ max_weight · Σw        (Σw)² / Σw² ≥ min_effective
/// ```
///
/// # Examples
///
/// ```
/// use protodash::weights::WeightLimits;
///
/// let limits = WeightLimits { max_weight: Some(0.3), min_effective: None };
/// assert_eq!(limits.least_members(), 4); // three weights of at most 0.3 do not sum to 1
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WeightLimits {
    /// The largest weight allowed, as a fraction of the total.
    pub max_weight: Option<f64>,
    /// The smallest effective sample size (Σw)²/Σw² allowed.
    pub min_effective: Option<f64>,
}

/// Rounding in 1/max_weight that must not ask for one more member.
pub(super) const WHOLE: f64 = 1e-9;
/// Relative error of the deviation from equal weights, which determines the effective sample size.
pub(super) const DEVIATION: f64 = 1e-12;
/// Relative error of the total, whose effect on the objective is its square.
const TOTAL: f64 = 1e-12;
/// A total below this fraction of that of a single member is rounding: no weights within the limits explain anything.
const NOTHING: f64 = 1e-12;
/// More steps than a root needs by bisection.
const MOST_STEPS: usize = 200;

impl WeightLimits {
    /// The number of members below which no weights meet the limits.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::weights::WeightLimits;
    ///
    /// assert_eq!(WeightLimits { max_weight: Some(0.1), min_effective: Some(12.5) }.least_members(), 13);
    /// ```
    #[must_use]
    pub fn least_members(&self) -> usize {
        let for_cap = self.max_weight.map_or(1.0, |cap| 1.0 / cap);
        let least = for_cap.max(self.min_effective.unwrap_or(1.0));
        (least * (1.0 - WHOLE)).ceil() as usize
    }

    /// Whether there is a limit.
    pub(crate) fn is_set(&self) -> bool {
        self.max_weight.is_some() || self.min_effective.is_some()
    }

    /// An error unless the limits are in range and `n_members` can meet them.
    pub(crate) fn check(&self, n_members: usize) -> Result<()> {
        if let Some(cap) = self.max_weight {
            in_range("max_weight", cap, cap > 0.0 && cap <= 1.0, "above 0 and at most 1")?;
            if (n_members as f64) * cap < 1.0 - WHOLE {
                return Err(Error::Limits(LimitError::CapTooLow { max_weight: cap, members: n_members }));
            }
        }
        if let Some(floor) = self.min_effective {
            in_range("min_effective", floor, floor.is_finite() && floor >= 1.0, "a finite number, at least 1")?;
            if floor > n_members as f64 * (1.0 + WHOLE) {
                return Err(Error::Limits(LimitError::EffectiveTooHigh { min_effective: floor, members: n_members }));
            }
        }
        Ok(())
    }

    /// The cap and the floor for this many members, no stricter than they can meet.
    pub(super) fn among(&self, n_members: usize) -> (f64, f64) {
        let most = n_members as f64;
        (self.max_weight.unwrap_or(1.0).max(1.0 / most), self.min_effective.unwrap_or(1.0).min(most))
    }
}

/// What the weights sum to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WeightTotal {
    /// Whatever is best.
    Free,
    /// 1.
    One,
}

/// Solves for weights within limits, starting from the last result.
///
/// # Formula
///
/// ```text
/// max μᵀw − ½ wᵀKw,  0 ≤ wⱼ ≤ c s,  ‖w‖² ≤ s²/n,  s = Σw
/// ```
///
/// For a total s, w = s u with Σu = 1, where u maximises (μ/s)ᵀu − ½ uᵀKu. The floor is a ball around equal weights; its
/// multiplier λ turns K into K + λI, and 1/‖u − 1/p‖ is nearly linear in λ, so that Newton's method finds it in a few steps.
/// The maximum is a concave function of s with the slope μᵀu − s uᵀKu, whose root is the best total.
///
/// These two searches, one within the other, are the way out for degenerate problems; `at_once.rs` solves all others with
/// far fewer systems.
///
/// Sets too small for the limits get the closest that they can meet: equal weights.
#[derive(Debug, Clone)]
pub(crate) struct LimitedSolver {
    pub(super) limits: WeightLimits,
    pub(super) total: WeightTotal,
    pub(super) inner: BoundedSolver,
    pub(super) ridge: f64,
    pub(super) last_total: f64,
}

impl LimitedSolver {
    pub(crate) fn new(limits: WeightLimits, total: WeightTotal) -> Self {
        LimitedSolver { limits, total, inner: BoundedSolver::default(), ridge: 0.0, last_total: 1.0 }
    }

    /// The ridge and the total of the last result.
    pub(crate) fn state(&self) -> (f64, f64) {
        (self.ridge, self.last_total)
    }

    /// Starts the next search at the ridge and the total of another result.
    pub(crate) fn start_from(&mut self, (ridge, total): (f64, f64)) {
        (self.ridge, self.last_total) = (ridge, total);
    }

    /// The optimal weights of all members. Members may have been added at the end since the last call.
    pub(crate) fn maximise(&mut self, gram: &Gram, kernel_mean: &[f64]) -> Vec<f64> {
        if gram.len() == 0 {
            return Vec::new();
        }
        if let Some(weights) = self.at_once(gram, kernel_mean) {
            return weights;
        }
        match self.total {
            WeightTotal::One => self.shares(gram, kernel_mean),
            WeightTotal::Free => self.with_best_total(gram, kernel_mean),
        }
    }

    /// The slope that a row outside the set must exceed to raise the objective, for slopes μⱼ − (K w)ⱼ.
    pub(crate) fn threshold(&self) -> f64 {
        match self.total {
            WeightTotal::One => self.inner.multiplier,
            WeightTotal::Free => self.inner.multiplier * self.last_total,
        }
    }

    /// The weights with the best total; all 0 if no total above 0 has an objective above 0.
    pub(super) fn with_best_total(&mut self, gram: &Gram, kernel_mean: &[f64]) -> Vec<f64> {
        let (mut low, mut high): (f64, f64) = (0.0, f64::INFINITY);
        let mut total = self.last_total;
        let mut before: Option<(f64, f64)> = None;
        // The largest total that is best for a single member.
        let best_alone = |(member, mean): (usize, &f64)| mean / gram.get(member, member);
        let alone =
            kernel_mean.iter().enumerate().map(best_alone).filter(|total| total.is_finite()).fold(0.0, f64::max);
        for _ in 0..MOST_STEPS {
            let scaled: Vec<f64> = kernel_mean.iter().map(|mean| mean / total).collect();
            let shares = self.shares(gram, &scaled);
            let mean: f64 = shares.iter().zip(kernel_mean).map(|(share, mean)| share * mean).sum();
            let energy: f64 = shares.iter().zip(gram.times(&shares)).map(|(share, product)| share * product).sum();
            // The best total for these shares; that for all shares is on the same side of this total.
            let best = if energy > 0.0 { mean / energy } else { total };
            if total < NOTHING * alone {
                break;
            }
            if (best - total).abs() <= TOTAL * total {
                self.last_total = total;
                return shares.iter().map(|share| share * total).collect();
            }
            if best > total {
                low = total
            } else {
                high = total
            }
            let secant = before.map(|(other, at)| {
                let (here, there) = (best - total, at - other);
                total - here * (other - total) / (there - here)
            });
            before = Some((total, best));
            let is_inside = |guess: f64| guess > low && guess < high;
            let middle = if low > 0.0 { (low * high).sqrt() } else { high / 16.0 };
            let guess = secant.filter(|guess| is_inside(*guess)).unwrap_or(best);
            let next = if is_inside(guess) { guess } else { middle };
            if next <= f64::MIN_POSITIVE || !next.is_finite() || next == total {
                break;
            }
            total = next;
        }
        if low > NOTHING * alone {
            // Rounding left no better total between the two.
            self.last_total = low;
            let scaled: Vec<f64> = kernel_mean.iter().map(|mean| mean / low).collect();
            return self.shares(gram, &scaled).iter().map(|share| share * low).collect();
        }
        (self.last_total, self.inner.multiplier) = (1.0, 0.0);
        vec![0.0; gram.len()]
    }

    /// The optimal weights that sum to 1, for means b.
    pub(super) fn shares(&mut self, gram: &Gram, b: &[f64]) -> Vec<f64> {
        let n_members = gram.len();
        let (cap, floor) = self.limits.among(n_members);
        let equal_weight = 1.0 / n_members as f64;
        let largest_allowed = 1.0 / floor - equal_weight;
        if cap <= equal_weight * (1.0 + WHOLE) || largest_allowed <= WHOLE * equal_weight {
            self.inner.start(n_members, equal_weight);
            let slopes = b.iter().zip(gram.times(&self.inner.weights)).map(|(b, product)| b - product);
            self.inner.multiplier = slopes.fold(f64::INFINITY, f64::min);
            return equal(n_members);
        }
        if !self.inner.is_for(cap) {
            self.inner.start(n_members, cap);
        }
        let scale = scale(gram);
        let least = LEAST_RIDGE * scale;
        self.hold_floor(gram, b, (least, scale), largest_allowed.sqrt());
        self.inner.weights.clone()
    }

    /// Maximises with the smallest ridge for which the deviation from equal weights is at most `allowed`.
    fn hold_floor(&mut self, gram: &Gram, b: &[f64], (least, scale): (f64, f64), allowed: f64) {
        let mut ridge = self.ridge.max(least);
        let (mut low, mut high) = (0.0, f64::INFINITY);
        for _ in 0..MOST_STEPS {
            self.inner.maximise(gram, b, ridge);
            let deviation = deviation(&self.inner.weights);
            let is_met = deviation <= allowed;
            if (is_met && ridge <= least) || (deviation / allowed - 1.0).abs() <= DEVIATION {
                break;
            }
            if is_met {
                high = ridge
            } else {
                low = ridge
            }
            let rate: f64 = (self.inner.weights.iter().zip(self.inner.slope_in_ridge(gram)))
                .map(|(weight, slope)| weight * slope)
                .sum();
            // Newton's step for 1/deviation as a function of the ridge.
            let step = ridge - (1.0 / allowed - 1.0 / deviation) * deviation.powi(3) / rate;
            let middle = match (low > 0.0, high.is_finite()) {
                (true, true) => (low * high).sqrt(),
                (_, false) => (16.0 * ridge).max(1e-3 * scale),
                (false, true) => high / 16.0,
            };
            let is_inside = step.is_finite() && step > low && step < high;
            let next = (if is_inside { step } else { middle }).max(least);
            if next == ridge || (high.is_finite() && high - low <= f64::EPSILON * high) {
                break;
            }
            ridge = next;
        }
        if deviation(&self.inner.weights) > allowed * (1.0 + 10.0 * DEVIATION) && high.is_finite() {
            // Rounding left no ridge between the two bounds; the floor is met at the larger one, or a little above it where
            // the ridge is so small that the maximum depends on the start.
            let (n_members, cap) = (gram.len(), self.inner.cap());
            for ridge_above in (0..MOST_STEPS as i32).map(|step| high * 2.0_f64.powi(step)) {
                ridge = ridge_above;
                self.inner.start(n_members, cap);
                self.inner.maximise(gram, b, ridge);
                if deviation(&self.inner.weights) <= allowed * (1.0 + 10.0 * DEVIATION) {
                    break;
                }
            }
        }
        self.ridge = if ridge > least { ridge } else { 0.0 };
    }
}

/// The largest similarity of a member to itself.
pub(super) fn scale(gram: &Gram) -> f64 {
    (0..gram.len()).map(|member| gram.get(member, member)).fold(f64::MIN_POSITIVE, f64::max)
}

/// ‖w − 1/p‖, which is √(1/n − 1/p) for an effective sample size n and Σw = 1.
pub(super) fn deviation(weights: &[f64]) -> f64 {
    let equal = 1.0 / weights.len() as f64;
    weights.iter().map(|weight| (weight - equal) * (weight - equal)).sum::<f64>().sqrt()
}
