//! Explains individual rows.

use protodash::{CrossValidation, ExplainParams, Labels, Params, Unobserved};
use protodash_report::{ExplanationDocument, ExplanationOrigin, ImageShape, RowData, explanation_report, render};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::Sides;
use crate::error::CallFailure;
use crate::feature::{GivenFeature, feature};
use crate::input::{Needed, input};
use crate::report::{NamedRows, RowParts, rows};
use crate::settings::Keywords;
use crate::watch::Run;

/// How to add the rows to the report of explanations that were loaded or pickled without them.
const ADD_DATA: &str = "“explain” again";

/// The rows to explain and to explain by, and how.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ExplainOptions<'py> {
    n_prototypes: usize,
    similar_share: f64,
    seed: u64,
    /// Which row of the source's matrix each row is, if they are rows of the source.
    own_rows: Option<Vec<Option<usize>>>,
    /// The classes of rows and source rows, if each row is explained only by rows of its class.
    classes: Option<(Vec<usize>, Vec<usize>)>,
    /// Whether cross-validation on the source sets the bandwidth.
    cross_validate: bool,
    /// The classes of source rows, for that.
    source_labels: Option<Vec<usize>>,
    rows: ExplainRows<'py>,
    /// Where the rows came from, as JSON.
    data: String,
    notes: Vec<String>,
}

/// The rows of both sides as the caller has them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ExplainRows<'py> {
    source_rows: NamedRows<'py>,
    target_rows: Option<NamedRows<'py>>,
    features: Option<Vec<GivenFeature>>,
    codes: bool,
    /// Columns that the page shows besides the features.
    show: Vec<String>,
    source_table: Option<Bound<'py, PyAny>>,
    target_table: Option<Bound<'py, PyAny>>,
}

impl ExplainRows<'_> {
    fn parts(self) -> PyResult<RowParts> {
        let shown = Needed::only(&[]).with_shown(&self.show);
        let table = |name: &str, table: Option<Bound<'_, PyAny>>| {
            table.map(|table| input(name, &table, &shown, &Keywords::default())).transpose()
        };
        Ok(RowParts {
            source_rows: rows(self.source_rows)?,
            target_rows: self.target_rows.map(rows).transpose()?,
            features: self.features.map(|given| given.into_iter().map(feature).collect()),
            codes: self.codes,
            target_weights: None,
            source_table: table("source", self.source_table)?,
            target_table: table("rows", self.target_table)?,
        })
    }
}

/// The explanations as JSON.
#[pyfunction]
pub(crate) fn explain(py: Python<'_>, sides: Sides<'_>, options: ExplainOptions<'_>, run: Run) -> PyResult<String> {
    let unreadable = |error: serde_json::Error| PyValueError::new_err(error.to_string());
    let parts = options.rows.parts()?;
    let origin = ExplanationOrigin {
        same_class: options.classes.is_some(),
        similar_share: options.similar_share,
        data: serde_json::from_str(&options.data).map_err(unreadable)?,
        seed: options.seed,
        notes: options.notes,
    };
    let mut params = ExplainParams::default();
    (params.n_prototypes, params.similar_share) = (options.n_prototypes, options.similar_share);
    (params.seed, params.own_rows) = (options.seed, options.own_rows);
    let mut settings = CrossValidation::default();
    settings.seed = options.seed;
    let (classes, cross_validate, source_labels) = (options.classes, options.cross_validate, options.source_labels);
    let document = sides.data()?.with_dataset(py, run, move |dataset, observer| {
        if cross_validate {
            let (labels, limit) = (source_labels.as_deref(), Params::new(params.n_prototypes));
            dataset.cross_validate_bandwidth_on_source(labels, &limit, &settings, observer)?;
        }
        let labels = classes.as_ref().map(|(target, source)| Labels { target, source });
        let found = dataset.explain(labels, &params, observer)?;
        parts
            .with_data(dataset, |rows| ExplanationDocument::new(&found, &rows, origin, observer))
            .map_err(CallFailure::Result)
    })?;
    document.to_json().map_err(unreadable)
}

/// The summary of explanations in a sentence, and a sentence for each row.
#[pyfunction]
pub(crate) fn explanation_sentences(json: &str) -> PyResult<Vec<String>> {
    let document = ExplanationDocument::from_json(json).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let sentences = document.explanations.iter().map(|row| row.sentence());
    Ok(std::iter::once(document.sentence()).chain(sentences).collect())
}

/// The page of explanations as HTML; without their rows, the brief one of the result alone.
#[pyfunction]
pub(crate) fn explanation_page(
    py: Python<'_>,
    json: &str,
    title: Option<String>,
    image_shape: Option<[usize; 3]>,
    data: Option<(Sides<'_>, ExplainRows<'_>)>,
    run: Run,
) -> PyResult<String> {
    let document = ExplanationDocument::from_json(json).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let shape = image_shape.map(ImageShape::new).transpose().map_err(CallFailure::Result)?;
    let mut report = match data {
        None => explanation_report(&document, None, ADD_DATA, &mut Unobserved).map_err(CallFailure::Result)?,
        Some((sides, rows)) => {
            let parts = rows.parts()?;
            sides.data()?.with_dataset(py, run, move |dataset, observer| {
                let made = |rows: RowData<'_, '_>| {
                    shape.map_or(Ok(()), |shape| shape.check(rows.features))?;
                    explanation_report(&document, Some((&rows, shape)), ADD_DATA, observer)
                };
                parts.with_data(dataset, made).map_err(CallFailure::Result)
            })?
        }
    };
    report.title = title.unwrap_or(report.title);
    py.detach(|| render(&report)).map_err(|error| PyValueError::new_err(error.to_string()))
}
