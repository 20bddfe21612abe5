//! Thread pools.

use std::collections::HashMap;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Pools by process and by number of threads.
type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;

static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// The pool with this many threads (0 means one per core), created on first use.
///
/// A forked process inherits its parent's memory but not its threads, so it gets its own pools.
pub(crate) fn pool(n_threads: usize) -> PyResult<Arc<ThreadPool>> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let pools = pools.get_or_insert_default();
    let key = (process::id(), n_threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    let built = ThreadPoolBuilder::new().num_threads(n_threads).thread_name(|n| format!("protodash-{n}")).build();
    let pool = Arc::new(built.map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?);
    pools.insert(key, Arc::clone(&pool));
    Ok(pool)
}
