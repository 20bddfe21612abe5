//! A progress display for whatever takes longer than a second, and the way in which Ctrl-C reaches a run.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use protodash::{Observer, Prototype, Stage};

use crate::interrupt;
use crate::messages;

/// What is shorter needs no display.
const PATIENCE: Duration = Duration::from_secs(1);

/// Watches a run: shows how far it is, and stops it when Ctrl-C was pressed.
pub(crate) struct Progress {
    quiet: bool,
    visible: bool,
    /// Whether the number of prototypes is known, so that the search has an end that can be foreseen.
    known_size: bool,
    stage: Option<Stage>,
    began: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A display on the standard error stream, unless that is no terminal or `quiet` is asked for.
    pub(crate) fn new(quiet: bool, known_size: bool) -> Progress {
        let visible = !quiet && std::io::stderr().is_terminal();
        Progress { quiet, visible, known_size, stage: None, began: Instant::now(), bar: None }
    }

    /// Rows of a file were read.
    pub(crate) fn reading(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        self.show("reading", done, Some(total));
        go_on()
    }

    /// What `job` returns; while it runs and says nothing of its own, a sign of life is shown.
    pub(crate) fn waiting<T>(&mut self, what: String, job: impl FnOnce() -> T) -> T {
        let sign = self.visible.then(|| SignOfLife::new(what));
        let result = job();
        drop(sign);
        result
    }

    /// Says something worth knowing, above the display.
    pub(crate) fn note(&self, text: &str) {
        match &self.bar {
            _ if self.quiet => {}
            Some(bar) => bar.suspend(|| messages::note(text)),
            None => messages::note(text),
        }
    }

    /// Takes the display away.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.began = Instant::now();
    }

    fn enter(&mut self, stage: Stage) {
        if self.stage != Some(stage) {
            self.clear();
            self.stage = Some(stage);
        }
    }

    fn show(&mut self, what: &str, done: u64, total: Option<u64>) {
        if !self.visible || (self.bar.is_none() && self.began.elapsed() < PATIENCE) {
            return;
        }
        let began = self.began;
        let bar = self.bar.get_or_insert_with(|| new_bar(what, total).with_elapsed(began.elapsed()));
        bar.set_position(done);
    }
}

impl Observer for Progress {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        self.enter(stage);
        // An exchange starts the count anew, and a search without a number ends nobody knows where.
        let foreseen = stage != Stage::Swap && (stage != Stage::Search || self.known_size);
        self.show(words(stage), done, foreseen.then_some(total));
        go_on()
    }

    fn on_prototype(&mut self, step: usize, _: &Prototype, _: f64) -> ControlFlow<()> {
        if let Some(bar) = &self.bar {
            bar.set_position(step as u64);
        }
        go_on()
    }

    fn on_columns_dropped(&mut self, n_prototypes: usize, _: u64) -> ControlFlow<()> {
        self.note(&format!(
            "after {n_prototypes} prototypes the kernel columns no longer fit --memory; they are computed again at \
             every step, which is slower and changes nothing in the result"
        ));
        go_on()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
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
        _ => "working",
    }
}

fn new_bar(what: &str, total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "{msg:<22} {bar:32} {percent:>3} %, {eta} left"),
        None => (ProgressBar::new_spinner(), "{msg:<22} {spinner} {pos}, {elapsed} so far"),
    };
    // The template is fixed and right; a plain display would do as well.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_message(what.to_owned())
}

/// A spinner that appears by itself when a job takes long, and goes when it is dropped.
struct SignOfLife {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl SignOfLife {
    fn new(what: String) -> SignOfLife {
        let (done, wait) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let style = ProgressStyle::with_template("{msg} {spinner} {elapsed} so far");
            let spinner = ProgressBar::new_spinner().with_message(what).with_elapsed(PATIENCE);
            spinner.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            while wait.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                spinner.tick();
            }
            spinner.finish_and_clear();
        });
        SignOfLife { done: Some(done), thread: Some(thread) }
    }
}

impl Drop for SignOfLife {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            // A display that failed has nothing to tell.
            let _ = thread.join();
        }
    }
}
