//! Collects what the data add to a page: rows with their values, examples, the map.
//!
//! Files, arrays and tables in memory all look the same here: matrices, and a [`RowSource`] to read rows from.

mod bars;
mod cells;
mod columns;
mod comparison;
mod coverage;
mod criticism_path;
mod distributions;
mod examples;
mod explanation;
mod followed;
mod hover;
mod image_shape;
mod kernel_findings;
mod looks;
mod map;
mod narrowed;
mod pictures;
mod report;
mod settings;
mod show;
mod shown;
mod side_by_side;
mod width;

use std::ops::ControlFlow;

use arrow_array::RecordBatch;
use protodash::{Dataset, Error as CoreError, Observer, Prototype, Role, Unobserved};
use protodash_table::{Feature, RowMap};

use crate::error::{Error, Result};

pub use cells::TableCells;
pub(crate) use columns::described_next_to;
pub use comparison::{comparison_report, relation_report};
pub use criticism_path::CriticismsOfSize;
pub use explanation::explanation_report;
pub use image_shape::ImageShape;
pub use kernel_findings::{FindingsRows, KernelFindings, kernel_findings};
pub use looks::looks;
pub use map::KernelPlaces;
pub(crate) use narrowed::NarrowedRows;
pub use report::{attachment_name, file_name, selection_report};
pub use settings::{file_settings, kernel_words, selection_settings};
pub use side_by_side::side_by_side_report;

/// Where rows can be read again as they are in the data.
///
/// # Examples
///
/// ```
/// use arrow_array::RecordBatch;
/// use protodash::Role;
/// use protodash_report::{Result, RowSource};
/// use protodash_table::Input;
///
/// struct OneFile(Input);
/// impl RowSource for OneFile {
///     fn is_one(&self) -> bool {
///         true
///     }
///     fn rows(&self, _: Role, numbers: &[u64]) -> Result<RecordBatch> {
///         Ok(self.0.rows(numbers)?)
///     }
/// }
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("a.csv");
/// std::fs::write(&path, "age\n30\n40\n")?;
/// let file = OneFile(Input::open(&path, &Default::default())?);
/// assert_eq!(file.rows(Role::Source, &[1])?.num_rows(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RowSource: Sync {
    /// Whether one table holds both source and target.
    fn is_one(&self) -> bool;

    /// These rows of a side's table, in that order, with all their columns.
    ///
    /// # Errors
    ///
    /// The error of the reader.
    fn rows(&self, role: Role, numbers: &[u64]) -> Result<RecordBatch>;

    /// The name of a column of sparse rows; by default `x` and its number.
    fn sparse_name(&self, column: usize) -> String {
        format!("x{column}")
    }

    /// The file that a cell of a side's table names, such as an image; `None` (the default) if it cannot be read.
    fn file(&self, role: Role, path: &str) -> Option<Vec<u8>> {
        let _ = (role, path);
        None
    }
}

/// Follows the progress of a page, and can cancel it.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use protodash_report::PageObserver;
///
/// assert_eq!(protodash::Unobserved.on_part("drawing the map"), ControlFlow::Continue(()));
/// ```
pub trait PageObserver: Observer {
    /// Called when a part of the work begins; returns whether to continue.
    fn on_part(&mut self, what: &str) -> ControlFlow<()>;
}

impl PageObserver for Unobserved {
    fn on_part(&mut self, _: &str) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The rows that a selection was made from.
#[derive(Clone, Copy)]
pub struct RowData<'a, 'd> {
    /// The matrices.
    pub matrices: &'a Dataset<'d>,
    /// Numbers, ids and labels of source rows.
    pub source_rows: &'a RowMap,
    /// Those of target rows; `None` if the source is the target.
    pub target_rows: Option<&'a RowMap>,
    /// Their columns; empty for kernel matrices and sparse rows.
    pub features: &'a [Feature],
    /// Whether numbers are codes of categories, as the Hamming kernel compares them.
    pub codes: bool,
    /// The weight of each target row; `None` if all count the same.
    pub target_weights: Option<&'a [f64]>,
    /// Where rows are read again.
    pub tables: &'a dyn RowSource,
}

impl RowData<'_, '_> {
    pub(crate) fn rows(&self, role: Role) -> &RowMap {
        self.target_rows.filter(|_| role == Role::Target).unwrap_or(self.source_rows)
    }

    /// Whether rows have values to show, which kernel matrices do not hold.
    #[must_use]
    pub fn has_values(&self) -> bool {
        !self.features.is_empty() || matches!(self.matrices, Dataset::Sparse(_))
    }

    /// The share of each target row in the whole target.
    fn target_shares(&self) -> Vec<f64> {
        let n_rows = self.rows(Role::Target).len();
        let weights = self.target_weights.filter(|weights| weights.len() == n_rows);
        match weights.map(|weights| (weights, weights.iter().sum::<f64>())) {
            Some((weights, total)) if total > 0.0 => weights.iter().map(|weight| weight / total).collect(),
            _ => vec![1.0 / n_rows.max(1) as f64; n_rows],
        }
    }
}

/// The data that a page shows besides the result.
pub struct PageData<'a, 'd> {
    /// The rows.
    pub rows: RowData<'a, 'd>,
    /// The chosen rows, as rows of the matrix.
    pub prototypes: &'a [Prototype],
    /// The shape of rows that are images.
    pub image_shape: Option<ImageShape>,
    /// What the kernel of the selection says, if it is another than that of the matrices.
    pub kernel: Option<KernelFindings>,
    /// The kernel mean of each source row, if the caller has it: criticisms of smaller sizes need it.
    pub kernel_mean: Option<&'a [f64]>,
}

/// Announces a part of the work; an error if the observer cancels it.
fn begin(observer: &mut dyn PageObserver, what: &str) -> Result<()> {
    if observer.on_part(what).is_break() { Err(Error::Core(CoreError::Cancelled)) } else { Ok(()) }
}
