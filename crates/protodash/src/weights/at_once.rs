//! Weights within limits, with the ridge, the total and the sets of held members found together.
//!
//! As long as the same members are free, at 0 and at the cap, the optimal shares are linear in 1/total for a given ridge,
//! and their coefficients are the solutions of two or three systems. So each ridge costs these systems alone, the best
//! total is the root of a quadratic, and all members on the wrong side change sets together. This usually ends after a few
//! rounds at sets where none is on the wrong side, which is the optimum, since the problem is convex. Where it does not,
//! the searches of `limited.rs` start from the last result.

use super::bounded::{Hold, LEAST_RIDGE};
use super::limited::{DEVIATION, LimitedSolver, WHOLE, WeightTotal, deviation, scale};
use super::ridge_factor::RidgeFactor;
use crate::gram::Gram;
use crate::rows::product;

/// The first ridge tried, as a fraction of the largest similarity.
const FIRST_RIDGE: f64 = 0.1;
/// A ridge to try where a much smaller one does not meet the floor, as a fraction of the largest similarity.
const SMALL_RIDGE: f64 = 1e-3;
/// Ridges tried one below the other before the smallest of all.
const MOST_LOWERED: usize = 3;
/// Rounds of changing sets.
const MOST_ROUNDS: usize = 60;
/// Rounds in which the number of members on the wrong side may fail to fall.
const MOST_STALLED: usize = 6;
/// Ridges tried for the same sets.
const MOST_RIDGES: usize = 40;
/// The largest ratio of one ridge to the next, while nothing is wrong with the guess.
const LONGEST_STEP: f64 = 4.0;
/// Relative error of the deviation from equal weights while the sets still change.
const ROUGH: f64 = 1e-3;
/// Relative error of the total that rounding may leave; its effect on the objective is the square.
const TOTAL: f64 = 1e-8;

/// The optimum for given sets and a ridge.
struct SetOptimum {
    ridge: f64,
    /// Of all members; those of free ones may be out of bounds.
    shares: Vec<f64>,
    /// 1/total.
    rate: f64,
    multiplier: f64,
    deviation: f64,
}

/// What is known of the present sets: where the search for their ridge continues.
#[derive(Default)]
struct Known {
    /// The solutions of the systems of the last ridge, from which those of the next start.
    means: Vec<f64>,
    ones: Vec<f64>,
    caps: Vec<f64>,
    /// A ridge tried before, and the gap between its inverse deviation and the wanted one.
    before: Option<(f64, f64)>,
}

impl LimitedSolver {
    /// The optimal weights; `None` if that could not be shown, with the solver as it was.
    pub(super) fn at_once(&mut self, gram: &Gram, kernel_mean: &[f64]) -> Option<Vec<f64>> {
        let (n_members, before) = (gram.len(), (self.inner.clone(), self.ridge, self.last_total));
        let (cap, floor) = self.limits.among(n_members);
        let equal = 1.0 / n_members as f64;
        let largest_allowed = 1.0 / floor - equal;
        if cap <= equal * (1.0 + WHOLE) || largest_allowed <= WHOLE * equal {
            return None; // only equal weights are allowed
        }
        if !self.inner.is_for(cap) {
            self.inner.start(n_members, cap);
            if self.ridge == 0.0 && floor > 1.0 {
                self.ridge = FIRST_RIDGE * scale(gram); // the floor probably needs one
            }
        }
        let new: Vec<usize> = (self.inner.holds.len()..n_members).collect();
        self.inner.holds.resize(n_members, Hold::Free);
        self.inner.free.add(gram, &new);
        let found = self.changing_sets(gram, kernel_mean, largest_allowed.sqrt());
        if found.is_none() {
            (self.inner, self.ridge, self.last_total) = before;
        }
        found
    }

    fn changing_sets(&mut self, gram: &Gram, kernel_mean: &[f64], allowed: f64) -> Option<Vec<f64>> {
        let least = LEAST_RIDGE * scale(gram);
        let (mut ridge, mut tolerance) = (self.ridge.max(least), ROUGH);
        let (mut fewest, mut n_stalled) = (usize::MAX, 0);
        let mut known = Known::default();
        for _ in 0..MOST_ROUNDS {
            if self.inner.free.is_empty() {
                return None;
            }
            if self.is_too_uneven(allowed) {
                // No ridge makes these sets even enough.
                let held = |member: &usize| self.inner.holds[*member] != Hold::Free;
                let held: Vec<usize> = (0..gram.len()).filter(held).collect();
                self.change_sets(gram, &held.into_iter().map(|member| (member, Hold::Free)).collect::<Vec<_>>());
            }
            let optimum = self.at_best_ridge(gram, kernel_mean, (ridge, least), (allowed, tolerance), &mut known)?;
            ridge = optimum.ridge;
            let changes = self.misplaced(gram, kernel_mean, &optimum);
            if changes.is_empty() {
                if tolerance <= DEVIATION {
                    return self.accept(gram, kernel_mean, optimum, (least, allowed));
                }
                tolerance = DEVIATION;
                continue;
            }
            if changes.len() < fewest {
                (fewest, n_stalled) = (changes.len(), 0);
            } else {
                n_stalled += 1;
                if n_stalled > MOST_STALLED {
                    return None;
                }
            }
            self.change_sets(gram, &changes);
            known = Known::default();
        }
        None
    }

    /// Whether even equal weights of all free members deviate too much from equal weights of all.
    fn is_too_uneven(&self, allowed: f64) -> bool {
        let (cap, equal) = (self.inner.cap(), 1.0 / self.inner.holds.len() as f64);
        let n_at_cap = self.inner.holds.iter().filter(|hold| **hold == Hold::AtCap).count() as f64;
        let n_free = self.inner.free.members().len() as f64;
        let left = 1.0 - cap * n_at_cap;
        n_at_cap * cap * cap + left * left / n_free - equal >= allowed * allowed * (1.0 - ROUGH)
    }

    /// The optimum for the present sets with the smallest ridge for which the deviation is at most `allowed`.
    fn at_best_ridge(
        &mut self,
        gram: &Gram,
        kernel_mean: &[f64],
        (start, least): (f64, f64),
        (allowed, tolerance): (f64, f64),
        known: &mut Known,
    ) -> Option<SetOptimum> {
        let (mut ridge, mut low, mut high) = (start, 0.0_f64, f64::INFINITY);
        for n_ridges in 0..MOST_RIDGES {
            let optimum = self.at_ridge(gram, kernel_mean, ridge, known)?;
            let is_met = optimum.deviation <= allowed;
            if (is_met && ridge <= least) || (optimum.deviation / allowed - 1.0).abs() <= tolerance {
                return Some(optimum);
            }
            if is_met {
                high = ridge
            } else {
                low = ridge
            }
            // The inverse of the deviation is nearly linear in the ridge.
            let gap = 1.0 / optimum.deviation - 1.0 / allowed;
            let secant = match known.before {
                Some((other, at)) if other != ridge => ridge - gap * (other - ridge) / (at - gap),
                _ => ridge * optimum.deviation / allowed,
            };
            // A longer step would need another factor, and may lead far beyond the root.
            let secant = secant.clamp(ridge / LONGEST_STEP, ridge * LONGEST_STEP);
            known.before = Some((ridge, gap));
            let middle = match (low > 0.0, high.is_finite()) {
                (true, true) => (low * high).sqrt(),
                (_, false) => LONGEST_STEP * ridge,
                (false, true) => high / 16.0,
            };
            let is_inside = secant.is_finite() && secant > low && secant < high;
            let mut next = (if is_inside { secant } else { middle }).max(least);
            if !is_met && high.is_infinite() {
                next = next.max(SMALL_RIDGE / LEAST_RIDGE * least);
            }
            if low == 0.0 && n_ridges > MOST_LOWERED {
                next = least; // the floor is probably met without a ridge
            }
            if next == ridge {
                return None;
            }
            ridge = next;
        }
        None
    }

    /// The optimum for the present sets with a ridge.
    fn at_ridge(&mut self, gram: &Gram, kernel_mean: &[f64], ridge: f64, known: &mut Known) -> Option<SetOptimum> {
        self.inner.ridge = ridge;
        self.inner.free.prepare(gram, ridge);
        let (free, cap) = (&self.inner.free, self.inner.cap());
        let members = free.members();
        let held: Vec<f64> = self.inner.holds.iter().map(|hold| if *hold == Hold::AtCap { cap } else { 0.0 }).collect();
        let at_cap: f64 = held.iter().sum();
        let among = |values: &[f64]| -> Vec<f64> { members.iter().map(|member| values[*member]).collect() };
        let solve = |b: &[f64], x: &mut Vec<f64>| {
            x.resize(b.len(), 0.0);
            free.solve(gram, ridge, b, x);
        };
        solve(&among(kernel_mean), &mut known.means);
        solve(&vec![1.0; members.len()], &mut known.ones);
        let from_held = if at_cap > 0.0 { among(&gram.times(&held)) } else { Vec::new() };
        solve(&from_held, &mut known.caps);
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        // Free shares are rate · slope + constant.
        let (of_means, of_constant) =
            (sum(&known.means) / sum(&known.ones), (sum(&known.caps) + 1.0 - at_cap) / sum(&known.ones));
        let slope: Vec<f64> = known.means.iter().zip(&known.ones).map(|(mean, one)| mean - of_means * one).collect();
        let mut constant: Vec<f64> = known.ones.iter().map(|one| of_constant * one).collect();
        constant.iter_mut().zip(&known.caps).for_each(|(constant, cap)| *constant -= cap);
        let whole = |free_values: &[f64], rest: &[f64]| {
            let mut all = rest.to_vec();
            members.iter().zip(free_values).for_each(|(member, value)| all[*member] = *value);
            all
        };
        let rate = match self.total {
            WeightTotal::One => 1.0,
            WeightTotal::Free => {
                // rate · μᵀu = uᵀKu; the slope is orthogonal to 1 and to the rest of the gradient but the ridge.
                let constant_shares = whole(&constant, &held);
                let energy = product(&constant_shares, &gram.times(&constant_shares));
                let square = ridge * product(&slope, &slope);
                let linear = product(&constant_shares, kernel_mean) + 2.0 * ridge * product(&slope, &constant);
                2.0 * energy / (linear + (linear * linear + 4.0 * square * energy).sqrt())
            }
        };
        if !(rate.is_finite() && rate > 0.0) {
            return None;
        }
        let goal: Vec<f64> = slope.iter().zip(&constant).map(|(slope, constant)| rate * slope + constant).collect();
        let shares = whole(&goal, &held);
        let multiplier = rate * of_means - of_constant;
        let deviation = deviation(&shares);
        deviation.is_finite().then_some(SetOptimum { ridge, shares, rate, multiplier, deviation })
    }

    /// The members on the wrong side, and where they belong.
    fn misplaced(&self, gram: &Gram, kernel_mean: &[f64], optimum: &SetOptimum) -> Vec<(usize, Hold)> {
        let SetOptimum { ridge, shares, rate, multiplier, .. } = optimum;
        let (cap, products) = (self.inner.cap(), gram.times(shares));
        let place = |member: usize| {
            let (share, mean) = (shares[member], rate * kernel_mean[member]);
            let excess = mean - products[member] - ridge * share - multiplier;
            let exceeds = |excess: f64| {
                excess > 0.0
                    && excess
                        > self.inner.rounding(gram, mean, member, shares)
                            + super::active_set::ROUNDING * multiplier.abs()
            };
            match self.inner.holds[member] {
                Hold::Free if share < 0.0 => Some(Hold::AtZero),
                Hold::Free if share > cap => Some(Hold::AtCap),
                Hold::AtZero if exceeds(excess) => Some(Hold::Free),
                Hold::AtCap if exceeds(-excess) => Some(Hold::Free),
                _ => None,
            }
        };
        (0..gram.len()).filter_map(|member| place(member).map(|hold| (member, hold))).collect()
    }

    fn change_sets(&mut self, gram: &Gram, changes: &[(usize, Hold)]) {
        changes.iter().for_each(|(member, hold)| self.inner.holds[*member] = *hold);
        let holds = &self.inner.holds;
        let free: &mut RidgeFactor = &mut self.inner.free;
        free.remove_all(|member| holds[member] != Hold::Free);
        let freed = changes.iter().filter(|(_, hold)| *hold == Hold::Free);
        free.add(gram, &freed.map(|(member, _)| *member).collect::<Vec<_>>());
    }

    /// The weights of an optimum, if rounding left them optimal.
    fn accept(
        &mut self,
        gram: &Gram,
        kernel_mean: &[f64],
        optimum: SetOptimum,
        (least, allowed): (f64, f64),
    ) -> Option<Vec<f64>> {
        let SetOptimum { ridge, shares, rate, multiplier, .. } = optimum;
        let is_whole = (shares.iter().sum::<f64>() - 1.0).abs() <= DEVIATION;
        if !is_whole || deviation(&shares) > allowed * (1.0 + 2.0 * DEVIATION) {
            return None;
        }
        let total = match self.total {
            WeightTotal::One => 1.0,
            WeightTotal::Free => {
                let energy = product(&shares, &gram.times(&shares));
                let best = product(&shares, kernel_mean) / energy;
                if !(best.is_finite() && (best * rate - 1.0).abs() <= TOTAL) {
                    return None;
                }
                best
            }
        };
        self.ridge = if ridge > least { ridge } else { 0.0 };
        self.last_total = total;
        (self.inner.weights, self.inner.multiplier) = (shares, multiplier);
        Some(self.inner.weights.iter().map(|share| share * total).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::WeightLimits;

    /// Similar members on a line, and means of a target at one end of it.
    fn problem(n_members: usize) -> (Gram, Vec<f64>) {
        let at = |i: usize| (i as f64 * 0.618_033_988_75).fract() * 4.0;
        let similarity = |x: f64, y: f64| (-(x - y) * (x - y)).exp();
        let mut gram = Gram::default();
        for i in 0..n_members {
            let others: Vec<f64> = (0..i).map(|j| similarity(at(i), at(j))).collect();
            gram.push(&others, 1.0);
        }
        (gram, (0..n_members).map(|i| similarity(at(i), 3.2)).collect())
    }

    fn limits() -> WeightLimits {
        WeightLimits { max_weight: Some(0.03), min_effective: Some(70.0) }
    }

    #[test]
    fn one_more_member_takes_no_new_factor() {
        for total in [WeightTotal::One, WeightTotal::Free] {
            let (all, means) = problem(160);
            let mut gram = Gram::default();
            let mut solver = LimitedSolver::new(limits(), total);
            let mut n_factored = Vec::new();
            for member in 0..160 {
                let similarities: Vec<f64> = (0..member).map(|other| all.get(member, other)).collect();
                gram.push(&similarities, 1.0);
                if member >= 80 {
                    assert!(solver.at_once(&gram, &means[..=member]).is_some(), "{total:?}, {member}");
                    n_factored.push(solver.inner.free.n_factored);
                }
            }
            // Eighty sets, each solved for several ridges and totals; the first of them is the hardest.
            assert!(n_factored[79] - n_factored[0] <= 40, "{total:?}: {n_factored:?}");
        }
    }

    #[test]
    fn all_at_once_and_one_after_the_other_agree() {
        for total in [WeightTotal::One, WeightTotal::Free] {
            for n_members in [75, 90, 120] {
                let (gram, means) = problem(n_members);
                let mut fast = LimitedSolver::new(limits(), total);
                let fast = fast.at_once(&gram, &means).unwrap();
                let mut slow = LimitedSolver::new(limits(), total);
                let slow = match total {
                    WeightTotal::One => slow.shares(&gram, &means),
                    WeightTotal::Free => slow.with_best_total(&gram, &means),
                };
                let value = |weights: &[f64]| gram.objective(&means, weights);
                let (fast, slow) = (value(&fast), value(&slow));
                assert!((fast - slow).abs() <= 1e-12 * slow.abs(), "{total:?}, {n_members}: {fast}, {slow}");
            }
        }
    }
}
