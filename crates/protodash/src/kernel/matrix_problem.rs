//! Why a matrix cannot be a kernel matrix, and which one it is.

use crate::words::n_of;

/// Which kernel matrix an error is about.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash::MatrixRole::Target.to_string(), "the kernel matrix of the target");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatrixRole {
    /// Source rows with each other.
    Source,
    /// Target rows with source rows.
    TargetBySource,
    /// Target rows with each other.
    Target,
}

impl std::fmt::Display for MatrixRole {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            MatrixRole::Source => "the kernel matrix",
            MatrixRole::TargetBySource => "the kernel matrix of target and source",
            MatrixRole::Target => "the kernel matrix of the target",
        })
    }
}

/// What is wrong with a kernel matrix; its text follows the name of the matrix.
///
/// # Examples
///
/// ```
/// let problem = protodash::MatrixProblem::NotSquare { rows: 2, columns: 3 };
/// assert_eq!(format!("the matrix {problem}"), "the matrix has 2 rows and 3 columns; it must be square");
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixProblem {
    /// It has no rows or no columns.
    #[error("has {} and {}; both must be at least 1", n_of(*rows, "row"), n_of(*columns, "column"))]
    Empty {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },

    /// A kernel matrix of rows with each other is not square.
    #[error("has {} and {}; it must be square", n_of(*rows, "row"), n_of(*columns, "column"))]
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },

    /// There is not one column for each source row.
    #[error("has {} for {}; it needs one for each", n_of(*columns, "column"), n_of(*n_source, "source row"))]
    Columns {
        /// Its columns.
        columns: usize,
        /// Number of source rows.
        n_source: usize,
    },

    /// There is not one row for each target row.
    #[error("has {} for {}; it needs one for each", n_of(*rows, "row"), n_of(*n_target, "target row"))]
    Rows {
        /// Its rows.
        rows: usize,
        /// Number of target rows.
        n_target: usize,
    },

    /// A value is NaN or infinite.
    #[error("has {value} in row {row}, column {column}; every value must be finite")]
    NotFinite {
        /// 0-based row.
        row: usize,
        /// 0-based column.
        column: usize,
        /// The value found, as text, so that errors stay comparable when it is NaN.
        value: String,
    },

    /// Two values that should be equal differ.
    #[error("is not symmetric: row {row}, column {column} has {value}, row {column}, column {row} has {mirrored}")]
    NotSymmetric {
        /// 0-based row.
        row: usize,
        /// 0-based column.
        column: usize,
        /// The value at (row, column).
        value: f64,
        /// The value at (column, row).
        mirrored: f64,
    },

    /// It has a negative eigenvalue.
    #[error(
        "is not positive semi-definite: it has an eigenvalue of {smallest:.3e} or less while the largest is about \
         {largest:.3e}"
    )]
    NotPositiveSemidefinite {
        /// An upper bound of the smallest eigenvalue, which is negative.
        smallest: f64,
        /// A lower bound of the largest eigenvalue.
        largest: f64,
    },
}
