//! Why a selection cannot be divided between workers.

use thiserror::Error;

use crate::words::n_of;

/// Why a selection cannot be divided between workers.
///
/// # Examples
///
/// ```
/// use protodash::cluster::{self, ClusterError};
/// use protodash::{Error, Gaussian, Params, Unobserved};
///
/// let error = cluster::lead::<f64>(&[], &Gaussian::new(1.0)?, &Params::new(1), &mut Unobserved).unwrap_err();
/// assert_eq!(error, Error::Cluster(ClusterError::NoWorkers));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The list of workers is empty.
    #[error("there are no workers; at least 1 is needed")]
    NoWorkers,

    /// No worker has the last source rows.
    #[error("the workers have the first {start} of {}; every row needs one", n_of(*n_source, "source row"))]
    RowsWithoutWorker {
        /// The first row without a worker.
        start: usize,
        /// Number of source rows.
        n_source: usize,
    },

    /// Kernel values may have to be centred, which workers cannot do.
    #[error(
        "weights that sum to 1 may need a centred kernel, which cannot run on workers; use non-negative weights or a kernel \
         of a distance"
    )]
    Centred,

    /// A parameter needs all rows in one place, or is not divided yet.
    #[error("{what} cannot run on workers")]
    Unsupported {
        /// The parameter.
        what: &'static str,
    },

    /// Results of tasks that are not those of these data.
    #[error(
        "{found} parts of a kernel mean of {n_rows} rows, where {expected} are expected; they come from other data"
    )]
    OtherParts {
        /// Number of parts given.
        found: usize,
        /// Number of parts needed.
        expected: usize,
        /// Number of distinct rows.
        n_rows: usize,
    },

    /// The rows of a search were found in other data.
    #[error("the path belongs to other data: its hash is {found:016x}, that of these data {expected:016x}")]
    OtherPath {
        /// The hash of the path.
        found: u64,
        /// The hash of the data.
        expected: u64,
    },
}
