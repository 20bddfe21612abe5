//! Runs long work with the GIL released, with progress reports and Ctrl-C.
//!
//! The work runs on our own threads. The calling thread waits; many times a second it checks for signals and reports
//! progress, so Ctrl-C does not depend on how often the work polls. It also calls the caller's custom kernel.

use std::any::Any;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ndarray::Array2;
use protodash::{Observer, Stage};
use protodash_report::PageObserver;
use pyo3::prelude::*;

use crate::custom::BlockPosition;
use crate::error::CallFailure;
use crate::threads::pool;

/// Time between two signal checks.
const TICK: Duration = Duration::from_millis(50);

/// Options of a run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Run {
    /// Number of threads; 0 means one per core.
    pub(crate) n_threads: usize,
    /// Progress callback.
    pub(crate) progress: Option<Py<PyAny>>,
}

/// Runs `work` on `n_threads` threads with the GIL released.
///
/// `progress` is called with stage, done and total. An exception from it or from a signal handler stops the work and
/// is propagated.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    run: Run,
    work: impl FnOnce(&mut Reporter<'_>) -> Result<R, CallFailure> + Send,
) -> PyResult<R> {
    // This work sends no requests, so the callback is never called.
    run_asking(py, run, |_, _| Ok(Array2::default((0, 0))), work)
}

/// A request for a block of kernel values, which the work waits for.
pub(crate) struct BlockRequest {
    pub(crate) place: BlockPosition,
    pub(crate) reply: SyncSender<Array2<f64>>,
}

/// Like [`run`]; `ask` handles the requests that the work sends, on the calling thread.
pub(crate) fn run_asking<R: Send>(
    py: Python<'_>,
    Run { n_threads, progress }: Run,
    ask: impl Fn(Python<'_>, BlockPosition) -> PyResult<Array2<f64>> + Sync,
    work: impl FnOnce(&mut Reporter<'_>) -> Result<R, CallFailure> + Send,
) -> PyResult<R> {
    let pool = pool(n_threads)?;
    let news = News::default();
    let outcome = py.detach(|| {
        let (requests, asked) = channel();
        thread::scope(|scope| {
            let (pool, news) = (&pool, &news);
            // The observer moves into the work, so that the channel closes when the work ends.
            let mut observer = Reporter { news, requests };
            let working = scope.spawn(move || pool.install(|| work(&mut observer)));
            let waited = wait(news, &asked, &ask, progress.as_ref());
            let outcome = working.join();
            waited.map(|()| outcome)
        })
    });
    let result = outcome?.unwrap_or_else(|panic| Err(CallFailure::Panic(message(panic.as_ref()))));
    if let Some(progress) = progress.filter(|_| result.is_ok()) {
        news.report(py, &progress)?;
    }
    Ok(result?)
}

/// Waits for the work to end; an exception stops it early.
fn wait(
    news: &News,
    asked: &Receiver<BlockRequest>,
    ask: &dyn Fn(Python<'_>, BlockPosition) -> PyResult<Array2<f64>>,
    progress: Option<&Py<PyAny>>,
) -> PyResult<()> {
    let (mut raised, mut looked) = (None, Instant::now());
    loop {
        let request = match asked.recv_timeout(TICK) {
            Ok(request) => Some(request),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return raised.map_or(Ok(()), Err),
        };
        if raised.is_some() {
            // Dropping the request tells the work that there is no answer.
            continue;
        }
        let look = request.is_none() || looked.elapsed() >= TICK;
        let done = Python::attach(|py| {
            if look {
                look_after(py, news, progress)?;
            }
            request.map_or(Ok(()), |BlockRequest { place, reply }| ask(py, place).map(|block| drop(reply.send(block))))
        });
        looked = if look { Instant::now() } else { looked };
        raised = done.err();
        news.stop.store(raised.is_some(), Ordering::Relaxed);
    }
}

fn look_after(py: Python<'_>, news: &News, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    progress.map_or(Ok(()), |progress| news.report(py, progress))
}

/// State shared by the worker threads and the waiting thread.
#[derive(Default)]
struct News {
    stop: AtomicBool,
    /// Stages finished since the last report, and the current one.
    stages: Mutex<Vec<(String, u64, u64)>>,
    /// Text for the user.
    notices: Mutex<Vec<String>>,
}

impl News {
    /// Records progress; returns whether to continue.
    fn note(&self, stage: String, done: u64, total: u64) -> ControlFlow<()> {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        match stages.last_mut().filter(|last| last.0 == stage) {
            Some(last) => (last.1, last.2) = (done, total),
            None => stages.push((stage, done, total)),
        }
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Passes notices to the progress object's `notice`, if it has one, and progress to the object itself.
    fn report(&self, py: Python<'_>, progress: &Py<PyAny>) -> PyResult<()> {
        let notices = std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner));
        for text in notices {
            if let Some(notice) = progress.bind(py).getattr_opt("notice")? {
                notice.call1((text,))?;
            }
        }
        let stages = std::mem::take(&mut *self.stages.lock().unwrap_or_else(PoisonError::into_inner));
        stages.into_iter().try_for_each(|news| progress.call1(py, news).map(drop))
    }
}

/// Observer that records progress.
pub(crate) struct Reporter<'a> {
    news: &'a News,
    requests: Sender<BlockRequest>,
}

/// Whether a run is to stop.
#[derive(Clone, Copy)]
pub(crate) struct StopFlag<'a>(&'a AtomicBool);

impl StopFlag<'_> {
    pub(crate) fn is_set(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl<'a> Reporter<'a> {
    /// Channel for requests to the caller's function.
    pub(crate) fn requests(&self) -> Sender<BlockRequest> {
        self.requests.clone()
    }

    /// Whether to stop, also for other threads.
    pub(crate) fn stop_flag(&self) -> StopFlag<'a> {
        StopFlag(&self.news.stop)
    }

    /// Records progress of a stage; returns whether to continue.
    pub(crate) fn note(&self, stage: &str, done: u64, total: u64) -> ControlFlow<()> {
        self.news.note(stage.to_owned(), done, total)
    }

    /// Shows the user a line of text, if there is a progress line.
    pub(crate) fn notice(&self, text: String) {
        self.news.notices.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}

impl Observer for Reporter<'_> {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        self.note(&stage.to_string(), done, total)
    }
}

impl PageObserver for Reporter<'_> {
    fn on_part(&mut self, what: &str) -> ControlFlow<()> {
        self.note(what, 1, 1)
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}

/// Panics, to test that a panic becomes a Python exception.
#[pyfunction]
pub(crate) fn panics(py: Python<'_>) -> PyResult<()> {
    run(py, Run { n_threads: 1, progress: None }, |_| -> Result<(), CallFailure> { panic!("on purpose") })
}
