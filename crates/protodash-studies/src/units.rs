//! Runs independent units of work on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, Result};

/// Runs `job` for every unit in order on `threads` threads. The first error stops all.
///
/// A unit runs on a single thread, which keeps its state from one unit to the next: small problems do not parallelise
/// well, and single-threaded times are comparable between machines.
pub(crate) fn run_all<U: Sync, S>(
    units: &[U],
    threads: usize,
    state: impl Fn() -> S + Sync,
    job: impl Fn(&mut S, &U) -> Result<()> + Sync,
) -> Result<()> {
    let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    let failure: Mutex<Option<Error>> = Mutex::new(None);
    let work = || {
        let mut state = state();
        while !ended.load(Ordering::Relaxed) {
            let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            if let Err(error) = job(&mut state, unit) {
                ended.store(true, Ordering::Relaxed);
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    };
    let pools: Vec<rayon::ThreadPool> = (0..threads.clamp(1, units.len().max(1)))
        .map(|_| rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(Error::Threads))
        .collect::<Result<_>>()?;
    std::thread::scope(|scope| {
        for pool in &pools {
            scope.spawn(|| pool.install(work));
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_runs_once() {
        for threads in [1, 3, 100] {
            let done: Vec<AtomicUsize> = (0..20).map(|_| AtomicUsize::new(0)).collect();
            let units: Vec<usize> = (0..20).collect();
            run_all(
                &units,
                threads,
                || (),
                |(), unit| {
                    done[*unit].fetch_add(1, Ordering::Relaxed);
                    Ok(())
                },
            )
            .unwrap();
            assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 1));
        }
    }

    #[test]
    fn the_first_error_ends_it() {
        let done = AtomicUsize::new(0);
        let job = |(): &mut (), unit: &usize| {
            done.fetch_add(1, Ordering::Relaxed);
            if *unit == 2 { Err(Error::Stopped) } else { Ok(()) }
        };
        assert!(matches!(run_all(&[0, 1, 2, 3, 4], 1, || (), job), Err(Error::Stopped)));
        assert_eq!(done.load(Ordering::Relaxed), 3);
    }
}
