//! The leader: the prototypes, their weights, and the greedy loop.

use rayon::prelude::*;

use super::amplified::Amplified;
use super::basis::Basis;
use super::panels::{Term, paired, terms};
use super::rank::{Rank, Ranked, View};
use super::shard::{Before, Chosen, Newcomer, Proposal, Shard};
use crate::diagonal::check_own_similarity;
use crate::distinct::first_of_equal_rows;
use crate::error::{Error, Result};
use crate::gram::Gram;
use crate::kernel::Kernel;
use crate::kernel_mean::{ApproximateMeans, Precision};
use crate::observe::{Observer, Stage, go_on};
use crate::problem::Stop;
use crate::rows::{Rows, Scalar};
use crate::selection::{Path, Stopped, newest};
use crate::weights::{self, ActiveSet, Constraint, Optimum};

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
    /// The numbers that columns are kept in.
    pub(crate) column_precision: Precision,
    /// What is known of kernel means that may be off; `None` if none is.
    pub(crate) rough: Option<ApproximateMeans<'a, T>>,
}

impl<T: Copy, K: ?Sized> Clone for Candidates<'_, T, K> {
    fn clone(&self) -> Self {
        *self
    }
}

// Derived, these would ask the same of K, which is only borrowed.
impl<T: Copy, K: ?Sized> Copy for Candidates<'_, T, K> {}

/// A set with one more prototype, weighted but not yet decided on.
pub(crate) struct Trial<T> {
    pub(crate) proposal: Proposal<T>,
    pub(crate) optimum: Optimum,
    solver: ActiveSet,
}

/// The state of a search.
pub(crate) struct Leader<'a, T, K: ?Sized> {
    pub(super) candidates: Candidates<'a, T, K>,
    pub(super) shards: Vec<Shard<'a, T, K>>,
    pub(super) source_indices: Vec<usize>,
    pub(super) prototype_rows: Vec<Vec<T>>,
    pub(super) kernel_mean: Vec<f64>,
    pub(super) gram: Gram,
    pub(super) basis: Basis,
    /// v = Fᵀw as of the shards' gradients.
    pub(super) coordinates: Vec<f64>,
    pub(super) solver: ActiveSet,
    /// Room for a copy of the solver.
    spare: ActiveSet,
    pub(super) optimum: Optimum,
    pub(super) columns: Kept,
    /// What bounds of gains must allow for while columns are kept in f32.
    pub(super) amplified: Amplified,
    /// Rows that raised nothing when they were tried with the present set.
    pub(super) refused: Vec<usize>,
    /// The kernel column that was computed for its sum, of which row it is, and how many means were computed anew.
    pub(super) known_column: KnownColumn,
    pub(super) n_corrected: usize,
    /// The most prototypes that there can come to be.
    goal: usize,
    scale: f64,
    largest_mean: f64,
    /// How many quadratic programmes were solved to choose.
    pub(crate) n_trials: usize,
}

/// How the shards keep their columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    In(Precision),
    Nowhere,
}

/// A kernel column of the whole source, with the shift.
#[derive(Debug, Default)]
pub(super) struct KnownColumn {
    pub(super) source_index: Option<usize>,
    pub(super) values: Vec<f64>,
}

impl<'a, T: Scalar, K: Kernel<T> + ?Sized> Leader<'a, T, K> {
    /// A search that has chosen nothing yet.
    pub(crate) fn new(candidates: Candidates<'a, T, K>) -> Result<Self> {
        let Candidates { kernel, rows, kernel_mean, shift, constraint, rows_per_shard, column_precision, .. } =
            candidates;
        let first_of_its_kind = first_of_equal_rows(rows);
        let mean_error = candidates.rough.map(|rough| rough.error);
        let n_source = rows.n_rows();
        let shards: Vec<Shard<'a, T, K>> = (0..n_source.div_ceil(rows_per_shard))
            .into_par_iter()
            .map(|shard| {
                let range = shard * rows_per_shard..n_source.min((shard + 1) * rows_per_shard);
                let candidate = first_of_its_kind[range.clone()].to_vec();
                let means = (&kernel_mean[range.clone()], mean_error);
                let mut shard = Shard::new((kernel, shift), rows.slice(range.clone()), range.start, means, candidate);
                shard.keep_columns_in(column_precision);
                shard
            })
            .collect();
        check_diagonal(&shards)?;
        Ok(Leader {
            scale: shards.iter().map(Shard::own_scale).fold(0.0, f64::max),
            candidates,
            shards,
            source_indices: Vec::new(),
            prototype_rows: Vec::new(),
            kernel_mean: Vec::new(),
            gram: Gram::default(),
            basis: Basis::default(),
            coordinates: Vec::new(),
            solver: ActiveSet::new(constraint),
            spare: ActiveSet::new(constraint),
            optimum: Optimum { weights: Vec::new(), objective: 0.0, multiplier: 0.0 },
            columns: Kept::In(column_precision),
            amplified: Amplified::default(),
            refused: Vec::new(),
            known_column: KnownColumn::default(),
            n_corrected: 0,
            goal: n_source,
            largest_mean: kernel_mean.iter().fold(0.0, |largest: f64, mean| largest.max(mean.abs())),
            n_trials: 0,
        })
    }

    /// Adds prototypes as `choose` says until there are enough, until one gains too little, or until none gains.
    pub(crate) fn run(
        &mut self,
        Stop { n_prototypes, min_gain }: Stop,
        mut choose: impl FnMut(&mut Self, &mut dyn Observer) -> Result<Option<Trial<T>>>,
        observer: &mut dyn Observer,
    ) -> Result<Path> {
        let mut path = Path::default();
        let goal = n_prototypes.unwrap_or(self.candidates.rows.n_rows());
        self.goal = goal;
        while self.len() < goal {
            go_on(observer.on_progress(Stage::Search, self.len() as u64, goal as u64))?;
            let Some(trial) = choose(self, observer)? else {
                path.stopped = Stopped::Optimal;
                break;
            };
            let shift_of_first = if self.len() == 0 { 0.5 * self.candidates.shift } else { 0.0 };
            let gain = trial.optimum.objective - shift_of_first - self.optimum.objective;
            if min_gain.is_some_and(|min_gain| gain < min_gain) && !self.starts_convex() {
                path.stopped = Stopped::MinGain;
                break;
            }
            self.admit(trial, observer)?;
            path.source_indices.push(self.source_indices[self.len() - 1]);
            path.weights.push(self.optimum.weights.clone());
            let objective = self.optimum.objective - 0.5 * self.candidates.shift;
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

    /// The best candidates by `rank`, best first, by the largest score that each may have.
    pub(crate) fn propose(&self, rank: Rank, limit: usize) -> Vec<Ranked> {
        self.propose_in(&self.view(rank), limit)
    }

    /// All candidates whose score may be at least this, in the order of the source.
    pub(crate) fn at_least(&self, rank: Rank, score: f64) -> Vec<usize> {
        self.at_least_in(&self.view(rank), score)
    }

    /// How candidates stand at the present weights.
    pub(super) fn view(&self, rank: Rank) -> View<'_> {
        View {
            coordinates: &self.coordinates,
            changes: &[],
            lost: None,
            multiplier: self.optimum.multiplier,
            rank,
            rounding: self.schur_rounding(),
            column_error: self.column_error(),
            scale: self.scale,
        }
    }

    /// How far off Schur complements may be, as a part of the diagonal.
    fn schur_rounding(&self) -> f64 {
        let of_columns = if self.columns == Kept::In(Precision::Single) { self.amplified.schur_error() } else { 0.0 };
        self.basis.rounding() + of_columns
    }

    /// How far off gradients may be for the rounding of the columns to f32, as a part of the diagonal's root.
    ///
    /// # Formula
    ///
    /// ```text
    /// |Σₚ wₚ (Fₚₚ cⱼₚ εₚ)| ≤ 2⁻²⁴ √Kⱼⱼ Σₚ wₚ Fₚₚ
    /// ```
    ///
    /// A column is computed in f64 from those before it as they are kept, so that K[:, p] = Σ_{q ≤ p} F_pq C[:, q] holds
    /// but for the rounding of the column itself: errors do not pile up.
    fn column_error(&self) -> f64 {
        if self.columns != Kept::In(Precision::Single) {
            return 0.0;
        }
        let parts = self.optimum.weights.iter().enumerate().map(|(place, weight)| {
            let (entries, is_pivot) = self.basis.row(place);
            // What a dependent prototype's column is measured by is the prototype itself.
            weight * if is_pivot { entries[place] } else { self.gram.get(place, place).sqrt() }
        });
        // Twice 2⁻²⁴, to be on the safe side of what f64 rounds.
        f64::from(f32::EPSILON) * parts.sum::<f64>()
    }

    /// The prototypes as shards are told of them.
    pub(super) fn chosen(&self) -> Chosen<'_, T> {
        Chosen { rows: &self.prototype_rows, basis: &self.basis, coordinates: &self.coordinates }
    }

    pub(super) fn propose_in(&self, view: &View<'_>, limit: usize) -> Vec<Ranked> {
        let chosen = self.chosen();
        let shards = self.shards.par_iter();
        let mut all: Vec<Ranked> = shards.flat_map_iter(|shard| shard.propose(view, chosen, limit)).collect();
        all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.source_index.cmp(&b.source_index)));
        all.truncate(limit);
        all
    }

    pub(super) fn at_least_in(&self, view: &View<'_>, score: f64) -> Vec<usize> {
        let chosen = self.chosen();
        self.shards.par_iter().flat_map_iter(|shard| shard.at_least(view, chosen, score)).collect()
    }

    /// What rounding can make of two equal gradients.
    pub(crate) fn gradient_rounding(&self) -> f64 {
        TIE * self.largest_mean
    }

    /// What the first step ranks by: nothing is there yet that a gradient could be compared with.
    pub(crate) fn first_rank(&self) -> Rank {
        if self.candidates.constraint == Constraint::Convex { Rank::Alone } else { Rank::Bound }
    }

    /// The set with this row added, weighted; `None`, and the row refused until the set changes, if it raises nothing.
    pub(crate) fn try_row(&mut self, source_index: usize) -> Option<Trial<T>> {
        self.make_exact(source_index);
        let proposal = self.describe(source_index)?;
        let mut solver = std::mem::replace(&mut self.spare, ActiveSet::new(self.candidates.constraint));
        solver.copy_from(&self.solver);
        self.gram.push(&proposal.similarities, proposal.diagonal);
        self.kernel_mean.push(proposal.kernel_mean);
        let optimum = solver.maximise(&self.gram, &self.kernel_mean);
        self.gram.pop();
        self.kernel_mean.pop();
        self.n_trials += 1;
        if optimum.objective <= self.optimum.objective && !self.starts_convex() {
            self.shards.iter_mut().for_each(|shard| shard.refuse(source_index));
            self.refused.push(source_index);
            self.spare = solver;
            return None;
        }
        Some(Trial { proposal, optimum, solver })
    }

    /// Takes back the room of a trial that is not wanted.
    pub(crate) fn forgo(&mut self, trial: Trial<T>) {
        self.spare = trial.solver;
    }

    /// No more than this is gained by adding the row; `None` where only trying it tells.
    pub(crate) fn most_gain(&mut self, source_index: usize) -> Option<f64> {
        self.make_exact(source_index);
        let Proposal { kernel_mean, diagonal, similarities, .. } = self.describe(source_index)?;
        let newcomer = weights::Newcomer { kernel_mean, diagonal, similarities: &similarities };
        self.solver.most_gain(&self.gram, &self.kernel_mean, newcomer)
    }

    /// Whether this is the first step under Σw = 1, where any row is better than the none that is not allowed.
    fn starts_convex(&self) -> bool {
        self.len() == 0 && self.candidates.constraint == Constraint::Convex
    }

    pub(super) fn describe(&self, source_index: usize) -> Option<Proposal<T>> {
        let chosen = self.chosen();
        self.shards.get(source_index / self.candidates.rows_per_shard)?.describe(chosen, source_index)
    }

    pub(super) fn admit(&mut self, trial: Trial<T>, observer: &mut dyn Observer) -> Result<()> {
        let Trial { proposal, optimum, solver } = trial;
        self.make_room(observer)?;
        self.basis.push(&proposal.similarities, proposal.diagonal);
        self.gram.push(&proposal.similarities, proposal.diagonal);
        self.kernel_mean.push(proposal.kernel_mean);
        self.source_indices.push(proposal.source_index);
        self.prototype_rows.push(proposal.row);
        self.optimum = optimum;
        self.spare = std::mem::replace(&mut self.solver, solver);
        let changes = self.reweigh();
        let place = self.len() - 1;
        let (entries, is_pivot) = self.basis.row(place);
        let reduced = terms(entries[..place].iter().copied());
        let before: Vec<Term> = changes.into_iter().filter(|change| change.0 < place).collect();
        let both = if before.is_empty() { Vec::new() } else { paired(&reduced, &before) };
        let newcomer = Newcomer {
            source_index: proposal.source_index,
            row: &self.prototype_rows[place],
            before: if before.is_empty() { Before::Column(&reduced) } else { Before::ColumnAndGradient(&both) },
            last: entries[place],
            is_pivot,
            coordinate: self.coordinates[place],
            room: self.room(place),
            similarities: self.known_column.of(proposal.source_index),
        };
        let refused = std::mem::take(&mut self.refused);
        let chosen = Chosen { rows: &self.prototype_rows, basis: &self.basis, coordinates: &self.coordinates };
        // Columns in f32 round Schur complements that much more coarsely.
        let rounding = if self.columns == Kept::In(Precision::Single) { 1e9 * self.basis.rounding() } else { 0.0 };
        let admitted = self.shards.par_iter_mut().map(|shard| {
            refused.iter().for_each(|row| shard.readmit(*row));
            shard.admit(&newcomer, chosen);
            shard.indefinite(rounding)
        });
        match admitted.reduce(|| None, Option::or) {
            Some((row, value)) => Err(Error::NegativeSchurComplement { row, value }),
            None => Ok(()),
        }
    }

    /// Takes v to the present weights; returns what that changes in it.
    pub(super) fn reweigh(&mut self) -> Vec<Term> {
        let coordinates = self.basis.coordinates(&self.optimum.weights);
        let before = self.coordinates.iter().copied().chain(std::iter::repeat(0.0));
        let changes = terms(coordinates.iter().zip(before).map(|(after, before)| after - before));
        self.coordinates = coordinates;
        changes
    }

    /// Gives up the columns when one more would not fit.
    fn make_room(&mut self, observer: &mut dyn Observer) -> Result<()> {
        match self.columns {
            Kept::In(precision) if !self.fits(self.len() + 1, precision) => self.drop_columns(observer),
            _ => Ok(()),
        }
    }

    /// Whether the memory holds so many columns.
    pub(super) fn fits(&self, n_columns: usize, precision: Precision) -> bool {
        n_columns as u64 <= self.most_columns(precision)
    }

    /// How many columns the memory holds.
    fn most_columns(&self, precision: Precision) -> u64 {
        let bytes = match precision {
            Precision::Single => size_of::<f32>(),
            Precision::Double => size_of::<f64>(),
        };
        self.candidates.column_memory / (self.candidates.rows.n_rows() as u64 * bytes as u64)
    }

    /// How many columns may come, beside so many, before the search or the memory ends.
    fn room(&self, n_columns: usize) -> usize {
        let most = match self.columns {
            Kept::In(precision) => usize::try_from(self.most_columns(precision)).unwrap_or(usize::MAX),
            Kept::Nowhere => 0,
        };
        self.goal.min(most).saturating_sub(n_columns)
    }

    pub(super) fn drop_columns(&mut self, observer: &mut dyn Observer) -> Result<()> {
        self.columns = Kept::Nowhere;
        self.shards.iter_mut().for_each(Shard::drop_columns);
        go_on(observer.on_columns_dropped(self.len(), self.candidates.column_memory))
    }
}

impl KnownColumn {
    /// The column, if it is this row's.
    fn of(&self, source_index: usize) -> Option<&[f64]> {
        (self.source_index == Some(source_index)).then_some(&self.values[..])
    }
}

fn check_diagonal<T: Scalar, K: Kernel<T> + ?Sized>(shards: &[Shard<'_, T, K>]) -> Result<()> {
    match shards.par_iter().find_map_first(Shard::bad_diagonal) {
        Some((row, value)) => check_own_similarity(row, value),
        None => Ok(()),
    }
}
