//! A search under quotas and a budget: which rows are open, and rows that a quota needs.

use super::leader::GreedySearch;
use super::protocol::DescribedRow;
use super::prototypes::Trial;
use super::rank::Rank;
use crate::constraints::OpenPlaces;
use crate::error::Result;
use crate::rows::Scalar;
use crate::selection::Stopped;

impl<T: Scalar> GreedySearch<'_, T> {
    /// Restricts the search to rows that leave all quotas and the budget within reach. Fixed rows are already counted.
    pub(crate) fn constrain(&mut self, places: OpenPlaces) -> Result<()> {
        self.candidates.limit_costs(places.cost_limits())?;
        self.places = Some(places);
        Ok(())
    }

    /// From now on, ranks candidates by their scores per cost, or by the scores themselves.
    pub(crate) fn rank_per_cost(&mut self, per_cost: bool) {
        self.candidates.certainty.per_cost = per_cost;
    }

    /// The gain of a trial, per cost if candidates are ranked so.
    pub(crate) fn gain_score(&self, trial: &Trial<T>) -> f64 {
        self.per_cost(trial.optimum.objective - self.objective(), &trial.candidate)
    }

    /// A value of a candidate, per cost if candidates are ranked so.
    pub(super) fn per_cost(&self, value: f64, candidate: &DescribedRow<T>) -> f64 {
        if self.candidates.certainty.per_cost { value / candidate.cost } else { value }
    }

    /// Ends a run that found no further row: first adds the rows that quotas still need, whatever they gain.
    ///
    /// Each is the one with the largest gradient; if that is not positive, its weight is 0.
    pub(crate) fn fill_quotas(&mut self) -> Result<Stopped> {
        let is_binding = self.places.as_ref().is_some_and(OpenPlaces::is_binding);
        while let Some(limits) =
            self.places.as_ref().filter(|places| places.needs_more()).map(OpenPlaces::needed_limits)
        {
            self.candidates.limit_costs(limits)?;
            let best = self.candidates.best(Rank::AnyGradient, &self.prototypes, self.record.observer)?;
            let Some(source_index) = best else { break };
            let candidate = self.candidates.describe(source_index)?;
            self.count_towards_quotas(&candidate)?;
            self.add_any(candidate)?;
        }
        let is_full = self.prototypes.len() >= self.goal();
        Ok(match is_binding {
            true if is_full => Stopped::NPrototypes,
            true => Stopped::Constraints,
            false => Stopped::Optimal,
        })
    }

    /// Counts a row that is about to be added, and opens the rows that are possible after it.
    pub(super) fn count_towards_quotas(&mut self, candidate: &DescribedRow<T>) -> Result<()> {
        let Some(places) = &mut self.places else { return Ok(()) };
        let before = places.cost_limits();
        places.take(candidate.source_index, candidate.group, candidate.cost);
        let limits = places.cost_limits();
        if limits == before { Ok(()) } else { self.candidates.limit_costs(limits) }
    }
}
