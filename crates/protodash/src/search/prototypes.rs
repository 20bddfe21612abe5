//! The prototypes chosen so far: their Gram matrix, their basis and their weights.

use super::basis::PrototypeBasis;
use super::protocol::{DescribedRow, FactorRow};
use super::rank::Rank;
use crate::gram::Gram;
use crate::weights::{ActiveSet, Constraint, NewMember, Optimum};

/// The set L with its weights ζ. It holds no rows: shards have them.
pub(crate) struct PrototypeSet {
    pub(super) constraint: Constraint,
    /// What the kernel was centred and shifted by; see [`SearchSettings`](super::SearchSettings).
    level: f64,
    shift: f64,
    pub(super) source_indices: Vec<usize>,
    pub(super) kernel_mean: Vec<f64>,
    pub(super) gram: Gram,
    pub(super) basis: PrototypeBasis,
    /// v = Fᵀw, at which the shards' gradients were computed.
    pub(super) coordinates: Vec<f64>,
    pub(super) solver: ActiveSet,
    /// Scratch copy of the solver.
    spare: ActiveSet,
    pub(super) optimum: Optimum,
    n_solved: usize,
}

/// A set with one more prototype and its weights, not yet accepted.
pub(crate) struct Trial<T> {
    pub(crate) candidate: DescribedRow<T>,
    /// f(L ∪ {j}) − f(L).
    pub(crate) gain: f64,
    pub(crate) optimum: Optimum,
    solver: ActiveSet,
}

impl PrototypeSet {
    /// The empty set.
    pub(super) fn new(constraint: Constraint, (level, shift): (f64, f64)) -> Self {
        PrototypeSet {
            constraint,
            level,
            shift,
            source_indices: Vec::new(),
            kernel_mean: Vec::new(),
            gram: Gram::default(),
            basis: PrototypeBasis::default(),
            coordinates: Vec::new(),
            solver: ActiveSet::new(constraint),
            spare: ActiveSet::new(constraint),
            optimum: Optimum { weights: Vec::new(), objective: 0.0, multiplier: 0.0 },
            n_solved: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.source_indices.len()
    }

    pub(crate) fn source_indices(&self) -> &[usize] {
        &self.source_indices
    }

    pub(crate) fn weights(&self) -> &[f64] {
        &self.optimum.weights
    }

    /// λ of Σw = 1; 0 without that constraint.
    pub(super) fn multiplier(&self) -> f64 {
        self.optimum.multiplier
    }

    /// f(L) with the shifted kernel.
    pub(super) fn shifted_objective(&self) -> f64 {
        self.optimum.objective
    }

    /// f(L).
    pub(super) fn objective(&self) -> f64 {
        self.unshifted(self.optimum.objective)
    }

    /// The solver's objective without the half of the shift that Σw = 1 adds, plus the level. In this order: added to each
    /// other first, the larger could absorb the smaller.
    fn unshifted(&self, objective: f64) -> f64 {
        (objective - 0.5 * self.shift) + self.level
    }

    pub(super) fn basis(&self) -> &PrototypeBasis {
        &self.basis
    }

    /// k(z, z) of a prototype.
    pub(super) fn diagonal(&self, position: usize) -> f64 {
        self.gram.get(position, position)
    }

    /// Number of quadratic programmes solved so far.
    #[cfg(test)]
    pub(crate) fn n_solved(&self) -> usize {
        self.n_solved
    }

    /// Whether this is the first step under Σw = 1, where even a set that lowers the objective is better than none.
    pub(super) fn must_grow(&self) -> bool {
        self.len() == 0 && self.constraint == Constraint::Convex
    }

    /// What the first step ranks by.
    ///
    /// The first step of the authors' code takes the largest gain g²/(2K), which is not the largest gradient if the
    /// diagonal of the kernel is not constant. Under Σw = 1 the weight of a single row is 1.
    pub(super) fn first_rank(&self) -> Rank {
        if self.constraint == Constraint::Convex { Rank::Alone } else { Rank::GainBound }
    }

    /// The optimal weights with one more row; `None` if the row does not raise the objective.
    pub(super) fn solve_with<T>(&mut self, candidate: DescribedRow<T>) -> Option<Trial<T>> {
        let trial = self.solve_with_any(candidate);
        if trial.optimum.objective <= self.optimum.objective && !self.must_grow() {
            self.discard(trial);
            return None;
        }
        Some(trial)
    }

    /// The optimal weights with one more row, whatever it gains.
    pub(super) fn solve_with_any<T>(&mut self, candidate: DescribedRow<T>) -> Trial<T> {
        let mut solver = std::mem::replace(&mut self.spare, ActiveSet::new(self.constraint));
        solver.copy_from(&self.solver);
        self.gram.push(&candidate.similarities, candidate.diagonal);
        self.kernel_mean.push(candidate.kernel_mean);
        let optimum = solver.maximise(&self.gram, &self.kernel_mean);
        self.gram.pop();
        self.kernel_mean.pop();
        self.n_solved += 1;
        let gain = match self.len() {
            0 => self.unshifted(optimum.objective),
            _ => optimum.objective - self.optimum.objective,
        };
        Trial { candidate, gain, optimum, solver }
    }

    /// Reuses the memory of a trial that was not accepted.
    pub(super) fn discard<T>(&mut self, trial: Trial<T>) {
        self.spare = trial.solver;
    }

    /// An upper bound on the gain of a row, tighter than g²/(2s); `None` if only solving for the weights can tell.
    pub(super) fn gain_bound<T>(&self, candidate: &DescribedRow<T>) -> Option<f64> {
        self.solver.gain_bound(&self.gram, &self.kernel_mean, new_member(candidate, &candidate.similarities))
    }

    /// Makes the trial's row a prototype; returns its values.
    pub(super) fn accept<T>(&mut self, trial: Trial<T>) -> Vec<T> {
        let Trial { candidate, optimum, solver, .. } = trial;
        self.basis.push(&candidate.similarities, candidate.diagonal);
        self.gram.push(&candidate.similarities, candidate.diagonal);
        self.kernel_mean.push(candidate.kernel_mean);
        self.source_indices.push(candidate.source_index);
        self.optimum = optimum;
        self.spare = std::mem::replace(&mut self.solver, solver);
        self.coordinates = self.basis.coordinates(&self.optimum.weights);
        candidate.row
    }

    /// The newest prototype's row of F.
    pub(super) fn newest_factor_row(&self) -> FactorRow {
        let (entries, is_pivot) = self.basis.row(self.len() - 1);
        FactorRow { entries: entries.to_vec(), is_pivot }
    }
}

/// A described row as input of the weight solver.
pub(super) fn new_member<'a, T>(candidate: &DescribedRow<T>, similarities: &'a [f64]) -> NewMember<'a> {
    NewMember { kernel_mean: candidate.kernel_mean, diagonal: candidate.diagonal, similarities }
}
