//! The protocol between leader and shards: questions, orders and answers, all of them plain data.
//!
//! Nothing here borrows from the data or holds a closure, so that each type can be sent to another process.

use std::ops::Range;

use super::precision::{CandidateSurvey, MeanPrecision, RaceFloor, ScoreTie};
use super::rank::{RankedRow, Ranking};
use crate::error::Result;
use crate::kernel_mean::Precision;
use crate::observe::Observer;

/// Some consecutive source rows, in this process or in another.
///
/// Implementations own everything proportional to the number of their rows. They also keep a copy of the prototypes' rows
/// and of F (see [`PrototypeBasis`](super::basis::PrototypeBasis)), which grows with every [`Admission`].
pub(crate) trait Shard<T>: Send + Sync {
    /// The source rows that this shard owns.
    fn source_range(&self) -> Range<usize>;

    /// Whether the shard is in another process: it may lose its state, and whoever talks to it only waits.
    fn is_remote(&self) -> bool {
        false
    }

    /// Answers a question to a shard that has carried out `after` orders; [`ShardReply::Behind`] if it has not.
    ///
    /// Asking changes nothing, so that a question may be repeated.
    fn ask(&self, after: u64, question: &ShardQuestion<T>) -> Result<ShardReply<T>>;

    /// Carries out order number `sequence`; orders are numbered from 0.
    ///
    /// Repeating the last order has no effect and returns the same answer. An order that skips a number is not carried
    /// out: [`ShardReply::Behind`] names the missing order.
    fn tell(&mut self, sequence: u64, order: &ShardOrder<T>, observer: &mut dyn Observer) -> Result<ShardReply<T>>;
}

/// What a shard replies.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShardReply<T> {
    /// The order was carried out, or the question answered.
    Done(ShardAnswer<T>),
    /// It was not: this order is missing.
    Behind(u64),
}

/// What the leader may ask. Rows are always source rows, and belong to the shard that is asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShardQuestion<T> {
    /// The candidates that may have the best score: answered by [`ShardAnswer::Survey`].
    Survey { ranking: Ranking, tie: ScoreTie },
    /// Of the candidates that may have the best score, those with the largest estimates among the ones whose kernel means are
    /// upper bounds: answered by [`ShardAnswer::Ranked`].
    Leaders { ranking: Ranking, tie: ScoreTie, limit: usize },
    /// The best candidates by upper bounds of their scores: answered by [`ShardAnswer::Ranked`].
    Propose { ranking: Ranking, limit: usize },
    /// All candidates whose score may be at least this: answered by [`ShardAnswer::Rows`].
    AtLeast { ranking: Ranking, score: f64 },
    /// All candidates whose kernel means are upper bounds and whose score may be at least this: answered by [`ShardAnswer::Rows`].
    Raced { ranking: Ranking, score: f64 },
    /// The kernel values that a race takes until no upper bound is farther from its estimate than this: answered by one number
    /// in [`ShardAnswer::Numbers`].
    DrawsLeft { slack: f64 },
    /// Everything needed to admit this row: answered by [`ShardAnswer::Described`].
    Describe(usize),
    /// The same of the candidate with the largest upper bound on its score: answered by [`ShardAnswer::Described`], or by
    /// [`ShardAnswer::Done`] if there is none.
    DescribeBest(Ranking),
    /// Scores at these weights, gradients computed from the data: answered by [`ShardAnswer::Numbers`].
    ExactScores { ranking: Ranking, weights: Vec<f64>, rows: Vec<usize> },
    /// Kernel means in f64: answered by [`ShardAnswer::Numbers`].
    Means(Vec<usize>),
    /// Sums over the shard's part of a row's kernel column: answered by [`ShardAnswer::ColumnSums`].
    ///
    /// The shard may cache the column, so that the row's admission does not have to compute it.
    Column { source_index: usize, row: Vec<T> },
}

/// What the leader may order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShardOrder<T> {
    /// Start a search: answered by [`ShardAnswer::Opened`]. Always the first order.
    Open {
        shift: f64,
        columns: ColumnStorage,
        /// Whether to keep Schur complements: scores by [`Rank::Gradient`](super::rank::Rank::Gradient) do not need them.
        keeps_schur: bool,
    },
    /// Add a prototype: answered by [`ShardAnswer::Admitted`]. Refused rows become candidates again.
    Admit(Admission<T>),
    /// Replace kernel means of some of the shard's rows by exact ones.
    Correct(Vec<(usize, f64)>),
    /// Lower the upper bounds of these rows' kernel means by some levels of the race while they reach the floor, or make them
    /// exact after the last level: answered by [`ShardAnswer::Refined`].
    Refine { rows: Vec<usize>, floor: RaceFloor },
    /// Compute the kernel means of all the shard's rows. In f32 this ends a race, and the means have error bounds.
    CorrectAll(Precision),
    /// Exclude a row from the candidates until the next admission.
    Refuse(usize),
    /// From now on, only rows whose cost is at most the limit of their group are candidates. Refused rows become candidates
    /// again.
    LimitCosts(Vec<f64>),
    /// Change how columns are stored. Gradients stay as they are until the next order.
    StoreColumns(ColumnStorage),
    /// Recompute columns, gradients and Schur complements from the data.
    Rebuild,
    /// Remove a prototype; its row becomes a candidate again. Gradients are invalid until the next admission.
    Expel {
        source_index: usize,
        /// Its position among the prototypes.
        position: usize,
        /// The new F if it had to be computed from scratch; `None` if the row can be removed from an independent F.
        factor: Option<Vec<FactorRow>>,
    },
}

/// A new prototype and the weights of the set with it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Admission<T> {
    pub(crate) source_index: usize,
    pub(crate) row: Vec<T>,
    /// Kernel means to replace by exact ones before, as by [`ShardOrder::Correct`]; also of other shards' rows.
    pub(crate) corrections: Vec<(usize, f64)>,
    pub(crate) factor_row: FactorRow,
    /// v = Fᵀw.
    pub(crate) coordinates: Vec<f64>,
    /// Maximum number of columns still to come, this one included.
    pub(crate) n_columns_to_come: usize,
    /// A Schur complement more negative than this fraction of the diagonal proves that the kernel is indefinite.
    pub(crate) schur_tolerance: f64,
    /// Questions to answer right after the admission, which saves a message each.
    pub(crate) then: Vec<ShardQuestion<T>>,
}

/// A prototype's row of F.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FactorRow {
    pub(crate) entries: Vec<f64>,
    pub(crate) is_pivot: bool,
}

/// How a shard stores its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnStorage {
    In(Precision),
    /// Not stored, but recomputed at every step.
    Recompute,
}

/// Answers to questions and orders.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShardAnswer<T> {
    /// The order was carried out and there is nothing to report.
    Done,
    Opened(ShardSummary),
    Admitted(AdmissionReport<T>),
    Survey(CandidateSurvey),
    Ranked(Vec<RankedRow>),
    Rows(Vec<usize>),
    Refined(RaceCost),
    Numbers(Vec<f64>),
    Described(DescribedRow<T>),
    ColumnSums(ColumnSums),
}

/// What the leader needs to know about all of a shard's rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ShardSummary {
    /// The largest |μⱼ|/√Kⱼⱼ.
    pub(crate) scale: f64,
    /// The first row whose similarity to itself is negative or not finite, with that value.
    pub(crate) bad_diagonal: Option<(usize, f64)>,
    pub(crate) means: MeanPrecision,
    /// Kernel values that the race of all shards has spent so far; `None` without a race.
    pub(crate) race: Option<RacePairs>,
}

/// Kernel values that a race has spent and may spend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RacePairs {
    pub(crate) spent: u64,
    /// Beyond this, all means are computed.
    pub(crate) limit: u64,
    /// Cost of one exact mean.
    pub(crate) per_mean: u64,
    /// Cost of computing all means together.
    pub(crate) for_all: u64,
    /// What a draw for a row costs, in kernel values of all means together, if the race ends as soon as these are expected to be
    /// cheaper; `None` if it only ends at the limit.
    pub(crate) draw_cost: Option<f64>,
}

/// What a step of the race cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RaceCost {
    /// Number of kernel values.
    pub(crate) n_pairs: u64,
    /// Number of rows whose means became exact.
    pub(crate) n_exact: usize,
}

/// A shard's report on an admission.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AdmissionReport<T> {
    /// A row with a negative Schur complement, and its value: proof that the kernel is not positive semi-definite.
    pub(crate) indefinite: Option<(usize, f64)>,
    /// Answers to [`Admission::then`].
    pub(crate) answers: Vec<ShardAnswer<T>>,
}

/// Everything the leader needs in order to admit a candidate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DescribedRow<T> {
    pub(crate) source_index: usize,
    pub(crate) row: Vec<T>,
    pub(crate) kernel_mean: f64,
    /// Whether the kernel mean is not exact.
    pub(crate) mean_is_approximate: bool,
    pub(crate) diagonal: f64,
    /// The group of its quota; 0 without one.
    pub(crate) group: usize,
    /// Its cost, as a fraction of the largest; 1 without a budget.
    pub(crate) cost: f64,
    /// Kernel values with the prototypes, in their order.
    pub(crate) similarities: Vec<f64>,
}

/// Sums over a shard's part of a kernel column.
///
/// The column is summed in runs of a fixed length, counted from the first row of the source, and the sums of the runs are
/// added in order: the total is bit-identical however the source is divided.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ColumnSums {
    /// Terms that belong to a run begun in an earlier shard.
    pub(crate) head: Vec<f64>,
    /// The sum of each run that begins in this shard.
    pub(crate) runs: Vec<f64>,
}

impl ColumnSums {
    /// The sum of the whole column, from the parts of all shards in order.
    pub(crate) fn total(parts: &[ColumnSums]) -> f64 {
        let mut runs: Vec<f64> = Vec::new();
        for part in parts {
            if let Some(last) = runs.last_mut() {
                part.head.iter().for_each(|term| *last += term);
            }
            runs.extend(&part.runs);
        }
        runs.iter().sum()
    }
}
