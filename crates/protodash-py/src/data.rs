//! Python's arrays as a data set of the core: views, never copies, but of sparse rows.

use ndarray::ArrayView2;
use numpy::{PyReadonlyArray2, PyReadonlyArrayDyn};
use protodash::{Dataset, KernelSpec, Precomputed};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::custom::{CustomKernel, CustomRequest};
use crate::error::CallFailure;
use crate::kernel::KernelRequest;
use crate::sparse::SparseArrays;
use crate::watch::{self, Reporter, Run};

/// A matrix in single or double precision, borrowed from NumPy.
pub(crate) enum Array<'py> {
    F32(PyReadonlyArray2<'py, f32>),
    F64(PyReadonlyArray2<'py, f64>),
}

impl<'py> Array<'py> {
    /// The array passed from Python.
    pub(crate) fn of(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = array.extract() {
            return Ok(Array::F32(array));
        }
        array.extract().map(Array::F64).map_err(|_| PyTypeError::new_err("a matrix of float32 or float64 is expected"))
    }
}

/// Target and source as passed from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Sides<'py> {
    source: Bound<'py, PyAny>,
    /// `None` if it is the source.
    target: Option<Bound<'py, PyAny>>,
    /// The kernel matrix of the target with itself, for a precomputed kernel.
    target_gram: Option<PyReadonlyArray2<'py, f64>>,
    kernel: KernelRequest,
    /// The caller's function, if its values are not stored in full.
    custom: Option<CustomRequest>,
}

/// The arrays of a run, borrowed.
pub(crate) enum BorrowedData<'py> {
    F32 {
        source: PyReadonlyArray2<'py, f32>,
        target: Option<PyReadonlyArray2<'py, f32>>,
        kernel: KernelSpec,
    },
    F64 {
        source: PyReadonlyArray2<'py, f64>,
        target: Option<PyReadonlyArray2<'py, f64>>,
        kernel: KernelSpec,
    },
    /// Sparse rows.
    Sparse {
        source: SparseArrays<'py>,
        target: Option<SparseArrays<'py>>,
        kernel: KernelSpec,
    },
    /// Kernel matrices: source by source, target by source, target by target.
    Precomputed {
        gram: PyReadonlyArray2<'py, f64>,
        across: Option<PyReadonlyArray2<'py, f64>>,
        target: Option<PyReadonlyArray2<'py, f64>>,
    },
    /// A custom function, called for blocks of values.
    Custom(CustomRequest),
}

impl<'py> Sides<'py> {
    /// The arrays, borrowed.
    pub(crate) fn data(self) -> PyResult<BorrowedData<'py>> {
        let Sides { source, target, target_gram, kernel, custom } = self;
        if let Some(custom) = custom {
            return Ok(BorrowedData::Custom(custom));
        }
        if kernel.is_precomputed() {
            let across = target.map(|target| target.extract()).transpose()?;
            return Ok(BorrowedData::Precomputed { gram: source.extract()?, across, target: target_gram });
        }
        let kernel = kernel.spec().map_err(CallFailure::Core)?;
        if let Ok(source) = source.extract() {
            let target = target.map(|target| target.extract()).transpose()?;
            return Ok(BorrowedData::Sparse { source, target, kernel });
        }
        Ok(match Array::of(&source)? {
            Array::F32(source) => {
                BorrowedData::F32 { source, target: target.map(|target| target.extract()).transpose()?, kernel }
            }
            Array::F64(source) => {
                BorrowedData::F64 { source, target: target.map(|target| target.extract()).transpose()?, kernel }
            }
        })
    }
}

impl BorrowedData<'_> {
    /// Runs `work` on these data while the interpreter waits.
    pub(crate) fn with_dataset<R: Send>(
        &self,
        py: Python<'_>,
        run: Run,
        work: impl FnOnce(&mut Dataset<'_>, &mut Reporter<'_>) -> Result<R, CallFailure> + Send,
    ) -> PyResult<R> {
        match self {
            BorrowedData::F32 { source, target, kernel } => {
                let (source, target) = (source.as_array(), view(target));
                watch::run(py, run, |observer| {
                    work(&mut Dataset::from_f32(source, target.map(Into::into), kernel, 0)?, observer)
                })
            }
            BorrowedData::F64 { source, target, kernel } => {
                let (source, target) = (source.as_array(), view(target));
                watch::run(py, run, |observer| {
                    work(&mut Dataset::from_f64(source, target.map(Into::into), kernel, 0)?, observer)
                })
            }
            BorrowedData::Sparse { source, target, kernel } => {
                let target = target.as_ref().map(SparseArrays::matrix).transpose()?;
                let source = source.matrix()?;
                watch::run(py, run, |observer| work(&mut Dataset::from_sparse(source, target, kernel, 0)?, observer))
            }
            BorrowedData::Precomputed { gram, across, target } => {
                let (gram, across, target) = (gram.as_array(), view(across), view(target));
                watch::run(py, run, |observer| {
                    work(&mut Dataset::Precomputed(precomputed(gram, across, target)?), observer)
                })
            }
            BorrowedData::Custom(request) => {
                let ask = |py: Python<'_>, position| request.ask(py, position);
                watch::run_asking(py, run, ask, |observer| {
                    let (target, source) = request.rows();
                    let kernel = Box::new(CustomKernel::new(request, observer.requests()));
                    work(&mut Dataset::Custom { target, source, kernel }, observer)
                })
            }
        }
    }
}

fn view<'a, T: numpy::Element>(array: &'a Option<PyReadonlyArray2<'_, T>>) -> Option<ArrayView2<'a, T>> {
    array.as_ref().map(|array| array.as_array())
}

fn precomputed<'a>(
    gram: ArrayView2<'a, f64>,
    across: Option<ArrayView2<'a, f64>>,
    target: Option<ArrayView2<'a, f64>>,
) -> Result<Precomputed<'a>, CallFailure> {
    let kernel = match across {
        None => Precomputed::new(gram)?,
        Some(across) => Precomputed::across(across, gram)?,
    };
    match target {
        None => Ok(kernel),
        Some(target) => Ok(kernel.with_target(target)?),
    }
}

/// A copy of a list of numbers from Python; it is short compared with the data.
pub(crate) fn numbers(array: Option<&PyReadonlyArrayDyn<'_, f64>>) -> Option<Vec<f64>> {
    array.map(|array| array.as_array().iter().copied().collect())
}
