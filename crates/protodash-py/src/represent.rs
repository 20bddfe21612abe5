//! What prototypes say of rows: the nearest prototype, probabilities of classes, the share explained, and kernel values.

use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use protodash::Prototype;
use pyo3::prelude::*;

use crate::data::Sides;
use crate::watch::Run;

type Nearest<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// The position of the nearest prototype of each target row, -1 if no prototype has weight, and how many rows each has.
#[pyfunction]
pub(crate) fn represent<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    indices: PyReadonlyArray1<'py, i64>,
    weights: PyReadonlyArray1<'py, f64>,
    run: Run,
) -> PyResult<Nearest<'py>> {
    let prototypes = prototypes(&indices, weights.as_array().iter().copied());
    let found =
        sides.data()?.with_dataset(py, run, |dataset, observer| Ok(dataset.represent(&prototypes, observer)?))?;
    let nearest = found.nearest.iter().map(|position| position.map_or(-1, |position| position as i64));
    let counts = found.n_represented.iter().map(|count| *count as i64);
    Ok((PyArray1::from_iter(py, nearest), PyArray1::from_iter(py, counts)))
}

/// The probability of each class for each target row, from the distance to the nearest prototype of the class.
#[pyfunction]
pub(crate) fn class_probabilities<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    weights: PyReadonlyArray1<'py, f64>,
    labels: Vec<usize>,
    n_classes: usize,
    run: Run,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let prototypes = all_rows(&weights);
    let found = sides
        .data()?
        .with_dataset(py, run, |dataset, _| Ok(dataset.class_probabilities(&labels, &prototypes, n_classes)?))?;
    Ok(PyArray2::from_owned_array(py, found))
}

/// The share of the target that the rows of the source explain with these weights; None if there is nothing to explain.
#[pyfunction]
pub(crate) fn explained_of<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    weights: PyReadonlyArray1<'py, f64>,
    run: Run,
) -> PyResult<Option<f64>> {
    let prototypes = all_rows(&weights);
    sides.data()?.with_dataset(py, run, |dataset, observer| Ok(dataset.explained_of(&prototypes, None, observer)?))
}

/// k(x, z) for each target row x and each source row z.
#[pyfunction]
pub(crate) fn similarities<'py>(py: Python<'py>, sides: Sides<'py>, run: Run) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let values = sides.data()?.with_dataset(py, run, |dataset, _| Ok(dataset.similarities()?))?;
    Ok(PyArray2::from_owned_array(py, values))
}

/// All rows of the source as prototypes with these weights.
fn all_rows(weights: &PyReadonlyArray1<'_, f64>) -> Vec<Prototype> {
    weights.as_array().iter().enumerate().map(|(row, weight)| unnamed(row, *weight)).collect()
}

/// Prototypes for the core; comparing rows with them needs neither shares nor gains.
pub(crate) fn prototypes(
    positions: &PyReadonlyArray1<'_, i64>,
    weights: impl IntoIterator<Item = f64>,
) -> Vec<Prototype> {
    // A negative row becomes one that no source has, which the core rejects by name.
    let source_index = |index: &i64| usize::try_from(*index).unwrap_or(usize::MAX);
    positions.as_array().iter().zip(weights).map(|(index, weight)| unnamed(source_index(index), weight)).collect()
}

/// A prototype of which only row and weight matter.
fn unnamed(source_index: usize, weight: f64) -> Prototype {
    Prototype { source_index, weight, share: 0.0, gain: 0.0 }
}
