//! Target, source and kernel whose types are known only at run time.

mod cluster;
#[macro_use]
mod verbs;
mod maps;

pub use self::cluster::Worker;

use ndarray::{Array2, ArrayRef2, CowArray, Ix2};

use crate::error::{Result, Role};
use crate::kernel::{BuiltInKernel, Kernel, KernelSpec, Precomputed, SparseKernel, SparseMatrix};
use crate::rows::Scalar;

/// Rows in either precision with their kernel, or kernel matrices instead.
///
/// For programs that know the types of their data only at run time. The matrices are borrowed or owned.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Dataset, KernelSpec, Params, Unobserved};
///
/// let rows = array![[0.0_f32], [1.0], [2.0]];
/// let dataset = Dataset::from_f32(rows.view(), None, &KernelSpec::new("gaussian")?, 0)?;
/// let selection = dataset.select(&Params::new(1), &mut Unobserved)?;
/// assert_eq!(selection.prototypes[0].source_index, 1);
/// # Ok::<(), protodash::Error>(())
/// ```
pub enum Dataset<'a> {
    /// Rows in single precision.
    F32 {
        /// The rows to choose from.
        source: CowArray<'a, f32, Ix2>,
        /// The rows to be represented; `None` if they are the source.
        target: Option<CowArray<'a, f32, Ix2>>,
        /// Their kernel.
        kernel: BuiltInKernel,
    },
    /// Rows in double precision.
    F64 {
        /// The rows to choose from.
        source: CowArray<'a, f64, Ix2>,
        /// The rows to be represented; `None` if they are the source.
        target: Option<CowArray<'a, f64, Ix2>>,
        /// Their kernel.
        kernel: BuiltInKernel,
    },
    /// Sparse rows with their kernel.
    Sparse(SparseKernel),
    /// Kernel matrices.
    Precomputed(Precomputed<'a>),
    /// Rows with a custom kernel.
    Custom {
        /// The rows to choose from.
        source: Array2<f64>,
        /// The rows to be represented.
        target: Array2<f64>,
        /// Their kernel.
        kernel: Box<dyn Kernel<f64> + Send + 'a>,
    },
}

impl<'a> Dataset<'a> {
    /// Rows in single precision with the requested kernel; without a target the source represents itself.
    ///
    /// # Errors
    ///
    /// As for [`KernelSpec::resolve`].
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, Gaussian, KernelSpec};
    ///
    /// let rows = array![[0.0_f32], [3.0]];
    /// let dataset = Dataset::from_f32(rows, None, &KernelSpec::new("gaussian")?, 0)?;
    /// assert_eq!(dataset.kernel(), Some(Gaussian::new(1.5)?.into())); // half the median distance
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn from_f32(
        source: impl Into<CowArray<'a, f32, Ix2>>,
        target: Option<CowArray<'a, f32, Ix2>>,
        kernel: &KernelSpec,
        seed: u64,
    ) -> Result<Self> {
        let source = source.into();
        let kernel = kernel.resolve(target.as_deref(), &source, seed)?;
        Ok(Dataset::F32 { source, target, kernel })
    }

    /// Rows in double precision; see [`from_f32`](Self::from_f32).
    ///
    /// # Errors
    ///
    /// As for [`KernelSpec::resolve`].
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec, Linear};
    ///
    /// let (source, target) = (array![[0.0], [3.0]], array![[1.0]]);
    /// let dataset = Dataset::from_f64(source, Some(target.into()), &KernelSpec::new("linear")?, 0)?;
    /// assert_eq!((dataset.n_features(), dataset.n_bytes()), (1, 24));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn from_f64(
        source: impl Into<CowArray<'a, f64, Ix2>>,
        target: Option<CowArray<'a, f64, Ix2>>,
        kernel: &KernelSpec,
        seed: u64,
    ) -> Result<Self> {
        let source = source.into();
        let kernel = kernel.resolve(target.as_deref(), &source, seed)?;
        Ok(Dataset::F64 { source, target, kernel })
    }

    /// Sparse rows with the requested kernel; without a target the source represents itself.
    ///
    /// # Errors
    ///
    /// As for [`SparseKernel::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Dataset, KernelSpec, SparseMatrix};
    ///
    /// let rows = SparseMatrix::new(30_000, vec![0, 1, 2], vec![5, 29_999], vec![1.0, 1.0])?;
    /// let dataset = Dataset::from_sparse(rows, None, &KernelSpec::new("cosine")?, 0)?;
    /// assert_eq!(dataset.n_features(), 30_000);
    /// assert!(dataset.n_bytes() < 100);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn from_sparse(
        source: SparseMatrix,
        target: Option<SparseMatrix>,
        kernel: &KernelSpec,
        seed: u64,
    ) -> Result<Self> {
        SparseKernel::new(source, target, kernel, seed).map(Dataset::Sparse)
    }

    /// The kernel; `None` for kernel matrices and custom kernels.
    pub fn kernel(&self) -> Option<BuiltInKernel> {
        match self {
            Dataset::F32 { kernel, .. } | Dataset::F64 { kernel, .. } => Some(*kernel),
            Dataset::Sparse(kernel) => Some(kernel.formula()),
            Dataset::Precomputed(_) | Dataset::Custom { .. } => None,
        }
    }

    /// Number of columns of the rows, or of the kernel matrix.
    pub fn n_features(&self) -> usize {
        match self {
            Dataset::F32 { source, .. } => source.ncols(),
            Dataset::F64 { source, .. } => source.ncols(),
            Dataset::Sparse(kernel) => kernel.source().n_columns(),
            Dataset::Precomputed(kernel) => kernel.n_source(),
            Dataset::Custom { source, .. } => source.ncols(),
        }
    }

    /// Bytes that the matrices take.
    pub fn n_bytes(&self) -> u64 {
        fn n_values<T>(source: &ArrayRef2<T>, target: Option<&ArrayRef2<T>>) -> usize {
            source.len() + target.map_or(0, |target| target.len())
        }
        let n_bytes = match self {
            Dataset::F32 { source, target, .. } => 4 * n_values(source, target.as_deref()),
            Dataset::F64 { source, target, .. } => 8 * n_values(source, target.as_deref()),
            Dataset::Sparse(kernel) => return kernel.n_bytes(),
            Dataset::Precomputed(kernel) => 8 * kernel.n_values(),
            Dataset::Custom { source, target, .. } => 8 * n_values(source, Some(target)),
        };
        n_bytes as u64
    }

    /// Number of rows to choose from.
    pub fn n_source(&self) -> usize {
        match self {
            Dataset::F32 { source, .. } => source.nrows(),
            Dataset::F64 { source, .. } => source.nrows(),
            Dataset::Sparse(kernel) => kernel.source().n_rows(),
            Dataset::Precomputed(kernel) => kernel.n_source(),
            Dataset::Custom { source, .. } => source.nrows(),
        }
    }

    /// Some rows of target or source, in this order; `None` if one does not exist, for kernel matrices, which have no rows, and
    /// for sparse rows, which are not made dense.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec, Role};
    ///
    /// let dataset = Dataset::from_f32(array![[0.5_f32], [3.0]], None, &KernelSpec::new("linear")?, 0)?;
    /// assert_eq!(dataset.rows(Role::Target, &[1, 0]), Some(array![[3.0], [0.5]]));
    /// assert_eq!(dataset.rows(Role::Target, &[2]), None);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn rows(&self, role: Role, rows: &[usize]) -> Option<Array2<f64>> {
        fn some<T: Scalar>(side: &ArrayRef2<T>, rows: &[usize]) -> Option<Array2<f64>> {
            let value = |(at, column): (usize, usize)| side[(rows[at], column)].to_f64();
            let exist = rows.iter().all(|row| *row < side.nrows());
            exist.then(|| Array2::from_shape_fn((rows.len(), side.ncols()), value))
        }
        match self {
            Dataset::F32 { source, target, .. } => some(side(source, target.as_deref(), role), rows),
            Dataset::F64 { source, target, .. } => some(side(source, target.as_deref(), role), rows),
            Dataset::Custom { source, target, .. } => some(side(source, Some(target), role), rows),
            Dataset::Sparse(_) | Dataset::Precomputed(_) => None,
        }
    }

    /// A column of target or source; `None` if it does not exist, for kernel matrices and for sparse rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec, Role};
    ///
    /// let dataset = Dataset::from_f64(array![[1.0, 2.0], [3.0, 4.0]], None, &KernelSpec::new("linear")?, 0)?;
    /// assert_eq!(dataset.column(Role::Source, 1), Some(vec![2.0, 4.0]));
    /// assert_eq!(dataset.column(Role::Source, 2), None);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn column(&self, role: Role, column: usize) -> Option<Vec<f64>> {
        fn one<T: Scalar>(side: &ArrayRef2<T>, column: usize) -> Option<Vec<f64>> {
            (column < side.ncols()).then(|| side.column(column).iter().map(|value| value.to_f64()).collect())
        }
        match self {
            Dataset::F32 { source, target, .. } => one(side(source, target.as_deref(), role), column),
            Dataset::F64 { source, target, .. } => one(side(source, target.as_deref(), role), column),
            Dataset::Custom { source, target, .. } => one(side(source, Some(target), role), column),
            Dataset::Sparse(_) | Dataset::Precomputed(_) => None,
        }
    }
}

/// The matrix of target or source; without a target, the source is the target.
fn side<'a, T>(source: &'a ArrayRef2<T>, target: Option<&'a ArrayRef2<T>>, role: Role) -> &'a ArrayRef2<T> {
    target.filter(|_| role == Role::Target).unwrap_or(source)
}
