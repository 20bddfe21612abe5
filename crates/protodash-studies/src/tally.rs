//! How many units of a study are finished and which are under way, for the watcher.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::watch::Watcher;

/// Counts units; shared by the threads that do them.
pub(crate) struct Tally<'a> {
    watcher: &'a dyn Watcher,
    /// Units that were found in the journal.
    earlier: usize,
    total: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Units that this run has finished.
    done: usize,
    /// Units that threads are at, in the order in which they began.
    under_way: Vec<String>,
}

impl<'a> Tally<'a> {
    /// A count that begins with the `earlier` units of `total`.
    pub(crate) fn new(watcher: &'a dyn Watcher, earlier: usize, total: usize) -> Self {
        let tally = Tally { watcher, earlier, total, state: Mutex::default() };
        tally.report(&tally.state());
        tally
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

    /// Tells the watcher, and holds the lock while it does, so that counts arrive in their order.
    fn report(&self, state: &State) {
        let done = self.earlier + state.done;
        self.watcher.on_progress(done, self.total.max(done), self.earlier);
        if let Some(oldest) = state.under_way.first() {
            self.watcher.on_unit(oldest);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl Watcher for Told {
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
        let tally = Tally::new(&told, 3, 5);
        let within = || tally.unit("second".into(), || Ok::<(), ()>(()));
        tally.unit("first".into(), within).unwrap();
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
        let tally = Tally::new(&told, 0, 1);
        assert_eq!(tally.unit("failing".into(), || Err::<(), u8>(7)), Err(7));
        for name in ["planned", "unplanned"] {
            tally.unit(name.into(), || Ok::<(), ()>(())).unwrap();
        }
        assert_eq!(told.0.lock().unwrap().last().unwrap(), "2 of 2, 0 before");
    }
}
