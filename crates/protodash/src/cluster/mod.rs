//! One search divided between processes or machines, with the same result to the last bit.
//!
//! A *leader* runs the method; *workers* own consecutive source rows with everything that is proportional to their number:
//! gradients and kernel columns, 4 to 8 bytes for each row and prototype. They talk in messages of bytes. How these travel
//! is up to a [`Transport`]: a pipe, a socket, an actor of a cluster engine. This module knows no engine.
//!
//! - A step of ProtoDash or ProtoGreedy usually takes one message to each worker. Data in f32 take one more, for the kernel
//!   mean of the best row in f64, and others only where the precision of f32 does not decide.
//! - Messages may be repeated: questions change nothing, and orders are numbered.
//! - A worker may die at any time. A new one in its place says which orders it misses, and the leader repeats them.
//!
//! The leader has no data. Workers have the same target, source, kernel and parameters, and the same vector instructions,
//! since the last bits of kernel values depend on them (see [`limit_instructions`]). They introduce themselves with a hash of
//! their rows and kernel means, and one that differs is rejected.
//!
//! The kernel mean, most of the work, is divided too: [`MeanTasks`] are done by any process in any order, and all workers
//! prepare their data from the results. What every worker has whole are the rows and one number for each: it needs the target
//! to compute kernel means, and rows cost little next to their kernel columns.
//!
//! # Examples
//!
//! Two workers in this process:
//!
//! ```
//! use ndarray::array;
//! use protodash::cluster::{self, ShardServer, Transport};
//! use protodash::{Gaussian, Params, Unobserved, select};
//!
//! let rows = array![[0.0], [0.3], [4.0], [4.2], [9.0]];
//! let (kernel, params) = (Gaussian::new(1.0)?, Params::new(3));
//!
//! // Every worker prepares the data and serves some rows; `handle` takes a message and returns the reply.
//! let prepared = cluster::prepare(&rows, &rows, &kernel, &params, &mut Unobserved)?;
//! let first = ShardServer::new(&prepared, 0..2, &params)?;
//! let second = ShardServer::new(&prepared, 2..5, &params)?;
//!
//! // The leader has a way to each of them, and any worker makes the selection of what it found.
//! let workers: [&dyn Transport; 2] = [&first, &second];
//! let path = cluster::lead::<f64>(&workers, &kernel, &params, &mut Unobserved)?;
//! let selection = cluster::finish(&prepared, &path, &params, &mut Unobserved)?;
//! assert_eq!(selection, select(&rows, &rows, &kernel, &params)?);
//! # Ok::<(), protodash::Error>(())
//! ```

mod error;
mod instructions;
mod path;
mod tasks;

use std::ops::Range;

use ndarray::ArrayRef2;

use crate::choice::Choice;
use crate::error::{Error, Result};
use crate::kernel::{Kernel, KernelDefinition};
use crate::method_feature::MethodFeature;
use crate::observe::Observer;
use crate::params::{Means, Params, Weights};
use crate::prepared::Prepared;
use crate::problem::SelectionProblem;
use crate::rows::Scalar;
use crate::search::ShardData;
use crate::selection::Selection;

pub use self::error::ClusterError;
pub use self::instructions::{Instructions, limit_instructions};
pub use self::path::LedPath;
pub use self::tasks::MeanTasks;
pub use crate::search::{ShardServer, Transport, message_in_words};

/// Target, source and kernel with their kernel mean, for a leader or a worker.
///
/// The kernel mean is in the precision of the data, as in [`select`](crate::select()), and of all pairs: workers do not race.
///
/// # Errors
///
/// As for [`select`](crate::select()).
///
/// # Examples
///
/// See the [module](self).
pub fn prepare<'a, T: Scalar>(
    target: &'a ArrayRef2<T>,
    source: &'a ArrayRef2<T>,
    kernel: &'a dyn Kernel<T>,
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<Prepared<'a, T>> {
    let params = Params { means: Means::Full, ..params.clone() };
    Prepared::for_one(target, source, kernel, &params, observer)
}

/// The path of a search divided between workers, given in the order of their rows.
///
/// The caller needs no data: of the rows it sees those that may be chosen, one at a time. [`Params::resume`] skips the search
/// for rows that an earlier call found. Call this from outside of the thread pool that workers in this process use.
///
/// # Errors
///
/// As for [`Prepared::select`]; [`ClusterError`] if a parameter is not supported; if the workers do not have all rows or the
/// same data; if a worker fails and its [`Transport`] gives up.
///
/// # Examples
///
/// See the [module](self).
pub fn lead<T: Scalar>(
    workers: &[&dyn Transport],
    kernel: &dyn Kernel<T>,
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<LedPath> {
    check(params)?;
    // Target weights were checked when the data were prepared.
    let params = Params { target_weights: None, ..params.clone() };
    // Not on a thread of the pool: the leader mostly waits, and workers in this process may need that thread.
    let (fingerprint, path) = T::lead(workers, kernel, &params, observer)?;
    Ok(LedPath::new(fingerprint, path))
}

/// The selection of a path, wherever the data are: the same to the last bit as that of [`Prepared::select`].
///
/// # Errors
///
/// [`ClusterError::OtherPath`] if the path was found in other data; otherwise as for [`Prepared::select`].
///
/// # Examples
///
/// See the [module](self).
pub fn finish<T: Scalar>(
    prepared: &Prepared<'_, T>,
    led: &LedPath,
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<Selection> {
    check(params)?;
    let params = &Params { target_weights: None, ..params.clone() };
    let problem = prepared.problem(params);
    let expected = whole_source(&problem).fingerprint();
    if led.fingerprint != expected {
        return Err(Error::Cluster(ClusterError::OtherPath { found: led.fingerprint, expected }));
    }
    let path = T::weighed(problem, led.path(prepared.shape().1)?, observer)?;
    Ok(prepared.selection_of(path, params))
}

/// [`lead`] and [`finish`] in one call, for a leader that has the data too.
///
/// # Errors
///
/// As for these.
///
/// # Examples
///
/// See the [module](self).
pub fn select<T: Scalar>(
    prepared: &Prepared<'_, T>,
    workers: &[&dyn Transport],
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<Selection> {
    let led = lead(workers, prepared.kernel(), params, observer)?;
    finish(prepared, &led, params, observer)
}

impl<'a, T: Scalar> ShardServer<'a, T> {
    /// The worker of these source rows.
    ///
    /// # Errors
    ///
    /// If a parameter is out of range, if the method is neither ProtoDash nor ProtoGreedy, or [`Error::OutOfRange`] if
    /// there are no such rows.
    ///
    /// # Examples
    ///
    /// See [`cluster`](self).
    pub fn new(prepared: &'a Prepared<'_, T>, rows: Range<usize>, params: &'a Params) -> Result<Self> {
        check(params)?;
        let (n_target, n_source) = prepared.shape();
        Params { target_weights: None, ..params.clone() }.check(n_target, n_source)?;
        if rows.is_empty() || rows.end > n_source {
            let allowed = "at least one row, and all within the source";
            return Err(Error::OutOfRange {
                name: "the range of a worker's rows",
                value: format!("{rows:?}"),
                allowed,
            });
        }
        Ok(Self::with_data(&whole_source(&prepared.problem(params)), rows, n_target))
    }
}

/// All rows of the source, as far as workers need them.
fn whole_source<'a, T: Scalar>(problem: &SelectionProblem<'a, T>) -> ShardData<'a, T> {
    let SelectionProblem { source, kernel, kernel_mean, approximate, layout, params, .. } = *problem;
    ShardData {
        kernel,
        rows: source,
        first: 0,
        kernel_mean,
        approximate,
        is_candidate: params.given_rows().candidates(source),
        constraints: None,
        rows_per_block: layout.rows_per_block,
    }
}

/// An error if the search cannot be divided between workers.
///
/// # Errors
///
/// [`ClusterError::Unsupported`] with the name of the parameter, or [`Error::MethodWithoutWorkers`].
///
/// # Examples
///
/// ```
/// use protodash::{Params, cluster};
///
/// let mut params = Params::new(5);
/// params.oversample = 2.0;
/// assert_eq!(cluster::check(&params).unwrap_err().to_string(), "oversample cannot run on workers");
/// ```
pub fn check(params: &Params) -> Result<()> {
    check_feature(params, MethodFeature::Workers)
}

/// An error if a selection cannot run on a cluster with this kernel.
///
/// Kernel means are divided between workers for more methods than searches: those whose search needs no more than the kernel
/// means make it in one process ([`Dataset::select_from_tasks`](crate::Dataset::select_from_tasks)).
///
/// # Errors
///
/// As for [`check`], but for more methods; [`ClusterError::Centred`] if the weights sum to 1 and the kernel may have to be
/// centred.
///
/// # Examples
///
/// ```
/// use protodash::{BuiltInKernel, Method, Params, Weights, cluster};
///
/// let linear = BuiltInKernel::definition_of("linear")?;
/// let mut params = Params::new(5);
/// params.method = Method::L2c;
/// assert!(cluster::check(&params).is_err() && cluster::check_selection(&params, linear).is_ok());
/// (params.method, params.weights) = (Method::ProtoDash, Weights::Convex);
/// assert!(cluster::check_selection(&params, linear).is_err());
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn check_selection(params: &Params, kernel: &KernelDefinition) -> Result<()> {
    check_feature(params, MethodFeature::Cluster)?;
    let is_divided = params.method.supports(MethodFeature::Workers);
    if is_divided && params.weights == Weights::Convex && !kernel.has_small_values() {
        return Err(Error::Cluster(ClusterError::Centred));
    }
    Ok(())
}

fn check_feature(params: &Params, feature: MethodFeature) -> Result<()> {
    if !params.method.supports(feature) {
        return Err(Error::MethodWithoutWorkers { method: params.method.name(), feature });
    }
    let unsupported = [
        ("quotas", !params.quotas.is_empty()),
        ("a budget", params.budget.is_some()),
        ("oversample", params.oversample != 1.0),
        ("racing", params.means == Means::Racing),
    ];
    match unsupported.into_iter().find(|(_, is_set)| *is_set) {
        Some((what, _)) => Err(Error::Cluster(ClusterError::Unsupported { what })),
        None => Ok(()),
    }
}
