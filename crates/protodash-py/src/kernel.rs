//! From what Python says of a kernel to one that the core can use.

use ndarray::ArrayView2;
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use protodash::bandwidth::{Metric, median};
use protodash::{
    Cosine, Error, Gaussian, Hamming, InverseMultiquadric, Kernel, Laplacian, Linear, Matern32, Matern52, Polynomial,
    Scalar,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::Array;
use crate::error::{Failure, of_the_source};
use crate::watch::{self, Run};

/// A kernel by name, with all the parameters that a kernel can have.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Description {
    name: String,
    bandwidth: Option<f64>,
    degree: Option<u32>,
    scale: Option<f64>,
    offset: Option<f64>,
}

/// Any kernel with a formula, for rows of one type.
pub(crate) type Formula<T> = Box<dyn Kernel<T> + Send>;

impl Description {
    /// The kernel.
    pub(crate) fn build<T: Scalar>(&self) -> PyResult<Formula<T>> {
        let boxed = match self.name.as_str() {
            "linear" => Ok(Box::new(Linear) as Formula<T>),
            "polynomial" => {
                let (degree, scale) = (self.degree.ok_or_else(|| self.lacks("degree"))?, self.scale.unwrap_or(1.0));
                let offset = self.offset.ok_or_else(|| self.lacks("offset"))?;
                Polynomial::new(degree, scale, offset).map(|kernel| Box::new(kernel) as Formula<T>)
            }
            "cosine" => Ok(Box::new(Cosine) as Formula<T>),
            "hamming" => Ok(Box::new(Hamming) as Formula<T>),
            name => wide(name, self.bandwidth.ok_or_else(|| self.lacks("bandwidth"))?),
        };
        Ok(boxed.map_err(Failure::Core)?)
    }

    /// What the kernel is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether the kernel is a matrix and has no formula.
    pub(crate) fn is_precomputed(&self) -> bool {
        self.name == "precomputed"
    }

    fn lacks(&self, what: &str) -> PyErr {
        PyValueError::new_err(format!("the kernel {:?} lacks its {what:?}", self.name))
    }
}

/// The kernel of this name with a width; Gaussian unless it is one of the others.
pub(crate) fn wide<T: Scalar>(name: &str, bandwidth: f64) -> Result<Formula<T>, Error> {
    Ok(match name {
        "laplacian" => Box::new(Laplacian::new(bandwidth)?),
        "matern32" => Box::new(Matern32::new(bandwidth)?),
        "matern52" => Box::new(Matern52::new(bandwidth)?),
        "inverse-multiquadric" => Box::new(InverseMultiquadric::new(bandwidth)?),
        _ => Box::new(Gaussian::new(bandwidth)?),
    })
}

/// The median distance of two rows of target and source together; 1 if there is but one row.
#[pyfunction]
pub(crate) fn median_distance(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: Option<&Bound<'_, PyAny>>,
    manhattan: bool,
    seed: u64,
    n_threads: usize,
) -> PyResult<f64> {
    let metric = if manhattan { Metric::Manhattan } else { Metric::Euclidean };
    match Array::of(source)? {
        Array::F32(source) => median_of(py, &source, target, metric, seed, n_threads),
        Array::F64(source) => median_of(py, &source, target, metric, seed, n_threads),
    }
}

fn median_of<T: Scalar + numpy::Element>(
    py: Python<'_>,
    source: &PyReadonlyArray2<'_, T>,
    target: Option<&Bound<'_, PyAny>>,
    metric: Metric,
    seed: u64,
    n_threads: usize,
) -> PyResult<f64> {
    let target: Option<PyReadonlyArray2<'_, T>> = target.map(|target| target.extract()).transpose()?;
    debug_assert!(source.is_c_contiguous());
    let source = source.as_array();
    let own = target.is_none();
    let target: ArrayView2<'_, T> = target.as_ref().map_or(source, |target| target.as_array());
    watch::run(py, Run { n_threads, progress: None }, |_| match median(&target, &source, metric, seed) {
        // One row has no distance to another; any width gives it the same kernel value of 1.
        Err(Error::NoDistance { rows: 1 }) => Ok(1.0),
        Err(error) if own => Err(of_the_source(error).into()),
        found => Ok(found?),
    })
}
