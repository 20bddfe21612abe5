//! Compares methods on the same data.

use numpy::{PyArray1, PyArray2};
use protodash::compare::CompareParams;
use protodash::{Labels, RowCoverageParams};
use protodash_meter::RunMeter;
use protodash_report::{
    ComparisonDocument, ComparisonProvenance, CoverageRecord, Images, OutcomeRecord, RandomCoverageRecord,
    comparison_columns, comparison_report, comparison_sentence, coverage_columns, coverage_sentence, render,
};
use protodash_table::{RowMap, Setting};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::Sides;
use crate::document::{ShownColumn, columns};
use crate::error::CallFailure;
use crate::select::{ResultOrigin, SelectOptions, choice, params};
use crate::settings::Keywords;
use crate::watch::Run;

/// The options of a comparison, besides those of a selection.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ComparisonOptions {
    methods: Vec<String>,
    sizes: Vec<usize>,
    holdout: Option<f64>,
    coverage: bool,
    /// The classes of target and source rows.
    labels: Option<(Vec<usize>, Vec<usize>)>,
    /// Numbers, ids and labels of the source rows.
    source_rows: (Vec<u64>, Option<Vec<String>>, Option<Vec<String>>),
}

/// A figure of coverage.
type CoverageFigure = fn(&CoverageRecord) -> Option<f64>;

/// The figures of coverage by name.
const COVERAGE: [(&str, CoverageFigure); 4] = [
    ("classes_touched", |coverage| coverage.classes_touched),
    ("mean_distance", |coverage| coverage.mean_distance),
    ("largest_distance", |coverage| coverage.largest_distance),
    ("typicality", |coverage| coverage.typicality),
];

/// Compares methods on `sides`.
#[pyfunction]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    options: SelectOptions<'py>,
    comparison: ComparisonOptions,
    origin: ResultOrigin,
    run: Run,
) -> PyResult<ComparisonResult> {
    let ComparisonOptions { methods, sizes, holdout, coverage, labels, source_rows } = comparison;
    let methods = methods.iter().map(|name| choice("method", name)).collect::<PyResult<Vec<_>>>()?;
    let mut params_of_all = CompareParams::new(&methods, &sizes);
    (params_of_all.holdout, params_of_all.selection) = (holdout, params(&options)?);
    params_of_all.coverage = coverage.then(RowCoverageParams::default);
    let (oversample, seed) = (options.oversample, options.seed());
    let labels = labels.as_ref().map(|(target, source)| Labels { target, source });
    let found = sides.data()?.with_dataset(py, run, |dataset, observer| {
        Ok(dataset.compare(labels, &params_of_all, &mut RunMeter::new(), observer)?)
    })?;
    let (numbers, ids, labels) = source_rows;
    let rows = RowMap::new(numbers, ids, labels).map_err(CallFailure::from)?;
    let run = origin.provenance(&rows, oversample, seed)?;
    let provenance = ComparisonProvenance { run, classes: origin.class_names.clone(), holdout };
    Ok(ComparisonResult { inner: ComparisonDocument::new(&found, provenance) })
}

/// Writes a setting as a keyword of the call that a comparison leads to.
fn in_select(setting: &Setting) -> Option<String> {
    Keywords(vec!["method".to_owned()]).write(setting)
}

/// A comparison of methods. `Comparison` in Python adds the documentation.
#[pyclass(module = "protodash._native")]
pub(crate) struct ComparisonResult {
    inner: ComparisonDocument,
}

impl ComparisonResult {
    fn at(&self, method: &str, n_prototypes: usize) -> Option<&OutcomeRecord> {
        self.inner.at(n_prototypes).into_iter().find(|outcome| outcome.method == method)
    }
}

#[pymethods]
impl ComparisonResult {
    /// The command's JSON.
    fn to_json(&self) -> PyResult<String> {
        self.inner.to_json().map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The report as HTML.
    fn report(&self, title: Option<String>) -> PyResult<String> {
        let mut report = comparison_report(&self.inner, (Images::default(), Default::default()), None, in_select)
            .map_err(CallFailure::Result)?;
        report.title = title.unwrap_or(report.title);
        Ok(render(&report).map_err(CallFailure::Result)?)
    }

    /// Each number of prototypes with the table of its results, and with that of what they cover, if it was measured.
    fn tables(&self) -> Vec<(usize, Vec<ShownColumn>)> {
        let sizes = self.inner.overlap.iter().map(|overlap| overlap.n_prototypes);
        let tables =
            |size| [comparison_columns(&self.inner, size), coverage_columns(&self.inner, size)].map(|one| (size, one));
        let shown = sizes.flat_map(tables).filter(|(_, columns)| !columns.is_empty());
        shown.map(|(size, found)| (size, columns(found))).collect()
    }

    /// The best and the fastest method, in a sentence, and the one that covers most in another.
    fn sentences(&self) -> Vec<String> {
        [Some(comparison_sentence(&self.inner)), coverage_sentence(&self.inner, in_select)]
            .into_iter()
            .flatten()
            .collect()
    }

    /// What random rows cover on average, one array for each figure; `None` if coverage was not measured.
    fn random_coverage<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let random = &self.inner.random_coverage;
        if random.is_empty() {
            return Ok(None);
        }
        let figures = PyDict::new(py);
        let sizes = random.iter().map(|one| one.n_prototypes as i64);
        figures.set_item("n_prototypes", PyArray1::from_iter(py, sizes))?;
        for (name, value) in COVERAGE {
            let numbers = |one: &RandomCoverageRecord| value(&one.coverage).unwrap_or(f64::NAN);
            figures.set_item(name, PyArray1::from_iter(py, random.iter().map(numbers)))?;
        }
        Ok(Some(figures))
    }

    /// All figures, one array for each, in the order of the results.
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let results = &self.inner.results;
        let numbers = |value: fn(&OutcomeRecord) -> Option<f64>| {
            PyArray1::from_iter(py, results.iter().map(|outcome| value(outcome).unwrap_or(f64::NAN)))
        };
        let counts = |value: fn(&OutcomeRecord) -> u64| {
            PyArray1::from_iter(py, results.iter().map(|outcome| value(outcome) as i64))
        };
        let figures = PyDict::new(py);
        figures.set_item("method", results.iter().map(|outcome| outcome.method.as_str()).collect::<Vec<_>>())?;
        figures.set_item("n_prototypes", counts(|outcome| outcome.n_prototypes as u64))?;
        figures.set_item("n_found", counts(|outcome| outcome.n_found as u64))?;
        figures.set_item("stopped", results.iter().map(|outcome| outcome.stopped.as_str()).collect::<Vec<_>>())?;
        figures.set_item("objective", numbers(|outcome| Some(outcome.objective)))?;
        figures.set_item("explained", numbers(|outcome| outcome.explained))?;
        figures.set_item("mmd2", numbers(|outcome| outcome.mmd2))?;
        figures.set_item("objective_refitted", numbers(|outcome| Some(outcome.objective_refitted)))?;
        figures.set_item("explained_refitted", numbers(|outcome| outcome.explained_refitted))?;
        figures.set_item("mmd2_refitted", numbers(|outcome| outcome.mmd2_refitted))?;
        figures.set_item("accuracy", numbers(|outcome| outcome.accuracy))?;
        figures.set_item("accuracy_weighted", numbers(|outcome| outcome.accuracy_weighted))?;
        if !self.inner.random_coverage.is_empty() {
            for (name, value) in COVERAGE {
                let number = |outcome: &OutcomeRecord| outcome.coverage.as_ref().and_then(value).unwrap_or(f64::NAN);
                figures.set_item(name, PyArray1::from_iter(py, results.iter().map(number)))?;
            }
        }
        figures.set_item("seconds", numbers(|outcome| Some(outcome.seconds)))?;
        figures.set_item("peak_memory_bytes", counts(|outcome| outcome.peak_memory_bytes))?;
        Ok(figures)
    }

    /// The rows that a method chose, with its own weights; `None` if there is no such result.
    fn prototypes<'py>(&self, py: Python<'py>, method: &str, n_prototypes: usize) -> Option<RowsAndWeights<'py>> {
        let chosen = &self.at(method, n_prototypes)?.prototypes;
        let indices = PyArray1::from_iter(py, chosen.iter().map(|chosen| chosen.source_index as i64));
        Some((indices, PyArray1::from_iter(py, chosen.iter().map(|chosen| chosen.weight))))
    }

    /// True classes (rows) by predicted classes (columns); `None` without labels.
    fn confusion<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        n_prototypes: usize,
    ) -> PyResult<Option<Bound<'py, PyArray2<u64>>>> {
        let confusion = self.at(method, n_prototypes).and_then(|outcome| outcome.confusion.as_ref());
        Ok(confusion.map(|confusion| PyArray2::from_vec2(py, confusion)).transpose()?)
    }

    /// The methods at a number of prototypes, and how many rows each pair shares; `None` if there is no such number.
    fn overlap<'py>(&self, py: Python<'py>, n_prototypes: usize) -> PyResult<Option<Overlap<'py>>> {
        let found = self.inner.overlap.iter().find(|overlap| overlap.n_prototypes == n_prototypes);
        let overlap = found.map(|overlap| {
            let shared: Vec<Vec<i64>> =
                overlap.shared.iter().map(|row| row.iter().map(|n| *n as i64).collect()).collect();
            Ok::<_, PyErr>((overlap.methods.clone(), PyArray2::from_vec2(py, &shared)?))
        });
        overlap.transpose()
    }

    #[getter]
    fn classes(&self) -> Vec<String> {
        self.inner.classes.clone()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.inner.notes.clone()
    }

    #[getter]
    fn n_test(&self) -> usize {
        self.inner.n_test
    }
}

/// Rows and weights.
type RowsAndWeights<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// Methods, and how many rows each pair shares.
type Overlap<'py> = (Vec<String>, Bound<'py, PyArray2<i64>>);
