//! The leader: the prototypes, their weights, and the greedy loop.

use rayon::prelude::*;

use super::basis::Basis;
use super::distinct::first_of_equal_rows;
use super::shard::{Proposal, Rank, Ranked, Shard, View};
use crate::diagonal::check_own_similarity;
use crate::error::{Error, Result};
use crate::gram::Gram;
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, go_on};
use crate::problem::Stop;
use crate::rows::{Rows, Scalar};
use crate::selection::{Path, Stopped, newest};
use crate::weights::{ActiveSet, Constraint, Optimum};

/// Gradients that differ by less than this part of the largest kernel mean are taken for equal.
const TIE: f64 = 1e-12;

/// What a search chooses from.
///
/// Under Σw = 1 a constant may be added to the kernel: it adds as much to every kernel mean and half of it to the
/// objective, and changes neither gradients nor weights. It makes rows independent that lie in one linear but not in
/// one affine subspace, such as four points in space under the linear kernel, all of which may be of use.
pub(crate) struct Candidates<'a, T, K: ?Sized> {
    pub(crate) kernel: &'a K,
    pub(crate) rows: Rows<'a, T>,
    /// The kernel means, with the shift.
    pub(crate) kernel_mean: &'a [f64],
    /// The constant added to the kernel; 0 unless the constraint is Σw = 1.
    pub(crate) shift: f64,
    pub(crate) constraint: Constraint,
    pub(crate) rows_per_shard: usize,
    /// Bytes that all columns of all shards may take together.
    pub(crate) column_memory: u64,
}

impl<T, K: ?Sized> Clone for Candidates<'_, T, K> {
    fn clone(&self) -> Self {
        *self
    }
}

// Derived, these would ask the same of T and K, which are only borrowed.
impl<T, K: ?Sized> Copy for Candidates<'_, T, K> {}

/// A set with one more prototype, weighted but not yet decided on.
pub(crate) struct Trial<T> {
    pub(crate) proposal: Proposal<T>,
    pub(crate) optimum: Optimum,
    solver: ActiveSet,
}

/// The state of a search.
pub(crate) struct Leader<'a, T, K: ?Sized> {
    pub(super) shards: Vec<Shard<'a, T, K>>,
    pub(super) source_indices: Vec<usize>,
    pub(super) kernel_mean: Vec<f64>,
    pub(super) gram: Gram,
    pub(super) basis: Basis,
    pub(super) solver: ActiveSet,
    pub(super) optimum: Optimum,
    pub(super) constraint: Constraint,
    pub(super) n_source: usize,
    pub(super) column_memory: u64,
    pub(super) columns_kept: bool,
    shift: f64,
    /// Rows that raised nothing when they were tried with the present set.
    pub(super) refused: Vec<usize>,
    largest_mean: f64,
    /// How many quadratic programmes were solved to choose.
    pub(crate) n_trials: usize,
}

impl<'a, T: Scalar, K: Kernel<T> + ?Sized> Leader<'a, T, K> {
    /// A search that has chosen nothing yet.
    pub(crate) fn new(candidates: Candidates<'a, T, K>) -> Result<Self> {
        let Candidates { kernel, rows, kernel_mean, shift, constraint, rows_per_shard, column_memory } = candidates;
        let first_of_its_kind = first_of_equal_rows(rows);
        let n_source = rows.n_rows();
        let mut shards: Vec<Shard<'a, T, K>> = (0..n_source.div_ceil(rows_per_shard))
            .into_par_iter()
            .map(|shard| {
                let range = shard * rows_per_shard..n_source.min((shard + 1) * rows_per_shard);
                let candidate = first_of_its_kind[range.clone()].to_vec();
                Shard::new((kernel, shift), rows.slice(range.clone()), range.start, &kernel_mean[range], candidate)
            })
            .collect();
        check_diagonal(&shards)?;
        let scale = shards.iter().map(Shard::own_scale).fold(0.0, f64::max);
        shards.iter_mut().for_each(|shard| shard.set_scale(scale));
        Ok(Leader {
            shards,
            source_indices: Vec::new(),
            kernel_mean: Vec::new(),
            gram: Gram::default(),
            basis: Basis::default(),
            solver: ActiveSet::new(constraint),
            optimum: Optimum { weights: Vec::new(), objective: 0.0, multiplier: 0.0 },
            constraint,
            n_source,
            column_memory,
            columns_kept: true,
            shift,
            refused: Vec::new(),
            largest_mean: kernel_mean.iter().fold(0.0, |largest: f64, mean| largest.max(mean.abs())),
            n_trials: 0,
        })
    }

    /// Adds prototypes as `choose` says until there are enough, until one gains too little, or until none gains.
    pub(crate) fn run(
        &mut self,
        Stop { n_prototypes, min_gain }: Stop,
        mut choose: impl FnMut(&mut Self) -> Result<Option<Trial<T>>>,
        observer: &mut dyn Observer,
    ) -> Result<Path> {
        let mut path = Path::default();
        let goal = n_prototypes.unwrap_or(self.n_source);
        while self.len() < goal {
            go_on(observer.on_progress(Stage::Search, self.len() as u64, goal as u64))?;
            let Some(trial) = choose(self)? else {
                path.stopped = Stopped::Optimal;
                break;
            };
            let shift_of_first = if self.len() == 0 { 0.5 * self.shift } else { 0.0 };
            let gain = trial.optimum.objective - shift_of_first - self.optimum.objective;
            if min_gain.is_some_and(|min_gain| gain < min_gain) && !self.starts_convex() {
                path.stopped = Stopped::MinGain;
                break;
            }
            self.admit(trial, observer)?;
            path.source_indices.push(self.source_indices[self.len() - 1]);
            path.weights.push(self.optimum.weights.clone());
            let objective = self.optimum.objective - 0.5 * self.shift;
            path.objective.push(objective);
            let newest = newest(self.source_indices[self.len() - 1], &self.optimum.weights, gain);
            go_on(observer.on_prototype(self.len(), &newest, objective))?;
        }
        if path.stopped == Stopped::NPrototypes && n_prototypes.is_none() {
            path.stopped = Stopped::Optimal; // every row is a prototype
        }
        Ok(path)
    }

    pub(crate) fn len(&self) -> usize {
        self.source_indices.len()
    }

    pub(crate) fn source_indices(&self) -> &[usize] {
        &self.source_indices
    }

    /// The objective of the present set, with half the shift.
    pub(crate) fn objective(&self) -> f64 {
        self.optimum.objective
    }

    /// The best candidates by `rank`, best first.
    pub(crate) fn propose(&self, rank: Rank, limit: usize) -> Vec<Ranked> {
        self.viewed(rank, |view| self.propose_in(view, limit))
    }

    /// All candidates with at least this score, in the order of the source.
    pub(crate) fn at_least(&self, rank: Rank, score: f64) -> Vec<usize> {
        self.viewed(rank, |view| self.at_least_in(view, score))
    }

    fn viewed<R>(&self, rank: Rank, answer: impl FnOnce(&View<'_>) -> R) -> R {
        let coordinates = self.basis.coordinates(&self.optimum.weights);
        let (multiplier, rounding) = (self.optimum.multiplier, self.basis.rounding());
        answer(&View { coordinates: &coordinates, lost: None, multiplier, rank, rounding })
    }

    pub(super) fn propose_in(&self, view: &View<'_>, limit: usize) -> Vec<Ranked> {
        let mut all: Vec<Ranked> = self.shards.par_iter().flat_map_iter(|shard| shard.propose(view, limit)).collect();
        all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.source_index.cmp(&b.source_index)));
        all.truncate(limit);
        all
    }

    pub(super) fn at_least_in(&self, view: &View<'_>, score: f64) -> Vec<usize> {
        self.shards.par_iter().flat_map_iter(|shard| shard.at_least(view, score)).collect()
    }

    /// What rounding can make of two equal gradients.
    pub(crate) fn gradient_rounding(&self) -> f64 {
        TIE * self.largest_mean
    }

    /// What the first step ranks by: nothing is there yet that a gradient could be compared with.
    pub(crate) fn first_rank(&self) -> Rank {
        if self.constraint == Constraint::Convex { Rank::Alone } else { Rank::Bound }
    }

    /// The set with this row added, weighted; `None`, and the row refused until the set changes, if it raises nothing.
    pub(crate) fn try_row(&mut self, source_index: usize) -> Option<Trial<T>> {
        let proposal = self.describe(source_index)?;
        let mut solver = self.solver.clone();
        self.gram.push(&proposal.similarities, proposal.diagonal);
        self.kernel_mean.push(proposal.kernel_mean);
        let optimum = solver.maximise(&self.gram, &self.kernel_mean);
        self.gram.pop();
        self.kernel_mean.pop();
        self.n_trials += 1;
        if optimum.objective <= self.optimum.objective && !self.starts_convex() {
            self.shards.iter_mut().for_each(|shard| shard.refuse(source_index));
            self.refused.push(source_index);
            return None;
        }
        Some(Trial { proposal, optimum, solver })
    }

    /// Whether this is the first step under Σw = 1, where any row is better than the none that is not allowed.
    fn starts_convex(&self) -> bool {
        self.len() == 0 && self.constraint == Constraint::Convex
    }

    pub(super) fn describe(&self, source_index: usize) -> Option<Proposal<T>> {
        self.shards.iter().find_map(|shard| shard.describe(source_index))
    }

    pub(super) fn admit(&mut self, trial: Trial<T>, observer: &mut dyn Observer) -> Result<()> {
        let Trial { proposal, optimum, solver } = trial;
        self.make_room(observer)?;
        self.basis.push(&proposal.similarities, proposal.diagonal);
        self.gram.push(&proposal.similarities, proposal.diagonal);
        self.kernel_mean.push(proposal.kernel_mean);
        self.source_indices.push(proposal.source_index);
        (self.optimum, self.solver) = (optimum, solver);
        let coordinates = self.basis.coordinates(&self.optimum.weights);
        let basis_row = self.basis.row(self.len() - 1);
        let refused = std::mem::take(&mut self.refused);
        self.shards.par_iter_mut().for_each(|shard| {
            refused.iter().for_each(|row| shard.readmit(*row));
            shard.refuse(proposal.source_index);
            shard.admit(&proposal.row, basis_row);
            shard.reweigh(&coordinates);
        });
        match self.shards.iter().find_map(Shard::indefinite) {
            Some((row, value)) => Err(Error::NegativeSchurComplement { row, value }),
            None => Ok(()),
        }
    }

    /// Gives up the columns when one more would not fit.
    fn make_room(&mut self, observer: &mut dyn Observer) -> Result<()> {
        let needed = (self.len() as u64 + 1) * self.n_source as u64 * size_of::<f64>() as u64;
        if self.columns_kept && needed > self.column_memory {
            self.columns_kept = false;
            self.shards.iter_mut().for_each(Shard::drop_columns);
            go_on(observer.on_columns_dropped(self.len(), self.column_memory))?;
        }
        Ok(())
    }
}

fn check_diagonal<T: Scalar, K: Kernel<T> + ?Sized>(shards: &[Shard<'_, T, K>]) -> Result<()> {
    let diagonal = shards.iter().flat_map(Shard::diagonal);
    diagonal.enumerate().try_for_each(|(row, value)| check_own_similarity(row, *value))
}
