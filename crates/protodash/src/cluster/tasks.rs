//! The kernel mean as tasks for any process.

use ndarray::ArrayRef2;

use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::kernel_mean::{MeanPart, Precision, Target};
use crate::observe::{Observer, Stage};
use crate::params::{Means, Params, TargetEnergy};
use crate::prepared::{MeansOrigin, Prepared, normalised, precision_for_one};
use crate::rows::{CheckedPair, Scalar, same_rows};
use crate::search::{read_value, written_value};

/// The pairs behind a kernel mean and an energy, divided into tasks that any process with the same data can do.
///
/// The results of all tasks, as bytes, give every worker the bits of [`prepare`](super::prepare). A result has 8 bytes for each of
/// its rows.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::cluster::{self, MeanTasks};
/// use protodash::{Gaussian, Params, Unobserved};
///
/// let (rows, kernel, params) = (array![[0.0], [0.3], [4.0]], Gaussian::new(1.0)?, Params::new(1));
/// let tasks = MeanTasks::new(&rows, &rows, &kernel, &params)?;
/// let results: Vec<Vec<u8>> =
///     (0..tasks.len()).map(|task| tasks.run(task, &mut Unobserved)).collect::<Result<_, _>>()?;
/// let prepared = tasks.prepare(&results, &mut Unobserved)?;
/// let alone = cluster::prepare(&rows, &rows, &kernel, &params, &mut Unobserved)?;
/// assert_eq!(prepared.select(&params, &mut Unobserved)?, alone.select(&params, &mut Unobserved)?);
/// # Ok::<(), protodash::Error>(())
/// ```
pub struct MeanTasks<'a, T: Scalar> {
    target: &'a ArrayRef2<T>,
    source: &'a ArrayRef2<T>,
    pair: CheckedPair<'a, T>,
    kernel: &'a dyn Kernel<T>,
    params: Params,
    /// Normalised.
    target_weights: Option<Vec<f64>>,
    precision: Precision,
    n_mean_tasks: usize,
    n_energy_tasks: usize,
}

impl<'a, T: Scalar> MeanTasks<'a, T> {
    /// The tasks for these data. Uses only those parameters that concern the target and the precision.
    ///
    /// # Errors
    ///
    /// As for [`select`](crate::select()).
    ///
    /// # Examples
    ///
    /// See [`MeanTasks`].
    pub fn new(
        target: &'a ArrayRef2<T>,
        source: &'a ArrayRef2<T>,
        kernel: &'a dyn Kernel<T>,
        params: &Params,
    ) -> Result<Self> {
        let params = Params { means: Means::Full, ..params.clone() };
        let pair = CheckedPair::new(target, source)?;
        let (rows, source_rows) = pair.rows();
        params.check(rows.n_rows(), source_rows.n_rows())?;
        // The number of parts does not depend on weights.
        let unweighted = Target { rows, weights: None };
        let n_mean_tasks = T::n_mean_parts(unweighted, source_rows, kernel);
        let has_energy = match params.target_energy {
            _ if n_mean_tasks == 0 || same_rows(rows, source_rows) => false,
            TargetEnergy::Exact => true,
            TargetEnergy::Sample { n_rows, .. } => n_rows >= rows.n_rows(),
            TargetEnergy::Skip => false,
        };
        let n_energy_tasks = if has_energy { T::n_mean_parts(unweighted, rows, kernel) } else { 0 };
        let precision = precision_for_one::<T>(&params);
        let target_weights = params.target_weights.as_deref().map(normalised);
        Ok(MeanTasks { target, source, pair, kernel, params, target_weights, precision, n_mean_tasks, n_energy_tasks })
    }

    /// Number of tasks; 0 if the kernel mean needs no pairs.
    pub fn len(&self) -> usize {
        self.n_mean_tasks + self.n_energy_tasks
    }

    /// Whether there are no tasks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The result of one task.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfRange`] if there is no such task, or [`Error::Cancelled`] when the observer stops it.
    ///
    /// # Examples
    ///
    /// See [`MeanTasks`].
    pub fn run(&self, task: usize, observer: &mut dyn Observer) -> Result<Vec<u8>> {
        if task >= self.len() {
            let allowed = "the number of a task";
            return Err(Error::OutOfRange { name: "task", value: task.to_string(), allowed });
        }
        let (rows, source) = self.pair.rows();
        let target = Target { rows, weights: self.target_weights.as_deref() };
        let part = match task.checked_sub(self.n_mean_tasks) {
            None => T::mean_part(target, source, self.kernel, (self.precision, task), (Stage::KernelMean, observer)),
            Some(task) => {
                T::mean_part(target, rows, self.kernel, (self.precision, task), (Stage::TargetEnergy, observer))
            }
        };
        Ok(written_value(&part?))
    }

    /// The data with their kernel mean and energy, from the results of all tasks in order.
    ///
    /// # Errors
    ///
    /// [`ClusterError::OtherParts`](super::ClusterError::OtherParts) or [`Error::BadMessage`] if the results are not those of
    /// these tasks.
    ///
    /// # Examples
    ///
    /// See [`MeanTasks`].
    pub fn prepare<R: AsRef<[u8]>>(&self, results: &[R], observer: &mut dyn Observer) -> Result<Prepared<'a, T>> {
        let mut parts: Vec<MeanPart> =
            results.iter().map(|result| read_value(result.as_ref())).collect::<Result<_>>()?;
        let energy = parts.split_off(self.n_mean_tasks.min(parts.len()));
        let of_target = (self.n_energy_tasks > 0).then_some(&energy[..]);
        let origin = MeansOrigin::Parts { means: &parts, of_target };
        Prepared::in_precision(
            self.precision,
            (self.target, self.source),
            self.kernel,
            &self.params,
            (origin, observer),
        )
    }
}
