//! How far a run is, for whoever waits for it, and the way in which Ctrl-C reaches it.

use std::ops::ControlFlow;

use protodash::{Observer, Prototype, Stage};
use protodash_report::PageObserver;
use protodash_terminal::{ProgressLine, interrupt};

/// Watches a run: shows how far it is, and stops it when Ctrl-C was pressed.
pub(crate) struct Progress {
    line: ProgressLine,
    /// Whether the number of prototypes is known, so that the search has an end that can be foreseen.
    known_size: bool,
    stage: Option<Stage>,
}

impl Progress {
    /// A display on the standard error stream, unless that is no terminal or `quiet` is asked for.
    pub(crate) fn new(quiet: bool, known_size: bool) -> Progress {
        Progress { line: ProgressLine::new(quiet), known_size, stage: None }
    }

    /// Rows of a file were read.
    pub(crate) fn reading(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        self.line.show("reading", done, Some(total));
        go_on()
    }

    /// What `job` returns; while it runs and says nothing of its own, a sign of life is shown.
    pub(crate) fn waiting<T>(&mut self, what: &str, job: impl FnOnce() -> T) -> T {
        self.line.show(what, 0, None);
        let result = job();
        self.clear();
        result
    }

    /// Says something worth knowing, above the display.
    pub(crate) fn note(&self, text: &str) {
        self.line.note(text);
    }

    /// Takes the display away.
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
        // An exchange starts the count anew, and a search without a number ends nobody knows where.
        let foreseen = stage != Stage::Swap && (stage != Stage::Search || self.known_size);
        self.line.show(words(stage), done, foreseen.then_some(total));
        go_on()
    }

    fn on_prototype(&mut self, _: usize, _: &Prototype, _: f64) -> ControlFlow<()> {
        go_on()
    }

    fn on_columns_dropped(&mut self, n_prototypes: usize, _: u64) -> ControlFlow<()> {
        let prototypes = if n_prototypes == 1 { "prototype" } else { "prototypes" };
        self.note(&format!(
            "after {n_prototypes} {prototypes} the kernel columns no longer fit --memory; they are computed again at \
             every step, which is slower and changes nothing in the result"
        ));
        go_on()
    }
}

impl PageObserver for Progress {
    fn on_part(&mut self, what: &str) -> ControlFlow<()> {
        self.clear();
        self.line.show(what, 0, None);
        go_on()
    }
}

fn go_on() -> ControlFlow<()> {
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
        _ => "working",
    }
}
