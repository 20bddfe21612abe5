//! Relates tables that share a key.

use std::collections::HashSet;

use numpy::PyArray1;
use protodash::relate::{KeyedTable, RelateParams, relate_with};
use protodash_report::{
    RelationDocument, RelationProvenance, RelationSettings, SavedKernel, relation_columns, relation_report,
    relation_sentence, relation_settings_sentence, render,
};
use protodash_table::{AlignedTables, Input, KeyRule, Keyed, KeyedColumns};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::document::{ShownColumn, columns};
use crate::error::CallFailure;
use crate::input::{Needed, input};
use crate::kernel::KernelRequest;
use crate::select::choice;
use crate::settings::Keywords;
use crate::table::scaling;
use crate::watch::{self, Reporter, Run};

/// The options of `protodash.relate`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RelationOptions {
    key: String,
    /// Compare all keys rather than the keys that two tables share.
    all_keys: bool,
    /// The keys to use, if not all.
    keys_of: Option<HashSet<String>>,
    drop: Vec<String>,
    categorical: Vec<String>,
    all_categorical: bool,
    scale: Option<String>,
    kernel: KernelRequest,
    n_prototypes: usize,
    method: String,
    weights: String,
    n_best: usize,
    seed: u64,
    memory: u64,
    /// The keywords of `protodash.relate`, for hints.
    keywords: Vec<String>,
}

/// Relates tables, given with their names.
#[pyfunction]
pub(crate) fn relate(
    py: Python<'_>,
    tables: Vec<(String, Bound<'_, PyAny>)>,
    options: RelationOptions,
    run: Run,
) -> PyResult<RelationResult> {
    let needed = Needed::all_but(&options.drop, &[&options.key]);
    let keywords = Keywords(options.keywords.clone());
    let inputs = tables.iter().map(|(name, table)| input(name, table, &needed, &keywords));
    let inputs = inputs.collect::<PyResult<Vec<_>>>()?;
    let names: Vec<String> = tables.into_iter().map(|(name, _)| name).collect();
    let mut params = RelateParams::new(options.n_prototypes);
    (params.method, params.weights) = (choice("method", &options.method)?, choice("weights", &options.weights)?);
    params.seed = options.seed;
    let keyed_columns = keyed_columns(&options)?;
    if let Some(name) = keyed_columns.unknown(&inputs) {
        return Err(PyValueError::new_err(format!("none of the {} tables has a column {name:?}", inputs.len())));
    }
    let called = Called { options: &options, keywords: &keywords };
    watch::run(py, run, |reporter| relation(&names, &inputs, &keyed_columns, &params, called, reporter))
        .map(|inner| RelationResult { inner })
}

fn keyed_columns(options: &RelationOptions) -> PyResult<KeyedColumns> {
    let mut columns = KeyedColumns::new(&options.key);
    columns.drop.clone_from(&options.drop);
    columns.categorical.clone_from(&options.categorical);
    columns.all_categorical = options.all_categorical;
    columns.codes = options.kernel.spec().map_err(CallFailure::Core)?.definition().compares_codes;
    columns.scale = options.scale.as_deref().map(scaling).transpose()?;
    columns.memory = options.memory;
    Ok(columns)
}

/// The options of a call, and its keywords for hints.
#[derive(Clone, Copy)]
struct Called<'a> {
    options: &'a RelationOptions,
    keywords: &'a Keywords,
}

fn relation(
    names: &[String],
    inputs: &[Input],
    columns: &KeyedColumns,
    params: &RelateParams,
    Called { options, keywords }: Called<'_>,
    reporter: &mut Reporter<'_>,
) -> Result<RelationDocument, CallFailure> {
    let mut keyed = Vec::with_capacity(inputs.len());
    let mut notes = Vec::new();
    for (name, input) in names.iter().zip(inputs) {
        let roles = columns.roles(input);
        let mut reading = |done, total| reporter.note("reading", done, total);
        let table = Keyed::new(input, &columns.key, &roles, &mut reading);
        let table = table.map_err(|error| CallFailure::table(error, keywords))?;
        let found = input.notes().iter().chain(table.notes());
        notes.extend(found.map(|note| format!("{name}: {}", note.render(|setting| keywords.write(setting)))));
        keyed.push(table);
    }
    let rule = if options.all_keys { KeyRule::All } else { KeyRule::Own };
    let aligned = AlignedTables::new(&keyed, rule, options.keys_of.as_ref(), options.memory);
    let aligned = aligned.map_err(|error| CallFailure::table(error, keywords))?;
    let spec = options.kernel.spec()?;
    let kernels = aligned.tables.iter().map(|table| spec.resolve(None, &table.matrix, options.seed));
    let kernels = kernels.collect::<protodash::Result<Vec<_>>>()?;
    let tables: Vec<_> = aligned
        .tables
        .iter()
        .zip(&kernels)
        .map(|(table, kernel)| KeyedTable { rows: &table.matrix, keys: &table.keys, kernel })
        .collect();
    let found = relate_with(&tables, params, reporter).map_err(|error| match error {
        protodash::Error::NothingToRepresent { table } => CallFailure::Named(error, names[table].clone()),
        other => other.into(),
    })?;
    let described = names.iter().zip(aligned.tables.iter().zip(&kernels)).map(|(name, (table, kernel))| {
        (name.clone(), "table".to_owned(), table.n_asked, table.matrix.ncols(), SavedKernel::new(Some(*kernel)))
    });
    let provenance = RelationProvenance {
        key: options.key.clone(),
        keys: if options.all_keys { "all" } else { "shared" }.to_owned(),
        keys_of: options.keys_of.as_ref().map(|_| "table".to_owned()),
        key_texts: &aligned.keys,
        tables: described.collect(),
        notes,
        settings: RelationSettings {
            bandwidth: spec.bandwidth().map(|rule| rule.to_string()),
            drop: options.drop.clone(),
            categorical: options.categorical.clone(),
            all_categorical: options.all_categorical,
            scale: options.scale.clone(),
            delimiter: None,
            n_best: options.n_best,
            seed: options.seed,
        },
    };
    Ok(RelationDocument::new(&found, params, provenance))
}

/// How well tables represent each other. `Relation` in Python adds the documentation.
#[pyclass(module = "protodash._native")]
pub(crate) struct RelationResult {
    inner: RelationDocument,
}

#[pymethods]
impl RelationResult {
    /// The command's JSON.
    fn to_json(&self) -> PyResult<String> {
        self.inner.to_json().map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The report as HTML.
    fn report(&self, title: Option<String>) -> PyResult<String> {
        let mut report = relation_report(&self.inner).map_err(CallFailure::Result)?;
        report.title = title.unwrap_or(report.title);
        Ok(render(&report).map_err(CallFailure::Result)?)
    }

    /// Remarks on how the tables were encoded.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.inner.notes.clone()
    }

    /// The table of tables.
    fn table(&self) -> Vec<ShownColumn> {
        columns(relation_columns(&self.inner))
    }

    /// The best representative, and the settings.
    fn sentences(&self) -> Vec<String> {
        vec![relation_sentence(&self.inner), relation_settings_sentence(&self.inner)]
    }

    /// Each table: name, number of keys, number of features, average rank, objective, explained, keys and weights.
    fn tables<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyAny>> {
        let described = |table: &protodash_report::TableRecord| {
            let keys: Vec<&str> = table.prototypes.iter().map(|chosen| chosen.key.as_str()).collect();
            let weights = PyArray1::from_iter(py, table.prototypes.iter().map(|chosen| chosen.weight));
            let sizes = (table.name.as_str(), table.n_keys, table.n_features);
            (sizes.0, sizes.1, sizes.2, table.average_rank, table.objective, table.explained, keys, weights)
                .into_pyobject(py)
                .map(Bound::into_any)
        };
        self.inner.tables.iter().filter_map(|table| described(table).ok()).collect()
    }

    /// All pairs, one list or array for each figure.
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = &self.inner.pairs;
        let numbers = |value: fn(&protodash_report::PairRecord) -> f64| PyArray1::from_iter(py, all.iter().map(value));
        let pairs = PyDict::new(py);
        pairs.set_item("target", all.iter().map(|pair| pair.target.as_str()).collect::<Vec<_>>())?;
        pairs.set_item("source", all.iter().map(|pair| pair.source.as_str()).collect::<Vec<_>>())?;
        pairs.set_item("n_keys", PyArray1::from_iter(py, all.iter().map(|pair| pair.n_keys as i64)))?;
        pairs.set_item("objective", numbers(|pair| pair.objective))?;
        pairs.set_item("explained", numbers(|pair| pair.explained))?;
        pairs.set_item("own_explained", numbers(|pair| pair.own_explained))?;
        pairs.set_item("rank", numbers(|pair| pair.rank))?;
        Ok(pairs)
    }

    /// The edges of the graph: source, target, rank and explained.
    fn edges(&self) -> Vec<(String, String, f64, f64)> {
        let edges = self.inner.edges.iter();
        edges.map(|edge| (edge.source.clone(), edge.target.clone(), edge.rank, edge.explained)).collect()
    }
}
