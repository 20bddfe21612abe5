//! The width of a kernel by cross-validation.

use ndarray::ArrayRef2;
use protodash::{BandwidthCurve, Criterion, CrossValidation, Error, Kernel, Labels, Params, Scalar};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::{Job, Sides};
use crate::kernel::wide;
use crate::select::{Options, params};
use crate::watch::{Reporter, Run};

/// The widths that were tried and what each came to, under the names of the result's JSON, and the best of them.
#[pyfunction]
#[pyo3(signature = (sides, options, labels, run))]
pub(crate) fn cross_validate<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    options: Options<'py>,
    labels: Option<(Vec<usize>, Vec<usize>)>,
    run: Run,
) -> PyResult<(f64, Bound<'py, PyDict>)> {
    let mut asked = CrossValidation::default();
    asked.seed = options.seed();
    let job = TryBandwidths { name: sides.kernel_name().to_owned(), labels, params: params(&options)?, asked };
    let curve = sides.data()?.run(py, run, job)?;
    Ok((curve.best().bandwidth, described(py, &curve)?))
}

struct TryBandwidths {
    name: String,
    /// Classes of target and source.
    labels: Option<(Vec<usize>, Vec<usize>)>,
    params: Params,
    asked: CrossValidation,
}

impl Job for TryBandwidths {
    type Output = BandwidthCurve;

    fn run<T: Scalar, K: Kernel<T> + ?Sized>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        _: &K,
        observer: &mut Reporter<'_>,
    ) -> Result<BandwidthCurve, Error> {
        let labels = self.labels.as_ref().map(|(target, source)| Labels { target, source });
        let kernel_at = |bandwidth: f64| wide::<T>(&self.name, bandwidth);
        protodash::cross_validate(target, source, labels, &kernel_at, &self.params, &self.asked, observer)
    }
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
