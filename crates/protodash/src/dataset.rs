//! Target, source and kernel whose types are known at run time only, and the one place that dispatches on them.

use ndarray::{Array2, ArrayRef2, CowArray, Ix2};

use crate::cross_validation::{BandwidthCurve, CrossValidation, Labels, cross_validate};
use crate::error::{Error, Result};
use crate::kernel::{BuiltInKernel, Kernel, KernelSpec, Precomputed};
use crate::observe::Observer;
use crate::params::Params;
use crate::rows::Scalar;

/// Rows in either precision with the kernel that compares them, or kernel values in their place.
///
/// For programs that learn at run time what they work on. The matrices are borrowed or owned.
///
/// # Examples
///
/// ```
/// use ndarray::{ArrayRef2, array};
/// use protodash::{Dataset, Job, Kernel, KernelSpec, Params, Result, Scalar, select};
///
/// struct FirstPrototype;
/// impl Job for FirstPrototype {
///     type Output = usize;
///     fn run<T: Scalar>(
///         self,
///         target: &ArrayRef2<T>,
///         source: &ArrayRef2<T>,
///         kernel: &dyn Kernel<T>,
///     ) -> Result<usize> {
///         Ok(select(target, source, kernel, &Params::new(1))?.prototypes[0].source_index)
///     }
/// }
///
/// let rows = array![[0.0_f32], [1.0], [2.0]];
/// let dataset = Dataset::from_f32(rows.view(), None, &KernelSpec::new("gaussian")?, 0)?;
/// assert_eq!(dataset.run(FirstPrototype)?, 1);
/// # Ok::<(), protodash::Error>(())
/// ```
pub enum Dataset<'a> {
    /// Rows in single precision.
    F32 {
        /// The rows to choose from.
        source: CowArray<'a, f32, Ix2>,
        /// The rows to be represented; `None` if they are the source.
        target: Option<CowArray<'a, f32, Ix2>>,
        /// The kernel that compares them.
        kernel: BuiltInKernel,
    },
    /// Rows in double precision.
    F64 {
        /// The rows to choose from.
        source: CowArray<'a, f64, Ix2>,
        /// The rows to be represented; `None` if they are the source.
        target: Option<CowArray<'a, f64, Ix2>>,
        /// The kernel that compares them.
        kernel: BuiltInKernel,
    },
    /// Kernel matrices.
    Precomputed(Precomputed<'a>),
    /// Rows with a custom kernel.
    Custom {
        /// The rows to choose from.
        source: Array2<f64>,
        /// The rows to be represented.
        target: Array2<f64>,
        /// The kernel that compares them.
        kernel: Box<dyn Kernel<f64> + Send + 'a>,
    },
}

/// Work on target, source and kernel, whatever their types; see [`Dataset`] for an example.
pub trait Job {
    /// What the work returns.
    type Output;

    /// Does the work.
    ///
    /// # Errors
    ///
    /// If the data or the parameters do not allow it.
    fn run<T: Scalar>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &dyn Kernel<T>,
    ) -> Result<Self::Output>;
}

impl<'a> Dataset<'a> {
    /// Rows in single precision, with the kernel asked for; without a target the source represents itself.
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
    /// assert_eq!(dataset.kernel(), Some(Gaussian::new(3.0)?.into()));
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

    /// Rows in double precision, as [`from_f32`](Self::from_f32) has them in single precision.
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

    /// What `job` returns for these data.
    ///
    /// # Errors
    ///
    /// Those of the job. Where the source represents itself, an error about the target speaks of the source.
    pub fn run<J: Job>(&self, job: J) -> Result<J::Output> {
        match self {
            Dataset::F32 { source, target, kernel } => run_on_rows(source, target.as_deref(), kernel, job),
            Dataset::F64 { source, target, kernel } => run_on_rows(source, target.as_deref(), kernel, job),
            Dataset::Precomputed(kernel) => job.run(&kernel.target_rows(), &kernel.source_rows(), kernel),
            Dataset::Custom { source, target, kernel } => job.run(target, source, kernel),
        }
    }

    /// The kernel; `None` for kernel matrices and custom kernels.
    pub fn kernel(&self) -> Option<BuiltInKernel> {
        match self {
            Dataset::F32 { kernel, .. } | Dataset::F64 { kernel, .. } => Some(*kernel),
            Dataset::Precomputed(_) | Dataset::Custom { .. } => None,
        }
    }

    /// Finds the bandwidth by [`cross_validate`], and gives it to the kernel.
    ///
    /// # Errors
    ///
    /// As for [`cross_validate`], and if the kernel has no bandwidth.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::Array2;
    /// use protodash::{CrossValidation, Dataset, KernelSpec, Params, Unobserved};
    ///
    /// let rows = Array2::from_shape_fn((40, 1), |(row, _)| (row as f64 * 0.7).sin());
    /// let mut dataset = Dataset::from_f64(rows, None, &KernelSpec::new("gaussian")?, 0)?;
    /// let curve =
    ///     dataset.cross_validate_bandwidth(None, &Params::new(4), &CrossValidation::default(), &mut Unobserved)?;
    /// assert_eq!(dataset.kernel().unwrap().bandwidth(), Some(curve.best().bandwidth));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn cross_validate_bandwidth(
        &mut self,
        labels: Option<Labels<'_>>,
        params: &Params,
        settings: &CrossValidation,
        observer: &mut dyn Observer,
    ) -> Result<BandwidthCurve> {
        let Some(initial) = self.kernel() else { return Err(Error::NoBandwidth) };
        let curve = self.run(TryBandwidths { kernel: initial, labels, params, settings, observer })?;
        let best = initial.with_bandwidth(curve.best().bandwidth)?;
        if let Dataset::F32 { kernel, .. } | Dataset::F64 { kernel, .. } = self {
            *kernel = best;
        }
        Ok(curve)
    }

    /// Number of columns of the rows, or of the kernel matrix.
    pub fn n_features(&self) -> usize {
        match self {
            Dataset::F32 { source, .. } => source.ncols(),
            Dataset::F64 { source, .. } => source.ncols(),
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
            Dataset::Precomputed(kernel) => 8 * kernel.n_values(),
            Dataset::Custom { source, target, .. } => 8 * n_values(source, Some(target)),
        };
        n_bytes as u64
    }
}

fn run_on_rows<T: Scalar, J: Job>(
    source: &ArrayRef2<T>,
    target: Option<&ArrayRef2<T>>,
    kernel: &BuiltInKernel,
    job: J,
) -> Result<J::Output> {
    match target {
        Some(target) => job.run(target, source, kernel),
        None => job.run(source, source, kernel).map_err(Error::about_source),
    }
}

struct TryBandwidths<'a> {
    kernel: BuiltInKernel,
    labels: Option<Labels<'a>>,
    params: &'a Params,
    settings: &'a CrossValidation,
    observer: &'a mut dyn Observer,
}

impl Job for TryBandwidths<'_> {
    type Output = BandwidthCurve;

    fn run<T: Scalar>(self, target: &ArrayRef2<T>, source: &ArrayRef2<T>, _: &dyn Kernel<T>) -> Result<BandwidthCurve> {
        let TryBandwidths { kernel, labels, params, settings, observer } = self;
        cross_validate(
            target,
            source,
            labels,
            &|bandwidth| kernel.with_bandwidth(bandwidth),
            params,
            settings,
            observer,
        )
    }
}
