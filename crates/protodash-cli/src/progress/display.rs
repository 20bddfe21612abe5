//! A line on the terminal that appears by itself when something takes longer than a second.
//!
//! A thread of its own draws it, so that it shows and moves also while the work has no time to report.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// What is shorter needs no display.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(200);

/// The line, shared with the thread that draws it.
pub(super) struct Display {
    state: Arc<Mutex<State>>,
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    work: Option<Work>,
    bar: Option<ProgressBar>,
}

/// What is being done, and how much of it.
struct Work {
    what: String,
    began: Instant,
    done: u64,
    total: Option<u64>,
    updated: Instant,
    /// The part of it that is being done; empty if nobody told.
    detail: String,
}

impl Display {
    /// A display that shows nothing yet.
    pub(super) fn new() -> Display {
        let state = Arc::new(Mutex::new(State::default()));
        let (end, ended) = mpsc::channel::<()>();
        let shared = Arc::clone(&state);
        let thread = std::thread::spawn(move || {
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                lock(&shared).draw();
            }
        });
        Display { state, end: Some(end), thread: Some(thread) }
    }

    /// The work has come so far; work of another name begins now.
    pub(super) fn show(&self, what: &str, done: u64, total: Option<u64>) {
        let mut state = lock(&self.state);
        let now = Instant::now();
        match &mut state.work {
            Some(work) if work.what == what => (work.done, work.total, work.updated) = (done, total, now),
            _ => {
                state.clear();
                let (what, detail) = (what.to_owned(), String::new());
                state.work = Some(Work { what, began: now, done, total, updated: now, detail });
            }
        }
    }

    /// The part of counted work that is being done; work of its own where nothing is counted.
    pub(super) fn detail(&self, part: &str) {
        match &mut lock(&self.state).work {
            Some(work) if work.total.is_some() => return part.clone_into(&mut work.detail),
            _ => {}
        }
        self.show(part, 0, None);
    }

    /// Takes the line away; the work is over.
    pub(super) fn clear(&self) {
        lock(&self.state).clear();
    }

    /// Lets `print` print above the line.
    pub(super) fn above(&self, print: impl FnOnce()) {
        match &lock(&self.state).bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A display that failed has nothing to tell.
            let _ = thread.join();
        }
        self.clear();
    }
}

impl State {
    fn draw(&mut self) {
        let Some(work) = &self.work else { return };
        if work.began.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| work.new_bar());
        bar.set_position(work.done);
        bar.set_message(work.standing());
        bar.tick();
    }

    fn clear(&mut self) {
        self.work = None;
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Work {
    fn new_bar(&self) -> ProgressBar {
        let (bar, template) = match self.total {
            Some(total) => (ProgressBar::new(total), "{prefix} {bar:20} {percent:>3} %, {wide_msg}"),
            None => (ProgressBar::new_spinner(), "{prefix} {spinner} {wide_msg}"),
        };
        // The template is fixed and right; a plain display would do as well.
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.with_style(style).with_prefix(self.what.clone())
    }

    /// How it stands: the forecast, and what is being done. A narrow terminal cuts it short.
    fn standing(&self) -> String {
        let separator = if self.detail.is_empty() { "" } else { " · " };
        format!("{}{separator}{}", self.forecast(), self.detail)
    }

    /// The time that is left where it can be told, else the time that has passed.
    fn forecast(&self) -> String {
        let elapsed = self.began.elapsed();
        match self.total.and_then(|total| time_left(self.updated - self.began, elapsed, self.done, total)) {
            Some(left) => format!("{} left", HumanDuration(left)),
            None => format!("{} so far", HumanDuration(Duration::from_secs(elapsed.as_secs()))),
        }
    }
}

/// How long the rest takes if it goes on as until the last report; unknown as long as nothing is done, and nothing to
/// tell of once all is.
fn time_left(until_report: Duration, elapsed: Duration, done: u64, total: u64) -> Option<Duration> {
    if done == 0 || done == total {
        return None;
    }
    let whole = until_report.as_secs_f64() * total as f64 / done as f64;
    Duration::try_from_secs_f64((whole - elapsed.as_secs_f64()).max(0.0).round()).ok()
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // A display whose thread has failed may show nonsense, but must not bring the run down.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_as_what_is_done() {
        let [ten, twelve] = [10, 12].map(Duration::from_secs);
        assert_eq!(time_left(ten, ten, 20, 100), Some(Duration::from_secs(40)));
        // Two seconds later, without another report, two seconds less are left.
        assert_eq!(time_left(ten, twelve, 20, 100), Some(Duration::from_secs(38)));
        assert_eq!(time_left(ten, Duration::from_secs(60), 20, 100), Some(Duration::ZERO));
        assert_eq!([0, 100].map(|done| time_left(Duration::ZERO, ten, done, 100)), [None, None]);
    }

    #[test]
    fn what_is_done_before_the_count_begins_is_work_of_its_own_and_then_a_part_of_it() {
        let display = Display::new();
        let shown = || {
            let state = lock(&display.state);
            let work = state.work.as_ref().unwrap();
            (work.what.clone(), work.detail.clone())
        };
        let pair = |what: &str, detail: &str| (what.to_owned(), detail.to_owned());
        display.detail("reading");
        assert_eq!(shown(), pair("reading", ""));
        display.detail("choosing");
        assert_eq!(shown(), pair("choosing", ""));
        display.show("running trials", 3, Some(10));
        display.detail("trial 4");
        display.show("running trials", 4, Some(10));
        assert_eq!(shown(), pair("running trials", "trial 4"));
        assert!(lock(&display.state).work.as_ref().unwrap().standing().ends_with(" left · trial 4"));
    }
}
