//! Selects prototypes.

use std::time::Instant;

use numpy::{PyArray1, PyReadonlyArrayDyn};
use protodash::{
    Baseline, BaselineParams, Budget, Choice, ClassNumbers, Dataset, Labels, Method, Observer, Params, Prototype,
    Quota, RequestedNumber, Selection, TargetEnergy,
};
use protodash_meter::RunMeter;
use protodash_report::{
    ConstraintsRecord, PerLabelRecord, Provenance, Request, SelectionDocument, constraint_settings, data_hash,
    long_run_note,
};
use protodash_table::RowMap;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::{Sides, numbers};
use crate::document::Document;
use crate::error::CallFailure;
use crate::settings::{Keywords, any_keyword};
use crate::watch::Run;

/// A column of quotas: its name, its text in each source row, minima and maxima of its values.
type GivenQuotas = (String, Vec<Option<String>>, Vec<(String, usize)>, Vec<(String, usize)>);

/// The options of a selection.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SelectOptions<'py> {
    n_prototypes: Option<usize>,
    min_gain: Option<f64>,
    method: String,
    weights: String,
    target_weights: Option<PyReadonlyArrayDyn<'py, f64>>,
    pub(crate) oversample: f64,
    max_weight: Option<f64>,
    min_effective: Option<f64>,
    target_energy: String,
    means: String,
    tolerance: f64,
    fixed: Vec<usize>,
    exclude: Vec<usize>,
    quotas: Vec<GivenQuotas>,
    costs: Option<PyReadonlyArrayDyn<'py, f64>>,
    budget: Option<f64>,
    /// The prototypes of the run to continue, with their weights and their objective.
    resume: Option<(Vec<usize>, Vec<f64>, f64)>,
    seed: u64,
    column_memory: u64,
    /// How prototypes are allocated to classes, and the classes of target and source rows.
    per_label: Option<(PerLabelOption, Vec<usize>, Vec<usize>)>,
}

/// How many prototypes each class gets.
#[derive(FromPyObject)]
enum PerLabelOption {
    /// The name of a rule.
    Rule(String),
    /// The numbers of some classes.
    Given(Vec<(String, usize)>),
}

impl SelectOptions<'_> {
    /// The prototypes of the run to continue, and their objective.
    fn saved(&self) -> Option<(Vec<Prototype>, f64)> {
        let (rows, weights, objective) = self.resume.as_ref()?;
        let prototype =
            |(row, weight): (&usize, &f64)| Prototype { source_index: *row, weight: *weight, share: 0.0, gain: 0.0 };
        Some((rows.iter().zip(weights).map(prototype).collect(), *objective))
    }

    /// Seed of every random draw.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }
}

/// The metadata of the document.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ResultOrigin {
    /// The kernel as JSON.
    kernel: String,
    /// Where the rows came from, as JSON.
    data: String,
    n_features: usize,
    /// The names of all classes, in the order of their numbers.
    pub(crate) class_names: Vec<String>,
    /// The requested number of prototypes, if it was given.
    n_prototypes: Option<usize>,
    /// The bandwidth as a multiple of the median distance, if a rule sets it.
    median_multiple: Option<f64>,
    /// Notes on how the data were read.
    notes: Vec<String>,
    /// The excluded rows, as rows of the caller's table.
    exclude: Vec<u64>,
    /// The name of the costs.
    cost: String,
    /// Whether the covariate shift is measured as well.
    shift: bool,
}

impl ResultOrigin {
    /// What was asked for, as far as `min_gain` does not tell.
    pub(crate) fn request(&self, min_gain: Option<f64>) -> Request {
        Request { n_prototypes: self.n_prototypes, min_gain, median_multiple: self.median_multiple }
    }

    /// The part of a result that does not come from the core.
    pub(crate) fn provenance<'a>(
        &self,
        source_rows: &'a RowMap,
        oversample: f64,
        seed: u64,
    ) -> PyResult<Provenance<'a>> {
        let unreadable = |error: serde_json::Error| PyValueError::new_err(error.to_string());
        let kernel = serde_json::from_str(&self.kernel).map_err(unreadable)?;
        let data = serde_json::from_str(&self.data).map_err(unreadable)?;
        let notes = self.notes.clone();
        Ok(Provenance { kernel, n_features: self.n_features, source_rows, data, oversample, seed, notes })
    }
}

/// The document of a selection, whose row numbers are rows of the matrix; the kernel mean unless it was raced; the time in
/// the core.
type Selected<'py> = (Document, Option<Bound<'py, PyArray1<f64>>>, f64);

/// Selects prototypes of `sides.source` for `sides.target`.
#[pyfunction]
pub(crate) fn select<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    options: SelectOptions<'py>,
    origin: ResultOrigin,
    run: Run,
) -> PyResult<Selected<'py>> {
    let params = params(&options)?;
    let per_label = match &options.per_label {
        None => None,
        Some((how, target, source)) => {
            let labels = Labels { target, source };
            let numbers = match how {
                PerLabelOption::Rule(name) => ClassNumbers::Allocated(choice("per_label", name)?),
                PerLabelOption::Given(numbers) => {
                    ClassNumbers::by_name(&limits(numbers), &origin.class_names, labels).map_err(CallFailure::from)?
                }
            };
            Some((numbers, labels))
        }
    };
    let request = origin.request(options.min_gain);
    let saved = options.saved();
    let has_progress = run.progress.is_some();
    let keywords = Keywords(["means", "source_sample", "target_sample"].map(str::to_owned).to_vec());
    let (selection, classes, represented, baseline, time, hash) =
        sides.data()?.with_dataset(py, run, |dataset, observer| {
            if has_progress && per_label.is_none() {
                let estimate = dataset.estimate_cost(&params, &mut RunMeter::new())?;
                let note = estimate.and_then(|estimate| long_run_note(&estimate, |setting| keywords.write(setting)));
                note.into_iter().for_each(|note| observer.notice(note));
            }
            if let Some((prototypes, objective)) = &saved {
                dataset.verify((prototypes, *objective), params.target_weights.as_deref(), observer)?;
            }
            let begun = Instant::now();
            let (selection, classes) = match &per_label {
                None => (dataset.select(&params, observer)?, Vec::new()),
                Some((numbers, labels)) => {
                    let found = dataset.select_per_label(*labels, &params, numbers, observer);
                    let found = found.map_err(|error| of_class(error, &origin.class_names))?;
                    (found.selection, found.classes)
                }
            };
            let time = begun.elapsed();
            let represented = match &per_label {
                None => None,
                // Prototypes of a class represent rows of that class.
                Some((_, labels)) => {
                    Some(dataset.represent_per_label(&selection.prototypes, *labels, observer)?.n_represented)
                }
            };
            let (baseline, hash) = compared(dataset, &selection, &params, per_label.is_some(), observer)?;
            Ok((selection, classes, represented, baseline, time, hash))
        })?;
    let mut inner = document(&selection, (&baseline, hash), &origin, &params)?;
    let report = selection.constraints.as_ref();
    inner.constraints = report.map(|report| ConstraintsRecord::new(report, &origin.cost));
    if let Some(record) = &mut inner.constraints {
        for (column, _, minima, maxima) in &options.quotas {
            record.set_columns(minima.iter().chain(maxima).map(|(value, _)| (column.as_str(), value.as_str())));
        }
    }
    if let Some(counts) = represented {
        inner.set_n_represented(&counts);
    }
    let numbers = per_label.as_ref().map(|(numbers, _)| numbers);
    inner.per_label = numbers.map(|numbers| PerLabelRecord::new(numbers, &classes, &origin.class_names));
    let kernel_mean = selection.kernel_mean().map(|means| PyArray1::from_slice(py, means));
    Ok((Document { inner, request }, kernel_mean, time.as_secs_f64()))
}

/// The failure for an error, with the name of the class that it concerns.
fn of_class(error: protodash::Error, names: &[String]) -> CallFailure {
    match error {
        protodash::Error::ClassWithoutSource { label, .. } => {
            CallFailure::Named(error, names.get(label).cloned().unwrap_or_default())
        }
        other => other.into(),
    }
}

/// The comparison with random rows, and the hash of the data.
pub(crate) fn compared(
    dataset: &Dataset<'_>,
    selection: &Selection,
    params: &Params,
    is_per_label: bool,
    observer: &mut dyn Observer,
) -> protodash::Result<(Baseline, Option<String>)> {
    let chance = if is_per_label { BaselineParams::of_run_per_label(params) } else { BaselineParams::of_run(params) };
    let baseline = dataset.baseline(selection, &chance, observer)?;
    Ok((baseline, data_hash(dataset, params.target_weights.as_deref())))
}

/// The document of a selection, whose row numbers are rows of the matrix.
pub(crate) fn document(
    selection: &Selection,
    (baseline, hash): (&Baseline, Option<String>),
    origin: &ResultOrigin,
    params: &Params,
) -> PyResult<SelectionDocument> {
    let source_rows = &RowMap::identity(selection.n_source);
    let mut document =
        SelectionDocument::new(selection, origin.provenance(source_rows, params.oversample, params.seed)?);
    document.data_hash = hash;
    document.exclude.clone_from(&origin.exclude);
    document.set_baseline(baseline);
    if !origin.shift && document.data.has_separate_target() && params.weights_all_rows() {
        document.note_few_rows(&any_keyword);
    }
    Ok(document)
}

/// The hash of the data of a run; none for kernel matrices and custom kernels.
#[pyfunction]
pub(crate) fn hash_of_data(
    py: Python<'_>,
    sides: Sides<'_>,
    target_weights: Option<PyReadonlyArrayDyn<'_, f64>>,
    run: Run,
) -> PyResult<Option<String>> {
    let weights = numbers(target_weights.as_ref());
    sides.data()?.with_dataset(py, run, |dataset, _| Ok(data_hash(dataset, weights.as_deref())))
}

/// The limits of a quota's values, or the numbers of classes.
fn limits(limits: &[(String, usize)]) -> Vec<(&str, usize)> {
    limits.iter().map(|(value, number)| (value.as_str(), *number)).collect()
}

/// Quotas and budget in words, as a result records them; `cost` names the costs.
#[pyfunction]
pub(crate) fn constraints_in_words(options: SelectOptions<'_>, cost: &str) -> PyResult<Vec<String>> {
    Ok(constraint_settings(&params(&options)?, cost))
}

/// The options as core parameters.
pub(crate) fn params(options: &SelectOptions<'_>) -> PyResult<Params> {
    let mut params = Params::new(1);
    params.n_prototypes = options.n_prototypes;
    params.min_gain = options.min_gain;
    params.method = choice("method", &options.method)?;
    params.weights = choice("weights", &options.weights)?;
    params.oversample = options.oversample;
    (params.max_weight, params.min_effective) = (options.max_weight, options.min_effective);
    params.seed = options.seed;
    params.target_weights = numbers(options.target_weights.as_ref());
    params.target_energy = choice::<TargetEnergy>("target_energy", &options.target_energy)?.with_seed(options.seed);
    params.means = choice("means", &options.means)?;
    params.tolerance = options.tolerance;
    params.column_memory = options.column_memory;
    params.fixed.clone_from(&options.fixed);
    params.exclude.clone_from(&options.exclude);
    for (column, texts, minima, maxima) in &options.quotas {
        let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        params
            .quotas
            .extend(Quota::of_column(column, &texts, &limits(minima), &limits(maxima)).map_err(CallFailure::Core)?);
    }
    let costs = numbers(options.costs.as_ref());
    params.budget = costs.zip(options.budget).map(|(costs, limit)| Budget { costs, limit });
    if let Some((rows, ..)) = &options.resume {
        params.resume = rows.iter().skip(options.fixed.len()).copied().collect();
    }
    Ok(params)
}

/// The name of the default weights of a method.
#[pyfunction]
pub(crate) fn default_weights(method: &str) -> PyResult<&'static str> {
    Ok(choice::<Method>("method", method)?.default_weights().name())
}

/// The number of prototypes among `n_source` rows that is written as `text`; `None` is all.
#[pyfunction]
pub(crate) fn number_of_prototypes(text: &str, n_source: usize) -> PyResult<Option<usize>> {
    let number: RequestedNumber = text.parse().map_err(CallFailure::Core)?;
    Ok(number.among(n_source))
}

/// The value of this name.
pub(crate) fn choice<C: Choice>(what: &str, name: &str) -> PyResult<C> {
    C::from_name(name).ok_or_else(|| PyValueError::new_err(format!("unknown {what} {name:?}")))
}
