//! The leader: the prototypes, their weights, and the greedy loop.

use rayon::prelude::*;

use super::distinct::first_of_equal_rows;
use super::shard::{Proposal, Rank, Ranked, Shard, View};
use crate::error::{Error, Result, Role};
use crate::factor::Factor;
use crate::gram::Gram;
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, go_on};
use crate::rows::{Rows, Scalar};
use crate::selection::{Path, Prototype, Stopped};
use crate::weights::{ActiveSet, Constraint, DEPENDENT, Optimum};

/// What a search chooses from.
pub(crate) struct Candidates<'a, T, K: ?Sized> {
    pub(crate) kernel: &'a K,
    pub(crate) rows: Rows<'a, T>,
    pub(crate) kernel_mean: &'a [f64],
    pub(crate) constraint: Constraint,
    pub(crate) rows_per_shard: usize,
    /// Bytes that all columns of all shards may take together.
    pub(crate) column_memory: u64,
}

/// A set with one more prototype, weighted but not yet decided on.
pub(crate) struct Trial<T> {
    pub(crate) proposal: Proposal<T>,
    pub(crate) optimum: Optimum,
    solver: ActiveSet,
    reduced: Vec<f64>,
    schur: f64,
}

/// The state of a search.
pub(crate) struct Leader<'a, T, K: ?Sized> {
    pub(super) shards: Vec<Shard<'a, T, K>>,
    pub(super) source_indices: Vec<usize>,
    pub(super) kernel_mean: Vec<f64>,
    pub(super) gram: Gram,
    pub(super) factor: Factor,
    pub(super) solver: ActiveSet,
    pub(super) optimum: Optimum,
    pub(super) constraint: Constraint,
    pub(super) n_source: usize,
    pub(super) column_memory: u64,
    pub(super) columns_kept: bool,
}

impl<'a, T: Scalar, K: Kernel<T> + ?Sized> Leader<'a, T, K> {
    /// A search that has chosen nothing yet.
    pub(crate) fn new(candidates: Candidates<'a, T, K>) -> Result<Self> {
        let Candidates { kernel, rows, kernel_mean, constraint, rows_per_shard, column_memory } = candidates;
        let first_of_its_kind = first_of_equal_rows(rows);
        let n_source = rows.n_rows();
        let mut shards: Vec<Shard<'a, T, K>> = (0..n_source.div_ceil(rows_per_shard))
            .into_par_iter()
            .map(|shard| {
                let range = shard * rows_per_shard..n_source.min((shard + 1) * rows_per_shard);
                let candidate = first_of_its_kind[range.clone()].to_vec();
                Shard::new(kernel, rows.slice(range.clone()), range.start, &kernel_mean[range], candidate)
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
            factor: Factor::default(),
            solver: ActiveSet::new(constraint),
            optimum: Optimum { weights: Vec::new(), objective: 0.0, multiplier: 0.0 },
            constraint,
            n_source,
            column_memory,
            columns_kept: true,
        })
    }

    /// Adds prototypes as `choose` says until there are enough, until one gains too little, or until none gains.
    pub(crate) fn run(
        &mut self,
        (n_prototypes, min_gain): (Option<usize>, Option<f64>),
        mut choose: impl FnMut(&mut Self) -> Result<Option<Trial<T>>>,
        observer: &mut dyn Observer,
    ) -> Result<Path> {
        let stopped = Stopped::NPrototypes;
        let mut path = Path { source_indices: Vec::new(), weights: Vec::new(), objective: Vec::new(), stopped };
        let goal = n_prototypes.unwrap_or(self.n_source);
        while self.len() < goal {
            go_on(observer.on_progress(Stage::Search, self.len() as u64, goal as u64))?;
            let Some(trial) = choose(self)? else {
                path.stopped = Stopped::Optimal;
                break;
            };
            let gain = trial.optimum.objective - self.optimum.objective;
            // Under Σw = 1 the first prototype is not a gain over anything.
            let first = self.len() == 0 && self.constraint == Constraint::Convex;
            if min_gain.is_some_and(|min_gain| gain < min_gain) && !first {
                path.stopped = Stopped::MinGain;
                break;
            }
            self.admit(trial, observer)?;
            path.source_indices.push(self.source_indices[self.len() - 1]);
            path.weights.push(self.optimum.weights.clone());
            path.objective.push(self.optimum.objective);
            go_on(observer.on_prototype(self.len(), &self.newest(gain), self.optimum.objective))?;
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

    pub(crate) fn objective(&self) -> f64 {
        self.optimum.objective
    }

    /// l of these weights on the first prototypes.
    pub(crate) fn objective_of(&self, weights: &[f64]) -> f64 {
        let mut padded = weights.to_vec();
        padded.resize(self.len(), 0.0);
        self.gram.objective(&self.kernel_mean, &padded)
    }

    /// The best candidates by `rank`, best first.
    pub(crate) fn propose(&self, rank: Rank, limit: usize) -> Vec<Ranked> {
        let coordinates = self.factor.transposed_times(&self.optimum.weights);
        let multiplier = self.optimum.multiplier;
        self.propose_in(&View { coordinates: &coordinates, lost: None, multiplier, rank, limit })
    }

    pub(super) fn propose_in(&self, view: &View<'_>) -> Vec<Ranked> {
        let mut all: Vec<Ranked> = self.shards.par_iter().flat_map_iter(|shard| shard.propose(view)).collect();
        all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.source_index.cmp(&b.source_index)));
        all.truncate(view.limit);
        all
    }

    /// What the first step ranks by: nothing is there yet that a gradient could be compared with.
    pub(crate) fn first_rank(&self) -> Rank {
        if self.constraint == Constraint::Convex { Rank::Alone } else { Rank::Bound }
    }

    /// The set with this row added, weighted; `None`, and the row refused, if it is nearly in the set's span already.
    pub(crate) fn try_row(&mut self, source_index: usize) -> Option<Trial<T>> {
        let proposal = self.describe(source_index)?;
        let reduced = self.factor.reduce(&proposal.similarities);
        let schur = proposal.diagonal - reduced.iter().map(|value| value * value).sum::<f64>();
        if schur <= DEPENDENT * proposal.diagonal {
            self.shards.iter_mut().for_each(|shard| shard.refuse(source_index));
            return None;
        }
        let mut solver = self.solver.clone();
        self.gram.push(&proposal.similarities, proposal.diagonal);
        self.kernel_mean.push(proposal.kernel_mean);
        let optimum = solver.maximise(&self.gram, &self.kernel_mean);
        self.gram.pop();
        self.kernel_mean.pop();
        Some(Trial { proposal, optimum, solver, reduced, schur })
    }

    pub(super) fn describe(&self, source_index: usize) -> Option<Proposal<T>> {
        self.shards.iter().find_map(|shard| shard.describe(source_index))
    }

    pub(super) fn admit(&mut self, trial: Trial<T>, observer: &mut dyn Observer) -> Result<()> {
        let Trial { proposal, optimum, solver, reduced, schur } = trial;
        self.make_room(observer)?;
        self.gram.push(&proposal.similarities, proposal.diagonal);
        self.kernel_mean.push(proposal.kernel_mean);
        self.factor.push(&reduced, schur);
        self.source_indices.push(proposal.source_index);
        (self.optimum, self.solver) = (optimum, solver);
        let coordinates = self.factor.transposed_times(&self.optimum.weights);
        let factor_row = self.factor.row(self.len() - 1);
        self.shards.par_iter_mut().for_each(|shard| {
            shard.refuse(proposal.source_index);
            shard.admit(&proposal.row, factor_row);
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

    fn newest(&self, gain: f64) -> Prototype {
        let total: f64 = self.optimum.weights.iter().sum();
        let weight = self.optimum.weights[self.len() - 1];
        let share = if total > 0.0 { weight / total } else { 0.0 };
        Prototype { source_index: self.source_indices[self.len() - 1], weight, share, gain }
    }
}

fn check_diagonal<T: Scalar, K: Kernel<T> + ?Sized>(shards: &[Shard<'_, T, K>]) -> Result<()> {
    let diagonal = shards.iter().flat_map(Shard::diagonal);
    for (row, &value) in diagonal.enumerate() {
        if !value.is_finite() {
            return Err(Error::KernelNotFinite { role: Role::Source, row, value: value.to_string() });
        }
        if value < 0.0 {
            return Err(Error::NegativeSchurComplement { row, value });
        }
    }
    Ok(())
}
