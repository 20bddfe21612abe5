//! Explains individual rows.

use protodash::{ExplainParams, Labels};
use protodash_report::{ExplanationDocument, ExplanationOrigin};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::Sides;
use crate::error::CallFailure;
use crate::feature::{GivenFeature, feature};
use crate::input::{Needed, input};
use crate::report::{NamedRows, RowParts, rows};
use crate::settings::Keywords;
use crate::watch::Run;

/// The rows to explain and to explain by, and how.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ExplainOptions<'py> {
    n_prototypes: usize,
    similar_share: f64,
    seed: u64,
    /// Whether the rows are those of the source.
    is_source: bool,
    /// The classes of rows and source rows.
    classes: Option<(Vec<usize>, Vec<usize>)>,
    source_rows: NamedRows<'py>,
    target_rows: Option<NamedRows<'py>>,
    features: Option<Vec<GivenFeature>>,
    codes: bool,
    source_table: Option<Bound<'py, PyAny>>,
    target_table: Option<Bound<'py, PyAny>>,
    /// Where the rows came from, as JSON.
    data: String,
    notes: Vec<String>,
}

/// The explanations as JSON, and their summary in a sentence.
#[pyfunction]
pub(crate) fn explain(
    py: Python<'_>,
    sides: Sides<'_>,
    options: ExplainOptions<'_>,
    run: Run,
) -> PyResult<(String, Vec<String>)> {
    let unreadable = |error: serde_json::Error| PyValueError::new_err(error.to_string());
    let shown = Needed::only(&[]);
    let table = |name: &str, table: Option<Bound<'_, PyAny>>| {
        table.map(|table| input(name, &table, &shown, &Keywords::default())).transpose()
    };
    let parts = RowParts {
        source_rows: rows(options.source_rows)?,
        target_rows: options.target_rows.map(rows).transpose()?,
        features: options.features.map(|given| given.into_iter().map(feature).collect()),
        codes: options.codes,
        target_weights: None,
        source_table: table("source", options.source_table)?,
        target_table: table("rows", options.target_table)?,
    };
    let origin = ExplanationOrigin {
        same_class: options.classes.is_some(),
        similar_share: options.similar_share,
        data: serde_json::from_str(&options.data).map_err(unreadable)?,
        seed: options.seed,
        notes: options.notes,
    };
    let mut params = ExplainParams::default();
    (params.n_prototypes, params.similar_share) = (options.n_prototypes, options.similar_share);
    params.seed = options.seed;
    let (classes, is_source) = (options.classes, options.is_source);
    let document = sides.data()?.with_dataset(py, run, move |dataset, observer| {
        params.own_rows = is_source.then(|| (0..dataset.n_source()).map(Some).collect());
        let labels = classes.as_ref().map(|(target, source)| Labels { target, source });
        let found = dataset.explain(labels, &params, observer)?;
        parts
            .with_data(dataset, |rows| ExplanationDocument::new(&found, &rows, origin, observer))
            .map_err(CallFailure::Result)
    })?;
    let sentences = document.explanations.iter().map(|row| row.sentence());
    let sentences = std::iter::once(document.sentence()).chain(sentences).collect();
    Ok((document.to_json().map_err(unreadable)?, sentences))
}
