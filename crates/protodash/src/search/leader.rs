//! The leader: the verbs that the methods are written in.

use super::candidates::Candidates;
use super::layout::{SearchSettings, SearchSpace};
use super::precision::ColumnMemory;
use super::protocol::{ColumnStorage, DescribedRow};
use super::prototypes::{PrototypeSet, Trial};
use super::rank::{Rank, RankedRow, ScoreTerms};
use super::remote::Connections;
use super::shards::Shards;
use crate::constraints::OpenPlaces;
use crate::error::Result;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::problem::StoppingRule;
use crate::rows::Scalar;
use crate::selection::{Path, Stopped, newest};

/// A search for prototypes, step by step.
pub(crate) struct GreedySearch<'a, T> {
    pub(super) prototypes: PrototypeSet,
    pub(super) candidates: Candidates<'a, T>,
    /// What quotas and a budget leave, if there are any.
    pub(super) places: Option<OpenPlaces>,
    pub(super) record: RunRecord<'a>,
}

/// The stopping rule, the path so far, and the observer.
pub(super) struct RunRecord<'a> {
    stop: StoppingRule,
    goal: usize,
    path: Path,
    pub(super) observer: &'a mut dyn Observer,
}

impl<'a, T: Scalar> GreedySearch<'a, T> {
    /// A search in this process with no prototypes yet.
    pub(crate) fn new(space: SearchSpace<'a, T>, stop: StoppingRule, observer: &'a mut dyn Observer) -> Result<Self> {
        Self::with_shards(space.shards(), space.settings, stop, observer)
    }

    /// A search over the shards of workers.
    pub(crate) fn led(
        workers: Connections<'a, T>,
        settings: SearchSettings,
        stop: StoppingRule,
        observer: &'a mut dyn Observer,
    ) -> Result<Self> {
        Self::with_shards(workers.into_shards(), settings, stop, observer)
    }

    /// A search over any shards.
    pub(super) fn with_shards(
        shards: Shards<'a, T>,
        settings: SearchSettings,
        stop: StoppingRule,
        observer: &'a mut dyn Observer,
    ) -> Result<Self> {
        let SearchSettings {
            constraint,
            shift,
            level,
            column_memory,
            column_precision,
            checks_definiteness,
            keeps_schur,
            tolerance,
        } = settings;
        let n_source = shards.n_source();
        let goal = stop.n_prototypes.unwrap_or(n_source);
        let memory = ColumnMemory { bytes: column_memory, n_source, n_prototypes: goal };
        let columns = (ColumnStorage::In(column_precision), keeps_schur);
        let mut candidates = Candidates::open(shards, shift, columns, memory, tolerance)?;
        candidates.certainty.checks_definiteness = checks_definiteness;
        Ok(GreedySearch {
            prototypes: PrototypeSet::new(constraint, (level, shift)),
            candidates,
            places: None,
            record: RunRecord { stop, goal, path: Path::default(), observer },
        })
    }

    /// The prototypes chosen so far.
    pub(crate) fn prototypes(&self) -> &PrototypeSet {
        &self.prototypes
    }

    /// f(L), up to a constant that is the same for all sets.
    pub(crate) fn objective(&self) -> f64 {
        self.prototypes.shifted_objective()
    }

    /// The constant added to the kernel.
    pub(crate) fn shift(&self) -> f64 {
        self.candidates.shift
    }

    /// The requested number of prototypes, or else the number of source rows.
    pub(crate) fn goal(&self) -> usize {
        self.record.goal
    }

    /// Whether |L| is still below the goal; reports progress.
    pub(crate) fn wants_more(&mut self) -> Result<bool> {
        let (n_prototypes, goal) = (self.prototypes.len(), self.record.goal);
        if n_prototypes < goal {
            self.report(Stage::Search, n_prototypes, goal)?;
        }
        Ok(n_prototypes < goal)
    }

    /// Reports progress; an error if the observer stops the run.
    pub(crate) fn report(&mut self, stage: Stage, done: usize, total: usize) -> Result<()> {
        check_cancelled(self.record.observer.on_progress(stage, done as u64, total as u64))
    }

    /// The candidate with the largest gradient; `None` if no gradient is positive.
    ///
    /// At the first step, the candidate with the largest gain. Ties go to the first row of the source.
    pub(crate) fn largest_gradient(&mut self) -> Result<Option<usize>> {
        let rank = self.rank_or_first(Rank::Gradient);
        self.candidates.best(rank, &self.prototypes, self.record.observer)
    }

    /// The candidates with the largest bounds g²/(2s) on their gains, largest first.
    pub(crate) fn largest_gain_bounds(&mut self, limit: usize) -> Result<Vec<RankedRow>> {
        let rank = self.rank_or_first(Rank::GainBound);
        self.candidates.propose(rank, &self.prototypes, limit)
    }

    /// All candidates whose bound on the gain is at least this, in source order.
    pub(crate) fn gain_bounds_from(&mut self, bound: f64) -> Result<Vec<usize>> {
        let rank = self.rank_or_first(Rank::GainBound);
        self.candidates.at_least(rank, &self.prototypes, bound)
    }

    /// Makes the bounds on gains tight enough that few rows have to be tried.
    pub(crate) fn settle_gain_bounds(&mut self) -> Result<()> {
        let rank = self.rank_or_first(Rank::GainBound);
        self.candidates.settle(rank, &self.prototypes, self.record.observer)
    }

    /// Tightens the bounds of raced rows until only rows with an exact mean may gain as much as this.
    pub(crate) fn settle_gain_bounds_above(&mut self, gain: f64) -> Result<()> {
        let rank = self.rank_or_first(Rank::GainBound);
        self.candidates.race_above(rank, &self.prototypes, gain, self.record.observer)
    }

    /// How far the score of a chosen row may be below the best, as a fraction of the best.
    pub(crate) fn tolerance(&self) -> f64 {
        self.candidates.certainty.tolerance()
    }

    /// A tighter and more expensive bound on the gain of one row; `None` if only trying it can tell.
    pub(crate) fn tighter_gain_bound(&mut self, source_index: usize) -> Result<Option<f64>> {
        let candidate = self.candidates.describe(source_index)?;
        Ok(self.prototypes.gain_bound(&candidate).map(|bound| self.per_cost(bound, &candidate)))
    }

    /// The set with this row added, and its optimal weights.
    ///
    /// `None` if the row does not raise the objective; it is then not a candidate until the set changes.
    pub(crate) fn try_adding(&mut self, source_index: usize) -> Result<Option<Trial<T>>> {
        let candidate = self.candidates.describe(source_index)?;
        let trial = if self.is_flat(&candidate) { None } else { self.prototypes.solve_with(candidate) };
        if trial.is_none() {
            self.candidates.shards.refuse(source_index)?;
        }
        Ok(trial)
    }

    /// Whether the slope of a row is too small to count. Shards that only know an upper bound of it cannot tell, and what is
    /// chosen must not depend on how they store their columns.
    fn is_flat(&self, candidate: &DescribedRow<T>) -> bool {
        let weighted = self.prototypes.weights().iter().zip(&candidate.similarities);
        let gradient = candidate.kernel_mean - weighted.map(|(weight, similarity)| weight * similarity).sum::<f64>();
        let terms = ScoreTerms { gradient, schur: candidate.diagonal, diagonal: candidate.diagonal, cost: 1.0 };
        let ranking = self.candidates.certainty.ranking(Rank::Gradient, &self.prototypes);
        self.prototypes.len() > 0 && ranking.score(terms).is_none()
    }

    /// Adds a row to L whether or not that raises the objective; if it does not, the weight is 0.
    pub(crate) fn include(&mut self, source_index: usize) -> Result<()> {
        let candidate = self.candidates.describe(source_index)?;
        let trial = self.prototypes.solve_with_any(candidate);
        self.admit(trial, None)
    }

    /// Adds a row to L as part of the run, whether or not that raises the objective.
    pub(crate) fn start_with(&mut self, source_index: usize) -> Result<()> {
        let candidate = self.candidates.describe(source_index)?;
        self.add_any(candidate)
    }

    pub(super) fn add_any(&mut self, candidate: DescribedRow<T>) -> Result<()> {
        let trial = self.prototypes.solve_with_any(candidate);
        let gain = trial.gain;
        self.admit(trial, None)?;
        self.record.add(&self.prototypes, gain)
    }

    /// Drops a trial that is not accepted.
    pub(crate) fn discard(&mut self, trial: Trial<T>) {
        self.prototypes.discard(trial);
    }

    /// Whether the gain is below the requested minimum.
    pub(crate) fn gains_too_little(&self, trial: &Trial<T>) -> bool {
        self.record.stop.min_gain.is_some_and(|min_gain| trial.gain < min_gain) && !self.prototypes.must_grow()
    }

    /// Adds the trial's row to L with its weights, and updates the gradients.
    ///
    /// `next` is how the next step will rank candidates.
    pub(crate) fn add(&mut self, trial: Trial<T>, next: Rank) -> Result<()> {
        self.count_towards_quotas(&trial.candidate)?;
        let gain = trial.gain;
        let is_last = self.prototypes.len() + 1 >= self.record.goal;
        self.admit(trial, Some(next).filter(|_| !is_last))?;
        self.record.add(&self.prototypes, gain)
    }

    /// The finished run.
    pub(crate) fn into_path(self, stopped: Stopped) -> Path {
        // Without a requested number the goal is all rows, and with all rows the set is optimal.
        let all_rows = stopped == Stopped::NPrototypes && self.record.stop.n_prototypes.is_none();
        let race = self.candidates.certainty.race_record();
        Path { stopped: if all_rows { Stopped::Optimal } else { stopped }, race, ..self.record.path }
    }

    pub(super) fn admit(&mut self, trial: Trial<T>, next: Option<Rank>) -> Result<()> {
        self.candidates.make_room(self.prototypes.len(), self.record.observer)?;
        let row = self.prototypes.accept(trial);
        self.candidates.admit(row, &self.prototypes, next)
    }

    /// What the next step ranks by: `rank`, except at the first step.
    fn rank_or_first(&self, rank: Rank) -> Rank {
        if self.prototypes.len() > 0 { rank } else { self.prototypes.first_rank() }
    }
}

impl RunRecord<'_> {
    /// Records the newest prototype and reports it.
    fn add(&mut self, prototypes: &PrototypeSet, gain: f64) -> Result<()> {
        let (size, weights, objective) = (prototypes.len(), prototypes.weights(), prototypes.objective());
        let source_index = prototypes.source_indices()[size - 1];
        self.path.source_indices.push(source_index);
        self.path.weights.push(weights.to_vec());
        self.path.objective.push(objective);
        check_cancelled(self.observer.on_prototype(size, &newest(source_index, weights, gain), objective))
    }
}
