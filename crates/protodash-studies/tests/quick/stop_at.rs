//! An observer that stops a study half-way.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use protodash_studies::StudyObserver;

/// Stops the study after a number of units, and records notes.
pub(crate) struct StopAt {
    units: usize,
    stopped: AtomicBool,
    pub(crate) notes: Mutex<Vec<String>>,
}

impl StopAt {
    pub(crate) fn new(units: usize) -> Self {
        StopAt { units, stopped: AtomicBool::new(false), notes: Mutex::default() }
    }
}

impl StudyObserver for StopAt {
    fn on_progress(&self, done: usize, _: usize, _: usize) {
        self.stopped.fetch_or(done >= self.units, Ordering::Relaxed);
    }

    fn on_note(&self, text: &str) {
        self.notes.lock().unwrap().push(text.to_owned());
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
