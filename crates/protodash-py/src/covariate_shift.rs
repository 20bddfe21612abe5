//! What weights do to a source, in the units of the caller's table.

use ndarray::ArrayRef2;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArrayDyn};
use protodash::covariate_shift::{FeatureShift, Moments};
use protodash::{CovariateShift, Error, Kernel, Prototype, Scalar};
use protodash_table::ColumnScale;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::{ObservedJob, Sides, numbers};
use crate::represent;
use crate::watch::{Reporter, Run};

/// A column's name, and what was subtracted from it and divided by; neither if it is constant.
type Feature = (String, Option<(f64, f64)>);

type Measured<'py> = (f64, Bound<'py, PyArray1<f64>>, Vec<Bound<'py, PyDict>>);

/// The effective sample size, a weight for each source row, and the features under the names of the result's JSON.
///
/// A feature that is constant in source and target tells rows apart from nothing and is left out.
#[pyfunction]
pub(crate) fn covariate_shift<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    prototypes: (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, f64>),
    target_weights: Option<PyReadonlyArrayDyn<'py, f64>>,
    features: Vec<Feature>,
    run: Run,
) -> PyResult<Measured<'py>> {
    let target_weights = numbers(target_weights.as_ref());
    let job = MeasureShift { prototypes: represent::prototypes(&prototypes.0, &prototypes.1), target_weights };
    let found = sides.data()?.run(py, run, job)?;
    let described = features.iter().zip(&found.features);
    let described = described.filter_map(|((name, unit), shift)| {
        unit.map(|(shift_by, divisor)| described_in(py, name, ColumnScale { shift: shift_by, divisor }, shift))
    });
    let described = described.collect::<PyResult<Vec<_>>>()?;
    Ok((found.effective_sample_size, PyArray1::from_vec(py, found.weights), described))
}

struct MeasureShift {
    prototypes: Vec<Prototype>,
    target_weights: Option<Vec<f64>>,
}

impl ObservedJob for MeasureShift {
    type Output = CovariateShift;

    fn run<T: Scalar, K: Kernel<T> + ?Sized>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        _: &K,
        _: &mut Reporter<'_>,
    ) -> Result<CovariateShift, Error> {
        protodash::covariate_shift(target, source, &self.prototypes, self.target_weights.as_deref())
    }
}

fn described_in<'py>(
    py: Python<'py>,
    name: &str,
    unit: ColumnScale,
    feature: &FeatureShift,
) -> PyResult<Bound<'py, PyDict>> {
    let described = PyDict::new(py);
    described.set_item("feature", name)?;
    let sides = [("source", feature.source), ("weighted", feature.weighted), ("target", feature.target)];
    for (side, Moments { mean, .. }) in sides {
        described.set_item(format!("{side}_mean"), unit.in_file(mean))?;
    }
    for (side, Moments { standard_deviation, .. }) in sides {
        described.set_item(format!("{side}_standard_deviation"), unit.divisor * standard_deviation)?;
    }
    described.set_item("difference_before", feature.difference_before())?;
    described.set_item("difference_after", feature.difference_after())?;
    Ok(described)
}
