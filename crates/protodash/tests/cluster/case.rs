//! The problems of the tests, the same in every process, and transports to workers in this process.

use std::ops::Range;
use std::sync::Mutex;

use ndarray::{Array2, ArrayRef2};
use protodash::cluster::{self, ShardServer, Transport};
use protodash::{Error, Gaussian, InverseMultiquadric, Kernel, Linear, Method, Params, Prepared, Scalar, Selection};
use protodash::{Unobserved, Weights};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A problem, small enough to be solved hundreds of times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    pub(crate) n_source: usize,
    /// A target of its own, or the source.
    pub(crate) n_target: Option<usize>,
    pub(crate) method: Method,
    pub(crate) weights: Weights,
    pub(crate) kernel: TestKernel,
    pub(crate) n_prototypes: usize,
    /// Bytes for the kernel columns of all workers, or as many as are needed.
    pub(crate) column_memory: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum TestKernel {
    Gaussian,
    Multiquadric,
    Linear,
}

impl Case {
    pub(crate) const SMALL: Case = Case {
        n_source: 90,
        n_target: None,
        method: Method::ProtoDash,
        weights: Weights::Nonnegative,
        kernel: TestKernel::Gaussian,
        n_prototypes: 5,
        column_memory: None,
    };

    pub(crate) fn params(&self) -> Params {
        let mut params = Params::new(self.n_prototypes);
        (params.method, params.weights) = (self.method, self.weights);
        params.column_memory = self.column_memory.unwrap_or(params.column_memory);
        params
    }

    pub(crate) fn kernel<T: Scalar>(&self) -> Box<dyn Kernel<T>> {
        match self.kernel {
            TestKernel::Gaussian => Box::new(Gaussian::new(0.6).unwrap()),
            TestKernel::Multiquadric => Box::new(InverseMultiquadric::new(0.5).unwrap()),
            TestKernel::Linear => Box::new(Linear),
        }
    }

    /// Calls `run` with the target and the source.
    pub(crate) fn with_rows<T: TestScalar, R>(&self, run: impl FnOnce(&ArrayRef2<T>, &ArrayRef2<T>) -> R) -> R {
        let source = rows(self.n_source, 1).mapv(T::rounded);
        let other = self.n_target.map(|n_target| rows(n_target, 2).mapv(T::rounded));
        run(other.as_ref().unwrap_or(&source), &source)
    }

    /// Calls `run` with the prepared data and the parameters.
    pub(crate) fn with<T: TestScalar, R>(&self, run: impl FnOnce(&Prepared<'_, T>, &Params) -> R) -> R {
        let (kernel, params) = (self.kernel::<T>(), self.params());
        self.with_rows(|target, source| {
            run(&cluster::prepare(target, source, &*kernel, &params, &mut Unobserved).unwrap(), &params)
        })
    }

    /// The selection of a single process.
    pub(crate) fn alone<T: TestScalar>(&self) -> Selection {
        self.with::<T, _>(|prepared, params| prepared.select(params, &mut Unobserved)).unwrap()
    }

    /// The selection of workers in this process, each behind the transport that `wrap` makes of it.
    pub(crate) fn over<T: TestScalar>(
        &self,
        n_workers: usize,
        wrap: impl for<'s> Fn(usize, Restarting<'s, T>) -> Box<dyn Transport + 's>,
    ) -> Result<Selection, Error> {
        self.with::<T, _>(|prepared, params| {
            let server = |worker| ShardServer::new(prepared, self.part(worker, n_workers), params).unwrap();
            let transports: Vec<_> = (0..n_workers)
                .map(|worker| {
                    let make: Box<dyn Fn() -> _ + Send + Sync> = Box::new(move || server(worker));
                    let current = Mutex::new(make());
                    wrap(worker, Restarting { make, current })
                })
                .collect();
            let workers: Vec<&dyn Transport> = transports.iter().map(|transport| &**transport).collect();
            cluster::select(prepared, &workers, params, &mut Unobserved)
        })
    }

    /// The rows of a worker.
    pub(crate) fn part(&self, worker: usize, n_workers: usize) -> Range<usize> {
        self.n_source * worker / n_workers..self.n_source * (worker + 1) / n_workers
    }
}

/// A worker in this process that can be replaced by a new one, which knows nothing.
pub(crate) struct Restarting<'s, T: Scalar> {
    make: Box<dyn Fn() -> ShardServer<'s, T> + Send + Sync + 's>,
    current: Mutex<ShardServer<'s, T>>,
}

impl<T: Scalar> Restarting<'_, T> {
    pub(crate) fn restart(&self) {
        *self.current.lock().unwrap() = (self.make)();
    }
}

impl<T: Scalar> Transport for Restarting<'_, T> {
    fn exchange(&self, message: &[u8]) -> Result<Vec<u8>, Failure> {
        self.current.lock().unwrap().exchange(message)
    }
}

pub(crate) trait TestScalar: Scalar {
    fn rounded(value: f64) -> Self;
}

impl TestScalar for f32 {
    fn rounded(value: f64) -> f32 {
        value as f32
    }
}

impl TestScalar for f64 {
    fn rounded(value: f64) -> f64 {
        value
    }
}

/// Rows around four centres; every ninth is a copy of an earlier one, which is often in another shard.
fn rows(n_rows: usize, seed: u64) -> Array2<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rows = Array2::from_shape_fn((n_rows, 3), |(row, column)| {
        random.random::<f64>() + 0.8 * ((row * (column + 1)) % 4) as f64
    });
    for row in (9..n_rows).step_by(9) {
        let copied = rows.row(row / 2).to_owned();
        rows.row_mut(row).assign(&copied);
    }
    rows
}

/// Rows, weights and objectives of every size, as bits.
pub(crate) fn bits(selection: &Selection) -> (Vec<usize>, Vec<u64>, Vec<u64>) {
    (
        selection.prototypes.iter().map(|prototype| prototype.source_index).collect(),
        selection.prototypes.iter().map(|prototype| prototype.weight.to_bits()).collect(),
        selection.objective.iter().map(|objective| objective.to_bits()).collect(),
    )
}

/// The workers do not change the selection in any way.
pub(crate) fn assert_same(found: &Selection, expected: &Selection, context: &str) {
    assert_eq!(bits(found), bits(expected), "{context}");
    assert_eq!(found, expected, "{context}");
}
