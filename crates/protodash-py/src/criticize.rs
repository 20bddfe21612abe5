//! The rows that prototypes represent worst.

use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArrayDyn};
use protodash::criticisms::{CriticismParams, Definition};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::{Sides, numbers};
use crate::represent::prototypes;
use crate::select::choice;
use crate::watch::Run;

/// Parameters of the criticisms.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct CriticismOptions<'py> {
    n_criticisms: usize,
    definition: String,
    diversity: f64,
    among: String,
    target_weights: Option<PyReadonlyArrayDyn<'py, f64>>,
    kernel_mean: Option<PyReadonlyArrayDyn<'py, f64>>,
    /// The saved objective.
    objective: f64,
}

type Found<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// Rows and scores, worst first, after verifying that the prototypes belong to these data.
#[pyfunction]
pub(crate) fn criticize<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    indices: PyReadonlyArray1<'py, i64>,
    weights: PyReadonlyArray1<'py, f64>,
    options: CriticismOptions<'py>,
    run: Run,
) -> PyResult<Found<'py>> {
    let mut params = CriticismParams::new(options.n_criticisms);
    params.definition = match options.definition.as_str() {
        "witness" => Definition::Witness { diversity: options.diversity },
        "distance" => Definition::Distance,
        other => return Err(PyValueError::new_err(format!("there is no definition {other:?}"))),
    };
    params.among = choice("among", &options.among)?;
    params.target_weights = numbers(options.target_weights.as_ref());
    params.kernel_mean = numbers(options.kernel_mean.as_ref());
    let prototypes = prototypes(&indices, weights.as_array().iter().copied());
    let found = sides.data()?.with_dataset(py, run, |dataset, observer| {
        dataset.verify((&prototypes, options.objective), params.target_weights.as_deref(), observer)?;
        Ok(dataset.criticize(&prototypes, &params, observer)?)
    })?;
    let rows = PyArray1::from_iter(py, found.iter().map(|criticism| criticism.row as i64));
    Ok((rows, PyArray1::from_iter(py, found.iter().map(|criticism| criticism.score))))
}
