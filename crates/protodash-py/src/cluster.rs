//! Workers and the leader of a cluster: bytes between Python's processes and the core.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

use ndarray::array;
use numpy::PyArray1;
use protodash::cluster::{self, Instructions, LedPath, Transport, limit_instructions};
use protodash::{Choice, Dataset, MethodFeature, Observer, Params, Prototype, Selection, Stage, Worker};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::data::Sides;
use crate::document::Document;
use crate::error::CallFailure;
use crate::kernel::KernelRequest;
use crate::select::{ResultOrigin, SelectOptions, choice, compared, document, params};
use crate::watch::{self, Reporter, Run, StopFlag};

/// The level of vector instructions that this process uses.
#[pyfunction]
pub(crate) fn instructions() -> &'static str {
    Instructions::used().name()
}

/// The lowest of several levels of vector instructions.
#[pyfunction]
pub(crate) fn common_instructions(levels: Vec<String>) -> PyResult<&'static str> {
    let levels: Vec<Instructions> =
        levels.iter().map(|level| choice("level of instructions", level)).collect::<PyResult<_>>()?;
    Ok(levels.into_iter().min().unwrap_or(Instructions::Portable).name())
}

/// Limits this process to a level of vector instructions.
#[pyfunction]
pub(crate) fn limit_to_instructions(level: &str) -> PyResult<()> {
    limit_instructions(choice("level of instructions", level)?);
    Ok(())
}

/// Raises if an option is not supported on a cluster with this kernel; returns whether the search is divided.
#[pyfunction]
pub(crate) fn check_cluster(options: SelectOptions<'_>, kernel: KernelRequest) -> PyResult<bool> {
    let (params, spec) = (params(&options)?, kernel.spec().map_err(CallFailure::Core)?);
    cluster::check_selection(&params, spec.definition()).map_err(CallFailure::Core)?;
    Ok(params.method.supports(MethodFeature::Workers))
}

/// A message between leader and workers in words, for tests.
#[pyfunction]
pub(crate) fn message_in_words(message: Vec<u8>) -> PyResult<String> {
    Ok(cluster::message_in_words(&message).map_err(CallFailure::Core)?)
}

/// The number of tasks that a kernel mean is divided into.
#[pyfunction]
pub(crate) fn count_mean_tasks(
    py: Python<'_>,
    sides: Sides<'_>,
    options: SelectOptions<'_>,
    run: Run,
) -> PyResult<usize> {
    let params = params(&options)?;
    sides.data()?.with_dataset(py, run, |dataset, _| Ok(dataset.n_mean_tasks(&params)?))
}

/// The result of one of these tasks.
#[pyfunction]
pub(crate) fn run_mean_task<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    options: SelectOptions<'py>,
    task: usize,
    run: Run,
) -> PyResult<Bound<'py, PyBytes>> {
    let params = params(&options)?;
    let result =
        sides.data()?.with_dataset(py, run, |dataset, observer| Ok(dataset.run_mean_task(&params, task, observer)?))?;
    Ok(PyBytes::new(py, &result))
}

/// A document with the kernel mean behind it.
type FinishedDocument = (Document, Option<Vec<f64>>);

/// The same for Python.
type FinishedForPython<'py> = (Document, Option<Bound<'py, PyArray1<f64>>>);

/// The selection from the results of all tasks, for methods whose search is not divided.
#[pyfunction]
pub(crate) fn select_from_tasks<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    options: SelectOptions<'py>,
    origin: ResultOrigin,
    results: Vec<Vec<u8>>,
    run: Run,
) -> PyResult<FinishedForPython<'py>> {
    let params = params(&options)?;
    let how = FinishedHow { params: &params, origin: &origin };
    let finished = sides.data()?.with_dataset(py, run, |dataset, observer| {
        let selection = dataset.select_from_tasks(&params, &results, &mut *observer)?;
        Ok(how.finished(dataset, &selection, observer))
    })?;
    Ok(for_python(py, finished?))
}

fn for_python(py: Python<'_>, (document, kernel_mean): FinishedDocument) -> FinishedForPython<'_> {
    (document, kernel_mean.map(|means| PyArray1::from_vec(py, means)))
}

/// How to make a document of a selection.
#[derive(Clone, Copy)]
struct FinishedHow<'a> {
    params: &'a Params,
    origin: &'a ResultOrigin,
}

impl FinishedHow<'_> {
    /// The document, with what needs all rows.
    fn finished(
        self,
        dataset: &Dataset<'_>,
        selection: &Selection,
        observer: &mut dyn Observer,
    ) -> PyResult<FinishedDocument> {
        let FinishedHow { params, origin } = self;
        let compared = compared(dataset, selection, params, false, &mut *observer).and_then(|compared| {
            // Counted here: the pool of a worker's thread cannot be used by others while it waits for requests.
            Ok((compared, dataset.represent(&selection.prototypes, observer)?.n_represented))
        });
        let ((baseline, hash), counts) = compared.map_err(CallFailure::Core)?;
        let mut inner = document(selection, (&baseline, hash), origin, params)?;
        inner.set_n_represented(&counts);
        let request = origin.request(params.min_gain);
        Ok((Document { inner, request }, selection.kernel_mean().map(<[f64]>::to_vec)))
    }
}

/// What a worker is asked to do, and where to send the answer.
enum PortRequest {
    Message(Vec<u8>, SyncSender<Vec<u8>>),
    Finish(Vec<u8>, SyncSender<PyResult<FinishedDocument>>),
}

/// The source rows of a worker (the first, and the one after the last), and the results of all tasks of the kernel mean.
type WorkerRows = ((usize, usize), Vec<Vec<u8>>);

/// A worker: one thread serves it, another sends it messages.
#[pyclass(frozen, module = "protodash._native")]
pub(crate) struct WorkerPort {
    requests: Mutex<Option<Sender<PortRequest>>>,
    /// Until a thread serves them.
    waiting: Mutex<Option<Receiver<PortRequest>>>,
}

#[pymethods]
impl WorkerPort {
    #[new]
    fn new() -> WorkerPort {
        let (requests, waiting) = channel();
        WorkerPort { requests: Mutex::new(Some(requests)), waiting: Mutex::new(Some(waiting)) }
    }

    /// Serves these source rows until the port is closed. Needs a thread of its own.
    fn serve(
        &self,
        py: Python<'_>,
        sides: Sides<'_>,
        options: SelectOptions<'_>,
        origin: ResultOrigin,
        part: WorkerRows,
        run: Run,
    ) -> PyResult<()> {
        let (params, (rows, results)) = (params(&options)?, part);
        let how = FinishedHow { params: &params, origin: &origin };
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(waiting) = waiting else { return Err(PyRuntimeError::new_err("the worker is served already")) };
        sides.data()?.with_dataset(py, run, |dataset, observer| {
            let dataset: &Dataset<'_> = dataset;
            let finish =
                |worker: &dyn Worker, path: &[u8], observer: &mut dyn Observer| -> PyResult<FinishedDocument> {
                    let selected = LedPath::from_bytes(path).and_then(|path| worker.finish(&path, &mut *observer));
                    how.finished(dataset, &selected.map_err(CallFailure::Core)?, observer)
                };
            let serve = |worker: &dyn Worker, observer: &mut dyn Observer| {
                for request in waiting {
                    // Whoever does not wait for an answer any more does not get one.
                    match request {
                        PortRequest::Message(message, answer) => drop(answer.send(worker.handle(&message))),
                        PortRequest::Finish(path, answer) => drop(answer.send(finish(worker, &path, &mut *observer))),
                    }
                }
            };
            Ok(dataset.serve(&params, &results, rows.0..rows.1, (observer, serve))?)
        })
    }

    /// The reply to a message of the leader.
    fn handle<'py>(&self, py: Python<'py>, message: Vec<u8>) -> PyResult<Bound<'py, PyBytes>> {
        let reply = self.answer(py, |answer| PortRequest::Message(message, answer))?;
        Ok(PyBytes::new(py, &reply))
    }

    /// The result of a path that the leader found, and the kernel mean.
    fn finish<'py>(&self, py: Python<'py>, path: Vec<u8>) -> PyResult<FinishedForPython<'py>> {
        let finished = self.answer(py, |answer| PortRequest::Finish(path, answer))?;
        Ok(for_python(py, finished?))
    }

    /// Ends `serve`.
    fn close(&self) {
        *self.requests.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl WorkerPort {
    fn answer<R: Send>(&self, py: Python<'_>, request: impl FnOnce(SyncSender<R>) -> PortRequest) -> PyResult<R> {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (answer, answered) = sync_channel(1);
        let sent = requests.and_then(|requests| requests.send(request(answer)).ok());
        let received = sent.and_then(|()| py.detach(move || answered.recv().ok()));
        received.ok_or_else(|| PyRuntimeError::new_err("the worker has ended"))
    }
}

/// The path of a search over workers, as bytes: what [`WorkerPort::finish`] takes.
///
/// A worker has `send`, which takes a message and returns a ticket, and `receive`, which takes a ticket and a time in seconds and
/// returns the reply, or None if there is none yet. `record` is called with each chosen row.
#[pyfunction]
pub(crate) fn lead<'py>(
    py: Python<'py>,
    workers: Vec<Py<PyAny>>,
    kernel: KernelRequest,
    is_single: bool,
    options: SelectOptions<'py>,
    record: Py<PyAny>,
    run: Run,
) -> PyResult<Bound<'py, PyBytes>> {
    let params = params(&options)?;
    let spec = kernel.spec().map_err(CallFailure::Core)?;
    // All parameters are known, so the rows do not matter.
    let kernel = spec.resolve(None, &array![[0.0]], 0).map_err(CallFailure::Core)?;
    let raised = Mutex::new(None);
    let led = watch::run(py, run, |reporter| {
        let stop = reporter.stop_flag();
        let transports: Vec<PythonTransport<'_>> =
            workers.into_iter().map(|worker| PythonTransport { worker, stop }).collect();
        let workers: Vec<&dyn Transport> = transports.iter().map(|worker| worker as &dyn Transport).collect();
        let observer = &mut Recorder { reporter, record, raised: &raised };
        let led = match is_single {
            true => cluster::lead::<f32>(&workers, &kernel, &params, observer),
            false => cluster::lead::<f64>(&workers, &kernel, &params, observer),
        };
        Ok(led?.to_bytes())
    });
    match raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(raised) => Err(raised),
        None => Ok(PyBytes::new(py, &led?)),
    }
}

/// The way to a worker through a Python object.
struct PythonTransport<'a> {
    worker: Py<PyAny>,
    stop: StopFlag<'a>,
}

/// Time between two looks at whether to stop.
const PATIENCE: f64 = 0.5;

impl Transport for PythonTransport<'_> {
    fn exchange(&self, message: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
        let exchanged = Python::attach(|py| -> PyResult<Option<Vec<u8>>> {
            let worker = self.worker.bind(py);
            let ticket = worker.call_method1("send", (PyBytes::new(py, message),))?;
            while !self.stop.is_set() {
                let reply: Option<Vec<u8>> = worker.call_method1("receive", (&ticket, PATIENCE))?.extract()?;
                if reply.is_some() {
                    return Ok(reply);
                }
            }
            Ok(None)
        });
        match exchanged {
            Ok(Some(reply)) => Ok(reply),
            Ok(None) => Err("interrupted".into()),
            Err(error) => Err(Python::attach(|py| error.value(py).to_string()).into()),
        }
    }
}

/// Reports progress, and every chosen row to Python.
struct Recorder<'r, 'a> {
    reporter: &'r mut Reporter<'a>,
    record: Py<PyAny>,
    raised: &'r Mutex<Option<PyErr>>,
}

impl Observer for Recorder<'_, '_> {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        self.reporter.on_progress(stage, done, total)
    }

    fn on_prototype(&mut self, size: usize, prototype: &Prototype, _: f64) -> ControlFlow<()> {
        let recorded = Python::attach(|py| self.record.call1(py, (size, prototype.source_index)).map(drop));
        match recorded {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}
