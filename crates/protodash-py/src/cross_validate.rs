//! Cross-validation of a kernel's bandwidth.

use protodash::{CrossValidation, Labels};
use protodash_report::CrossValidationRecord;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::Sides;
use crate::select::{SelectOptions, params};
use crate::watch::Run;

/// The best bandwidth, and the score of each one tried as JSON.
#[pyfunction]
#[pyo3(signature = (sides, options, labels, run))]
pub(crate) fn cross_validate<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    options: SelectOptions<'py>,
    labels: Option<(Vec<usize>, Vec<usize>)>,
    run: Run,
) -> PyResult<(f64, String)> {
    let mut settings = CrossValidation::default();
    settings.seed = options.seed();
    let params = params(&options)?;
    let curve = sides.data()?.with_dataset(py, run, |dataset, observer| {
        let labels = labels.as_ref().map(|(target, source)| Labels { target, source });
        Ok(dataset.cross_validate_bandwidth(labels, &params, &settings, observer)?)
    })?;
    let record = serde_json::to_string(&CrossValidationRecord::new(&curve));
    Ok((curve.bandwidth(), record.map_err(|error| PyValueError::new_err(error.to_string()))?))
}
