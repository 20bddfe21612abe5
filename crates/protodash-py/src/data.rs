//! What Python's arrays are to the core: views, never copies; and the one place where a job is run on them.

use ndarray::{ArrayRef2, ArrayView2};
use numpy::{PyReadonlyArray2, PyReadonlyArrayDyn};
use protodash::{Error, Kernel, Precomputed, Scalar};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::custom::{self, Custom};
use crate::error::{Failure, of_the_source};
use crate::kernel::{Description, Formula};
use crate::watch::{self, Reporter, Run};

/// A matrix in single or double precision, borrowed from NumPy.
pub(crate) enum Array<'py> {
    F32(PyReadonlyArray2<'py, f32>),
    F64(PyReadonlyArray2<'py, f64>),
}

impl<'py> Array<'py> {
    /// The array that Python handed over.
    pub(crate) fn of(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = array.extract() {
            return Ok(Array::F32(array));
        }
        array.extract().map(Array::F64).map_err(|_| PyTypeError::new_err("a matrix of float32 or float64 is expected"))
    }
}

/// The numbers of a run with the kernel that compares them.
pub(crate) enum Data<'py> {
    F32 {
        source: PyReadonlyArray2<'py, f32>,
        target: Option<PyReadonlyArray2<'py, f32>>,
        kernel: Formula<f32>,
    },
    F64 {
        source: PyReadonlyArray2<'py, f64>,
        target: Option<PyReadonlyArray2<'py, f64>>,
        kernel: Formula<f64>,
    },
    /// Kernel matrices: source by source, target by source, target by target.
    Kernel {
        gram: PyReadonlyArray2<'py, f64>,
        across: Option<PyReadonlyArray2<'py, f64>>,
        target: Option<PyReadonlyArray2<'py, f64>>,
    },
    /// A function of the caller's, asked for blocks of values.
    Custom(custom::Description),
}

/// Target and source as Python hands them over.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Sides<'py> {
    source: Bound<'py, PyAny>,
    /// Nothing when it is the source.
    target: Option<Bound<'py, PyAny>>,
    /// The target's own kernel matrix, with a precomputed kernel.
    target_gram: Option<PyReadonlyArray2<'py, f64>>,
    kernel: Description,
    /// The caller's own function, where its values are not written out.
    custom: Option<custom::Description>,
}

/// Something to be done with target, source and kernel, whatever their types.
pub(crate) trait Job: Send {
    /// What comes of it.
    type Output: Send;

    /// Does it.
    fn run<T: Scalar, K: Kernel<T> + ?Sized>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
        observer: &mut Reporter<'_>,
    ) -> Result<Self::Output, Error>;
}

impl<'py> Sides<'py> {
    /// What the kernel is called.
    pub(crate) fn kernel_name(&self) -> &str {
        self.kernel.name()
    }

    /// The data, borrowed.
    pub(crate) fn data(self) -> PyResult<Data<'py>> {
        let Sides { source, target, target_gram, kernel, custom } = self;
        if let Some(custom) = custom {
            return Ok(Data::Custom(custom));
        }
        if kernel.is_precomputed() {
            let across = target.map(|target| target.extract()).transpose()?;
            return Ok(Data::Kernel { gram: source.extract()?, across, target: target_gram });
        }
        Ok(match Array::of(&source)? {
            Array::F32(source) => Data::F32 {
                source,
                target: target.map(|target| target.extract()).transpose()?,
                kernel: kernel.build()?,
            },
            Array::F64(source) => Data::F64 {
                source,
                target: target.map(|target| target.extract()).transpose()?,
                kernel: kernel.build()?,
            },
        })
    }
}

impl Data<'_> {
    /// What `job` makes of these numbers.
    pub(crate) fn run<J: Job>(&self, py: Python<'_>, run: Run, job: J) -> PyResult<J::Output> {
        match self {
            Data::F32 { source, target, kernel } => {
                let (source, target) = (source.as_array(), target.as_ref().map(|target| target.as_array()));
                watch::run(py, run, |observer| on_rows(source, target, &**kernel, job, observer))
            }
            Data::F64 { source, target, kernel } => {
                let (source, target) = (source.as_array(), target.as_ref().map(|target| target.as_array()));
                watch::run(py, run, |observer| on_rows(source, target, &**kernel, job, observer))
            }
            Data::Kernel { gram, across, target } => {
                let views = (gram.as_array(), view(across), view(target));
                watch::run(py, run, |observer| on_kernel(views, job, observer))
            }
            Data::Custom(given) => {
                let ask = |py: Python<'_>, place| given.ask(py, place);
                watch::run_asking(py, run, ask, |observer| on_function(given, job, observer))
            }
        }
    }
}

fn view<'a>(array: &'a Option<PyReadonlyArray2<'_, f64>>) -> Option<ArrayView2<'a, f64>> {
    array.as_ref().map(|array| array.as_array())
}

fn on_rows<T: Scalar, J: Job>(
    source: ArrayView2<'_, T>,
    target: Option<ArrayView2<'_, T>>,
    kernel: &(dyn Kernel<T> + Send),
    job: J,
    observer: &mut Reporter<'_>,
) -> Result<J::Output, Failure> {
    let own = target.is_none();
    let outcome = job.run(&target.unwrap_or(source), &source, kernel, observer);
    Ok(outcome.map_err(|error| if own { of_the_source(error) } else { error })?)
}

type KernelViews<'a> = (ArrayView2<'a, f64>, Option<ArrayView2<'a, f64>>, Option<ArrayView2<'a, f64>>);

fn on_kernel<J: Job>(
    (gram, across, target): KernelViews<'_>,
    job: J,
    observer: &mut Reporter<'_>,
) -> Result<J::Output, Failure> {
    let kernel = match across {
        None => Precomputed::new(gram)?,
        Some(across) => Precomputed::across(across, gram)?,
    };
    let kernel = match target {
        None => kernel,
        Some(target) => kernel.with_target(target).map_err(Failure::TargetGram)?,
    };
    Ok(job.run(&kernel.target_rows(), &kernel.source_rows(), &kernel, observer)?)
}

fn on_function<J: Job>(given: &custom::Description, job: J, observer: &mut Reporter<'_>) -> Result<J::Output, Failure> {
    let (target, source) = given.rows();
    let kernel = Custom::new(given, observer.errands());
    Ok(job.run(&target, &source, &kernel, observer)?)
}

/// A list of numbers that Python handed over, copied; it is short beside the data.
pub(crate) fn numbers(array: Option<&PyReadonlyArrayDyn<'_, f64>>) -> Option<Vec<f64>> {
    array.map(|array| array.as_array().iter().copied().collect())
}
