//! Explains individual rows.

use protodash::{CrossValidation, ExplainParams, Labels, Params, Unobserved};
use protodash_report::{
    ExplainedRow, ExplainingRow, ExplanationDocument, ExplanationOrigin, ImageShape, LongColumn, LongValues, RowData,
    SHARE, explaining_columns, explanation_report, render,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

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

/// Explanations as a Python object: `protodash_report`'s document. `Explanations` in Python adds the data and the
/// documentation.
#[pyclass(module = "protodash._native", frozen)]
pub(crate) struct ExplanationResult {
    inner: ExplanationDocument,
}

/// A column of a table of explanations: its name and its values.
type NamedValues = (&'static str, Py<PyAny>);

/// Explains rows.
#[pyfunction]
pub(crate) fn explain(
    py: Python<'_>,
    sides: Sides<'_>,
    options: ExplainOptions<'_>,
    run: Run,
) -> PyResult<ExplanationResult> {
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
    let inner = sides.data()?.with_dataset(py, run, move |dataset, observer| {
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
    Ok(ExplanationResult { inner })
}

#[pymethods]
impl ExplanationResult {
    /// The explanations that a text holds.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<ExplanationResult> {
        let inner = ExplanationDocument::from_json(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(ExplanationResult { inner })
    }

    /// The text of the file.
    fn to_json(&self) -> PyResult<String> {
        self.inner.to_json().map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
        let read = py.get_type::<ExplanationResult>().getattr("from_json")?.unbind();
        Ok((read, (self.to_json()?,)))
    }

    /// The summary in a sentence.
    #[getter]
    fn sentence(&self) -> String {
        self.inner.sentence()
    }

    /// The largest distance to the nearest source row that counts as similar.
    #[getter]
    fn limit(&self) -> Option<f64> {
        self.inner.limit
    }

    /// Columns that the page shows besides the features.
    #[getter]
    fn show(&self) -> Vec<String> {
        self.inner.data.show.clone()
    }

    /// The kernel as JSON.
    #[getter]
    fn kernel(&self) -> PyResult<String> {
        serde_json::to_string(&self.inner.kernel).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The fields of each explanation by their names in Python; `text` is how it is shown.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let explained = |row: &ExplainedRow| {
            let fields = PyDict::new(py);
            fields.set_item("row", row.row)?;
            fields.set_item("similar", row.similar)?;
            fields.set_item("nearest_distance", row.nearest_distance)?;
            fields.set_item("explained", row.explained)?;
            fields.set_item("sentence", row.sentence())?;
            fields.set_item("id", &row.id)?;
            fields.set_item("label", &row.label)?;
            let prototypes = row.prototypes.iter().map(|one| explaining(py, one));
            fields.set_item("prototypes", prototypes.collect::<PyResult<Vec<_>>>()?)?;
            fields.set_item("text", text(row))?;
            Ok(fields)
        };
        self.inner.explanations.iter().map(explained).collect()
    }

    /// All columns of the table with a line for each row and each of its prototypes.
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<NamedValues>> {
        self.inner.columns().into_iter().map(|column| named_values(py, column)).collect()
    }

    /// The columns that a data frame has.
    fn table(&self, py: Python<'_>) -> PyResult<Vec<NamedValues>> {
        self.inner.table().into_iter().map(|column| named_values(py, column)).collect()
    }

    /// The page as HTML; without their rows, the brief one of the result alone.
    fn page(
        &self,
        py: Python<'_>,
        title: Option<String>,
        image_shape: Option<[usize; 3]>,
        data: Option<(Sides<'_>, ExplainRows<'_>)>,
        run: Run,
    ) -> PyResult<String> {
        let document = self.inner.clone();
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
}

fn explaining<'py>(py: Python<'py>, one: &ExplainingRow) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("index", one.source_index)?;
    fields.set_item("weight", one.weight)?;
    fields.set_item("share", one.share)?;
    fields.set_item("distance", one.distance)?;
    fields.set_item("alike", &one.alike)?;
    fields.set_item("differs", &one.differs)?;
    fields.set_item("id", &one.id)?;
    fields.set_item("label", &one.label)?;
    Ok(fields)
}

/// The sentence of a row, and a few lines for each row that explains it.
fn text(row: &ExplainedRow) -> String {
    let columns = explaining_columns(row);
    let cell = |header: &str, place: usize| {
        columns.iter().find(|column| column.header == header).map_or("", |column| column.cells[place].as_str())
    };
    let mut lines = vec![row.sentence()];
    for (place, one) in row.prototypes.iter().enumerate() {
        let name = one.id.as_ref().map_or_else(String::new, |id| format!(" ({id})"));
        let (share, distance) = (cell(SHARE, place), cell("distance", place));
        lines.push(format!("  row {}{name}: {share} {SHARE}, distance {distance}", one.source_index));
        let parts = [("alike", &one.alike), ("differs", &one.differs)].into_iter();
        let parts = parts.filter(|(_, words)| !words.is_empty());
        lines.extend(parts.map(|(what, words)| format!("    {what}: {}", words.join(", "))));
    }
    lines.join("\n")
}

fn named_values(py: Python<'_>, column: LongColumn) -> PyResult<NamedValues> {
    let values = match column.values {
        LongValues::Whole(values) => values.into_pyobject(py)?,
        LongValues::Number(values) => values.into_pyobject(py)?,
        LongValues::Text(values) => values.into_pyobject(py)?,
        LongValues::Flag(values) => values.into_pyobject(py)?,
    };
    Ok((column.name, values.unbind()))
}
