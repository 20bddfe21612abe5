//! The source of a search, and how it is divided into shards.

use super::local::{LocalShard, ShardData};
use super::protocol::Shard;
use super::shards::Shards;
use crate::constraints::RowConstraints;
use crate::given_rows::GivenRows;
use crate::kernel::Kernel;
use crate::kernel_mean::{ApproximateMeans, Precision};
use crate::rows::{Rows, Scalar};
use crate::weights::Constraint;

/// The source of a search, with its kernel means.
#[derive(Clone, Copy)]
pub(crate) struct SearchSpace<'a, T: Scalar> {
    pub(crate) kernel: &'a dyn Kernel<T>,
    pub(crate) rows: Rows<'a, T>,
    /// The kernel means, without the shift; empty in a race, which knows upper bounds.
    pub(crate) kernel_mean: &'a [f64],
    /// How to compute kernel means in f64; `None` if they are exact.
    pub(crate) approximate: Option<ApproximateMeans<'a, T>>,
    pub(crate) layout: ShardLayout,
    /// Which rows may be chosen, if the caller knows them; otherwise they follow from `given`.
    pub(crate) candidates: Option<&'a [bool]>,
    /// Rows that are fixed or excluded.
    pub(crate) given: GivenRows<'a>,
    /// Quotas and costs of the rows, if there are any.
    pub(crate) constraints: Option<&'a RowConstraints>,
    pub(crate) settings: SearchSettings,
}

/// How to search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchSettings {
    pub(crate) constraint: Constraint,
    /// A constant to add to the kernel, 0 except under Σw = 1, where it raises every kernel mean by the same amount and the
    /// objective by half of it; see [`centred::shift`](crate::centred::shift).
    pub(crate) shift: f64,
    /// A constant to add to objectives, 0 except for the kernel of a [`CentredProblem`](crate::centred::CentredProblem).
    pub(crate) level: f64,
    /// Bytes for the columns of all shards together.
    pub(crate) column_memory: u64,
    /// The precision of the columns.
    pub(crate) column_precision: Precision,
    /// Whether a negative Schur complement proves the kernel indefinite. Off for built-in kernels, which are definite, and for
    /// centred ones, whose rounding errors are those of larger values.
    pub(crate) checks_definiteness: bool,
    /// Whether Schur complements are needed after the first step: to rank by gains, or to check definiteness.
    pub(crate) keeps_schur: bool,
    /// How far a chosen row's score may be below the best, as a fraction of the best.
    pub(crate) tolerance: f64,
}

/// How a source is divided. The selection does not depend on it.
#[derive(Clone, Copy)]
pub(crate) struct ShardLayout {
    pub(crate) n_shards: usize,
    /// Rows that a thread works on at a time.
    pub(crate) rows_per_block: usize,
}

impl Default for ShardLayout {
    fn default() -> Self {
        ShardLayout { n_shards: 1, rows_per_block: 1024 }
    }
}

impl<'a, T: Scalar> SearchSpace<'a, T> {
    /// The source divided into shards of this process.
    pub(super) fn shards(&self) -> Shards<'a, T> {
        let SearchSpace { kernel, rows, kernel_mean, approximate, layout, candidates, given, constraints, .. } = *self;
        // Before the source is divided, since a row and its copy may be in different shards.
        let is_candidate = candidates.map_or_else(|| given.candidates(rows), <[bool]>::to_vec);
        let rows_per_block = layout.rows_per_block;
        let whole =
            ShardData { kernel, rows, first: 0, kernel_mean, approximate, is_candidate, constraints, rows_per_block };
        let start = |shard: usize| rows.n_rows() * shard / layout.n_shards;
        let shard = |index: usize| LocalShard::new(whole.part(start(index)..start(index + 1)));
        Shards::new((0..layout.n_shards).map(|index| Box::new(shard(index)) as Box<dyn Shard<T> + 'a>).collect())
    }
}
