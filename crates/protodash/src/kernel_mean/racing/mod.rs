//! Anchored racing: kernel means only as exact as choosing the best row needs.
//!
//! The kernel mean of n₂ source rows takes n₁ · n₂ kernel values, but only the chosen rows need it exactly. For the others an
//! upper bound is enough if it is below the best exact score. A [`Race`] knows an upper bound for every source row from some draws
//! of the target, and draws more for the rows that are still in contention:
//!
//! - [`landmarks`]: random source rows whose features explain most of the kernel; the mean of that part is exact, and sampling
//!   error remains only in the residual;
//! - [`rank`]: how many of them are worth their cost in every pair;
//! - [`order`]: the target in random order, rows with large residuals first, and the geometric levels that a row climbs;
//! - [`anchored`]: what the features tell of a row without any draws;
//! - [`bound`]: the upper confidence bound, with its proof;
//! - [`refine`]: more draws for some rows; [`residual`] is the loop over pairs for any kernel, `fused/residual.rs` the one in
//!   registers.
//!
//! - [`packed`]: what is remembered of a row that is not raced at the moment; [`kept`] its upper bound.
//!
//! Features are kept for some rows and computed again for the others.
//!
//! Landmarks and order are drawn with the caller's seed, independently of each other. [`search::precision`](crate::search)
//! decides which rows are in contention, and when they are computed exactly.

mod anchored;
mod bound;
mod cost;
mod kept;
mod landmarks;
mod order;
mod packed;
mod rank;
mod refine;
mod residual;
mod target;

pub(crate) use anchored::AnchoredRows;
pub(in crate::kernel_mean) use bound::{PairError, SegmentSums};
pub(crate) use cost::{Workload, full_workload, pair_work, race_pays, race_workload};
pub(crate) use landmarks::LandmarkFeatures;
pub(crate) use packed::PackedRow;
pub(in crate::kernel_mean) use residual::{DrawStore, DrawnRows, FEATURE_ERROR, RacedGroup, ResidualSums};
pub(crate) use target::{MergedTarget, RaceTarget};

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use self::anchored::MeasuredTarget;
use self::bound::{BETS, DrawSums, ResidualMean, residual_mean};
use self::kept::KeptRow;
use self::order::TargetOrder;
use self::residual::EvaluatedResiduals;
use super::block::EvaluatedPairs;
use super::{Precision, check_finite, fused};
use crate::error::Result;
use crate::kernel::{Kernel, loop_formula};
use crate::observe::{Observer, Stage, Unobserved, check_cancelled};
use crate::rows::{Rows, Scalar};
use crate::simd::InstructionSet;

/// The probability that an upper bound of any row at any time is below the mean is at most this.
pub(crate) const FAILURE: f64 = 1e-6;
/// Source rows that are raced at a time, with their features in memory. Results do not depend on it.
pub(crate) const RACED_AT_A_TIME: usize = 1 << 14;
/// Memory for draws of the target: a row that is still in contention after all of them is computed exactly.
const DRAW_BYTES: usize = 64 << 20;
/// Memory for features of source rows, which are computed again where they are not kept: the less, the more is remembered of all
/// rows. Of ten million rows, hardly any would be kept anyway.
const FEATURE_BYTES: std::ops::RangeInclusive<usize> = 4 << 20..=120 << 20;
/// What each source row takes off that.
const FEATURE_BYTES_PER_ROW: usize = 16;
/// Memory for features at the first level, when there are no columns of the search yet.
const FIRST_FEATURE_BYTES: usize = 160 << 20;

/// Upper confidence bounds of the kernel means of all source rows, which more draws of the target lower.
pub(crate) struct Race<'a, T: Scalar> {
    kernel: &'a dyn Kernel<T>,
    target: Rows<'a, T>,
    source: Rows<'a, T>,
    features: LandmarkFeatures<T>,
    /// Σ pᵢ ψ(xᵢ).
    mean_features: Vec<f64>,
    /// Σ pᵢ √k(xᵢ, xᵢ).
    mean_length: f64,
    /// ψ of the first source rows.
    kept_features: Vec<f32>,
    order: TargetOrder,
    loops: Box<dyn ResidualSums + 'a>,
    error: PairError,
    /// L.
    penalty: f64,
    start: Mutex<Option<RaceStart>>,
    n_pairs: u64,
    ends_early: bool,
    skipped: SkippedRows,
}

/// Source rows that are never chosen, such as copies of earlier rows: a bit for each row, or none if no row is skipped.
#[derive(Debug, Default)]
struct SkippedRows(Vec<u64>);

impl SkippedRows {
    fn new(is_skipped: impl Fn(usize) -> bool, n_rows: usize) -> Self {
        let word = |first: usize| {
            (first..n_rows.min(first + 64)).filter(|row| is_skipped(*row)).fold(0, |word, row| word | 1 << (row % 64))
        };
        let words: Vec<u64> = (0..n_rows).step_by(64).map(word).collect();
        SkippedRows(if words.iter().any(|word| *word != 0) { words } else { Vec::new() })
    }

    fn contains(&self, row: usize) -> bool {
        self.0.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// What is known of a source row that is being raced.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct RacedRow {
    sums: DrawSums,
    /// How many levels the sums include.
    level: u8,
}

/// Source rows after the first level.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RaceStart {
    pub(crate) rows: Vec<PackedRow>,
    /// Upper bounds less estimates, in units of [`Race::slack_unit`].
    pub(crate) slack: Vec<f32>,
    pub(crate) upper_bounds: Vec<f64>,
}

/// An upper confidence bound of a kernel mean, and the estimate below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MeanUpperBound {
    pub(crate) upper: f64,
    pub(crate) estimate: f64,
}

impl<'a, T: Scalar> Race<'a, T> {
    /// All source rows at the first level.
    #[cfg(test)]
    pub(crate) fn new(
        kernel: &'a dyn Kernel<T>,
        target: &'a RaceTarget<'a, T>,
        source: Rows<'a, T>,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        Self::without_rows(kernel, target, (source, &|_| false), seed, observer)
    }

    /// The source rows at the first level, without those that are never chosen.
    pub(crate) fn without_rows(
        kernel: &'a dyn Kernel<T>,
        target: &'a RaceTarget<'a, T>,
        (source, is_skipped): (Rows<'a, T>, &dyn Fn(usize) -> bool),
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        let is_source = target.is(source);
        let features = LandmarkFeatures::new(kernel, source, seed ^ 0x6C61_6E64);
        let loops = loops(kernel, target, source);
        let error = loops.pair_error(features.n_features());
        let width = features.n_features().max(1);
        let rows_kept = |bytes: usize| source.n_rows().min(bytes / (width * size_of::<f32>())) * width;
        let n_first = rows_kept(FIRST_FEATURE_BYTES);
        let mut kept_features = Vec::with_capacity(n_first);
        let mut keep = |some: &[f32]| kept_features.extend(some.iter().take(n_first - kept_features.len()));
        let MeasuredTarget { mean_features, mean_length, roots } = MeasuredTarget::new(
            (kernel, &features),
            target,
            error,
            |some| {
                if is_source {
                    keep(some)
                }
            },
            observer,
        )?;
        let max_draws = DRAW_BYTES / loops.bytes_per_draw(features.n_features());
        let order = TargetOrder::new(|row| target.weight(row), &roots, max_draws, seed ^ 0x6F72_6465);
        drop(roots);
        let n_measured = target.rows().n_rows() * features.n_landmarks();
        let mut race = Race {
            n_pairs: n_measured as u64,
            penalty: (BETS.len() as f64 * source.n_rows() as f64 / FAILURE).ln(),
            error,
            kernel,
            target: target.rows(),
            source,
            features,
            mean_features,
            mean_length,
            kept_features,
            order,
            loops,
            start: Mutex::default(),
            ends_early: false,
            skipped: SkippedRows::new(is_skipped, source.n_rows()),
        };
        let start = race.first_level(observer)?;
        let n_landmarks = race.features.n_landmarks() as u64;
        let n_raced = (source.n_rows() - race.skipped.len()) as u64;
        let n_anchored = (race.kept_features.len() / width..source.n_rows()).filter(|row| !race.skipped.contains(*row));
        race.n_pairs += n_raced * race.order.segment(0).len() as u64 + n_anchored.count() as u64 * n_landmarks;
        *race.lock_start() = Some(start);
        let n_bytes = FEATURE_BYTES.end().saturating_sub(FEATURE_BYTES_PER_ROW * source.n_rows());
        race.kept_features.truncate(rows_kept(n_bytes.max(*FEATURE_BYTES.start())));
        race.kept_features.shrink_to_fit();
        Ok(race)
    }

    /// A race that ends as soon as all means are expected to be cheaper than the rest of it.
    pub(crate) fn ending_early(self, ends_early: bool) -> Self {
        Race { ends_early, ..self }
    }

    /// Whether the race ends as soon as all means are expected to be cheaper.
    pub(crate) fn ends_early(&self) -> bool {
        self.ends_early
    }

    /// What a draw for a row costs, in kernel values of all means together.
    pub(crate) fn draw_cost(&self, n_columns: usize) -> f64 {
        cost::draw_cost(self.kernel, n_columns, self.features.n_features())
    }

    /// The kernel values that it takes to divide the distance of a row's upper bound from its estimate by this factor, if it is in
    /// proportion to one over the root of the draws; those of an exact mean if the levels end before.
    pub(crate) fn draws_left(&self, row: &RacedRow, factor: f64) -> f64 {
        let n_draws = |level: usize| self.order.levels[level].n_draws as f64;
        let drawn = usize::from(row.level).checked_sub(1).map_or(0.0, n_draws);
        let needed = drawn * factor.max(1.0).powi(2);
        let last = n_draws(self.order.levels.len() - 1);
        if needed <= last { needed - drawn } else { last - drawn + self.target.n_rows() as f64 }
    }

    /// Number of source rows.
    pub(crate) fn n_source(&self) -> usize {
        self.source.n_rows()
    }

    /// Some source rows as they are after the first level. They are handed over once, and computed again after that.
    pub(crate) fn start(&self, range: Range<usize>) -> Result<RaceStart> {
        let mut start = self.lock_start();
        let known = match start.take() {
            Some(known) => known,
            None => self.first_level(&mut Unobserved)?,
        };
        if range.len() == known.rows.len() {
            return Ok(known);
        }
        let some = RaceStart {
            rows: known.rows[range.clone()].to_vec(),
            slack: known.slack[range.clone()].to_vec(),
            upper_bounds: known.upper_bounds[range].to_vec(),
        };
        *start = Some(known);
        Ok(some)
    }

    /// Kernel values computed for the first level.
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

    /// What the draws so far say about the mean of a row, up to the proven probability for all rows and all draws at once.
    pub(crate) fn mean(&self, row: &RacedRow, (base, root): (f64, f32)) -> MeanUpperBound {
        let root = f64::from(root);
        let all = ResidualMean { upper: self.order.total_rate, estimate: 0.0 };
        let residual = match usize::from(row.level).checked_sub(1) {
            Some(level) => residual_mean(&row.sums, self.order.levels[level], self.penalty),
            None => all,
        };
        // No residual exceeds its bound, drawn or not.
        let upper = base + root * residual.upper.min(all.upper);
        let upper = upper + self.error.relative * upper.abs() / (1.0 - self.error.relative);
        MeanUpperBound { upper, estimate: base + root * residual.estimate }
    }

    /// All source rows after the first level. Nothing is known of those that are skipped.
    ///
    /// # Errors
    ///
    /// If an upper bound is not finite.
    fn first_level(&self, observer: &mut dyn Observer) -> Result<RaceStart> {
        let n_rows = self.source.n_rows();
        let mut start = RaceStart {
            rows: vec![PackedRow::new(&RacedRow::default()); n_rows],
            slack: vec![0.0; n_rows],
            upper_bounds: vec![0.0; n_rows],
        };
        for first in (0..n_rows).step_by(RACED_AT_A_TIME) {
            check_cancelled(observer.on_progress(Stage::KernelMean, first as u64, n_rows as u64))?;
            let some = first..n_rows.min(first + RACED_AT_A_TIME);
            let rows: Vec<usize> = some.filter(|row| !self.skipped.contains(*row)).collect();
            let anchored = self.anchored(&rows);
            let mut states = vec![RacedRow::default(); rows.len()];
            let all: Vec<usize> = (0..rows.len()).collect();
            self.refine(&anchored, &all, &mut states, &mut Unobserved)?;
            let upper: Vec<f64> = self.means(&anchored, &all, &states).iter().map(|mean| mean.upper).collect();
            for (place, KeptRow { row, slack, upper }) in rows.iter().zip(self.kept(&anchored, &states, &upper)) {
                (start.rows[*place], start.slack[*place], start.upper_bounds[*place]) = (row, slack, upper);
            }
        }
        check_finite(&start.upper_bounds)?;
        Ok(start)
    }

    fn lock_start(&self) -> std::sync::MutexGuard<'_, Option<RaceStart>> {
        self.start.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Columns of the matrices of features: at least one, so that rows can be told apart.
    fn n_feature_columns(&self) -> usize {
        self.features.n_features().max(1)
    }
}

/// The fastest loop for the kernel: in f32 where its error has a bound.
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
        None => {
            let pairs = EvaluatedPairs { kernel, target: weighted, source };
            Box::new(EvaluatedResiduals { pairs, drawn: DrawStore::default() })
        }
    }
}

#[cfg(test)]
mod tests;
