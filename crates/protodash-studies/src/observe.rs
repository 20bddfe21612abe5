//! How a study reports progress, and how it is stopped.

use std::ops::ControlFlow;

use protodash::{Observer, Prototype, Stage};

/// Receives the progress of a study and can stop it. Every method has a default that does nothing.
///
/// Called from several threads.
///
/// # Examples
///
/// ```
/// use protodash_studies::StudyObserver;
///
/// struct Impatient;
/// impl StudyObserver for Impatient {
///     fn is_stopped(&self) -> bool {
///         true
///     }
/// }
/// assert!(Impatient.is_stopped());
/// ```
pub trait StudyObserver: Sync {
    /// `done` of `total` units are finished, `earlier` of them by previous runs.
    fn on_progress(&self, done: usize, total: usize, earlier: usize) {
        let _ = (done, total, earlier);
    }

    /// Name of the current work: the oldest unit that is running, or the step before or after the units.
    fn on_unit(&self, name: &str) {
        let _ = name;
    }

    /// A remark for the user.
    fn on_note(&self, text: &str) {
        let _ = text;
    }

    /// Whether to stop; called several times a second.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// An observer that ignores everything and never stops a study.
///
/// # Examples
///
/// ```
/// use protodash_studies::{UnobservedStudy, StudyObserver};
///
/// assert!(!UnobservedStudy.is_stopped());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct UnobservedStudy;

impl StudyObserver for UnobservedStudy {}

/// Lets the core ask the observer whether to stop.
pub(crate) struct StopSignal<'a>(pub(crate) &'a dyn StudyObserver);

impl StopSignal<'_> {
    fn flow(&self) -> ControlFlow<()> {
        if self.0.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Observer for StopSignal<'_> {
    fn on_progress(&mut self, _: Stage, _: u64, _: u64) -> ControlFlow<()> {
        self.flow()
    }

    fn on_prototype(&mut self, _: usize, _: &Prototype, _: f64) -> ControlFlow<()> {
        self.flow()
    }
}
