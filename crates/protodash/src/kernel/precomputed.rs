//! A kernel given by matrices. Its rows are row numbers.

use ndarray::{Array2, CowArray, Ix2};

use super::Kernel;
use super::definiteness::check_definite;
use super::matrix_problem::{MatrixProblem, MatrixRole};
use crate::error::{Error, Result};

/// A kernel given by matrices instead of a formula.
///
/// Its rows are row numbers: [`source_rows`](Self::source_rows) and [`target_rows`](Self::target_rows) return them as
/// matrices of one column, to be used as data.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Params, Precomputed, select};
///
/// let gram = array![[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let kernel = Precomputed::new(gram.view())?;
/// let selection = select(&kernel.target_rows(), &kernel.source_rows(), &kernel, &Params::new(2))?;
/// let chosen: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
/// assert_eq!(chosen, [0, 2]);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Precomputed<'a> {
    source: CowArray<'a, f64, Ix2>,
    target_by_source: Option<CowArray<'a, f64, Ix2>>,
    target: Option<CowArray<'a, f64, Ix2>>,
}

fn refused(matrix: MatrixRole, problem: MatrixProblem) -> Error {
    Error::KernelMatrix { matrix, problem }
}

impl<'a> Precomputed<'a> {
    /// Name for kernel matrices on the command line, in Python and in results.
    pub const NAME: &'static str = "precomputed";

    /// The kernel of a data set with itself: target and source are the same rows.
    ///
    /// # Errors
    ///
    /// If the matrix is empty, not square, not finite, not symmetric or not positive semi-definite. Symmetry and
    /// definiteness are checked up to 1e-6 of the largest value, so that a matrix computed in f32 passes. A matrix is
    /// rejected as indefinite only if Lanczos iteration finds a negative Rayleigh quotient, which is a proof.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Error, MatrixProblem, MatrixRole, Precomputed};
    ///
    /// let lopsided = array![[1.0, 0.5], [0.4, 1.0]];
    /// let error = Precomputed::new(lopsided.view()).unwrap_err();
    /// let problem = MatrixProblem::NotSymmetric { row: 0, column: 1, value: 0.5, mirrored: 0.4 };
    /// assert_eq!(error, Error::KernelMatrix { matrix: MatrixRole::Source, problem });
    /// ```
    pub fn new(gram: impl Into<CowArray<'a, f64, Ix2>>) -> Result<Self> {
        let source = gram.into();
        check_definite(source.view()).map_err(|problem| refused(MatrixRole::Source, problem))?;
        Ok(Precomputed { source, target_by_source: None, target: None })
    }

    /// The kernel of a source with itself, and of each target row (rows) with each source row (columns).
    ///
    /// The target's energy is then unknown: use [`TargetEnergy::Skip`](crate::TargetEnergy::Skip), or pass the target's
    /// matrix to [`with_target`](Self::with_target).
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), and if the columns of `target_by_source` are not the source rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Params, Precomputed, TargetEnergy, select};
    ///
    /// let gram = array![[1.0, 0.0], [0.0, 1.0]];
    /// let target_by_source = array![[0.1, 0.9], [0.2, 0.8], [0.0, 0.7]];
    /// let kernel = Precomputed::across(target_by_source.view(), gram.view())?;
    /// let mut params = Params::new(1);
    /// params.target_energy = TargetEnergy::Skip;
    /// let selection = select(&kernel.target_rows(), &kernel.source_rows(), &kernel, &params)?;
    /// assert_eq!(selection.prototypes[0].source_index, 1);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn across(
        target_by_source: impl Into<CowArray<'a, f64, Ix2>>,
        gram: impl Into<CowArray<'a, f64, Ix2>>,
    ) -> Result<Self> {
        let (target_by_source, source) = (target_by_source.into(), gram.into());
        let (rows, columns) = target_by_source.dim();
        if rows == 0 || columns == 0 {
            return Err(refused(MatrixRole::TargetBySource, MatrixProblem::Empty { rows, columns }));
        }
        if columns != source.nrows() {
            let problem = MatrixProblem::Columns { columns, n_source: source.nrows() };
            return Err(refused(MatrixRole::TargetBySource, problem));
        }
        check_definite(source.view()).map_err(|problem| refused(MatrixRole::Source, problem))?;
        Ok(Precomputed { source, target_by_source: Some(target_by_source), target: None })
    }

    /// The same kernel with the kernel matrix of the target.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), and if the matrix does not have a row for each target row.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Params, Precomputed, select};
    ///
    /// let (gram, across, target) = (array![[1.0]], array![[0.5]], array![[1.0]]);
    /// let kernel = Precomputed::across(across.view(), gram.view())?.with_target(target.view())?;
    /// let selection = select(&kernel.target_rows(), &kernel.source_rows(), &kernel, &Params::new(1))?;
    /// assert_eq!(selection.explained(), Some(0.25)); // w = μ = ½, l = ⅛, ‖μ‖² = 1
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn with_target(self, gram: impl Into<CowArray<'a, f64, Ix2>>) -> Result<Self> {
        let gram = gram.into();
        check_definite(gram.view()).map_err(|problem| refused(MatrixRole::Target, problem))?;
        let n_target = self.target_by_source.as_ref().map_or(self.source.nrows(), |matrix| matrix.nrows());
        if gram.nrows() != n_target {
            let problem = MatrixProblem::Rows { rows: gram.nrows(), n_target };
            return Err(refused(MatrixRole::Target, problem));
        }
        Ok(Precomputed { target: Some(gram), ..self })
    }

    /// Number of source rows.
    pub(crate) fn n_source(&self) -> usize {
        self.source.nrows()
    }

    /// Number of values in all matrices.
    pub(crate) fn n_values(&self) -> usize {
        let others = [&self.target_by_source, &self.target];
        self.source.len() + others.into_iter().flatten().map(|matrix| matrix.len()).sum::<usize>()
    }

    /// The row numbers of the source, for [`select`](crate::select).
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    ///
    /// let gram = array![[1.0, 0.0], [0.0, 1.0]];
    /// assert_eq!(protodash::Precomputed::new(gram.view())?.source_rows(), array![[0.0], [1.0]]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn source_rows(&self) -> Array2<f64> {
        numbers(0, self.source.nrows())
    }

    /// The row numbers of the target, for [`select`](crate::select).
    ///
    /// Those of a separate target continue where those of the source end.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    ///
    /// let (gram, across) = (array![[1.0]], array![[0.5], [0.25]]);
    /// let kernel = protodash::Precomputed::across(across.view(), gram.view())?;
    /// assert_eq!(kernel.target_rows(), array![[1.0], [2.0]]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn target_rows(&self) -> Array2<f64> {
        match &self.target_by_source {
            None => self.source_rows(),
            Some(matrix) => numbers(self.source.nrows(), matrix.nrows()),
        }
    }
}

impl Kernel<f64> for Precomputed<'_> {
    /// The stored value; NaN if none was given, which a run reports as an error.
    fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
        let n_source = self.source.nrows();
        let (x, y) = (x[0] as usize, y[0] as usize);
        let value = match (x.checked_sub(n_source), y.checked_sub(n_source)) {
            (None, None) => self.source.get((x, y)),
            (Some(target), None) => self.target_by_source.as_ref().and_then(|matrix| matrix.get((target, y))),
            (None, Some(target)) => self.target_by_source.as_ref().and_then(|matrix| matrix.get((target, x))),
            (Some(x), Some(y)) => self.target.as_ref().and_then(|matrix| matrix.get((x, y))),
        };
        value.copied().unwrap_or(f64::NAN)
    }
}

fn numbers(first: usize, count: usize) -> Array2<f64> {
    Array2::from_shape_fn((count, 1), |(row, _)| (first + row) as f64)
}
