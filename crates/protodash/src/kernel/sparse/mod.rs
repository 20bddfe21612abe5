//! Kernels of sparse rows. To the rest of the crate, a sparse row is its number.

mod columns;
mod error;
mod matrix;
mod rows;

pub use error::SparseError;
pub use matrix::SparseMatrix;
pub(crate) use rows::SparseRows;

use std::sync::Arc;

use ndarray::ArrayRef2;

use super::{BuiltInKernel, Distance, Kernel, KernelDefinition, KernelSpec};
use crate::error::{Error, Result};
use crate::rows::{PLAIN_LENGTHS, Rows, Scalar};

/// ‖x‖² + ‖y‖² − 2xᵀy is computed again, from differences, if it is below this fraction of ‖x‖² + ‖y‖².
pub(crate) const CANCELLED: f64 = 1e-4;

/// A built-in kernel of sparse rows.
///
/// Its rows are row numbers: [`source_rows`](Self::source_rows) and [`target_rows`](Self::target_rows) return them as
/// matrices of one column, to be used as data. Equal rows have the same number. Values are computed from the stored ones
/// in f64, without ever making a row with its zeros.
///
/// # Examples
///
/// ```
/// use protodash::{KernelSpec, Params, SparseKernel, SparseMatrix, select};
///
/// // Four documents in 1,000,000 columns; the first three share a word.
/// let rows = SparseMatrix::new(1_000_000, vec![0, 1, 2, 3, 4], vec![7, 7, 7, 999_999], vec![1.0, 1.1, 1.2, 2.0])?;
/// let kernel = SparseKernel::new(rows, None, &KernelSpec::new("gaussian")?, 0)?;
/// let selection = select(kernel.target_rows(), kernel.source_rows(), &kernel, &Params::new(2))?;
/// let chosen: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
/// assert_eq!(chosen, [1, 3]);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SparseKernel {
    rows: Arc<SparseRows>,
    formula: BuiltInKernel,
    /// The target is ignored: the source is to be represented.
    is_source_alone: bool,
}

impl SparseKernel {
    /// The requested kernel of these rows; without a target the source represents itself.
    ///
    /// # Errors
    ///
    /// If the kernel needs the zeros, as the Laplacian, Hamming and polynomial kernels do here, if a matrix is empty or not
    /// finite, if their columns differ in number, and as for [`KernelSpec::resolve`].
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{KernelSpec, SparseKernel, SparseMatrix};
    ///
    /// let rows = SparseMatrix::new(2, vec![0, 1], vec![0], vec![1.0])?;
    /// let error = SparseKernel::new(rows, None, &KernelSpec::new("hamming")?, 0).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the hamming kernel cannot be used with sparse rows; gaussian, matern32, matern52, inverse-multiquadric, \
    ///      linear and cosine can"
    /// );
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn new(source: SparseMatrix, target: Option<SparseMatrix>, kernel: &KernelSpec, seed: u64) -> Result<Self> {
        Self::check(kernel.definition())?;
        let rows = SparseRows::new(source, target)?;
        let formula = kernel.resolve_sparse(&rows, seed)?;
        Ok(SparseKernel { rows: Arc::new(rows), formula, is_source_alone: false })
    }

    /// An error if sparse rows cannot have this kernel.
    ///
    /// # Errors
    ///
    /// If the kernel is none of the linear, the cosine and those of the Euclidean distance.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{BuiltInKernel, SparseKernel};
    ///
    /// assert!(SparseKernel::check(BuiltInKernel::definition_of("cosine")?).is_ok());
    /// assert!(SparseKernel::check(BuiltInKernel::definition_of("laplacian")?).is_err());
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn check(definition: &KernelDefinition) -> Result<()> {
        if is_allowed(definition) {
            return Ok(());
        }
        let allowed = BuiltInKernel::DEFINITIONS.iter().filter(|definition| is_allowed(definition));
        let names: Vec<&str> = allowed.map(|definition| definition.name).collect();
        let allowed = match &names[..] {
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
            [] => String::new(),
        };
        Err(Error::Sparse(SparseError::Kernel { kernel: definition.name, allowed }))
    }

    /// The kernel, which says nothing about how rows are stored.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{KernelSpec, Linear, SparseKernel, SparseMatrix};
    ///
    /// let rows = SparseMatrix::new(2, vec![0, 1], vec![0], vec![1.0])?;
    /// assert_eq!(SparseKernel::new(rows, None, &KernelSpec::new("linear")?, 0)?.formula(), Linear.into());
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn formula(&self) -> BuiltInKernel {
        self.formula
    }

    /// The row numbers of the source, for [`select`](crate::select).
    pub fn source_rows(&self) -> &ArrayRef2<f64> {
        &self.rows.source_numbers
    }

    /// The row numbers of the target, for [`select`](crate::select): those of the source if that is to be represented.
    pub fn target_rows(&self) -> &ArrayRef2<f64> {
        self.own_target().map_or(self.source_rows(), |(_, numbers)| numbers)
    }

    /// The target with its row numbers; `None` if the source is to be represented.
    pub(crate) fn own_target(&self) -> Option<(&SparseMatrix, &ArrayRef2<f64>)> {
        self.rows.target.as_ref().filter(|_| !self.is_source_alone).map(|(matrix, numbers)| (matrix, &**numbers))
    }

    /// Bytes of the stored values, and of what is known of every row.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.rows.n_bytes()
    }

    /// The same rows with another kernel.
    pub(crate) fn with_formula(&self, formula: BuiltInKernel) -> Self {
        SparseKernel { formula, ..self.clone() }
    }

    /// The same rows with the source as target.
    pub(crate) fn source_alone(&self) -> Self {
        SparseKernel { is_source_alone: true, ..self.clone() }
    }

    /// The median distance that bandwidths are multiples of.
    pub(crate) fn distinct_median(&self, seed: u64) -> Result<f64> {
        self.rows.distinct_median(!self.is_source_alone, seed)
    }

    /// The stored rows.
    pub(crate) fn rows(&self) -> &SparseRows {
        &self.rows
    }

    /// Writes k(x, y) for each of these rows x, equal to [`evaluate`](Kernel::evaluate) to the last bit.
    pub(crate) fn column<T: Scalar>(&self, rows: Rows<'_, T>, y: &[T], values: &mut [f64]) {
        let y = number(y);
        self.products(rows, y, |x, product, at| values[at] = self.value(product, x, y));
    }

    /// Writes the distance that belongs to the kernel for each of these rows x and y.
    pub(crate) fn distances<T: Scalar>(&self, rows: Rows<'_, T>, y: &[T], values: &mut [f64]) {
        let y = number(y);
        self.products(rows, y, |x, product, at| values[at] = self.distance_of(product, x, y));
    }

    /// The distance that belongs to the kernel.
    pub(crate) fn distance<T: Scalar>(&self, x: &[T], y: &[T]) -> f64 {
        let (x, y) = (number(x), number(y));
        self.distance_of(self.rows.row(x).product(self.rows.row(y)), x, y)
    }

    /// Calls `visit` with the number of each row x, xᵀy and the position.
    fn products<T: Scalar>(&self, rows: Rows<'_, T>, y: usize, mut visit: impl FnMut(usize, f64, usize)) {
        let y = self.rows.row(y);
        // With few rows, setting zeros would cost more than it saves.
        const COLUMNS_PER_ROW: usize = 64;
        let n_columns = self.rows.n_columns();
        if n_columns > COLUMNS_PER_ROW * rows.n_rows() {
            for (at, x) in rows.iter().map(number).enumerate() {
                visit(x, self.rows.row(x).product(y), at);
            }
            return;
        }
        let mut dense = vec![0.0; n_columns];
        y.columns.iter().zip(y.values).for_each(|(column, value)| dense[*column as usize] = *value);
        for (at, x) in rows.iter().map(number).enumerate() {
            visit(x, self.rows.row(x).product_with_dense(&dense), at);
        }
    }

    /// k(x, y) from xᵀy.
    fn value(&self, product: f64, x: usize, y: usize) -> f64 {
        match self.formula {
            BuiltInKernel::Linear(_) => product,
            BuiltInKernel::Cosine(_) => self.cosine(product, x, y),
            // A function of the distance: that of two points on a line.
            kernel => kernel.evaluate(&[0.0], &[self.rows.squared_distance(product, x, y).sqrt()]),
        }
    }

    fn distance_of(&self, product: f64, x: usize, y: usize) -> f64 {
        match self.formula.definition().distance {
            Distance::Cosine if x == y => 0.0,
            Distance::Cosine => (1.0 - self.cosine(product, x, y)).max(0.0),
            _ => self.rows.distance(product, x, y),
        }
    }

    fn cosine(&self, product: f64, x: usize, y: usize) -> f64 {
        let (x_length, y_length) = (self.rows.length(x), self.rows.length(y));
        if x_length == 0.0 || y_length == 0.0 {
            0.0
        } else if PLAIN_LENGTHS.contains(&x_length) && PLAIN_LENGTHS.contains(&y_length) {
            product / (x_length * y_length)
        } else {
            let pairs = self.rows.row(x).pairs(self.rows.row(y));
            pairs.map(|(x, y)| (x / x_length) * (y / y_length)).sum()
        }
    }
}

impl Kernel<f64> for SparseKernel {
    fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
        let (x, y) = (number(x), number(y));
        self.value(self.rows.row(x).product(self.rows.row(y)), x, y)
    }

    fn sparse(&self) -> Option<&SparseKernel> {
        Some(self)
    }
}

fn is_allowed(definition: &KernelDefinition) -> bool {
    matches!(definition.distance, Distance::Euclidean | Distance::Cosine)
}

/// The number of a row, which is its only value.
#[inline]
pub(crate) fn number<T: Scalar>(row: &[T]) -> usize {
    row[0].to_f64() as usize
}
