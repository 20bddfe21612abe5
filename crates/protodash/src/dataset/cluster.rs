//! A worker of a cluster, whose rows have types known only at run time.

use std::ops::Range;

use ndarray::ArrayRef2;

use super::Dataset;
use crate::cluster::{self, ClusterError, LedPath, MeanTasks, ShardServer};
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::observe::Observer;
use crate::params::Params;
use crate::prepared::Prepared;
use crate::rows::Scalar;
use crate::selection::Selection;

/// What a worker with all data can do: answer the leader, and finish a selection.
pub trait Worker: Sync {
    /// [`ShardServer::handle`].
    fn handle(&self, message: &[u8]) -> Vec<u8>;

    /// [`cluster::finish`].
    ///
    /// # Errors
    ///
    /// As for [`cluster::finish`].
    fn finish(&self, path: &LedPath, observer: &mut dyn Observer) -> Result<Selection>;
}

struct PreparedWorker<'a, T: Scalar> {
    prepared: &'a Prepared<'a, T>,
    server: ShardServer<'a, T>,
    params: &'a Params,
}

impl<T: Scalar> Worker for PreparedWorker<'_, T> {
    fn handle(&self, message: &[u8]) -> Vec<u8> {
        self.server.handle(message)
    }

    fn finish(&self, path: &LedPath, observer: &mut dyn Observer) -> Result<Selection> {
        cluster::finish(self.prepared, path, self.params, observer)
    }
}

/// The value of an expression in `target`, `source` and `kernel` of rows with a built-in kernel.
macro_rules! on_built_in {
    ($dataset:expr, |$target:ident, $source:ident, $kernel:ident| $value:expr) => {
        match $dataset {
            Dataset::F32 { source: $source, target, kernel: $kernel } => {
                let $target = target.as_ref().unwrap_or($source);
                $value
            }
            Dataset::F64 { source: $source, target, kernel: $kernel } => {
                let $target = target.as_ref().unwrap_or($source);
                $value
            }
            Dataset::Precomputed(_) | Dataset::Custom { .. } => {
                Err(Error::Cluster(ClusterError::Unsupported { what: "a kernel matrix or a custom kernel" }))
            }
            Dataset::Sparse(_) => Err(Error::Cluster(ClusterError::Unsupported { what: "a selection of sparse rows" })),
        }
    };
}

impl Dataset<'_> {
    /// Number of [`MeanTasks`].
    ///
    /// # Errors
    ///
    /// As for [`MeanTasks::new`], and for kernel matrices and custom kernels.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec, Params};
    ///
    /// let dataset = Dataset::from_f64(array![[0.0], [3.0]], None, &KernelSpec::new("gaussian")?, 0)?;
    /// assert_eq!(dataset.n_mean_tasks(&Params::new(1))?, 1);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn n_mean_tasks(&self, params: &Params) -> Result<usize> {
        on_built_in!(self, |target, source, kernel| Ok(MeanTasks::new(target, source, kernel, params)?.len()))
    }

    /// The result of one of the [`MeanTasks`].
    ///
    /// # Errors
    ///
    /// As for [`MeanTasks::run`], and for kernel matrices and custom kernels.
    pub fn run_mean_task(&self, params: &Params, task: usize, observer: &mut dyn Observer) -> Result<Vec<u8>> {
        on_built_in!(self, |target, source, kernel| {
            MeanTasks::new(target, source, kernel, params)?.run(task, observer)
        })
    }

    /// The selection from the results of all [`MeanTasks`], in this process: for methods whose search is not divided.
    ///
    /// # Errors
    ///
    /// As for [`MeanTasks::prepare`] and [`select`](crate::select()), and for kernel matrices and custom kernels.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec, Method, Params, Unobserved};
    ///
    /// let dataset = Dataset::from_f64(array![[0.0], [0.5], [3.0]], None, &KernelSpec::new("gaussian")?, 0)?;
    /// let mut params = Params::new(2);
    /// params.method = Method::L2c;
    /// let result = dataset.run_mean_task(&params, 0, &mut Unobserved)?;
    /// let selection = dataset.select_from_tasks(&params, &[result], &mut Unobserved)?;
    /// assert_eq!(selection, dataset.select(&params, &mut Unobserved)?);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn select_from_tasks(
        &self,
        params: &Params,
        results: &[Vec<u8>],
        observer: &mut dyn Observer,
    ) -> Result<Selection> {
        on_built_in!(self, |target, source, kernel| {
            MeanTasks::new(target, source, kernel, params)?.prepare(results, &mut *observer)?.select(params, observer)
        })
    }

    /// Calls `serve` with a worker of these source rows, prepared from the results of all [`MeanTasks`].
    ///
    /// # Errors
    ///
    /// As for [`MeanTasks::prepare`] and [`ShardServer::new`], and for kernel matrices and custom kernels.
    pub fn serve<R>(
        &self,
        params: &Params,
        results: &[Vec<u8>],
        rows: Range<usize>,
        (observer, serve): (&mut dyn Observer, impl FnOnce(&dyn Worker, &mut dyn Observer) -> R),
    ) -> Result<R> {
        fn served<T: Scalar, R>(
            (target, source): (&ArrayRef2<T>, &ArrayRef2<T>),
            kernel: &dyn Kernel<T>,
            (params, results, rows): (&Params, &[Vec<u8>], Range<usize>),
            (observer, serve): (&mut dyn Observer, impl FnOnce(&dyn Worker, &mut dyn Observer) -> R),
        ) -> Result<R> {
            let prepared = &MeanTasks::new(target, source, kernel, params)?.prepare(results, &mut *observer)?;
            let worker = PreparedWorker { prepared, server: ShardServer::new(prepared, rows, params)?, params };
            Ok(serve(&worker, observer))
        }
        let how = (params, results, rows);
        on_built_in!(self, |target, source, kernel| served((target, source), kernel, how, (observer, serve)))
    }
}
