//! Exchanging one prototype for another: what swap refinement asks of the leader.

use rayon::prelude::*;

use super::leader::Leader;
use super::shard::{Rank, Ranked, View};
use crate::error::Result;
use crate::gram::Gram;
use crate::kernel::Kernel;
use crate::observe::Observer;
use crate::rows::Scalar;
use crate::weights::{ActiveSet, DEPENDENT, Optimum};

/// The problem without one prototype.
pub(crate) struct Shorter {
    position: usize,
    gram: Gram,
    kernel_mean: Vec<f64>,
    solver: ActiveSet,
    /// The direction, of length 1, that the factor loses with the prototype.
    lost: Vec<f64>,
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
        Shorter { position, gram, kernel_mean, solver, optimum, lost: self.direction_lost(position) }
    }

    /// The objective with this row in the place of the prototype that `shorter` lacks.
    pub(crate) fn objective_after_exchange(&self, shorter: &mut Shorter, source_index: usize) -> Option<f64> {
        let proposal = self.describe(source_index)?;
        let reduced = self.factor.reduce(&proposal.similarities);
        let along: f64 = reduced.iter().zip(&shorter.lost).map(|(a, b)| a * b).sum();
        let schur = proposal.diagonal - reduced.iter().map(|value| value * value).sum::<f64>() + along * along;
        // Twice the border at which a row is refused: what passes here is not refused when it is admitted.
        if schur <= 2.0 * DEPENDENT * proposal.diagonal {
            return None;
        }
        let mut similarities = proposal.similarities;
        similarities.remove(shorter.position);
        shorter.gram.push(&similarities, proposal.diagonal);
        shorter.kernel_mean.push(proposal.kernel_mean);
        let optimum = shorter.solver.clone().maximise(&shorter.gram, &shorter.kernel_mean);
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
        let expelled = self.source_indices.remove(shorter.position);
        let rotations = self.factor.remove(shorter.position);
        let Shorter { position, gram, kernel_mean, solver, optimum, .. } = shorter;
        self.shards.par_iter_mut().for_each(|shard| {
            shard.expel(position, &rotations);
            shard.readmit(expelled);
        });
        (self.gram, self.kernel_mean, self.solver, self.optimum) = (gram, kernel_mean, solver, optimum);
        match self.try_row(source_index).or_else(|| self.try_row(expelled)) {
            Some(trial) => self.admit(trial, observer),
            None => Ok(()),
        }
    }

    /// The best candidates for the place of the prototype that `shorter` lacks.
    pub(crate) fn propose_instead(&self, shorter: &Shorter, limit: usize) -> Vec<Ranked> {
        let mut weights = shorter.optimum.weights.clone();
        weights.insert(shorter.position, 0.0);
        let coordinates = self.factor.transposed_times(&weights);
        let rank = if self.len() == 1 { self.first_rank() } else { Rank::Bound };
        let multiplier = shorter.optimum.multiplier;
        self.propose_in(&View { coordinates: &coordinates, lost: Some(&shorter.lost), multiplier, rank, limit })
    }

    /// F⁻¹eᵢ, of length 1: C loses its part along this direction when prototype i goes, and sⱼ gains its square.
    fn direction_lost(&self, position: usize) -> Vec<f64> {
        let mut lost = vec![0.0; self.len()];
        lost[position] = 1.0;
        self.factor.solve_lower(&mut lost);
        let length = lost.iter().map(|value| value * value).sum::<f64>().sqrt();
        lost.iter_mut().for_each(|value| *value /= length);
        lost
    }
}
