//! How far a run is, for whoever waits for it, and the way in which Ctrl-C reaches it.

mod display;

use std::io::IsTerminal;
use std::ops::ControlFlow;

use protodash::{Observer, Prototype, Stage};
use protodash_report::PageObserver;

use crate::interrupt;
use crate::messages;
use display::Display;

/// Watches a run: shows how far it is, and stops it when Ctrl-C was pressed.
pub(crate) struct Progress {
    quiet: bool,
    /// Whether the number of prototypes is known, so that the search has an end that can be foreseen.
    known_size: bool,
    stage: Option<Stage>,
    /// Only where the standard error stream is a terminal that wants to be written to.
    display: Option<Display>,
}

impl Progress {
    /// A display on the standard error stream, unless that is no terminal or `quiet` is asked for.
    pub(crate) fn new(quiet: bool, known_size: bool) -> Progress {
        let visible = !quiet && std::io::stderr().is_terminal();
        Progress { quiet, known_size, stage: None, display: visible.then(Display::new) }
    }

    /// Rows of a file were read.
    pub(crate) fn reading(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        self.show("reading", done, Some(total));
        go_on()
    }

    /// So many units of a study are finished, some of which were finished before this run.
    pub(crate) fn studying(&mut self, done: usize, total: usize, earlier: usize) {
        // What was there at the beginning says nothing of how long the rest will take.
        self.show("running trials", (done - earlier) as u64, Some((total - earlier) as u64));
    }

    /// What of a study is being done.
    pub(crate) fn study_unit(&mut self, name: &str) {
        if let Some(display) = &self.display {
            display.detail(name);
        }
    }

    /// What `job` returns; while it runs and says nothing of its own, a sign of life is shown.
    pub(crate) fn waiting<T>(&mut self, what: &str, job: impl FnOnce() -> T) -> T {
        self.show(what, 0, None);
        let result = job();
        self.clear();
        result
    }

    /// Says something worth knowing, above the display.
    pub(crate) fn note(&self, text: &str) {
        match &self.display {
            _ if self.quiet => {}
            Some(display) => display.above(|| messages::note(text)),
            None => messages::note(text),
        }
    }

    /// Takes the display away.
    pub(crate) fn clear(&mut self) {
        self.stage = None;
        if let Some(display) = &self.display {
            display.clear();
        }
    }

    fn show(&mut self, what: &str, done: u64, total: Option<u64>) {
        if let Some(display) = &self.display {
            display.show(what, done, total);
        }
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
        self.show(words(stage), done, foreseen.then_some(total));
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
        self.show(what, 0, None);
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
        _ => "working",
    }
}
