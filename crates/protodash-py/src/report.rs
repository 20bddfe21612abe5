//! The page of a selection, gathered and drawn as the command does it.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, RecordBatch};
use arrow_schema::{Field, Schema};
use ndarray::ArrayRef2;
use numpy::PyReadonlyArray1;
use protodash::{Error, Kernel, Linear, Prototype, RepresentationPath, Role, Scalar, Unobserved, represent_path};
use protodash_report::{Report, render};
use protodash_result::{Asked, Document, ImageShape, Origin, Tables, WHAT_ADDS_DATA, selection_report};
use protodash_table::{CategoryLevel, ColumnScale, Feature, Input, RowMap};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::{ObservedJob, Sides};
use crate::error::Failure;
use crate::input::{Needed, input};
use crate::settings::Keywords;
use crate::watch::{Reporter, Run};

/// What the page is to say, whatever the data.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Page {
    /// The result as it is saved.
    json: String,
    /// What the page is about; nothing leaves that to the result.
    title: Option<String>,
    /// The name of the result inside the page; nothing leaves that to the result.
    name: Option<String>,
    /// Whether other rows than the source's were represented.
    own_target: bool,
    /// Height, width and channels of rows that are images.
    image_shape: Option<[usize; 3]>,
}

/// The data that the selection was made from.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Known<'py> {
    sides: Sides<'py>,
    /// The rows themselves, where a function of the caller's compares them and `sides` has its values.
    values: Option<Sides<'py>>,
    /// The prototypes in rows of the matrix.
    positions: PyReadonlyArray1<'py, i64>,
    source_rows: NamedRows<'py>,
    target_rows: Option<NamedRows<'py>>,
    /// Nothing for arrays, whose columns are numbered; none for kernel matrices.
    features: Option<Vec<GivenFeature>>,
    /// The tables, if that is what they were.
    source_table: Option<Bound<'py, PyAny>>,
    target_table: Option<Bound<'py, PyAny>>,
}

/// A column, the level that a feature of it stands for (nothing, a value, or `true` for missing), and its unit.
type GivenFeature = (String, Option<String>, bool, Option<(f64, f64)>);

/// What is known of the rows of one side: their numbers, ids and classes.
type NamedRows<'py> = (PyReadonlyArray1<'py, i64>, Option<Vec<String>>, Option<Vec<String>>);

/// The page as HTML; without data, the brief one that a result alone makes.
#[pyfunction]
pub(crate) fn report(py: Python<'_>, page: Page, known: Option<Known<'_>>, run: Run) -> PyResult<String> {
    let document: Document = serde_json::from_str(&page.json)
        .map_err(|error| PyValueError::new_err(format!("is not a whole result: {error}")))?;
    let asked = Asked { own_target: page.own_target, ..Asked::default() };
    let mut report = match known {
        None => brief(&document, asked)?,
        Some(known) => gathered(py, document, known, asked, page.image_shape, run)?,
    };
    if let Some(title) = page.title {
        report.title = title;
    }
    if let Some(attachment) = &mut report.result {
        attachment.name = page.name.unwrap_or_else(|| attachment.name.clone());
        // To the byte what is saved, also where a later version of the format says more than we know.
        attachment.json = page.json;
    }
    py.detach(|| render(&report)).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// What the result alone says, and how the rest is had here.
fn brief(document: &Document, asked: Asked) -> PyResult<Report> {
    let mut report =
        selection_report::<f64, Linear>(document, None, asked, &mut Unobserved).map_err(Failure::Result)?;
    let (command, here) = (WHAT_ADDS_DATA, "“report(path, source=...)”");
    report.missing.iter_mut().for_each(|sentence| *sentence = sentence.replace(command, here));
    Ok(report)
}

fn gathered(
    py: Python<'_>,
    document: Document,
    known: Known<'_>,
    asked: Asked,
    image_shape: Option<[usize; 3]>,
    run: Run,
) -> PyResult<Report> {
    // What cannot be read is not shown.
    let shown = Needed::only(&[]);
    let table = |name: &str, table: Option<Bound<'_, PyAny>>| {
        table.map(|table| input(name, &table, &shown, &Keywords::default())).transpose()
    };
    let prototypes = prototypes(&document, &known.positions);
    let (sides, path) = match known.values {
        None => (known.sides, None),
        Some(values) => {
            let run = Run {
                n_threads: run.n_threads,
                progress: run.progress.as_ref().map(|progress| progress.clone_ref(py)),
            };
            let follow = Follow { prototypes: &prototypes, weights_path: &document.weights_path };
            (values, Some(known.sides.data()?.run(py, run, follow)?))
        }
    };
    let job = Gather {
        prototypes,
        path,
        document,
        asked,
        source_rows: rows(known.source_rows)?,
        target_rows: known.target_rows.map(rows).transpose()?,
        features: known.features.map(|given| given.into_iter().map(feature).collect()),
        image_shape: image_shape.map(ImageShape::new).transpose().map_err(Failure::Result)?,
        source_table: table("source", known.source_table)?,
        target_table: table("target", known.target_table)?,
    };
    Ok(sides.data()?.run(py, run, job)?.map_err(Failure::Result)?)
}

fn prototypes(document: &Document, positions: &PyReadonlyArray1<'_, i64>) -> Vec<Prototype> {
    let place = |(prototype, position): (&protodash_result::Prototype, &i64)| Prototype {
        source_index: usize::try_from(*position).unwrap_or(usize::MAX),
        weight: prototype.weight,
        share: prototype.share,
        gain: prototype.gain,
    };
    document.prototypes.iter().zip(positions.as_array()).map(place).collect()
}

fn rows((numbers, ids, labels): NamedRows<'_>) -> Result<RowMap, Failure> {
    Ok(RowMap::new(numbers.as_array().iter().map(|number| number.unsigned_abs()).collect(), ids, labels)?)
}

fn feature((column, level, missing, unit): GivenFeature) -> Feature {
    let level = if missing { Some(CategoryLevel::Missing) } else { level.map(CategoryLevel::Value) };
    let mut feature = Feature::new(&column, level);
    feature.unit = unit.map(|(shift, divisor)| ColumnScale { shift, divisor });
    feature
}

/// Who stands for whom by the kernel of the run, at every size.
struct Follow<'a> {
    prototypes: &'a [Prototype],
    weights_path: &'a [Vec<f64>],
}

impl ObservedJob for Follow<'_> {
    type Output = RepresentationPath;

    fn run<T: Scalar, K: Kernel<T> + ?Sized>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
        observer: &mut Reporter<'_>,
    ) -> Result<Self::Output, Error> {
        let weights: Vec<&[f64]> = self.weights_path.iter().map(Vec::as_slice).collect();
        represent_path(target, source, self.prototypes, &weights, kernel, observer)
    }
}

struct Gather {
    document: Document,
    asked: Asked,
    prototypes: Vec<Prototype>,
    path: Option<RepresentationPath>,
    source_rows: RowMap,
    target_rows: Option<RowMap>,
    features: Option<Vec<Feature>>,
    image_shape: Option<ImageShape>,
    source_table: Option<Input>,
    target_table: Option<Input>,
}

impl ObservedJob for Gather {
    type Output = protodash_result::Result<Report>;

    fn run<T: Scalar, K: Kernel<T> + ?Sized>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
        observer: &mut Reporter<'_>,
    ) -> Result<Self::Output, Error> {
        let numbered = || (0..source.ncols()).map(|at| Feature::new(&format!("x{at}"), None)).collect();
        let features = self.features.unwrap_or_else(numbered);
        if let Some(Err(error)) = self.image_shape.map(|shape| shape.check(&features)) {
            return Ok(Err(error));
        }
        let arrays = Arrays { target: self.target_rows.as_ref().map(|_| target), source };
        let tables = self.source_table.map(|source| Frames { source, target: self.target_table });
        let origin = Origin {
            target,
            source,
            kernel,
            prototypes: &self.prototypes,
            source_rows: &self.source_rows,
            target_rows: self.target_rows.as_ref(),
            features: &features,
            image_shape: self.image_shape,
            tables: tables.as_ref().map_or(&arrays as &dyn Tables, |tables| tables),
            path: self.path,
        };
        Ok(selection_report(&self.document, Some(&origin), self.asked, observer))
    }
}

/// Tables with columns of their own.
struct Frames {
    source: Input,
    target: Option<Input>,
}

impl Tables for Frames {
    fn is_one(&self) -> bool {
        self.target.is_none()
    }

    fn rows(&self, role: Role, numbers: &[u64]) -> protodash_result::Result<RecordBatch> {
        let table = self.target.as_ref().filter(|_| role == Role::Target).unwrap_or(&self.source);
        Ok(table.rows(numbers)?)
    }
}

/// Matrices that are what the caller handed over: their columns are numbered as those of a `.npy` file.
struct Arrays<'a, T> {
    target: Option<&'a ArrayRef2<T>>,
    source: &'a ArrayRef2<T>,
}

impl<T: Scalar> Tables for Arrays<'_, T> {
    fn is_one(&self) -> bool {
        self.target.is_none()
    }

    fn rows(&self, role: Role, numbers: &[u64]) -> protodash_result::Result<RecordBatch> {
        let matrix = self.target.filter(|_| role == Role::Target).unwrap_or(self.source);
        let columns: Vec<ArrayRef> = (0..matrix.ncols()).map(|at| column(matrix, at, numbers)).collect();
        let named = columns.iter().enumerate();
        let fields: Vec<Field> =
            named.map(|(at, values)| Field::new(format!("x{at}"), values.data_type().clone(), false)).collect();
        Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
    }
}

/// Values in the precision that they have, so that they are written with its digits.
fn column<T: Scalar>(matrix: &ArrayRef2<T>, at: usize, numbers: &[u64]) -> ArrayRef {
    let values = numbers.iter().map(|row| matrix[(*row as usize, at)].to_f64());
    if size_of::<T>() == size_of::<f32>() {
        Arc::new(Float32Array::from_iter_values(values.map(|value| value as f32)))
    } else {
        Arc::new(Float64Array::from_iter_values(values))
    }
}
