//! One search divided between processes or machines, with the same result to the last bit.
//!
//! A *leader* runs the method; *workers* own consecutive source rows with everything that is proportional to their number:
//! gradients and kernel columns, 4 to 8 bytes for each row and prototype. They talk in messages of bytes. How these travel
//! is up to a [`Transport`]: a pipe, a socket, an actor of a cluster engine. This module knows no engine.
//!
//! - A step of ProtoDash or ProtoGreedy takes two messages, one to the worker that has the best row and one to all. Data in
//!   f32 need up to two more where the precision of f32 does not decide.
//! - Messages may be repeated: questions change nothing, and orders are numbered.
//! - A worker may die at any time. A new one in its place says which orders it misses, and the leader repeats them.
//!
//! Leader and workers have the same target, source, kernel and parameters, and CPUs with the same vector instructions,
//! since the last bits of kernel values depend on them. Workers introduce themselves with a hash of their rows and kernel
//! means, and one that differs is rejected.
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
//! // Every worker prepares the data and serves its rows; `handle` takes a message and returns the reply.
//! let prepared = cluster::prepare(&rows, &rows, &kernel, &params, &mut Unobserved)?;
//! let first = ShardServer::new(&prepared, 0..2, &params)?;
//! let second = ShardServer::new(&prepared, 2..5, &params)?;
//!
//! // The leader has a way to each of them.
//! let workers: [&dyn Transport; 2] = [&first, &second];
//! let selection = cluster::select(&prepared, &workers, &params, &mut Unobserved)?;
//! assert_eq!(selection, select(&rows, &rows, &kernel, &params)?);
//! # Ok::<(), protodash::Error>(())
//! ```

use std::ops::Range;

use ndarray::ArrayRef2;

use crate::choice::Choice;
use crate::constraints::ConstraintError;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::method_feature::MethodFeature;
use crate::observe::Observer;
use crate::params::{Means, Params};
use crate::prepared::Prepared;
use crate::problem::SelectionProblem;
use crate::rows::Scalar;
use crate::search::{ShardData, ShardLayout};
use crate::selection::Selection;

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

/// [`Prepared::select`] with the search divided between workers, given in the order of their rows.
///
/// The selection is the same to the last bit as that of [`Prepared::select`], for any number of workers. Rows that are
/// chosen pass through the leader, no others. Call this from outside of the thread pool that workers in this process use.
///
/// # Errors
///
/// As for [`Prepared::select`]; if the method is neither ProtoDash nor ProtoGreedy; if the workers do not have all rows,
/// or other data than the leader; if a worker fails and its [`Transport`] gives up.
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
    check(prepared, params)?;
    // Target weights were checked when the data were prepared.
    let params = &Params { target_weights: None, ..params.clone() };
    let layout = ShardLayout { workers: Some(workers), ..ShardLayout::default() };
    let problem = SelectionProblem { layout, ..prepared.problem(params) };
    // Not on a thread of the pool: the leader mostly waits, and workers in this process may need that thread.
    let path = T::path(problem, observer)?;
    Ok(prepared.selection_of(path, params))
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
        check(prepared, params)?;
        let n_source = prepared.shape().1;
        if rows.is_empty() || rows.end > n_source {
            let allowed = "at least one row, and all within the source";
            return Err(Error::OutOfRange {
                name: "the range of a worker's rows",
                value: format!("{rows:?}"),
                allowed,
            });
        }
        let SelectionProblem { source, kernel, kernel_mean, approximate, layout, .. } = prepared.problem(params);
        let whole = ShardData {
            kernel,
            rows: source,
            first: 0,
            kernel_mean,
            approximate,
            is_candidate: params.given_rows().candidates(source),
            constraints: None,
            rows_per_block: layout.rows_per_block,
        };
        Ok(Self::with_data(whole.part(rows)))
    }
}

fn check<T: Scalar>(prepared: &Prepared<'_, T>, params: &Params) -> Result<()> {
    let (n_target, n_source) = prepared.shape();
    Params { target_weights: None, ..params.clone() }.check(n_target, n_source)?;
    if params.is_constrained() {
        let (what, with) = ("a search between workers", "quotas or a budget");
        let why = "workers do not know them";
        return Err(Error::Constraint(ConstraintError::Combination { what, with, why }));
    }
    if !params.method.supports(MethodFeature::Workers) {
        return Err(Error::MethodWithoutWorkers { method: params.method.name() });
    }
    Ok(())
}
