//! The bandwidth of a kernel by cross-validation.

use protodash::{BandwidthCurve, Criterion, CrossValidation, Labels};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::Sides;
use crate::select::{Options, params};
use crate::watch::Run;

/// The best bandwidth, and the score of each that was tried, under the names of the result's JSON.
#[pyfunction]
#[pyo3(signature = (sides, options, labels, run))]
pub(crate) fn cross_validate<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    options: Options<'py>,
    labels: Option<(Vec<usize>, Vec<usize>)>,
    run: Run,
) -> PyResult<(f64, Bound<'py, PyDict>)> {
    let mut settings = CrossValidation::default();
    settings.seed = options.seed();
    let params = params(&options)?;
    let curve = sides.data()?.with_dataset(py, run, |dataset, observer| {
        let labels = labels.as_ref().map(|(target, source)| Labels { target, source });
        Ok(dataset.cross_validate_bandwidth(labels, &params, &settings, observer)?)
    })?;
    Ok((curve.best().bandwidth, described(py, &curve)?))
}

fn described<'py>(py: Python<'py>, curve: &BandwidthCurve) -> PyResult<Bound<'py, PyDict>> {
    let finite = |value: f64| value.is_finite().then_some(value);
    let mut points = Vec::new();
    for score in &curve.scores {
        let point = PyDict::new(py);
        point.set_item("multiple", score.multiple)?;
        point.set_item("bandwidth", score.bandwidth)?;
        point.set_item("score", finite(score.score))?;
        point.set_item("standard_error", finite(score.standard_error))?;
        points.push(point);
    }
    let described = PyDict::new(py);
    described.set_item("criterion", if curve.criterion == Criterion::Error { "error" } else { "distance" })?;
    described.set_item("n_folds", curve.n_folds)?;
    described.set_item("n_rows", curve.n_rows)?;
    described.set_item("curve", points)?;
    Ok(described)
}
