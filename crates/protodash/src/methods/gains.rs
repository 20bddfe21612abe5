//! The largest gain of all candidates, tried in the order of upper bounds: what ProtoGreedy, swap, coverage and budgets add.

use super::lazy::{LazyMaximum, largest};
use crate::error::Result;
use crate::rows::Scalar;
use crate::search::{GreedySearch, RankedRow, Trial};

/// The candidate with the largest gain vⱼ, or gain per cost, and the weights with it; `None` if no row raises the objective.
///
/// # Formula
///
/// ```text
/// vⱼ ≤ gⱼ² / (2 sⱼ)
/// ```
///
/// where gⱼ is the gradient at the optimum ζ of L and sⱼ the Schur complement of j against all of L: for any feasible w,
/// l(w) − l(ζ) = gᵀ(w − ζ) − ½(w − ζ)ᵀK(w − ζ), the gradient is 0 on positive weights and at most 0 on the others, and
/// the quadratic form is at least sⱼwⱼ². (Under Σw = 1 read g − λ for g: λ cancels in the sum over w − ζ.) Candidates are
/// tried in the order of this bound until the next bound is no larger than the best gain found: usually after one. If
/// many weights are held at 0 the bound is loose; then a tighter bound, which takes one solve against the support, rules
/// out most candidates from the second on.
pub(super) fn largest_gain<T: Scalar>(search: &mut GreedySearch<'_, T>) -> Result<Option<Trial<T>>> {
    search.settle_gain_bounds()?;
    let mut gains = Gains { search, best: None };
    let Some(chosen) = largest(&mut gains, f64::NEG_INFINITY)? else { return Ok(None) };
    match gains.best.filter(|trial| trial.candidate.source_index == chosen) {
        Some(trial) => Ok(Some(trial)),
        // Of rows with equal gains, rounding may have made a later one the best.
        None => search.try_adding(chosen),
    }
}

/// vⱼ of all candidates, with the bounds above.
struct Gains<'s, 'a, T> {
    search: &'s mut GreedySearch<'a, T>,
    /// The best trial so far; only one is kept because each holds a copy of the solver.
    best: Option<Trial<T>>,
}

impl<T: Scalar> Gains<'_, '_, T> {
    /// Once a gain is known, only bounds above it matter.
    fn race(&mut self) -> Result<()> {
        match &self.best {
            Some(best) => self.search.settle_gain_bounds_above(best.optimum.objective - self.search.objective()),
            None => Ok(()),
        }
    }
}

impl<T: Scalar> LazyMaximum for Gains<'_, '_, T> {
    fn by_bound(&mut self, limit: usize) -> Result<Vec<RankedRow>> {
        self.race()?;
        self.search.largest_gain_bounds(limit)
    }

    fn at_least(&mut self, bound: f64) -> Result<Vec<usize>> {
        self.search.settle_gain_bounds_above(bound)?;
        self.search.gain_bounds_from(bound)
    }

    fn tighter_bound(&mut self, source_index: usize) -> Result<Option<f64>> {
        self.search.tighter_gain_bound(source_index)
    }

    fn value(&mut self, source_index: usize) -> Result<Option<f64>> {
        let Some(trial) = self.search.try_adding(source_index)? else { return Ok(None) };
        let gain = self.search.gain_score(&trial);
        let is_best = self.best.as_ref().is_none_or(|best| gain > self.search.gain_score(best));
        let other = if is_best { self.best.replace(trial) } else { Some(trial) };
        other.into_iter().for_each(|other| self.search.discard(other));
        Ok(Some(gain))
    }

    fn tolerance(&self) -> f64 {
        self.search.tolerance()
    }

    fn rounding(&self, gain: f64) -> f64 {
        if !gain.is_finite() {
            return 0.0;
        }
        // The gain of a row alone is exact to the last digits, and under Σw = 1 includes a constant that may be far larger
        // than what distinguishes two rows. Later gains are differences of two objectives and have their rounding errors.
        let share = if self.search.prototypes().len() == 0 { 1e-12 } else { 1e-10 };
        share * gain.abs() + 1e-14 * self.search.objective().abs()
    }
}
