//! Long work beside a waiting Python: the interpreter is free meanwhile, hears of progress and can stop it.
//!
//! The work runs on threads of ours. The thread that called waits, looks after signals and reports, many times a second,
//! whatever the work is at: Ctrl-C does not depend on how often the work asks. Where the work needs values of a function
//! of the caller's it is that thread too that calls it.

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
    run: Run,
    work: impl FnOnce(&mut Reporter<'_>) -> Result<R, CallFailure> + Send,
) -> PyResult<R> {
    // Nobody sends errands, so that nobody is answered.
    run_asking(py, run, |_, _| Ok(Array2::default((0, 0))), work)
}

/// A block of values that the work waits for.
pub(crate) struct Errand {
    pub(crate) place: BlockPosition,
    pub(crate) reply: SyncSender<Array2<f64>>,
}

/// What `work` returns, as [`run`] has it; meanwhile `ask` answers the errands that the work sends.
pub(crate) fn run_asking<R: Send>(
    py: Python<'_>,
    Run { n_threads, progress }: Run,
    ask: impl Fn(Python<'_>, BlockPosition) -> PyResult<Array2<f64>> + Sync,
    work: impl FnOnce(&mut Reporter<'_>) -> Result<R, CallFailure> + Send,
) -> PyResult<R> {
    let pool = pool(n_threads)?;
    let news = News::default();
    let outcome = py.detach(|| {
        let (errands, asked) = channel();
        thread::scope(|scope| {
            let (pool, news) = (&pool, &news);
            // The observer goes with the work, so that the channel closes at its end.
            let mut observer = Reporter { news, errands };
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

/// Waits for the end; an exception on the way stops the work, whose own end is then waited for.
fn wait(
    news: &News,
    asked: &Receiver<Errand>,
    ask: &dyn Fn(Python<'_>, BlockPosition) -> PyResult<Array2<f64>>,
    progress: Option<&Py<PyAny>>,
) -> PyResult<()> {
    let (mut raised, mut looked) = (None, Instant::now());
    loop {
        let errand = match asked.recv_timeout(TICK) {
            Ok(errand) => Some(errand),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return raised.map_or(Ok(()), Err),
        };
        if raised.is_some() {
            // The errand is dropped, which tells the work that there is no answer.
            continue;
        }
        let look = errand.is_none() || looked.elapsed() >= TICK;
        let done = Python::attach(|py| {
            if look {
                look_after(py, news, progress)?;
            }
            errand.map_or(Ok(()), |Errand { place, reply }| ask(py, place).map(|block| drop(reply.send(block))))
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
pub(crate) struct Reporter<'a> {
    news: &'a News,
    errands: Sender<Errand>,
}

impl Reporter<'_> {
    /// Where the work sends for values of the caller's function.
    pub(crate) fn errands(&self) -> Sender<Errand> {
        self.errands.clone()
    }

    /// Notes that this much of a stage is done; says whether to go on.
    pub(crate) fn note(&self, stage: &str, done: u64, total: u64) -> ControlFlow<()> {
        self.news.note(stage.to_owned(), done, total)
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

/// Breaks a promise, for the test that no panic crosses the border.
#[pyfunction]
pub(crate) fn panics(py: Python<'_>) -> PyResult<()> {
    run(py, Run { n_threads: 1, progress: None }, |_| -> Result<(), CallFailure> { panic!("on purpose") })
}
