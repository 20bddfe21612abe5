//! A Python function as a kernel whose matrix is never stored in full.
//!
//! The core needs one value at a time; the function computes blocks of them. Blocks are cached within the memory limit.
//! The core processes its rows block by block, so a block is rarely computed twice. The waiting thread calls the
//! function, since that is the thread that receives signals: Ctrl-C interrupts the function mid-call.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ndarray::Array2;
use numpy::PyReadonlyArray2;
use protodash::Kernel;
use pyo3::prelude::*;

use crate::watch::BlockRequest;

/// Minimum number of blocks to keep regardless of the memory limit: those of the tasks that run at once.
const FEWEST_BLOCKS: usize = 64;

/// The function as passed from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct CustomRequest {
    /// Called with the first row and the first column of a block, returns its values.
    ask: Py<PyAny>,
    /// Rows and columns of a block.
    size: usize,
    n_source: usize,
    /// `None` if the target is the source.
    n_target: Option<usize>,
    /// Memory limit for cached values, in bytes.
    memory: u64,
}

impl CustomRequest {
    /// The rows by their numbers: of the target and of the source.
    pub(crate) fn rows(&self) -> (Array2<f64>, Array2<f64>) {
        let numbers = |first: usize, count: usize| Array2::from_shape_fn((count, 1), |(row, _)| (first + row) as f64);
        let source = numbers(0, self.n_source);
        // The target starts at a block boundary.
        let first = self.n_source.next_multiple_of(self.size);
        (self.n_target.map_or_else(|| source.clone(), |n_target| numbers(first, n_target)), source)
    }

    /// The values of a block, from the function.
    pub(crate) fn ask(&self, py: Python<'_>, (top, left): BlockPosition) -> PyResult<Array2<f64>> {
        let values = self.ask.bind(py).call1((top * self.size, left * self.size))?;
        let values: PyReadonlyArray2<'_, f64> = values.extract()?;
        Ok(values.as_array().to_owned())
    }
}

/// The kernel that calls the function.
pub(crate) struct CustomKernel<'a> {
    given: &'a CustomRequest,
    /// To the thread that calls the function.
    requests: Sender<BlockRequest>,
    /// Distinguishes this kernel's blocks from those of another on the same thread.
    number: u64,
    kept: Mutex<KeptBlocks>,
    /// Held by the one thread that calls the function; the others would only wait for the interpreter.
    asking: Mutex<()>,
    /// True once a call failed: later calls would fail too, and trying for every value would take long.
    unanswered: AtomicBool,
}

/// Position of a block, counted in blocks of rows and of columns.
pub(crate) type BlockPosition = (usize, usize);

struct KeptBlocks {
    blocks: HashMap<BlockPosition, Arc<Array2<f64>>>,
    /// The oldest first.
    order: VecDeque<BlockPosition>,
    most: usize,
}

/// A kernel's number, with a block of it.
type LastBlock = (u64, BlockPosition, Arc<Array2<f64>>);

thread_local! {
    /// The block that this thread read last, and will most often read next.
    static LAST: RefCell<Option<LastBlock>> = const { RefCell::new(None) };
}

static NUMBERS: AtomicU64 = AtomicU64::new(0);

impl<'a> CustomKernel<'a> {
    /// The kernel of this function; the thread that receives the requests calls it.
    pub(crate) fn new(given: &'a CustomRequest, requests: Sender<BlockRequest>) -> CustomKernel<'a> {
        let block_bytes = 8 * (given.size * given.size) as u64;
        let most = usize::try_from(given.memory / block_bytes).unwrap_or(usize::MAX).max(FEWEST_BLOCKS);
        CustomKernel {
            given,
            requests,
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            kept: Mutex::new(KeptBlocks { blocks: HashMap::new(), order: VecDeque::new(), most }),
            asking: Mutex::new(()),
            unanswered: AtomicBool::new(false),
        }
    }

    /// The block at this position; `None` once the function has failed or the run was stopped.
    fn block(&self, place: BlockPosition) -> Option<Arc<Array2<f64>>> {
        let last = LAST.with_borrow(|last| match last {
            Some((number, at, block)) if (*number, *at) == (self.number, place) => Some(Arc::clone(block)),
            _ => None,
        });
        if last.is_some() {
            return last;
        }
        let block = self.find(place)?;
        LAST.set(Some((self.number, place, Arc::clone(&block))));
        Some(block)
    }

    fn find(&self, place: BlockPosition) -> Option<Arc<Array2<f64>>> {
        if self.unanswered.load(Ordering::Relaxed) {
            return None;
        }
        let known = || lock(&self.kept).blocks.get(&place).map(Arc::clone);
        if let Some(block) = known() {
            return Some(block);
        }
        let _asking = lock(&self.asking);
        // Another thread may have computed it meanwhile.
        if let Some(block) = known() {
            return Some(block);
        }
        let (reply, answer) = sync_channel(1);
        let sent = self.requests.send(BlockRequest { place, reply });
        // There is no answer once an exception was raised.
        let Some(block) = sent.ok().and_then(|()| answer.recv().ok()) else {
            self.unanswered.store(true, Ordering::Relaxed);
            return None;
        };
        Some(self.keep(place, block))
    }

    fn keep(&self, place: BlockPosition, block: Array2<f64>) -> Arc<Array2<f64>> {
        let (block, mut kept) = (Arc::new(block), lock(&self.kept));
        while kept.order.len() >= kept.most {
            let oldest = kept.order.pop_front();
            oldest.and_then(|oldest| kept.blocks.remove(&oldest));
        }
        kept.order.push_back(place);
        kept.blocks.insert(place, Arc::clone(&block));
        block
    }
}

impl Kernel<f64> for CustomKernel<'_> {
    /// The value of the function; NaN if it failed, which ends the run.
    fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
        let size = self.given.size;
        let (x, y) = (x[0] as usize, y[0] as usize);
        // The kernel is symmetric: of a block and its transpose only one is computed.
        let (row, column) = if x / size <= y / size { (x, y) } else { (y, x) };
        let block = self.block((row / size, column / size));
        block.and_then(|block| block.get((row % size, column % size)).copied()).unwrap_or(f64::NAN)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
