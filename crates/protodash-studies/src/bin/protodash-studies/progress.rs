//! Progress of a study whose units run on several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

use protodash_studies::StudyObserver;
use protodash_terminal::{ProgressLine, interrupt};

/// Shows the progress of a study, and stops it on Ctrl-C.
pub(crate) struct StudyProgress(Mutex<ProgressLine>);

impl StudyProgress {
    pub(crate) fn new(quiet: bool) -> StudyProgress {
        StudyProgress(Mutex::new(ProgressLine::new(quiet)))
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        self.line().clear();
    }

    fn line(&self) -> MutexGuard<'_, ProgressLine> {
        // A line that a panicking thread left behind may show nonsense, but must not end the run.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StudyObserver for StudyProgress {
    fn on_progress(&self, done: usize, total: usize, earlier: usize) {
        // Units from an earlier run do not help to estimate the time left.
        self.line().show("running trials", (done - earlier) as u64, Some((total - earlier) as u64));
    }

    fn on_unit(&self, name: &str) {
        self.line().detail(name);
    }

    fn on_note(&self, text: &str) {
        self.line().note(text);
    }

    fn is_stopped(&self) -> bool {
        interrupt::requested()
    }
}
