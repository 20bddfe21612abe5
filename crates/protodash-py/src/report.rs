//! The HTML page of a selection.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, RecordBatch, RecordBatchOptions};
use arrow_schema::{Field, Schema};
use numpy::PyReadonlyArray1;
use protodash::{Dataset, Prototype, Role, Unobserved};
use protodash_report::{
    FindingsRows, ImageShape, KernelFindings, PageData, Report, Request, RowData, RowSource, SelectionDocument,
    kernel_findings, render, selection_report, side_by_side_report,
};
use protodash_table::{Feature, Input, RowMap, read_regular_file};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::Sides;
use crate::document::{Document, GivenCriticisms};
use crate::error::CallFailure;
use crate::feature::{GivenFeature, feature};
use crate::input::{Needed, input};
use crate::settings::Keywords;
use crate::watch::{Reporter, Run};

/// The call that adds the data to the report of a result alone.
const ADD_DATA: &str = "“report(path, source=...)”";

/// Options of the report, besides the result and the data.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PageOptions {
    /// The title; without it, that of the result.
    title: Option<String>,
    /// Criticisms other than those of the result.
    criticisms: Option<GivenCriticisms>,
    /// Height, width and channels of rows that are images.
    image_shape: Option<[usize; 3]>,
}

/// The data that the selection was made from.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GivenData<'py> {
    sides: Sides<'py>,
    /// The rows themselves, if a Python function compares them and `sides` holds its values.
    values: Option<Sides<'py>>,
    /// The prototypes as rows of the matrix.
    positions: PyReadonlyArray1<'py, i64>,
    source_rows: NamedRows<'py>,
    target_rows: Option<NamedRows<'py>>,
    /// `None` for arrays, whose columns are numbered; empty for kernel matrices.
    features: Option<Vec<GivenFeature>>,
    /// Whether the kernel compares codes of categories.
    codes: bool,
    /// The weight of each target row; `None` if all count the same.
    target_weights: Option<Vec<f64>>,
    /// The tables, if the data are tables.
    source_table: Option<Bound<'py, PyAny>>,
    target_table: Option<Bound<'py, PyAny>>,
}

/// Numbers, ids and classes of the rows of one side.
pub(crate) type NamedRows<'py> = (PyReadonlyArray1<'py, i64>, Option<Vec<String>>, Option<Vec<String>>);

/// The page of two selections side by side as HTML; the data are those of the first.
#[pyfunction]
pub(crate) fn report_side_by_side(
    py: Python<'_>,
    documents: [PyRef<'_, Document>; 2],
    page: PageOptions,
    data: Option<GivenData<'_>>,
    run: Run,
) -> PyResult<String> {
    let [first, second] = &documents;
    let [first, second] = [first.with_criticisms(None), second.with_criticisms(None)];
    let shape = page.image_shape.map(ImageShape::new).transpose().map_err(CallFailure::Result)?;
    let mut report = match data {
        None => side_by_side_report([&first, &second], None, ADD_DATA, &mut Unobserved).map_err(CallFailure::Result)?,
        Some(data) => {
            let (sides, values, rows) = data.parts(&first.data.show)?;
            let made = |dataset: &mut Dataset<'_>, observer: &mut Reporter<'_>| {
                Ok(rows.with_data(dataset, |rows| {
                    shape.map_or(Ok(()), |shape| shape.check(rows.features))?;
                    side_by_side_report([&first, &second], Some((&rows, shape)), ADD_DATA, observer)
                }))
            };
            values.unwrap_or(sides).data()?.with_dataset(py, run, made)?.map_err(CallFailure::Result)?
        }
    };
    report.title = page.title.unwrap_or(report.title);
    py.detach(|| render(&report)).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The page as HTML; without data, the brief one of the result alone.
#[pyfunction]
pub(crate) fn report(
    py: Python<'_>,
    document: PyRef<'_, Document>,
    page: PageOptions,
    data: Option<GivenData<'_>>,
    run: Run,
) -> PyResult<String> {
    let (complete, request) = (document.with_criticisms(page.criticisms), document.request);
    let mut report = match data {
        None => selection_report(&complete, None, request, ADD_DATA, &mut Unobserved).map_err(CallFailure::Result)?,
        Some(data) => with_data(py, complete, data, request, page.image_shape, run)?,
    };
    if let Some(title) = page.title {
        report.title = title;
    }
    py.detach(|| render(&report)).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// How each prototype with weight looks, in at most `width` columns of text; nothing for kernel matrices.
#[pyfunction]
pub(crate) fn looks(
    py: Python<'_>,
    document: PyRef<'_, Document>,
    data: GivenData<'_>,
    width: usize,
    run: Run,
) -> PyResult<Vec<String>> {
    let prototypes = prototypes(&document.inner, &data.positions).into_iter();
    let weighted = prototypes.filter(|prototype| prototype.weight > 0.0);
    let chosen: Vec<(Role, usize)> = weighted.map(|prototype| (Role::Source, prototype.source_index)).collect();
    let (sides, values, parts) = data.parts(&[])?;
    let found = values.unwrap_or(sides).data()?.with_dataset(py, run, |dataset, observer| {
        Ok(parts.with_data(dataset, |rows| protodash_report::looks(&rows, &chosen, observer)))
    })?;
    Ok(found.map_err(CallFailure::Result)?.iter().map(|look| look.fit(width)).collect())
}

impl<'py> GivenData<'py> {
    /// The matrices, the rows themselves if these hold values of a custom kernel, and the rows as the caller has them.
    fn parts(self, show: &[String]) -> PyResult<(Sides<'py>, Option<Sides<'py>>, RowParts)> {
        // Unsupported columns are not shown.
        let shown = Needed::only(&[]).with_shown(show);
        let table = |name: &str, table: Option<Bound<'_, PyAny>>| {
            table.map(|table| input(name, &table, &shown, &Keywords::default())).transpose()
        };
        let parts = RowParts {
            source_rows: rows(self.source_rows)?,
            target_rows: self.target_rows.map(rows).transpose()?,
            features: self.features.map(|given| given.into_iter().map(feature).collect()),
            codes: self.codes,
            target_weights: self.target_weights,
            source_table: table("source", self.source_table)?,
            target_table: table("target", self.target_table)?,
        };
        Ok((self.sides, self.values, parts))
    }
}

fn with_data(
    py: Python<'_>,
    document: SelectionDocument,
    data: GivenData<'_>,
    request: Request,
    image_shape: Option<[usize; 3]>,
    run: Run,
) -> PyResult<Report> {
    let prototypes = prototypes(&document, &data.positions);
    let (sides, values, rows) = data.parts(&document.data.show)?;
    let (sides, kernel) = match values {
        None => (sides, None),
        Some(values) => {
            let run = Run {
                n_threads: run.n_threads,
                progress: run.progress.as_ref().map(|progress| progress.clone_ref(py)),
            };
            let named = FindingsRows {
                source: &rows.source_rows,
                target: rows.target_rows.as_ref(),
                target_weights: rows.target_weights.as_deref(),
                kernel_mean: None,
            };
            let kernel = sides.data()?.with_dataset(py, run, |dataset, observer| {
                Ok(kernel_findings(&document, dataset, &prototypes, named, observer)?)
            })?;
            (values, Some(kernel))
        }
    };
    let parts = PageParts {
        prototypes,
        kernel,
        document,
        request,
        image_shape: image_shape.map(ImageShape::new).transpose().map_err(CallFailure::Result)?,
        rows,
    };
    let made = |dataset: &mut Dataset<'_>, observer: &mut Reporter<'_>| Ok(parts.report(dataset, observer));
    Ok(sides.data()?.with_dataset(py, run, made)?.map_err(CallFailure::Result)?)
}

fn prototypes(document: &SelectionDocument, positions: &PyReadonlyArray1<'_, i64>) -> Vec<Prototype> {
    let place = |(prototype, position): (&protodash_report::PrototypeRecord, &i64)| Prototype {
        source_index: usize::try_from(*position).unwrap_or(usize::MAX),
        weight: prototype.weight,
        share: prototype.share,
        gain: prototype.gain,
    };
    document.prototypes.iter().zip(positions.as_array()).map(place).collect()
}

pub(crate) fn rows((numbers, ids, labels): NamedRows<'_>) -> Result<RowMap, CallFailure> {
    Ok(RowMap::new(numbers.as_array().iter().map(|number| number.unsigned_abs()).collect(), ids, labels)?)
}

struct PageParts {
    document: SelectionDocument,
    request: Request,
    prototypes: Vec<Prototype>,
    kernel: Option<KernelFindings>,
    image_shape: Option<ImageShape>,
    rows: RowParts,
}

/// The rows of both sides, with their names and tables.
pub(crate) struct RowParts {
    pub(crate) source_rows: RowMap,
    pub(crate) target_rows: Option<RowMap>,
    pub(crate) features: Option<Vec<Feature>>,
    pub(crate) codes: bool,
    pub(crate) target_weights: Option<Vec<f64>>,
    pub(crate) source_table: Option<Input>,
    pub(crate) target_table: Option<Input>,
}

impl RowParts {
    /// What `work` makes of the rows.
    pub(crate) fn with_data<R>(self, matrices: &Dataset<'_>, work: impl FnOnce(RowData<'_, '_>) -> R) -> R {
        // Sparse rows may have millions of columns.
        let n_features = if matches!(matrices, Dataset::Sparse(_)) { 0 } else { matrices.n_features() };
        let numbered = || (0..n_features).map(|at| Feature::new(&format!("x{at}"), None)).collect();
        let features = self.features.unwrap_or_else(numbered);
        let arrays = Arrays { matrices, source: &self.source_rows, target: self.target_rows.as_ref() };
        let tables = self.source_table.map(|source| Frames { source, target: self.target_table });
        work(RowData {
            matrices,
            source_rows: &self.source_rows,
            target_rows: self.target_rows.as_ref(),
            features: &features,
            codes: self.codes,
            target_weights: self.target_weights.as_deref(),
            tables: tables.as_ref().map_or(&arrays as &dyn RowSource, |tables| tables),
        })
    }
}

impl PageParts {
    fn report(self, matrices: &Dataset<'_>, observer: &mut Reporter<'_>) -> protodash_report::Result<Report> {
        let PageParts { document, request, prototypes, kernel, image_shape, rows } = self;
        rows.with_data(matrices, |rows| {
            image_shape.map_or(Ok(()), |shape| shape.check(rows.features))?;
            let page = PageData { rows, prototypes: &prototypes, image_shape, kernel, kernel_mean: None };
            selection_report(&document, Some(&page), request, ADD_DATA, observer)
        })
    }
}

/// Tables in memory.
struct Frames {
    source: Input,
    target: Option<Input>,
}

impl RowSource for Frames {
    fn is_one(&self) -> bool {
        self.target.is_none()
    }

    fn rows(&self, role: Role, numbers: &[u64]) -> protodash_report::Result<RecordBatch> {
        let table = self.target.as_ref().filter(|_| role == Role::Target).unwrap_or(&self.source);
        Ok(table.rows(numbers)?)
    }

    fn file(&self, _: Role, path: &str) -> Option<Vec<u8>> {
        read_regular_file(Path::new(path)).ok()
    }
}

/// Arrays: their columns are numbered like those of a `.npy` file.
struct Arrays<'a, 'd> {
    matrices: &'a Dataset<'d>,
    /// The row of the caller's array behind each row of a matrix, which may be a sample.
    source: &'a RowMap,
    target: Option<&'a RowMap>,
}

impl RowSource for Arrays<'_, '_> {
    fn is_one(&self) -> bool {
        self.target.is_none()
    }

    fn rows(&self, role: Role, numbers: &[u64]) -> protodash_report::Result<RecordBatch> {
        if matches!(self.matrices, Dataset::Sparse(_)) {
            // A page adds the columns that it shows.
            let options = RecordBatchOptions::new().with_row_count(Some(numbers.len()));
            return Ok(RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options)?);
        }
        let of_side = self.target.filter(|_| role == Role::Target).unwrap_or(self.source);
        let places: Vec<usize> = numbers.iter().filter_map(|number| of_side.matrix_row(*number)).collect();
        let rows = self.matrices.rows(role, &places).unwrap_or_default();
        let columns: Vec<ArrayRef> = rows.columns().into_iter().map(|column| self.column(column.iter())).collect();
        let named = columns.iter().enumerate();
        let fields: Vec<Field> =
            named.map(|(at, values)| Field::new(format!("x{at}"), values.data_type().clone(), false)).collect();
        Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
    }
}

impl Arrays<'_, '_> {
    /// A column in its own precision, so that it is written with the right number of digits.
    fn column<'v>(&self, values: impl Iterator<Item = &'v f64>) -> ArrayRef {
        if matches!(self.matrices, Dataset::F32 { .. }) {
            Arc::new(Float32Array::from_iter_values(values.map(|value| *value as f32)))
        } else {
            Arc::new(Float64Array::from_iter_values(values.copied()))
        }
    }
}
