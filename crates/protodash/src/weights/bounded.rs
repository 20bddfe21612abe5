//! The active-set method for weights between 0 and a cap that sum to 1, with a ridge that makes the maximum unique.
//!
//! Each weight is free or held at one of its two bounds. As in `active_set.rs`, the factor of the free members is kept and
//! updated, every move raises the objective or bars a member from being freed again in this call, and a call starts from
//! the last result.

use super::active_set::ROUNDING;
use super::ridge_factor::RidgeFactor;
use crate::gram::Gram;

/// The smallest ridge, as a fraction of the largest similarity: with it, members that are copies of others can be free.
pub(super) const LEAST_RIDGE: f64 = 1e-12;

/// Where a weight is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    AtZero,
    AtCap,
    Free,
}

/// The state of the solver.
#[derive(Debug, Clone, Default)]
pub(super) struct BoundedSolver {
    cap: f64,
    pub(super) ridge: f64,
    pub(super) holds: Vec<Hold>,
    /// The free members.
    pub(super) free: RidgeFactor,
    pub(super) weights: Vec<f64>,
    /// The slope common to all free weights: that which a new member must exceed.
    pub(super) multiplier: f64,
}

impl BoundedSolver {
    /// Starts at equal weights. The cap must be at least 1/n.
    pub(super) fn start(&mut self, n_members: usize, cap: f64) {
        let weights = super::equal(n_members);
        let is_free = weights.first().is_some_and(|weight| *weight < cap);
        let mut free = RidgeFactor::default();
        if is_free {
            free.add_unfactored(n_members);
        }
        let hold = if is_free { Hold::Free } else { Hold::AtCap };
        *self = BoundedSolver { cap, holds: vec![hold; n_members], free, weights, ..BoundedSolver::default() };
    }

    /// Maximises bᵀw − ½ wᵀ(K + λI)w with 0 ≤ w ≤ cap and Σw = 1.
    ///
    /// Members may have been added at the end since the last call; their weights start at 0.
    pub(super) fn maximise(&mut self, gram: &Gram, b: &[f64], ridge: f64) {
        self.weights.resize(gram.len(), 0.0);
        self.holds.resize(gram.len(), Hold::AtZero);
        self.ridge = ridge;
        self.free.prepare(gram, ridge);
        let mut barred = vec![false; gram.len()];
        let mut products = self.settle(gram, b);
        let mut objective = self.objective(b, &products);
        while let Some(members) = self.violators(gram, b, &products, &barred) {
            members.iter().for_each(|member| self.release(gram, *member));
            products = self.settle(gram, b);
            let risen = self.objective(b, &products);
            // Members freed without raising the objective were freed because of rounding.
            members.iter().for_each(|member| barred[*member] = risen <= objective);
            objective = objective.max(risen);
        }
        if self.free.is_empty() {
            // A new member has to be steeper than a weight at the cap that it would replace.
            let at_cap = (0..b.len()).filter(|member| self.holds[*member] == Hold::AtCap);
            self.multiplier = at_cap.map(|member| b[member] - products[member]).fold(f64::INFINITY, f64::min);
        }
    }

    /// The largest weight allowed.
    pub(super) fn cap(&self) -> f64 {
        self.cap
    }

    /// Whether the last call had this cap.
    pub(super) fn is_for(&self, cap: f64) -> bool {
        !self.weights.is_empty() && self.cap == cap
    }

    /// How fast the weights change with the ridge: dw/dλ, as long as the same members are free.
    pub(super) fn slope_in_ridge(&self, gram: &Gram) -> Vec<f64> {
        let mut slopes = vec![0.0; gram.len()];
        let against: Vec<f64> = self.free.members().iter().map(|member| -self.weights[*member]).collect();
        let (changes, _) = self.solved(gram, &against, 0.0);
        self.free.members().iter().zip(changes).for_each(|(member, change)| slopes[*member] = change);
        slopes
    }

    fn objective(&self, b: &[f64], products: &[f64]) -> f64 {
        crate::gram::objective(b, &self.weights, products)
    }

    /// Rounding in the slope of a member with this mean.
    pub(super) fn rounding(&self, gram: &Gram, mean: f64, member: usize, weights: &[f64]) -> f64 {
        let terms = weights.iter().enumerate().map(|(other, weight)| (gram.get(member, other) * weight).abs());
        ROUNDING * (mean.abs() + self.ridge * weights[member].abs() + terms.sum::<f64>())
    }

    /// (K + λI) w.
    fn products(&self, gram: &Gram) -> Vec<f64> {
        let mut products = gram.times(&self.weights);
        products.iter_mut().zip(&self.weights).for_each(|(product, weight)| *product += self.ridge * weight);
        products
    }

    /// Moves to the maximum over the free weights, holding those that reach a bound; returns (K + λI) w.
    fn settle(&mut self, gram: &Gram, b: &[f64]) -> Vec<f64> {
        while !self.free.is_empty() {
            let (goal, multiplier) = self.goal(gram, b);
            self.multiplier = multiplier;
            let reach = |(position, goal): (usize, &f64)| {
                let weight = self.weights[self.free.members()[position]];
                let bound = if *goal < 0.0 { 0.0 } else { self.cap };
                let is_beyond = *goal < 0.0 || *goal > self.cap;
                is_beyond.then(|| (position, ((bound - weight) / (goal - weight)).clamp(0.0, 1.0), bound))
            };
            let first = goal.iter().enumerate().filter_map(reach).reduce(|a, b| if b.1 < a.1 { b } else { a });
            let Some((position, step, bound)) = first else {
                self.free.members().iter().zip(goal).for_each(|(member, goal)| self.weights[*member] = goal);
                break;
            };
            for (member, goal) in self.free.members().iter().zip(&goal) {
                let moved = self.weights[*member] + step * (goal - self.weights[*member]);
                self.weights[*member] = moved.clamp(0.0, self.cap);
            }
            let member = self.free.remove(position);
            self.weights[member] = bound;
            self.holds[member] = if bound > 0.0 { Hold::AtCap } else { Hold::AtZero };
        }
        self.products(gram)
    }

    /// The maximum over the free weights regardless of their bounds, and the multiplier of Σw = 1.
    fn goal(&self, gram: &Gram, b: &[f64]) -> (Vec<f64>, f64) {
        let at_cap: Vec<usize> = (0..self.holds.len()).filter(|member| self.holds[*member] == Hold::AtCap).collect();
        let left = 1.0 - self.cap * at_cap.len() as f64;
        let mut held = vec![0.0; gram.len()];
        at_cap.iter().for_each(|member| held[*member] = self.cap);
        let from_held = if at_cap.is_empty() { held } else { gram.times(&held) };
        let right: Vec<f64> = self.free.members().iter().map(|member| b[*member] - from_held[*member]).collect();
        let (mut goal, mut multiplier) = self.solved(gram, &right, left);
        // One step of iterative refinement, which nearly singular systems need.
        let reached = gram.times_among(self.free.members(), &goal);
        let residual: Vec<f64> = (right.iter().zip(reached).zip(&goal))
            .map(|((right, reached), goal)| right - reached - self.ridge * goal - multiplier)
            .collect();
        let (correction, more) = self.solved(gram, &residual, left - goal.iter().sum::<f64>());
        goal.iter_mut().zip(correction).for_each(|(goal, correction)| *goal += correction);
        multiplier += more;
        (goal, multiplier)
    }

    /// Solves (K + λI) x + ν1 = b on the free members with Σx = total, for x and ν.
    fn solved(&self, gram: &Gram, b: &[f64], total: f64) -> (Vec<f64>, f64) {
        let (mut x, mut ones) = (vec![0.0; b.len()], vec![0.0; b.len()]);
        self.free.solve(gram, self.ridge, b, &mut x);
        self.free.solve(gram, self.ridge, &vec![1.0; b.len()], &mut ones);
        let sum_of_ones: f64 = ones.iter().sum();
        let multiplier = if sum_of_ones > 0.0 { (x.iter().sum::<f64>() - total) / sum_of_ones } else { 0.0 };
        x.iter_mut().zip(&ones).for_each(|(x, one)| *x -= multiplier * one);
        (x, multiplier)
    }

    /// The held member whose release raises the objective most steeply; if none is free, the best pair.
    fn violators(&self, gram: &Gram, b: &[f64], products: &[f64], barred: &[bool]) -> Option<Vec<usize>> {
        let slope = |member: usize| b[member] - products[member];
        let rounding = |member: usize| self.rounding(gram, b[member], member, &self.weights);
        let held = |hold: Hold| {
            let is_held = |(_, (other, is_barred)): &(usize, (&Hold, &bool))| **other == hold && !**is_barred;
            let all = self.holds.iter().zip(barred).enumerate();
            all.filter(is_held).map(|(member, _)| (member, slope(member))).collect::<Vec<_>>().into_iter()
        };
        let steepest = held(Hold::AtZero).reduce(|best, other| if other.1 > best.1 { other } else { best });
        let flattest = held(Hold::AtCap).reduce(|best, other| if other.1 < best.1 { other } else { best });
        if self.free.is_empty() {
            // Without a free weight any multiplier between the two groups of slopes is right.
            let (rising, falling) = (steepest?, flattest?);
            let is_better = rising.1 - falling.1 > rounding(rising.0) + rounding(falling.0);
            return is_better.then(|| vec![rising.0, falling.0]);
        }
        let level = self.multiplier;
        let rise = steepest.map(|(member, slope)| (member, slope - level));
        let fall = flattest.map(|(member, slope)| (member, level - slope));
        let (member, excess) = match (rise, fall) {
            (Some(rise), Some(fall)) => {
                if fall.1 > rise.1 {
                    fall
                } else {
                    rise
                }
            }
            (one, other) => one.or(other)?,
        };
        (excess > rounding(member) + ROUNDING * level.abs()).then(|| vec![member])
    }

    /// Frees a member's weight.
    fn release(&mut self, gram: &Gram, member: usize) {
        self.holds[member] = Hold::Free;
        self.free.add(gram, &[member]);
    }
}
