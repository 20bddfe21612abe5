//! The line itself, drawn by a separate thread so that it keeps moving while the task is too busy to report.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Shorter tasks need no line.
const DELAY: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(200);

/// The line, shared with the thread that draws it.
pub(super) struct Display {
    state: Arc<Mutex<DisplayState>>,
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct DisplayState {
    task: Option<ShownTask>,
    bar: Option<ProgressBar>,
}

/// The current task and its progress.
struct ShownTask {
    name: String,
    began: Instant,
    done: u64,
    total: Option<u64>,
    updated: Instant,
    /// The current part; empty if unknown.
    detail: String,
}

impl Display {
    /// A display that shows nothing yet.
    pub(super) fn new() -> Display {
        let state = Arc::new(Mutex::new(DisplayState::default()));
        let (end, ended) = mpsc::channel::<()>();
        let shared = Arc::clone(&state);
        let thread = std::thread::spawn(move || {
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                lock(&shared).draw();
            }
        });
        Display { state, end: Some(end), thread: Some(thread) }
    }

    /// Updates the task `name`, or starts it.
    pub(super) fn show(&self, name: &str, done: u64, total: Option<u64>) {
        let mut state = lock(&self.state);
        let now = Instant::now();
        match &mut state.task {
            Some(task) if task.name == name => (task.done, task.total, task.updated) = (done, total, now),
            _ => {
                state.clear();
                let (name, detail) = (name.to_owned(), String::new());
                state.task = Some(ShownTask { name, began: now, done, total, updated: now, detail });
            }
        }
    }

    /// Sets the current part of a task with a total; otherwise starts a task of that name.
    pub(super) fn detail(&self, part: &str) {
        match &mut lock(&self.state).task {
            Some(task) if task.total.is_some() => return part.clone_into(&mut task.detail),
            _ => {}
        }
        self.show(part, 0, None);
    }

    /// Removes the line; the task is over.
    pub(super) fn clear(&self) {
        lock(&self.state).clear();
    }

    /// Runs `print` while the line is hidden, so that it prints above.
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
            let _ = thread.join();
        }
        self.clear();
    }
}

impl DisplayState {
    fn draw(&mut self) {
        let Some(task) = &self.task else { return };
        if task.began.elapsed() < DELAY {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| task.new_bar());
        bar.set_position(task.done);
        bar.set_message(task.status());
        bar.tick();
    }

    fn clear(&mut self) {
        self.task = None;
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl ShownTask {
    fn new_bar(&self) -> ProgressBar {
        let (bar, template) = match self.total {
            Some(total) => (ProgressBar::new(total), "{prefix} {bar:20} {percent:>3} %, {wide_msg}"),
            None => (ProgressBar::new_spinner(), "{prefix} {spinner} {wide_msg}"),
        };
        // The template is fixed and valid; the fallback only avoids a panic.
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.with_style(style).with_prefix(self.name.clone())
    }

    /// The forecast and the current part; truncated on narrow terminals.
    fn status(&self) -> String {
        let separator = if self.detail.is_empty() { "" } else { " · " };
        format!("{}{separator}{}", self.forecast(), self.detail)
    }

    /// The time left if it can be estimated, else the time elapsed.
    fn forecast(&self) -> String {
        let elapsed = self.began.elapsed();
        match self.total.and_then(|total| time_left(self.updated - self.began, elapsed, self.done, total)) {
            Some(left) => format!("{} left", HumanDuration(left)),
            None => format!("{} so far", HumanDuration(Duration::from_secs(elapsed.as_secs()))),
        }
    }
}

/// Time left at the rate up to the last report; unknown at the start and at the end.
fn time_left(until_report: Duration, elapsed: Duration, done: u64, total: u64) -> Option<Duration> {
    if done == 0 || done == total {
        return None;
    }
    let whole = until_report.as_secs_f64() * total as f64 / done as f64;
    Duration::try_from_secs_f64((whole - elapsed.as_secs_f64()).max(0.0).round()).ok()
}

fn lock(state: &Mutex<DisplayState>) -> MutexGuard<'_, DisplayState> {
    // A display whose thread panicked may show nonsense, but must not end the run.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forecast_extrapolates_from_the_last_report() {
        let [ten, twelve] = [10, 12].map(Duration::from_secs);
        assert_eq!(time_left(ten, ten, 20, 100), Some(Duration::from_secs(40)));
        // Two seconds later, without a new report.
        assert_eq!(time_left(ten, twelve, 20, 100), Some(Duration::from_secs(38)));
        assert_eq!(time_left(ten, Duration::from_secs(60), 20, 100), Some(Duration::ZERO));
        assert_eq!([0, 100].map(|done| time_left(Duration::ZERO, ten, done, 100)), [None, None]);
    }

    #[test]
    fn a_part_is_a_task_until_something_is_counted() {
        let display = Display::new();
        let shown = || {
            let state = lock(&display.state);
            let task = state.task.as_ref().unwrap();
            (task.name.clone(), task.detail.clone())
        };
        let pair = |name: &str, detail: &str| (name.to_owned(), detail.to_owned());
        display.detail("reading");
        assert_eq!(shown(), pair("reading", ""));
        display.detail("choosing");
        assert_eq!(shown(), pair("choosing", ""));
        display.show("running trials", 3, Some(10));
        display.detail("trial 4");
        display.show("running trials", 4, Some(10));
        assert_eq!(shown(), pair("running trials", "trial 4"));
        assert!(lock(&display.state).task.as_ref().unwrap().status().ends_with(" left · trial 4"));
    }
}
