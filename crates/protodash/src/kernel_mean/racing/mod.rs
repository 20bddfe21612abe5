//! Anchored racing: kernel means only as accurate as the choice of the best row requires.
//!
//! The kernel mean of n₂ source rows takes n₁ · n₂ kernel values, but only the chosen rows need it exactly. For the others an
//! upper bound is enough if it is below the best exact score. A [`Race`] has an upper bound for every source row from some
//! draws from the target, and draws more for the rows that are still in contention:
//!
//! - [`landmarks`]: random source rows whose features explain most of the kernel; the mean of that part is exact, and sampling
//!   error remains only in the residual;
//! - [`order`]: the target in random order, rows with large residuals tending to come first, and its division into levels that
//!   grow geometrically;
//! - [`bound`]: the upper bound, with its proof;
//! - [`residual`]: the loop over pairs, for any kernel; `fused/residual.rs` is the register-tiled one.
//!
//! Landmarks and order are drawn with the caller's seed, independently of each other. [`search::precision`](crate::search)
//! decides which rows are in contention, and when they are computed exactly.

mod bound;
mod cost;
mod landmarks;
mod order;
mod residual;
mod target;

pub(in crate::kernel_mean) use bound::{PairError, SegmentSums};
pub(crate) use cost::race_pays;
pub(crate) use landmarks::LandmarkFeatures;
pub(in crate::kernel_mean) use residual::{DrawnRows, FEATURE_ERROR, RacedGroup, ResidualSums};
pub(crate) use target::RaceTarget;

use std::sync::OnceLock;

use rayon::prelude::*;

use self::bound::{BETS, DrawSums, Prefix, ResidualMean, residual_mean};
use self::order::TargetOrder;
use super::block::EvaluatedPairs;
use super::{Precision, fused};
use crate::error::Result;
use crate::kernel::{Kernel, has_unit_diagonal, loop_formula};
use crate::observe::{Observer, Stage, go_on};
use crate::rows::{Rows, Scalar, product};
use crate::simd::InstructionSet;

/// Maximum probability that the upper bound of any row is below its mean at any time.
pub(crate) const FAILURE: f64 = 1e-6;
/// Tasks between two calls of the observer, for each thread.
const TASKS_PER_ROUND: usize = 8;

/// Upper bounds on the kernel means of all source rows, which more draws from the target lower.
pub(crate) struct Race<'a, T: Scalar> {
    kernel: &'a dyn Kernel<T>,
    target: Rows<'a, T>,
    features: LandmarkFeatures<T>,
    /// Σ pᵢ ψ(xᵢ).
    mean_features: Vec<f64>,
    /// ψ of every source row.
    source_features: Vec<f32>,
    /// ψ of the draws of each level; empty if the target is the source, whose features are known.
    drawn_features: Vec<OnceLock<Vec<f32>>>,
    order: TargetOrder,
    loops: Box<dyn ResidualSums + 'a>,
    /// Relative error of the means.
    relative_error: f64,
    /// L.
    penalty: f64,
    rows: Vec<RacedRow>,
    n_pairs: u64,
}

/// What is known about the kernel mean of a source row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RacedRow {
    /// ψᵀψ̄, plus the error bounds that do not depend on the mean.
    base: f64,
    /// √s, rounded up.
    root: f32,
    /// How many levels the sums include.
    level: u8,
    sums: DrawSums,
}

impl RacedRow {
    /// 1/√s; 0 for a row whose residuals are all 0.
    fn inverse_root(&self) -> f32 {
        if self.root > f32::MIN_POSITIVE { self.root.recip() } else { 0.0 }
    }
}

/// An upper bound on a kernel mean, and its distance from the estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MeanAtMost {
    pub(crate) upper: f64,
    /// Upper bound minus estimate.
    pub(crate) slack: f64,
}

impl<'a, T: Scalar> Race<'a, T> {
    /// A race with all source rows at the first level.
    pub(crate) fn new(
        kernel: &'a dyn Kernel<T>,
        target: &'a RaceTarget<'a, T>,
        source: Rows<'a, T>,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        let (rows, weights) = (target.rows(), target.weights());
        let is_source = target.is(source);
        let features = LandmarkFeatures::new(kernel, source, seed ^ 0x6C61_6E64);
        let loops = loops(kernel, target, source);
        let error = loops.pair_error(features.n_features());
        let of_any_pair = error.of_any_pair();
        let measure = |rows: Rows<'_, T>, kept: &mut Vec<f32>| {
            features
                .map_into(kernel, rows, kept, |row, features| measured(kernel, rows.row(row), features, of_any_pair))
        };
        let mut source_features = Vec::new();
        go_on(observer.on_progress(Stage::KernelMean, 0, 1))?;
        let measured_target = measure(rows, &mut source_features);
        let mean_features = mean_features(&source_features, weights, features.n_features());
        let mean_length: f64 = measured_target.iter().zip(weights).map(|(row, weight)| weight * row.length).sum();
        let roots: Vec<f64> = measured_target.iter().map(|row| row.root).collect();
        let order = TargetOrder::new(weights, &roots, seed ^ 0x6F72_6465);
        let measured_source = if is_source { measured_target } else { measure(source, &mut source_features) };
        let of_rows = source_features.chunks_exact(features.n_features().max(1));
        let raced = |(row, features): (&MeasuredRow, &[f32])| RacedRow {
            base: product(features, &mean_features) + error.absolute + error.product * row.length * mean_length,
            root: (row.root as f32).next_up(),
            level: 0,
            sums: DrawSums::default(),
        };
        let mut raced_rows: Vec<RacedRow> = measured_source.iter().zip(of_rows).map(raced).collect();
        let n_levels = if is_source { 0 } else { order.levels.len() };
        let n_measured = rows.n_rows() + if is_source { 0 } else { source.n_rows() };
        let mut race = Race {
            n_pairs: (n_measured * features.n_landmarks()) as u64,
            penalty: (BETS.len() as f64 * source.n_rows() as f64 / FAILURE).ln(),
            relative_error: error.relative,
            drawn_features: (0..n_levels).map(|_| OnceLock::new()).collect(),
            kernel,
            target: rows,
            features,
            mean_features,
            source_features,
            order,
            loops,
            rows: Vec::new(),
        };
        let all: Vec<usize> = (0..source.n_rows()).collect();
        race.n_pairs += race.refine(&all, &mut raced_rows, observer)?;
        race.rows = raced_rows;
        Ok(race)
    }

    /// The state of all source rows after the first level.
    pub(crate) fn rows(&self) -> &[RacedRow] {
        &self.rows
    }

    /// Kernel values computed so far.
    pub(crate) fn n_pairs(&self) -> u64 {
        self.n_pairs
    }

    /// The features of the landmarks, and their mean over the target.
    pub(crate) fn features(&self) -> (&LandmarkFeatures<T>, &[f64]) {
        (&self.features, &self.mean_features)
    }

    /// Whether there are more levels for this row.
    pub(crate) fn can_refine(&self, row: &RacedRow) -> bool {
        usize::from(row.level) < self.order.levels.len()
    }

    /// Number of kernel values that the next level of a row takes.
    pub(crate) fn next_pairs(&self, row: &RacedRow) -> u64 {
        if self.can_refine(row) { self.order.segment(row.level.into()).len() as u64 } else { 0 }
    }

    /// Upper bound and estimate of the mean of a row from the draws so far. All bounds hold together, at any time, except with
    /// probability [`FAILURE`].
    pub(crate) fn mean(&self, row: &RacedRow) -> MeanAtMost {
        let root = f64::from(row.root);
        let all = ResidualMean { upper: self.order.total_rate, estimate: 0.0 };
        let residual = match usize::from(row.level).checked_sub(1) {
            Some(level) => residual_mean(&row.sums, self.prefix(level), self.penalty),
            None => all,
        };
        // No residual exceeds this bound, whatever the draws were.
        let upper = row.base + root * residual.upper.min(all.upper);
        let upper = upper + self.relative_error * upper.abs() / (1.0 - self.relative_error);
        MeanAtMost { upper, slack: (upper - row.base - root * residual.estimate).max(0.0) }
    }

    /// Advances rows to their next level, if there is one. Returns the number of kernel values computed.
    ///
    /// `rows` are source rows, `states` what is known about them.
    pub(crate) fn refine(&self, rows: &[usize], states: &mut [RacedRow], observer: &mut dyn Observer) -> Result<u64> {
        let mut places: Vec<usize> = (0..rows.len()).filter(|place| self.can_refine(&states[*place])).collect();
        places.sort_by_key(|place| states[*place].level);
        let n_pairs = places.iter().map(|place| self.next_pairs(&states[*place])).sum();
        let per_task = self.loops.rows_per_task(self.n_feature_columns());
        // Even a few rows are divided between the threads; the sums of a row do not depend on that.
        let per_task = per_task.min(places.len().div_ceil(rayon::current_num_threads()).next_multiple_of(16));
        let same_level = places.chunk_by(|a, b| states[*a].level == states[*b].level);
        let tasks: Vec<&[usize]> = same_level.flat_map(|places| places.chunks(per_task)).collect();
        let per_round = TASKS_PER_ROUND * rayon::current_num_threads();
        for (round, some) in tasks.chunks(per_round).enumerate() {
            go_on(observer.on_progress(Stage::KernelMean, (round * per_round) as u64, tasks.len() as u64))?;
            let sums: Vec<Vec<SegmentSums>> = some.par_iter().map(|task| self.task_sums(rows, states, task)).collect();
            for (task, sums) in some.iter().zip(sums) {
                for (place, sums) in task.iter().zip(sums) {
                    states[*place].sums.add(&sums);
                    states[*place].level += 1;
                }
            }
        }
        Ok(n_pairs)
    }

    /// The sums of some rows of one level over the draws of their next level.
    fn task_sums(&self, rows: &[usize], states: &[RacedRow], places: &[usize]) -> Vec<SegmentSums> {
        let level = usize::from(states[places[0]].level);
        let segment = self.order.segment(level);
        let n_columns = self.n_feature_columns();
        let source_features = Rows::new(&self.source_features, n_columns);
        let drawn = &self.order.rows[segment.clone()];
        let in_order: Vec<usize> = (0..segment.len()).collect();
        let (features, feature_rows) = match self.drawn_features.get(level) {
            Some(features) => (Rows::new(features.get_or_init(|| self.features_of(drawn)), n_columns), &in_order[..]),
            None => (source_features, drawn),
        };
        let draws = DrawnRows {
            rows: drawn,
            inverse_sizes: &self.order.inverse_sizes[segment.clone()],
            rates: &self.order.rates[segment.clone()],
            early_rates: &self.order.early_rates[segment],
            features,
            feature_rows,
        };
        let source_rows: Vec<usize> = places.iter().map(|place| rows[*place]).collect();
        let inverse_roots: Vec<f32> = places.iter().map(|place| states[*place].inverse_root()).collect();
        let group = RacedGroup { rows: &source_rows, inverse_roots: &inverse_roots, features: source_features };
        let mut sums = vec![[0.0; 6]; places.len()];
        self.loops.add_residuals(draws, group, &mut sums);
        sums
    }

    /// ψ of some target rows.
    fn features_of(&self, drawn: &[usize]) -> Vec<f32> {
        let values: Vec<T> = drawn.iter().flat_map(|row| self.target.row(*row)).copied().collect();
        let rows = Rows::new(&values, self.target.n_columns());
        let mut kept = Vec::new();
        self.features.map_into(self.kernel, rows, &mut kept, |_, _| ());
        kept
    }

    fn prefix(&self, level: usize) -> Prefix {
        self.order.levels[level]
    }

    /// Columns of the feature matrices: at least one, since a matrix without columns would have no rows.
    fn n_feature_columns(&self) -> usize {
        self.features.n_features().max(1)
    }
}

/// The fastest loop for the kernel: in f32 where its error is bounded.
fn loops<'a, T: Scalar>(
    kernel: &'a dyn Kernel<T>,
    target: &'a RaceTarget<'a, T>,
    source: Rows<'a, T>,
) -> Box<dyn ResidualSums + 'a> {
    let weighted = target.unweighted();
    let other = (!target.is(source)).then_some(source);
    let arithmetic = (InstructionSet::best(), Precision::Single);
    match loop_formula(kernel).and_then(|formula| fused::pair_sums(formula, weighted, other, arithmetic)) {
        Some(fused) => fused,
        None => Box::new(EvaluatedPairs { kernel, target: weighted, source }),
    }
}

/// The norm of a row in feature space, and that of its residual.
struct MeasuredRow {
    /// √s, with the margin for rounding.
    root: f64,
    /// √k(x, x).
    length: f64,
}

fn measured<T: Scalar>(kernel: &dyn Kernel<T>, row: &[T], features: &[f64], error: f64) -> MeasuredRow {
    let diagonal = if has_unit_diagonal(kernel) { 1.0 } else { kernel.evaluate(row, row).max(0.0) };
    let left = (diagonal - product(features, features)).max(0.0) + error * diagonal;
    MeasuredRow { root: left.sqrt(), length: diagonal.sqrt() }
}

/// Σ pᵢ ψ(xᵢ) of the stored features, added in the order of the rows.
fn mean_features(features: &[f32], weights: &[f64], n_features: usize) -> Vec<f64> {
    let mut mean = vec![0.0; n_features.max(1)];
    for (row, weight) in features.chunks_exact(n_features.max(1)).zip(weights) {
        mean.iter_mut().zip(row).for_each(|(sum, feature)| *sum += weight * f64::from(*feature));
    }
    mean
}

#[cfg(test)]
mod tests;
