//! Why sparse rows cannot be used.

use thiserror::Error;

/// Why sparse rows cannot be used.
///
/// # Examples
///
/// ```
/// use protodash::{Error, SparseError, SparseMatrix};
///
/// let error = SparseMatrix::new(3, vec![0, 1], vec![3], vec![1.0]).unwrap_err();
/// assert_eq!(error, Error::Sparse(SparseError::NoSuchColumn { row: 0, column: 3, n_columns: 3 }));
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SparseError {
    /// The kernel needs more than products of rows.
    #[error("the {kernel} kernel cannot be used with sparse rows; {allowed} can")]
    Kernel {
        /// Name of the kernel.
        kernel: &'static str,
        /// The kernels that can be used.
        allowed: String,
    },

    /// The arrays of a matrix contradict each other.
    #[error("a sparse matrix is damaged: {problem}")]
    Damaged {
        /// What is wrong.
        problem: &'static str,
    },

    /// A value is in a column that does not exist.
    #[error("row {row} of a sparse matrix has a value in column {column}; columns go from 0 to {}", n_columns.saturating_sub(1))]
    NoSuchColumn {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// Number of columns.
        n_columns: usize,
    },
}
