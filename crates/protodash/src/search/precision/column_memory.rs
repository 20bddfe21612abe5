//! How many columns of C fit in memory.

use crate::kernel_mean::Precision;
use crate::search::protocol::ColumnStorage;

/// The memory for the columns of all shards together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnMemory {
    pub(crate) bytes: u64,
    pub(crate) n_source: usize,
    /// Maximum number of prototypes.
    pub(crate) n_prototypes: usize,
}

impl ColumnMemory {
    /// Whether this many columns fit.
    pub(super) fn fits(&self, n_columns: usize, precision: Precision) -> bool {
        n_columns as u64 <= self.capacity(precision)
    }

    /// Maximum number of columns to come after the first `n_columns`.
    pub(in crate::search) fn n_to_come(&self, n_columns: usize, storage: ColumnStorage) -> usize {
        let capacity = match storage {
            ColumnStorage::In(precision) => usize::try_from(self.capacity(precision)).unwrap_or(usize::MAX),
            ColumnStorage::Recompute => 0,
        };
        self.n_prototypes.min(capacity).saturating_sub(n_columns)
    }

    fn capacity(&self, precision: Precision) -> u64 {
        let bytes = match precision {
            Precision::Single => size_of::<f32>(),
            Precision::Double => size_of::<f64>(),
        };
        self.bytes / (self.n_source as u64 * bytes as u64)
    }
}
