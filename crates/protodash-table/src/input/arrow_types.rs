//! Which columns of Parquet, Arrow IPC and tables in memory become numbers, booleans and text.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::arrow_convert::{ConversionError, converted, converted_type};
use super::layout::TableLayout;
use super::{Format, RowPlace, TableColumn, UnreadColumn};
use crate::{Error, Result};

/// How the batches of an Arrow schema become those of a [`TableLayout`].
#[derive(Clone, Debug)]
pub(crate) struct Conversion {
    /// The schema after conversion.
    pub(crate) schema: SchemaRef,
    /// The positions of the supported columns in the file.
    pub(crate) kept: Vec<usize>,
}

impl Conversion {
    /// Returns the conversion of a file with the given schema, and its layout.
    ///
    /// Columns of unsupported types are omitted and listed in the layout.
    pub(crate) fn new(path: &Path, format: Format, schema: &Schema, n_rows: u64) -> Result<(Conversion, TableLayout)> {
        let (mut kept, mut fields, mut columns, mut unread) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, field) in schema.fields().iter().enumerate() {
            let name = field.name().clone();
            match converted_type(field.data_type()) {
                Some((kind, data_type)) => {
                    kept.push(at);
                    fields.push(Field::new(&name, data_type, true));
                    columns.push(TableColumn { name, kind });
                }
                None => unread.push(UnreadColumn { name, data_type: field.data_type().to_string() }),
            }
        }
        let layout = TableLayout::new(path, format, fields, columns, n_rows)?.with_unread(path, unread)?;
        Ok((Conversion { schema: layout.schema.clone(), kept }, layout))
    }

    /// Returns the supported columns of `batch`, converted; its first row is row `start` of the file.
    pub(crate) fn apply(&self, path: &Path, start: u64, batch: &RecordBatch) -> Result<RecordBatch> {
        let kept = self.kept.iter().map(|&at| batch.columns().get(at));
        let convert = |(array, field): (Option<&ArrayRef>, &Arc<Field>)| match array {
            Some(array) => converted(array).map_err(|error| located(error, path, field, start)),
            None => Err(Error::Changed { path: path.to_owned(), place: RowPlace::Row(start) }),
        };
        let columns = kept.zip(self.schema.fields()).map(convert).collect::<Result<_>>()?;
        RecordBatch::try_new(self.schema.clone(), columns).map_err(|cause| Error::arrow(path, cause))
    }
}

/// Returns the error of a conversion to `field`, with file, row and column; the array begins at row `start` of the file.
fn located(error: ConversionError, path: &Path, field: &Field, start: u64) -> Error {
    match error {
        ConversionError::Arrow(cause) => Error::arrow(path, cause),
        ConversionError::OutOfRange { row, value } => Error::OutOfRange {
            path: path.to_owned(),
            place: RowPlace::Row(start + row as u64),
            column: field.name().clone(),
            value,
            allowed: allowed(field.data_type()),
        },
    }
}

/// Returns a description of the values that `to` can represent.
fn allowed(to: &DataType) -> &'static str {
    match to {
        DataType::Int64 => "integers of 64 bits",
        DataType::Utf8 => "dates of the years -262143 to 262142",
        _ => "finite numbers",
    }
}
