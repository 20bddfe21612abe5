//! Exchanging one prototype for another.

use super::basis::PrototypeBasis;
use super::candidates::Candidates;
use super::leader::GreedySearch;
use super::protocol::ShardOrder;
use super::prototypes::{PrototypeSet, new_member};
use super::rank::{Rank, RankedRow, Ranking, WithoutPrototype};
use crate::error::Result;
use crate::gram::Gram;
use crate::rows::Scalar;
use crate::weights::{ActiveSet, Optimum};

/// The set without one prototype, with its optimal weights.
pub(crate) struct ReducedSet {
    position: usize,
    gram: Gram,
    kernel_mean: Vec<f64>,
    solver: ActiveSet,
    /// Scratch copy of the solver.
    trial: ActiveSet,
    for_shards: WithoutPrototype,
    optimum: Optimum,
}

impl ReducedSet {
    /// f(L \ {i}), up to the same constant as [`GreedySearch::objective`].
    pub(crate) fn objective(&self) -> f64 {
        self.optimum.objective
    }
}

/// A read-only view of the search, to compare possible exchanges.
pub(crate) struct Exchanges<'s, 'a, T> {
    prototypes: &'s PrototypeSet,
    candidates: &'s Candidates<'a, T>,
}

impl<T> Clone for Exchanges<'_, '_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Exchanges<'_, '_, T> {}

impl<T: Scalar> Exchanges<'_, '_, T> {
    /// f(L), up to the same constant as [`GreedySearch::objective`].
    pub(crate) fn objective(&self) -> f64 {
        self.prototypes.shifted_objective()
    }

    /// The source row of the prototype at `position`.
    pub(crate) fn source_index(&self, position: usize) -> usize {
        self.prototypes.source_indices[position]
    }

    /// The set without the prototype at `position`.
    pub(crate) fn without(&self, position: usize) -> ReducedSet {
        let set = self.prototypes;
        let (mut gram, mut kernel_mean, mut solver) = (set.gram.clone(), set.kernel_mean.clone(), set.solver.clone());
        gram.remove(position);
        kernel_mean.remove(position);
        solver.forget(position);
        let optimum = solver.maximise(&gram, &kernel_mean);
        let mut weights = optimum.weights.clone();
        weights.insert(position, 0.0);
        let for_shards = WithoutPrototype {
            coordinates: set.basis.coordinates(&weights),
            lost_direction: set.basis.direction_lost(position),
        };
        let trial = ActiveSet::new(set.constraint);
        ReducedSet { position, gram, kernel_mean, solver, trial, for_shards, optimum }
    }

    /// The candidates with the largest bounds on their gains over the reduced set, largest first.
    pub(crate) fn largest_gain_bounds(&self, reduced: &ReducedSet, limit: usize) -> Result<Vec<RankedRow>> {
        self.candidates.shards.propose(&self.ranking(reduced), limit)
    }

    /// All candidates whose bound on the gain over the reduced set is at least this, in source order.
    pub(crate) fn gain_bounds_from(&self, reduced: &ReducedSet, bound: f64) -> Result<Vec<usize>> {
        self.candidates.shards.at_least(&self.ranking(reduced), bound)
    }

    /// A tighter bound on the gain of a row over the reduced set; `None` if only trying it can tell.
    pub(crate) fn tighter_gain_bound(&self, reduced: &ReducedSet, source_index: usize) -> Result<Option<f64>> {
        let candidate = self.candidates.shards.describe(source_index)?;
        let mut similarities = candidate.similarities.clone();
        similarities.remove(reduced.position);
        Ok(reduced.solver.gain_bound(&reduced.gram, &reduced.kernel_mean, new_member(&candidate, &similarities)))
    }

    /// The objective of the reduced set with this row added.
    pub(crate) fn objective_with(&self, reduced: &mut ReducedSet, source_index: usize) -> Result<f64> {
        let candidate = self.candidates.shards.describe(source_index)?;
        let mut similarities = candidate.similarities;
        similarities.remove(reduced.position);
        reduced.gram.push(&similarities, candidate.diagonal);
        reduced.kernel_mean.push(candidate.kernel_mean);
        reduced.trial.copy_from(&reduced.solver);
        let optimum = reduced.trial.maximise(&reduced.gram, &reduced.kernel_mean);
        reduced.gram.pop();
        reduced.kernel_mean.pop();
        Ok(optimum.objective)
    }

    fn ranking(&self, reduced: &ReducedSet) -> Ranking {
        let rank = if self.prototypes.len() == 1 { self.prototypes.first_rank() } else { Rank::GainBound };
        Ranking {
            multiplier: reduced.optimum.multiplier,
            without: Some(reduced.for_shards.clone()),
            ..self.candidates.certainty.ranking(rank, self.prototypes)
        }
    }
}

impl PrototypeSet {
    /// Becomes the reduced set; returns the order that tells the shards.
    fn reduce_to<T>(&mut self, reduced: ReducedSet) -> ShardOrder<T> {
        let ReducedSet { position, gram, kernel_mean, solver, optimum, .. } = reduced;
        let source_index = self.source_indices.remove(position);
        // v refers to columns that no longer exist: the next gradients start from the kernel mean again.
        self.coordinates.clear();
        let factor = if self.basis.is_independent() {
            self.basis.remove(position);
            None
        } else {
            // Other prototypes may become pivots.
            self.basis = PrototypeBasis::from_gram(&gram);
            Some(self.basis.factor_rows())
        };
        (self.gram, self.kernel_mean, self.solver, self.optimum) = (gram, kernel_mean, solver, optimum);
        ShardOrder::Expel { source_index, position, factor }
    }
}

impl<'a, T: Scalar> GreedySearch<'a, T> {
    /// The exchanges that are possible with the current set.
    pub(crate) fn exchanges(&self) -> Exchanges<'_, 'a, T> {
        Exchanges { prototypes: &self.prototypes, candidates: &self.candidates }
    }

    /// Replaces the prototype missing from `reduced` by a row, which becomes the last of the set.
    ///
    /// The row raised the objective when it was tried. If, by rounding, it does not now, the old prototype is restored
    /// and the result is `false`.
    pub(crate) fn exchange(&mut self, reduced: ReducedSet, source_index: usize) -> Result<bool> {
        let expelled = self.prototypes.source_indices[reduced.position];
        let order = self.prototypes.reduce_to(reduced);
        self.candidates.shards.tell_all(&order, self.record.observer)?;
        match self.try_adding(source_index)? {
            Some(trial) => self.admit(trial, None).map(|()| true),
            None => self.include(expelled).map(|()| false),
        }
    }
}
