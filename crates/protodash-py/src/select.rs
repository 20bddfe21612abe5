//! Selects prototypes.

use std::time::{Duration, Instant};

use ndarray::ArrayRef2;
use numpy::{PyArray1, PyReadonlyArrayDyn};
use protodash::{
    Allocation, ClassSummary, Error, Kernel, Labelled, Method, Params, Scalar, Selection, TargetEnergy, Weights,
    select_per_label, select_with,
};
use protodash_report::{PerLabelRecord, Provenance, Request, SelectionDocument};
use protodash_table::RowMap;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::{ObservedJob, Sides, numbers};
use crate::document::Document;
use crate::watch::{Reporter, Run};

/// The options of a selection.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options<'py> {
    n_prototypes: Option<usize>,
    min_gain: Option<f64>,
    method: String,
    weights: String,
    target_weights: Option<PyReadonlyArrayDyn<'py, f64>>,
    pub(crate) oversample: f64,
    target_energy: String,
    energy_sample: usize,
    seed: u64,
    column_memory: u64,
    /// How prototypes are allocated to classes, and the classes of target and source rows.
    per_label: Option<(String, Vec<usize>, Vec<usize>)>,
}

impl Options<'_> {
    /// Seed of every random draw.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }
}

/// What the document says beside the numbers.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Origin {
    /// The kernel as JSON.
    kernel: String,
    /// Where the rows came from, as JSON.
    data: String,
    n_features: usize,
    /// The names of all classes, in the order of their numbers.
    pub(crate) class_names: Vec<String>,
    /// The requested number of prototypes, if it was given.
    n_prototypes: Option<usize>,
    median_bandwidth: bool,
}

impl Origin {
    /// What the core does not know about a run.
    pub(crate) fn provenance<'a>(
        &self,
        source_rows: &'a RowMap,
        oversample: f64,
        seed: u64,
    ) -> PyResult<Provenance<'a>> {
        let unreadable = |error: serde_json::Error| PyValueError::new_err(error.to_string());
        let kernel = serde_json::from_str(&self.kernel).map_err(unreadable)?;
        let data = serde_json::from_str(&self.data).map_err(unreadable)?;
        Ok(Provenance { kernel, n_features: self.n_features, source_rows, data, oversample, seed })
    }
}

/// The document of a selection, whose row numbers are rows of the matrix; the kernel mean; the time in the core.
type Selected<'py> = (Document, Bound<'py, PyArray1<f64>>, f64);

/// Selects prototypes of `sides.source` for `sides.target`.
#[pyfunction]
pub(crate) fn select<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    options: Options<'py>,
    origin: Origin,
    run: Run,
) -> PyResult<Selected<'py>> {
    let params = params(&options)?;
    let (oversample, seed) = (options.oversample, options.seed);
    let allocated = options.per_label.as_ref().map(|(how, ..)| how.clone());
    let per_label = options.per_label.map(|(how, target, source)| Ok::<_, PyErr>((allocation(&how)?, target, source)));
    let request = Request {
        n_prototypes: origin.n_prototypes,
        min_gain: options.min_gain,
        median_bandwidth: origin.median_bandwidth,
    };
    let job = Choose { params, per_label: per_label.transpose()? };
    let (selection, classes, time) = sides.data()?.run(py, run, job)?;
    let source_rows = &RowMap::identity(selection.n_source);
    let provenance = origin.provenance(source_rows, oversample, seed)?;
    let mut inner = SelectionDocument::new(&selection, provenance);
    inner.per_label = allocated.map(|how| PerLabelRecord::new(how, &classes, &origin.class_names));
    let kernel_mean = PyArray1::from_slice(py, selection.kernel_mean());
    Ok((Document { inner, request }, kernel_mean, time.as_secs_f64()))
}

struct Choose {
    params: Params,
    per_label: Option<(Allocation, Vec<usize>, Vec<usize>)>,
}

impl ObservedJob for Choose {
    /// The selection, the classes if prototypes were allocated to them, and the time in the core.
    type Output = (Selection, Vec<ClassSummary>, Duration);

    fn run<T: Scalar>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &dyn Kernel<T>,
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

/// The options as core parameters.
pub(crate) fn params(options: &Options<'_>) -> PyResult<Params> {
    let mut params = Params::new(1);
    params.n_prototypes = options.n_prototypes;
    params.min_gain = options.min_gain;
    params.method = method(&options.method)?;
    params.weights = weights(&options.weights)?;
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

/// The rule for weights of this name.
pub(crate) fn weights(name: &str) -> PyResult<Weights> {
    Ok(match name {
        "nonnegative" => Weights::Nonnegative,
        "convex" => Weights::Convex,
        "equal" => Weights::Equal,
        "shares" => Weights::Shares,
        "own" => Weights::Own,
        other => return Err(unknown("weights", other)),
    })
}

/// The method of this name.
pub(crate) fn method(name: &str) -> PyResult<Method> {
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
    PyValueError::new_err(format!("unknown {what} {given:?}"))
}
