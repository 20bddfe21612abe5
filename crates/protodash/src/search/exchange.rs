//! Exchanging one prototype for another: what swap refinement asks of the leader.

use rayon::prelude::*;

use super::basis::Basis;
use super::leader::Leader;
use super::panels::{Term, terms};
use super::rank::{Rank, Ranked, View};
use super::shard::{Chosen, Proposal};
use crate::error::Result;
use crate::gram::Gram;
use crate::kernel::Kernel;
use crate::observe::Observer;
use crate::rows::Scalar;
use crate::weights::{ActiveSet, Newcomer, Optimum};

/// The problem without one prototype.
pub(crate) struct Shorter {
    position: usize,
    gram: Gram,
    kernel_mean: Vec<f64>,
    solver: ActiveSet,
    /// Room for a copy of the solver.
    trial: ActiveSet,
    /// The direction, of length 1, that the span loses with the prototype.
    lost: Option<Vec<f64>>,
    /// v = Fᵀw for the weights without it, in the basis with it.
    coordinates: Vec<f64>,
    /// Where that differs from the present v.
    changes: Vec<Term>,
    pub(crate) optimum: Optimum,
}

impl<T: Scalar, K: Kernel<T> + ?Sized> Leader<'_, T, K> {
    /// The best weights without prototype `position`.
    pub(crate) fn without(&self, position: usize) -> Shorter {
        let (mut gram, mut kernel_mean, mut solver) =
            (self.gram.clone(), self.kernel_mean.clone(), self.solver.clone());
        gram.remove(position);
        kernel_mean.remove(position);
        solver.forget(position);
        let optimum = solver.maximise(&gram, &kernel_mean);
        let mut weights = optimum.weights.clone();
        weights.insert(position, 0.0);
        let coordinates = self.basis.coordinates(&weights);
        let changes = terms(coordinates.iter().zip(&self.coordinates).map(|(after, before)| after - before));
        let lost = self.basis.direction_lost(position);
        let trial = ActiveSet::new(self.candidates.constraint);
        Shorter { position, gram, kernel_mean, solver, trial, lost, coordinates, changes, optimum }
    }

    /// The best candidates for the place of the prototype that `shorter` lacks.
    pub(crate) fn propose_instead(&self, shorter: &Shorter, limit: usize) -> Vec<Ranked> {
        self.propose_in(&self.view_of(shorter), limit)
    }

    /// All candidates for that place with at least this score, in the order of the source.
    pub(crate) fn at_least_instead(&self, shorter: &Shorter, score: f64) -> Vec<usize> {
        self.at_least_in(&self.view_of(shorter), score)
    }

    fn view_of<'s>(&'s self, shorter: &'s Shorter) -> View<'s> {
        let rank = if self.len() == 1 { self.first_rank() } else { Rank::Bound };
        let Shorter { coordinates, changes, lost, optimum, .. } = shorter;
        View { coordinates, changes, lost: lost.as_deref(), multiplier: optimum.multiplier, ..self.view(rank) }
    }

    /// No more than this is gained, over the set that lacks a prototype, by this row in its place; `None` where only trying
    /// it tells.
    pub(crate) fn most_gain_after_exchange(&self, shorter: &Shorter, source_index: usize) -> Option<f64> {
        let mut proposal = self.describe(source_index)?;
        proposal.similarities.remove(shorter.position);
        let Proposal { kernel_mean, diagonal, similarities, .. } = proposal;
        let newcomer = Newcomer { kernel_mean, diagonal, similarities: &similarities };
        shorter.solver.most_gain(&shorter.gram, &shorter.kernel_mean, newcomer)
    }

    /// The objective with this row in the place of the prototype that `shorter` lacks.
    pub(crate) fn objective_after_exchange(&self, shorter: &mut Shorter, source_index: usize) -> Option<f64> {
        let proposal = self.describe(source_index)?;
        let mut similarities = proposal.similarities;
        similarities.remove(shorter.position);
        shorter.gram.push(&similarities, proposal.diagonal);
        shorter.kernel_mean.push(proposal.kernel_mean);
        shorter.trial.copy_from(&shorter.solver);
        let optimum = shorter.trial.maximise(&shorter.gram, &shorter.kernel_mean);
        shorter.gram.pop();
        shorter.kernel_mean.pop();
        Some(optimum.objective)
    }

    /// Puts a row in the place of a prototype; the row becomes the last of the set.
    pub(crate) fn exchange(
        &mut self,
        shorter: Shorter,
        source_index: usize,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        let Shorter { position, gram, kernel_mean, solver, optimum, .. } = shorter;
        let expelled = self.source_indices.remove(position);
        self.prototype_rows.remove(position);
        // The coordinates belong to columns that are gone: the next weights start from the kernel mean again.
        self.coordinates.clear();
        if self.basis.is_independent() {
            let (rotations, n_left) = (self.basis.remove(position), gram.len());
            self.shards.par_iter_mut().for_each(|shard| shard.expel(&rotations, n_left));
        } else {
            // Who is a pivot may change.
            self.basis = Basis::from_gram(&gram);
            let chosen = Chosen { rows: &self.prototype_rows, basis: &self.basis, coordinates: &[] };
            self.shards.par_iter_mut().for_each(|shard| shard.rebuild(chosen));
        }
        self.shards.iter_mut().for_each(|shard| shard.readmit(expelled));
        (self.gram, self.kernel_mean, self.solver, self.optimum) = (gram, kernel_mean, solver, optimum);
        // The newcomer raised the objective when it was tried; should rounding deny it now, the old one comes back.
        match self.try_row(source_index).or_else(|| self.try_row(expelled)) {
            Some(trial) => self.admit(trial, observer),
            None => {
                let changes = self.reweigh();
                let chosen = Chosen { rows: &self.prototype_rows, basis: &self.basis, coordinates: &self.coordinates };
                self.shards.par_iter_mut().for_each(|shard| shard.reweigh(&changes, chosen));
                Ok(())
            }
        }
    }
}
