//! The width of a kernel by cross-validation.

use ndarray::ArrayRef2;
use protodash::{BandwidthCurve, CrossValidation, Error, Kernel, Labels, Params, Scalar};
use protodash_report::CrossValidationRecord;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::{Job, Sides};
use crate::kernel::wide;
use crate::select::{Options, params};
use crate::watch::{Reporter, Run};

/// The best bandwidth, and the score of each one tried as JSON.
#[pyfunction]
#[pyo3(signature = (sides, options, labels, run))]
pub(crate) fn cross_validate<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    options: Options<'py>,
    labels: Option<(Vec<usize>, Vec<usize>)>,
    run: Run,
) -> PyResult<(f64, String)> {
    let mut asked = CrossValidation::default();
    asked.seed = options.seed();
    let job = TryBandwidths { name: sides.kernel_name().to_owned(), labels, params: params(&options)?, asked };
    let curve = sides.data()?.run(py, run, job)?;
    let record = serde_json::to_string(&CrossValidationRecord::new(&curve));
    Ok((curve.best().bandwidth, record.map_err(|error| PyValueError::new_err(error.to_string()))?))
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
