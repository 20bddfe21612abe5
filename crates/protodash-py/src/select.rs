//! A selection.

use std::time::{Duration, Instant};

use ndarray::ArrayRef2;
use numpy::{PyArray1, PyReadonlyArrayDyn};
use protodash::{
    Allocation, ClassSummary, Error, Kernel, Labelled, Method, Params, Scalar, Selection, TargetEnergy, Weights,
    select_per_label, select_with,
};
use protodash_result::stopped;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::{ObservedJob, Sides, numbers};
use crate::watch::{Reporter, Run};

/// What is asked of a selection.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options<'py> {
    n_prototypes: Option<usize>,
    min_gain: Option<f64>,
    method: String,
    weights: String,
    target_weights: Option<PyReadonlyArrayDyn<'py, f64>>,
    oversample: f64,
    target_energy: String,
    energy_sample: usize,
    seed: u64,
    column_memory: u64,
    /// How prototypes are shared out among the classes, and the classes of target and source rows.
    per_label: Option<(String, Vec<usize>, Vec<usize>)>,
}

impl Options<'_> {
    /// Seed of all that is drawn.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }
}

/// The prototypes of `sides.source` for `sides.target`, as plain numbers under the names of the core.
#[pyfunction]
pub(crate) fn select<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    options: Options<'py>,
    run: Run,
) -> PyResult<Bound<'py, PyDict>> {
    let params = params(&options)?;
    let per_label = options.per_label.map(|(how, target, source)| Ok::<_, PyErr>((allocation(&how)?, target, source)));
    let job = Choose { params, per_label: per_label.transpose()? };
    let (selection, classes, time) = sides.data()?.run(py, run, job)?;
    let found = described(py, &selection)?;
    found.set_item("seconds", time.as_secs_f64())?;
    let summary = |class: ClassSummary| (class.label, class.share, class.n_target, class.n_source, class.n_prototypes);
    found.set_item("classes", classes.into_iter().map(summary).collect::<Vec<_>>())?;
    Ok(found)
}

struct Choose {
    params: Params,
    per_label: Option<(Allocation, Vec<usize>, Vec<usize>)>,
}

impl ObservedJob for Choose {
    /// The classes are those of the target, if each is to have prototypes of its own; the time is that of the core.
    type Output = (Selection, Vec<ClassSummary>, Duration);

    fn run<T: Scalar, K: Kernel<T> + ?Sized>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
        observer: &mut Reporter<'_>,
    ) -> Result<Self::Output, Error> {
        let (Choose { params, per_label }, begun) = (self, Instant::now());
        let Some((allocation, target_labels, source_labels)) = per_label else {
            let selection = select_with(target, source, kernel, &params, observer)?;
            return Ok((selection, Vec::new(), begun.elapsed()));
        };
        let target = Labelled { rows: target, labels: &target_labels };
        let source = Labelled { rows: source, labels: &source_labels };
        let found = select_per_label(target, source, kernel, &params, allocation, observer)?;
        Ok((found.selection, found.classes, begun.elapsed()))
    }
}

/// The options as the core has them.
pub(crate) fn params(options: &Options<'_>) -> PyResult<Params> {
    let mut params = Params::new(1);
    params.n_prototypes = options.n_prototypes;
    params.min_gain = options.min_gain;
    params.method = method(&options.method)?;
    params.weights = match options.weights.as_str() {
        "nonnegative" => Weights::Nonnegative,
        "convex" => Weights::Convex,
        "equal" => Weights::Equal,
        "shares" => Weights::Shares,
        "own" => Weights::Own,
        other => return Err(unknown("weights", other)),
    };
    params.oversample = options.oversample;
    params.seed = options.seed;
    params.target_weights = numbers(options.target_weights.as_ref());
    params.target_energy = match options.target_energy.as_str() {
        "exact" => TargetEnergy::Exact,
        "sample" => TargetEnergy::Sample { n_rows: options.energy_sample, seed: options.seed },
        "skip" => TargetEnergy::Skip,
        other => return Err(unknown("target_energy", other)),
    };
    params.column_memory = options.column_memory;
    Ok(params)
}

fn method(name: &str) -> PyResult<Method> {
    Ok(match name {
        "protodash" => Method::ProtoDash,
        "protogreedy" => Method::ProtoGreedy,
        "swap" => Method::Swap,
        "l2c" => Method::L2c,
        "p-lasso" => Method::PLasso,
        "k-medoids" => Method::KMedoids,
        "random" => Method::Random,
        other => return Err(unknown("method", other)),
    })
}

fn allocation(name: &str) -> PyResult<Allocation> {
    match name {
        "proportional" => Ok(Allocation::Proportional),
        "equal" => Ok(Allocation::Equal),
        other => Err(unknown("per_label", other)),
    }
}

fn unknown(what: &str, given: &str) -> PyErr {
    PyValueError::new_err(format!("there is no {what} {given:?}"))
}

fn described<'py>(py: Python<'py>, selection: &Selection) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    let prototypes = &selection.prototypes;
    let indices = prototypes.iter().map(|prototype| prototype.source_index as i64);
    found.set_item("indices", PyArray1::from_iter(py, indices))?;
    found.set_item("weights", PyArray1::from_iter(py, prototypes.iter().map(|prototype| prototype.weight)))?;
    found.set_item("objective", PyArray1::from_slice(py, &selection.objective))?;
    let path = (1..=prototypes.len()).filter_map(|size| selection.weights_at(size));
    found.set_item("weights_path", path.map(|weights| PyArray1::from_slice(py, weights)).collect::<Vec<_>>())?;
    found.set_item("stopped", stopped(selection.stopped))?;
    let energy = selection.target_energy.map(|energy| (energy.value, energy.standard_error));
    found.set_item("target_energy", energy)?;
    found.set_item("n_target", selection.n_target)?;
    found.set_item("n_source", selection.n_source)?;
    found.set_item("kernel_mean", PyArray1::from_slice(py, selection.kernel_mean()))?;
    Ok(found)
}
