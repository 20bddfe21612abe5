//! Estimates of a mean over all rows from weighted prototypes.

use numpy::PyReadonlyArray1;
use protodash::{Prototype, RowValues};
use pyo3::prelude::*;

use crate::error::CallFailure;
use crate::represent::prototypes;

/// The estimate, and the mean, the error and the standard error of random rows if they are known.
type Estimated = (f64, Option<f64>, Option<f64>, Option<f64>);

/// Estimates the mean of a value: `source` has it for each source row, or for each prototype if `indices` is `None`, and
/// `target` for each target row, if they are not the source rows.
#[pyfunction]
pub(crate) fn estimate(
    indices: Option<PyReadonlyArray1<'_, i64>>,
    weights: PyReadonlyArray1<'_, f64>,
    source: PyReadonlyArray1<'_, f64>,
    target: Option<PyReadonlyArray1<'_, f64>>,
    target_weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<Estimated> {
    let prototype = |(source_index, weight): (usize, f64)| Prototype { source_index, weight, share: 0.0, gain: 0.0 };
    let own_weights = weights.as_array().to_vec();
    let chosen = match &indices {
        Some(indices) => prototypes(indices, own_weights),
        None => own_weights.into_iter().enumerate().map(prototype).collect(),
    };
    let to_vec = |values: &PyReadonlyArray1<'_, f64>| values.as_array().to_vec();
    let (source, target) = (to_vec(&source), target.as_ref().map(to_vec));
    let values = match (&indices, &target) {
        (None, _) => RowValues::Prototypes(&source),
        (Some(_), None) => RowValues::All(&source),
        (Some(_), Some(target)) => RowValues::Separate { source: &source, target },
    };
    let target_weights = target_weights.as_ref().map(to_vec);
    let found = protodash::estimate(&chosen, values, target_weights.as_deref()).map_err(CallFailure::from)?;
    Ok((found.estimate, found.mean, found.error, found.random_standard_error))
}
