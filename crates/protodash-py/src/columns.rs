//! Tables that are handed over column by column, as NumPy arrays and lists of text: data frames of pandas.

use std::sync::Arc;

use arrow_array::types::{Float32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, RecordBatch, StringArray, TimestampNanosecondArray,
};
use arrow_schema::{Field, Schema, SchemaRef};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A column: its name, what its cells are, the cells, and which of them are there (all, if nothing is said).
type Column<'py> = (String, String, Bound<'py, PyAny>, Option<PyReadonlyArray1<'py, bool>>);

/// The columns as one batch; messages call the table `name`.
pub(crate) fn batch(name: &str, columns: Vec<Column<'_>>) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (column, kind, cells, known) in columns {
        let array = array(&kind, &cells, known.as_ref())?;
        fields.push(Field::new(column, array.data_type().clone(), true));
        arrays.push(array);
    }
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays);
    let batch = batch.map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
    Ok((schema, vec![batch]))
}

fn array(kind: &str, cells: &Bound<'_, PyAny>, known: Option<&PyReadonlyArray1<'_, bool>>) -> PyResult<ArrayRef> {
    Ok(match kind {
        "float32" => numbers::<Float32Type>(cells, known)?,
        "float64" => numbers::<Float64Type>(cells, known)?,
        "int64" => numbers::<Int64Type>(cells, known)?,
        "uint64" => numbers::<UInt64Type>(cells, known)?,
        "boolean" => Arc::new(BooleanArray::from_iter(present::<bool>(cells, known)?)),
        "text" => Arc::new(StringArray::from(cells.extract::<Vec<Option<String>>>()?)),
        "time" => Arc::new(TimestampNanosecondArray::from_iter(present::<i64>(cells, known)?)),
        "time-utc" => {
            Arc::new(TimestampNanosecondArray::from_iter(present::<i64>(cells, known)?).with_timezone("+00:00"))
        }
        other => return Err(PyTypeError::new_err(format!("there is no kind of column {other:?}"))),
    })
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
