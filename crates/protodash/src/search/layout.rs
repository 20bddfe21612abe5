//! The source of a search, and how it is divided into shards.

use super::local::{LocalShard, ShardData};
use super::protocol::Shard;
use super::shards::Shards;
use crate::distinct::first_of_equal_rows;
use crate::kernel::Kernel;
use crate::kernel_mean::{ApproximateMeans, Precision};
use crate::rows::{Rows, Scalar};
use crate::weights::Constraint;

/// The source of a search, with its kernel means.
#[derive(Clone, Copy)]
pub(crate) struct SearchSpace<'a, T: Scalar> {
    pub(crate) kernel: &'a dyn Kernel<T>,
    pub(crate) rows: Rows<'a, T>,
    /// The kernel means, without the shift.
    pub(crate) kernel_mean: &'a [f64],
    /// How to compute kernel means in f64; `None` if they are exact.
    pub(crate) rough: Option<ApproximateMeans<'a, T>>,
    pub(crate) layout: ShardLayout,
    pub(crate) settings: SearchSettings,
}

/// How to search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchSettings {
    pub(crate) constraint: Constraint,
    /// A constant to add to the kernel, 0 except under Σw = 1, where it adds the same to every kernel mean and half of it to
    /// the objective; see [`centred::shift`](crate::centred::shift).
    pub(crate) shift: f64,
    /// A constant to add to objectives, 0 except for the kernel of a [`CentredProblem`](crate::centred::CentredProblem).
    pub(crate) level: f64,
    /// Bytes for the columns of all shards together.
    pub(crate) column_memory: u64,
    /// The precision of the columns.
    pub(crate) column_precision: Precision,
    /// Whether a negative Schur complement may be the kernel's fault: not if the kernel is built in, nor if it was centred, where
    /// rounding is that of larger values.
    pub(crate) checks_definiteness: bool,
    /// By what part of the best a chosen row's score may be below it.
    pub(crate) tolerance: f64,
}

/// How a source is divided. The selection does not depend on it.
#[derive(Debug, Clone, Copy)]
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
        let SearchSpace { kernel, rows, kernel_mean, rough, layout, .. } = *self;
        // Copies of a row in other shards are found here, before the source is divided.
        let is_candidate = first_of_equal_rows(rows);
        let n_rows = rows.n_rows();
        let start = |shard: usize| n_rows * shard / layout.n_shards;
        let shard = |index: usize| {
            let range = start(index)..start(index + 1);
            let data = ShardData {
                kernel,
                rows: rows.slice(range.clone()),
                first: range.start,
                kernel_mean: &kernel_mean[range.clone()],
                rough,
                is_candidate: is_candidate[range].to_vec(),
                rows_per_block: layout.rows_per_block,
            };
            Box::new(LocalShard::new(data)) as Box<dyn Shard<T> + 'a>
        };
        Shards::new((0..layout.n_shards).map(shard).collect())
    }
}
