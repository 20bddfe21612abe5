//! The progress of all kernel means and searches of a relation together.

use std::ops::ControlFlow;

use crate::observe::{Observer, Stage};

/// Reports how much of all the work is done.
pub(super) struct RelationProgress<'a> {
    observer: &'a mut dyn Observer,
    done: u64,
    total: u64,
    /// The work of the current task.
    task: u64,
}

impl<'a> RelationProgress<'a> {
    /// Progress of `total` units of work, none of them done.
    pub(super) fn new(observer: &'a mut dyn Observer, total: u64) -> Self {
        RelationProgress { observer, done: 0, total, task: 0 }
    }

    /// Starts a task of this much work; the one before is done.
    pub(super) fn begin(&mut self, work: u64) {
        self.done += self.task;
        self.task = work;
    }
}

impl Observer for RelationProgress<'_> {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        // A search is short compared with the kernel mean before it and is not counted.
        let part = if stage == Stage::KernelMean { done as f64 / total.max(1) as f64 } else { 1.0 };
        let done = self.done + (part * self.task as f64) as u64;
        self.observer.on_progress(Stage::Relation, done.min(self.total), self.total)
    }
}
