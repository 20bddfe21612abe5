//! Counts finished units and names the running ones, for the observer.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::observe::StudyObserver;

/// Counts units; shared by the threads that run them.
pub(crate) struct UnitCounter<'a> {
    observer: &'a dyn StudyObserver,
    /// Units that previous runs finished.
    earlier: usize,
    total: usize,
    state: Mutex<UnitCounts>,
}

#[derive(Default)]
struct UnitCounts {
    /// Units that this run finished.
    done: usize,
    /// Units that are running, oldest first.
    running: Vec<String>,
}

impl<'a> UnitCounter<'a> {
    /// A counter that starts at `earlier` of `total` units.
    pub(crate) fn new(observer: &'a dyn StudyObserver, earlier: usize, total: usize) -> Self {
        let counter = UnitCounter { observer, earlier, total, state: Mutex::default() };
        counter.report(&counter.state());
        counter
    }

    /// Runs `job`, shown as `name`, and counts it as a unit if it succeeds.
    pub(crate) fn unit<T, E>(&self, name: String, job: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.begin(&name);
        let result = job();
        let mut state = self.state();
        if let Some(place) = state.running.iter().position(|other| *other == name) {
            state.running.remove(place);
        }
        state.done += usize::from(result.is_ok());
        self.report(&state);
        result
    }

    fn begin(&self, name: &str) {
        let mut state = self.state();
        state.running.push(name.to_owned());
        self.report(&state);
    }

    /// Reports to the observer. The caller holds the lock, so that counts arrive in order.
    fn report(&self, state: &UnitCounts) {
        let done = self.earlier + state.done;
        self.observer.on_progress(done, self.total.max(done), self.earlier);
        if let Some(oldest) = state.running.first() {
            self.observer.on_unit(oldest);
        }
    }

    fn state(&self) -> MutexGuard<'_, UnitCounts> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Reports(Mutex<Vec<String>>);

    impl StudyObserver for Reports {
        fn on_progress(&self, done: usize, total: usize, earlier: usize) {
            self.0.lock().unwrap().push(format!("{done} of {total}, {earlier} before"));
        }

        fn on_unit(&self, name: &str) {
            self.0.lock().unwrap().push(name.to_owned());
        }
    }

    #[test]
    fn the_oldest_running_unit_is_named() {
        let reports = Reports::default();
        let counter = UnitCounter::new(&reports, 3, 5);
        let within = || counter.unit("second".into(), || Ok::<(), ()>(()));
        counter.unit("first".into(), within).unwrap();
        let expected = [
            "3 of 5, 3 before",
            "3 of 5, 3 before",
            "first",
            "3 of 5, 3 before",
            "first",
            "4 of 5, 3 before",
            "first",
            "5 of 5, 3 before",
        ];
        assert_eq!(*reports.0.lock().unwrap(), expected);
    }

    #[test]
    fn failed_units_are_not_counted_and_unplanned_ones_are() {
        let reports = Reports::default();
        let counter = UnitCounter::new(&reports, 0, 1);
        assert_eq!(counter.unit("failing".into(), || Err::<(), u8>(7)), Err(7));
        for name in ["planned", "unplanned"] {
            counter.unit(name.into(), || Ok::<(), ()>(())).unwrap();
        }
        assert_eq!(reports.0.lock().unwrap().last().unwrap(), "2 of 2, 0 before");
    }
}
