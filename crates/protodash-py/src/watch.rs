//! Long work beside a waiting Python: the interpreter is free meanwhile, hears of progress and can stop it.
//!
//! The work runs on threads of ours. The thread that called waits, looks after signals and reports, many times a second,
//! whatever the work is at: Ctrl-C does not depend on how often the work asks.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use protodash::{Observer, Stage};
use protodash_result::Watcher;
use pyo3::prelude::*;

use crate::error::Failure;
use crate::threads::pool;

/// How often signals are looked after.
const TICK: Duration = Duration::from_millis(50);

/// How work is done.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Run {
    /// Threads to work with; 0 is one for each core.
    pub(crate) n_threads: usize,
    /// Called with progress.
    pub(crate) progress: Option<Py<PyAny>>,
}

/// What `work` returns, done on `n_threads` threads without the interpreter's lock.
///
/// `progress` is called with the stage, what is done and what there is to do. An exception that it raises stops the
/// work, like one that a signal raises, and is passed on.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    Run { n_threads, progress }: Run,
    work: impl FnOnce(&mut Reporter<'_>) -> Result<R, Failure> + Send,
) -> PyResult<R> {
    let pool = pool(n_threads)?;
    let news = News::default();
    let outcome = py.detach(|| {
        let (finished, end) = channel();
        thread::scope(|scope| {
            let (pool, news) = (&pool, &news);
            scope.spawn(move || {
                let mut observer = Reporter(news);
                let outcome = catch_unwind(AssertUnwindSafe(|| pool.install(|| work(&mut observer))));
                // The receiver lives until the scope ends, so that there is always somebody to send to.
                let _ = finished.send(outcome);
            });
            wait(news, &end, progress.as_ref())
        })
    });
    let result = outcome?.unwrap_or_else(|panic| Err(Failure::Panic(message(panic.as_ref()))));
    if let Some(progress) = progress.filter(|_| result.is_ok()) {
        news.report(py, &progress)?;
    }
    Ok(result?)
}

type Outcome<R> = thread::Result<Result<R, Failure>>;

/// Waits for the end; an exception on the way stops the work, whose own end is then waited for.
fn wait<R>(news: &News, end: &Receiver<Outcome<R>>, progress: Option<&Py<PyAny>>) -> PyResult<Outcome<R>> {
    let mut raised = None;
    loop {
        match end.recv_timeout(TICK) {
            Ok(outcome) => return raised.map_or(Ok(outcome), Err),
            Err(RecvTimeoutError::Disconnected) => return Ok(Err(Box::new("the work ended without a result"))),
            Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
            Err(RecvTimeoutError::Timeout) => {
                raised = Python::attach(|py| look_after(py, news, progress)).err();
                news.stop.store(raised.is_some(), Ordering::Relaxed);
            }
        }
    }
}

fn look_after(py: Python<'_>, news: &News, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    progress.map_or(Ok(()), |progress| news.report(py, progress))
}

/// What the working threads and the waiting one tell each other.
#[derive(Default)]
struct News {
    stop: AtomicBool,
    /// Stages that ended since the last report, and where the current one is.
    stages: Mutex<Vec<(String, u64, u64)>>,
}

impl News {
    /// Notes progress; says whether to go on.
    fn note(&self, stage: String, done: u64, total: u64) -> ControlFlow<()> {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        match stages.last_mut().filter(|last| last.0 == stage) {
            Some(last) => (last.1, last.2) = (done, total),
            None => stages.push((stage, done, total)),
        }
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn report(&self, py: Python<'_>, progress: &Py<PyAny>) -> PyResult<()> {
        let stages = std::mem::take(&mut *self.stages.lock().unwrap_or_else(PoisonError::into_inner));
        stages.into_iter().try_for_each(|news| progress.call1(py, news).map(drop))
    }
}

/// The observer that notes what it is told.
pub(crate) struct Reporter<'a>(&'a News);

impl<'a> Reporter<'a> {
    /// Set once nobody wants the result any more.
    pub(crate) fn stop(&self) -> &'a AtomicBool {
        &self.0.stop
    }

    /// Notes that this much of a stage is done; says whether to go on.
    pub(crate) fn note(&self, stage: &str, done: u64, total: u64) -> ControlFlow<()> {
        self.0.note(stage.to_owned(), done, total)
    }
}

impl Observer for Reporter<'_> {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        self.note(&stage.to_string(), done, total)
    }
}

impl Watcher for Reporter<'_> {
    fn on_part(&mut self, what: &str) -> ControlFlow<()> {
        self.note(what, 1, 1)
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}

/// Breaks a promise, for the test that no panic crosses the border.
#[pyfunction]
pub(crate) fn panics(py: Python<'_>) -> PyResult<()> {
    run(py, Run { n_threads: 1, progress: None }, |_| -> Result<(), Failure> { panic!("on purpose") })
}
