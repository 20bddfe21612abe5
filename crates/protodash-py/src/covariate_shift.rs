//! Measures covariate shift, in the units of the caller's table.

use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArrayDyn};
use protodash_report::ShiftRecord;
use protodash_table::Feature;
use pyo3::prelude::*;

use crate::data::{Sides, numbers};
use crate::document::Document;
use crate::feature::{GivenFeature, feature};
use crate::represent;
use crate::settings::any_keyword;
use crate::watch::Run;

/// Adds the shift of the features to the document, and returns a weight for each source row.
///
/// Features that are constant in source and target are omitted.
#[pyfunction]
pub(crate) fn covariate_shift<'py>(
    py: Python<'py>,
    mut document: PyRefMut<'py, Document>,
    sides: Sides<'py>,
    positions: PyReadonlyArray1<'py, i64>,
    target_weights: Option<PyReadonlyArrayDyn<'py, f64>>,
    features: Vec<GivenFeature>,
    run: Run,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let weights = document.inner.prototypes.iter().map(|prototype| prototype.weight);
    let prototypes = represent::prototypes(&positions, weights);
    let target_weights = numbers(target_weights.as_ref());
    let shift = sides
        .data()?
        .with_dataset(py, run, |dataset, _| Ok(dataset.covariate_shift(&prototypes, target_weights.as_deref())?))?;
    let features: Vec<Feature> = features.into_iter().map(feature).collect();
    document.inner.set_covariate_shift(ShiftRecord::new(&shift, &features), &any_keyword);
    Ok(PyArray1::from_vec(py, shift.weights))
}
