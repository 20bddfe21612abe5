//! ProtoGreedy, Algorithm 1 of the paper, without a quadratic programme for every candidate.

use super::lazy::{LazyMaximum, largest};
use crate::error::Result;
use crate::rows::Scalar;
use crate::search::{GreedySearch, Rank, RankedRow, Trial};
use crate::selection::Stopped;

/// Adds the row with the largest gain until the stopping rule is met.
///
/// ```text
/// L = ∅
/// while |L| < m and the objective rises by at least ε:
///     vⱼ = f(L ∪ {j}) − f(L) for all j ∉ L
///     j₀ = argmax vⱼ
///     L  = L ∪ {j₀}
///     ζ  = argmax l(w) over w ≥ 0 supported on L
/// ```
pub(crate) fn protogreedy<T: Scalar>(search: &mut GreedySearch<'_, T>) -> Result<Stopped> {
    while search.wants_more()? {
        let Some(trial) = largest_gain(search)? else { return search.fill_quotas() }; // j₀, and ζ on L ∪ {j₀}
        if search.gains_too_little(&trial) {
            return Ok(Stopped::MinGain);
        }
        search.add(trial, Rank::GainBound)?; // L = L ∪ {j₀}
    }
    Ok(Stopped::NPrototypes)
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::given_rows::GivenRows;
    use crate::kernel::Gaussian;
    use crate::kernel_mean::{Precision, Target, mean_over_target};
    use crate::observe::{Stage, Unobserved};
    use crate::problem::StoppingRule;
    use crate::rows::Rows;
    use crate::search::{SearchSettings, SearchSpace, ShardLayout};
    use crate::weights::Constraint;

    /// The cost of ProtoDash: on the digits one quadratic programme per step, where the plain loop solves 1,797. Columns
    /// in f32 occasionally need one more.
    #[test]
    fn one_quadratic_programme_per_step() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/digits.csv");
        let text = std::fs::read_to_string(path).unwrap();
        let cells = text.lines().skip(1).flat_map(|line| line.split(',').skip(1));
        let values: Vec<f64> = cells.map(|cell| cell.parse().unwrap()).collect();
        let rows = Rows::new(&values, 64);
        let median = 49.09;
        let precisions = [Precision::Double, Precision::Single];
        for (width, column_precision) in [0.1, 0.5, 1.0, 2.0].into_iter().flat_map(|w| precisions.map(|p| (w, p))) {
            let kernel = Gaussian::new(width * median).unwrap();
            let target = Target { rows, weights: None };
            let means = mean_over_target(target, rows, &kernel, (Stage::KernelMean, &mut Unobserved)).unwrap();
            let constraint = Constraint::Nonnegative;
            let settings = SearchSettings {
                constraint,
                shift: 0.0,
                level: 0.0,
                column_memory: 1 << 30,
                column_precision,
                checks_definiteness: true,
                keeps_schur: true,
                tolerance: 0.0,
            };
            let layout = ShardLayout::default();
            let given = GivenRows::default();
            let (approximate, candidates, kernel_mean) = (None, None, &means[..]);
            let kernel = &kernel;
            let constraints = None;
            let space = SearchSpace {
                kernel,
                rows,
                kernel_mean,
                approximate,
                layout,
                candidates,
                given,
                constraints,
                settings,
            };
            let mut unobserved = Unobserved;
            let mut search = GreedySearch::new(space, StoppingRule::at(100), &mut unobserved).unwrap();
            protogreedy(&mut search).unwrap();
            assert_eq!(search.prototypes().len(), 100);
            let n_solved = search.prototypes().n_solved();
            match column_precision {
                Precision::Double => assert_eq!(n_solved, 100, "width {width}"),
                // Two candidates that f32 cannot tell apart are both tried.
                Precision::Single => assert!(n_solved <= 105, "width {width}: {n_solved}"),
            }
        }
    }
}
