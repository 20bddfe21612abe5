//! Tables with the Arrow C stream interface (PyCapsule): polars, pyarrow, DuckDB and others.

use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Returns schema and batches of a table; messages call it `name`.
pub(crate) fn batches(name: &str, table: &Bound<'_, PyAny>) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let refused =
        |error: ArrowError| PyValueError::new_err(format!("{name}: its Arrow stream cannot be read: {error}"));
    // Early versions of polars require the argument for a requested schema.
    let capsule = table.call_method1("__arrow_c_stream__", (table.py().None(),))?;
    let reader = reader(capsule.cast::<PyCapsule>()?)?.map_err(refused)?;
    let schema = reader.schema();
    let batches = reader.collect::<Result<_, _>>().map_err(refused)?;
    Ok((schema, batches))
}

/// Takes the stream out of a capsule.
#[expect(unsafe_code, reason = "the interface is a pointer to a C struct; there is no other way to take it over")]
fn reader(capsule: &Bound<'_, PyCapsule>) -> PyResult<Result<RecordBatchStreamReader, ArrowError>> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds a valid ArrowArrayStream, and the GIL is held, so no other thread takes it.
    // `from_raw` leaves a released stream behind, which the capsule will not release again.
    Ok(unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr().cast::<FFI_ArrowArrayStream>()) })
}
