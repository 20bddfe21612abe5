//! Progress of a run on stderr, and cancellation by Ctrl-C.

use std::ops::ControlFlow;

use protodash::{Observer, Prototype, Stage};
use protodash_report::PageObserver;
use protodash_terminal::{ProgressLine, interrupt};

/// Observes a run: shows its progress, and cancels it after Ctrl-C.
pub(crate) struct Progress {
    line: ProgressLine,
    /// Whether the number of prototypes is known, so that the remaining time can be estimated.
    known_size: bool,
    stage: Option<Stage>,
}

impl Progress {
    /// Progress on stderr, unless stderr is not a terminal or `quiet` is set.
    pub(crate) fn new(quiet: bool, known_size: bool) -> Progress {
        Progress { line: ProgressLine::new(quiet), known_size, stage: None }
    }

    /// Shows the number of rows read.
    pub(crate) fn reading(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        self.line.show("reading", done, Some(total));
        check_interrupt()
    }

    /// Runs `job`, which reports no progress itself, behind a spinner.
    pub(crate) fn waiting<T>(&mut self, what: &str, job: impl FnOnce() -> T) -> T {
        self.line.show(what, 0, None);
        let result = job();
        self.clear();
        result
    }

    /// Prints a note above the progress line.
    pub(crate) fn note(&self, text: &str) {
        self.line.note(text);
    }

    /// Removes the progress line.
    pub(crate) fn clear(&mut self) {
        self.stage = None;
        self.line.clear();
    }
}

impl Observer for Progress {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        if self.stage != Some(stage) {
            self.clear();
            self.stage = Some(stage);
        }
        // Swaps restart the count, and neither k-means nor a search without a fixed number has a known end.
        let foreseen = !matches!(stage, Stage::Swap | Stage::Clusters) && (stage != Stage::Search || self.known_size);
        self.line.show(words(stage), done, foreseen.then_some(total));
        check_interrupt()
    }

    fn on_prototype(&mut self, _: usize, _: &Prototype, _: f64) -> ControlFlow<()> {
        check_interrupt()
    }

    fn on_columns_dropped(&mut self, n_prototypes: usize, _: u64) -> ControlFlow<()> {
        let prototypes = if n_prototypes == 1 { "prototype" } else { "prototypes" };
        self.note(&format!(
            "after {n_prototypes} {prototypes} the kernel columns exceed --memory and are recomputed at every step; \
             this is slower but does not change the result"
        ));
        check_interrupt()
    }
}

impl PageObserver for Progress {
    fn on_part(&mut self, what: &str) -> ControlFlow<()> {
        self.clear();
        self.line.show(what, 0, None);
        check_interrupt()
    }
}

fn check_interrupt() -> ControlFlow<()> {
    if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

fn words(stage: Stage) -> &'static str {
    match stage {
        Stage::KernelMean => "comparing rows",
        Stage::TargetEnergy => "comparing target rows",
        Stage::Search => "choosing prototypes",
        Stage::Swap => "exchanging prototypes",
        Stage::Representation => "assigning rows",
        Stage::Criticisms => "finding criticisms",
        Stage::Relation => "relating tables",
        Stage::Distances => "measuring distances",
        Stage::CrossValidation => "trying bandwidths",
        Stage::Classification => "classifying rows",
        Stage::Baseline => "comparing with random rows",
        Stage::Clusters => "finding clusters",
        Stage::Coverage => "measuring coverage",
        _ => "working",
    }
}
