//! How a study reports to whoever watches, and how a observer stops it.

use std::ops::ControlFlow;

use protodash::{Observer, Prototype, Stage};

/// A observer of a study; every method has a default that watches nothing and goes on.
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
    /// `done` of `total` units of the study are finished, of which `earlier` were found in the journal.
    fn on_progress(&self, done: usize, total: usize, earlier: usize) {
        let _ = (done, total, earlier);
    }

    /// What is being done: of the units under way the one that began first, or what comes before and after them.
    fn on_unit(&self, name: &str) {
        let _ = name;
    }

    /// Something worth knowing.
    fn on_note(&self, text: &str) {
        let _ = text;
    }

    /// Whether to stop; asked several times a second.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// The observer that watches nothing.
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

/// Passes the observer's wish to stop on to the core.
pub(crate) struct StopSignal<'a>(pub(crate) &'a dyn StudyObserver);

impl StopSignal<'_> {
    fn go_on(&self) -> ControlFlow<()> {
        if self.0.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Observer for StopSignal<'_> {
    fn on_progress(&mut self, _: Stage, _: u64, _: u64) -> ControlFlow<()> {
        self.go_on()
    }

    fn on_prototype(&mut self, _: usize, _: &Prototype, _: f64) -> ControlFlow<()> {
        self.go_on()
    }
}
