//! One measure of progress for the many kernel means and searches of a relation.

use std::ops::ControlFlow;

use crate::observe::{Observer, Stage};

/// Tells an observer how much of all the work is done.
pub(super) struct Watch<'a> {
    observer: &'a mut dyn Observer,
    done: u64,
    total: u64,
    /// How much of all the work the present task is.
    task: u64,
}

impl<'a> Watch<'a> {
    /// A watch over `total` units of work, none of them done.
    pub(super) fn new(observer: &'a mut dyn Observer, total: u64) -> Self {
        Watch { observer, done: 0, total, task: 0 }
    }

    /// A task of so many units begins; the one before is done.
    pub(super) fn begin(&mut self, work: u64) {
        self.done += self.task;
        self.task = work;
    }
}

impl Observer for Watch<'_> {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        // A search is short beside the kernel mean before it and moves nothing.
        let part = if stage == Stage::KernelMean { done as f64 / total.max(1) as f64 } else { 1.0 };
        let done = self.done + (part * self.task as f64) as u64;
        self.observer.on_progress(Stage::Relation, done.min(self.total), self.total)
    }
}
