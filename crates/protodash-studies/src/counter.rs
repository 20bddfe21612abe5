//! How many units of a study are finished and which are under way, for the observer.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::observe::StudyObserver;

/// Counts units; shared by the threads that do them.
pub(crate) struct UnitCounter<'a> {
    observer: &'a dyn StudyObserver,
    /// Units that were found in the journal.
    earlier: usize,
    total: usize,
    state: Mutex<UnitCounts>,
}

#[derive(Default)]
struct UnitCounts {
    /// Units that this run has finished.
    done: usize,
    /// Units that threads are at, in the order in which they began.
    under_way: Vec<String>,
}

impl<'a> UnitCounter<'a> {
    /// A count that begins with the `earlier` units of `total`.
    pub(crate) fn new(observer: &'a dyn StudyObserver, earlier: usize, total: usize) -> Self {
        let counter = UnitCounter { observer, earlier, total, state: Mutex::default() };
        counter.report(&counter.state());
        counter
    }

    /// What `job`, the unit of this name, returns; counted if it succeeds.
    pub(crate) fn unit<T, E>(&self, name: String, job: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.begin(&name);
        let result = job();
        let mut state = self.state();
        if let Some(place) = state.under_way.iter().position(|other| *other == name) {
            state.under_way.remove(place);
        }
        state.done += usize::from(result.is_ok());
        self.report(&state);
        result
    }

    fn begin(&self, name: &str) {
        let mut state = self.state();
        state.under_way.push(name.to_owned());
        self.report(&state);
    }

    /// Tells the observer, and holds the lock while it does, so that counts arrive in their order.
    fn report(&self, state: &UnitCounts) {
        let done = self.earlier + state.done;
        self.observer.on_progress(done, self.total.max(done), self.earlier);
        if let Some(oldest) = state.under_way.first() {
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
    struct Told(Mutex<Vec<String>>);

    impl StudyObserver for Told {
        fn on_progress(&self, done: usize, total: usize, earlier: usize) {
            self.0.lock().unwrap().push(format!("{done} of {total}, {earlier} before"));
        }

        fn on_unit(&self, name: &str) {
            self.0.lock().unwrap().push(name.to_owned());
        }
    }

    #[test]
    fn the_unit_that_began_first_is_named_until_it_ends() {
        let told = Told::default();
        let counter = UnitCounter::new(&told, 3, 5);
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
        assert_eq!(*told.0.lock().unwrap(), expected);
    }

    #[test]
    fn a_unit_that_fails_is_not_counted_and_more_than_were_planned_are() {
        let told = Told::default();
        let counter = UnitCounter::new(&told, 0, 1);
        assert_eq!(counter.unit("failing".into(), || Err::<(), u8>(7)), Err(7));
        for name in ["planned", "unplanned"] {
            counter.unit(name.into(), || Ok::<(), ()>(())).unwrap();
        }
        assert_eq!(told.0.lock().unwrap().last().unwrap(), "2 of 2, 0 before");
    }
}
