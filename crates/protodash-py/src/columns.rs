//! Tables given column by column, as NumPy arrays and lists of text: pandas data frames.

use std::sync::Arc;

use arrow_array::types::{
    ArrowTimestampType, Float32Type, Float64Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt64Type,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, LargeListArray, PrimitiveArray, RecordBatch, StringArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{Field, Schema, SchemaRef};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A column: name, kind of cells, cells, and a mask of those that are not missing (`None` if all are present).
type PandasColumn<'py> = (String, String, Bound<'py, PyAny>, Option<PyReadonlyArray1<'py, bool>>);

/// Columns as a batch, and the unsupported ones, each with a description.
pub(crate) struct Batch {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
    pub(crate) unread: Vec<(String, String)>,
    /// The columns of bytes, which can only be shown.
    pub(crate) bytes: Vec<(String, String)>,
}

/// Returns the columns as one batch; messages call the table `name`.
pub(crate) fn batch(name: &str, columns: Vec<PandasColumn<'_>>) -> PyResult<Batch> {
    let (mut fields, mut arrays, mut unread, mut bytes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (column, kind, cells, known) in columns {
        let array = if kind == "unread" {
            let (what, n_rows): (String, usize) = cells.extract()?;
            unread.push((column.clone(), what));
            // An unsupported type: the column has a name but no usable cells.
            Arc::new(BinaryArray::new_null(n_rows)) as ArrayRef
        } else if kind == "bytes" {
            bytes.push((column.clone(), "holds bytes".to_owned()));
            let cells: Vec<Option<Vec<u8>>> = cells.extract()?;
            Arc::new(BinaryArray::from_iter(cells))
        } else {
            array(&kind, &cells, known.as_ref())?
        };
        fields.push(Field::new(column, array.data_type().clone(), true));
        arrays.push(array);
    }
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays);
    let batch = batch.map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
    Ok(Batch { schema, batches: vec![batch], unread, bytes })
}

fn array(kind: &str, cells: &Bound<'_, PyAny>, known: Option<&PyReadonlyArray1<'_, bool>>) -> PyResult<ArrayRef> {
    Ok(match kind {
        "float32" => numbers::<Float32Type>(cells, known)?,
        "float64" => numbers::<Float64Type>(cells, known)?,
        "int64" => numbers::<Int64Type>(cells, known)?,
        "uint64" => numbers::<UInt64Type>(cells, known)?,
        "boolean" => Arc::new(BooleanArray::from_iter(present::<bool>(cells, known)?)),
        "text" => Arc::new(StringArray::from(cells.extract::<Vec<Option<String>>>()?)),
        "lists float32" => lists::<Float32Type>(cells, known)?,
        "lists float64" => lists::<Float64Type>(cells, known)?,
        "lists int64" => lists::<Int64Type>(cells, known)?,
        other => return times(other, cells, known),
    })
}

/// Returns times since 1970 in the unit given by the kind, and in UTC if it says so: "time s", "utc ns".
fn times(kind: &str, cells: &Bound<'_, PyAny>, known: Option<&PyReadonlyArray1<'_, bool>>) -> PyResult<ArrayRef> {
    let (clock, unit) = kind.split_once(' ').unwrap_or((kind, ""));
    let zone = (clock == "utc").then_some("+00:00");
    Ok(match unit {
        "s" => timestamps::<TimestampSecondType>(cells, known, zone)?,
        "ms" => timestamps::<TimestampMillisecondType>(cells, known, zone)?,
        "us" => timestamps::<TimestampMicrosecondType>(cells, known, zone)?,
        "ns" => timestamps::<TimestampNanosecondType>(cells, known, zone)?,
        _ => return Err(PyTypeError::new_err(format!("unknown kind of column {kind:?}"))),
    })
}

fn timestamps<T: ArrowTimestampType>(
    cells: &Bound<'_, PyAny>,
    known: Option<&PyReadonlyArray1<'_, bool>>,
    zone: Option<&str>,
) -> PyResult<ArrayRef> {
    let times = PrimitiveArray::<T>::from_iter(present::<i64>(cells, known)?);
    Ok(Arc::new(times.with_timezone_opt(zone)))
}

fn numbers<T: ArrowPrimitiveType>(
    cells: &Bound<'_, PyAny>,
    known: Option<&PyReadonlyArray1<'_, bool>>,
) -> PyResult<ArrayRef>
where
    T::Native: numpy::Element + Copy,
{
    Ok(Arc::new(PrimitiveArray::<T>::from_iter(present::<T::Native>(cells, known)?)))
}

/// Returns lists of numbers, from where each one ends among the elements of all of them.
fn lists<T: ArrowPrimitiveType>(
    cells: &Bound<'_, PyAny>,
    known: Option<&PyReadonlyArray1<'_, bool>>,
) -> PyResult<ArrayRef>
where
    T::Native: numpy::Element + Copy,
{
    let (lengths, elements): (Vec<usize>, PyReadonlyArray1<'_, T::Native>) = cells.extract()?;
    let elements = PrimitiveArray::<T>::from_iter_values(elements.as_array().iter().copied());
    let field = Arc::new(Field::new_list_field(T::DATA_TYPE, true));
    let known = known.map(|known| known.as_array().iter().copied().collect::<Vec<bool>>().into());
    let lists = LargeListArray::try_new(field, OffsetBuffer::from_lengths(lengths), Arc::new(elements), known);
    Ok(Arc::new(lists.map_err(|error| PyValueError::new_err(error.to_string()))?))
}

fn present<T: numpy::Element + Copy>(
    cells: &Bound<'_, PyAny>,
    known: Option<&PyReadonlyArray1<'_, bool>>,
) -> PyResult<Vec<Option<T>>> {
    let cells: PyReadonlyArray1<'_, T> = cells.extract()?;
    let cells = cells.as_array();
    Ok(match known {
        None => cells.iter().map(|cell| Some(*cell)).collect(),
        Some(known) => cells.iter().zip(known.as_array()).map(|(cell, known)| known.then_some(*cell)).collect(),
    })
}
