//! Which columns of Parquet, Arrow IPC and tables in memory become numbers, booleans and text.

use std::path::Path;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::arrow_convert::{ConversionError, converted, converted_type, holds_bytes};
use super::layout::{TableLayout, TypeEvidence};
use super::lists::{self, ListColumns};
use super::{ColumnKind, Format, ReadOptions, RowPlace, TableColumn, UnreadColumn};
use crate::{Error, Result};

/// How the batches of an Arrow schema become those of a [`TableLayout`].
#[derive(Clone, Debug)]
pub(crate) struct Conversion {
    /// The schema after conversion.
    pub(crate) schema: SchemaRef,
    /// The positions of the supported columns in the file.
    pub(crate) kept: Vec<usize>,
    /// For each of them, the number of columns that its lists become; `None` if it has no lists.
    pub(crate) list_lengths: Vec<Option<usize>>,
}

impl Conversion {
    /// Returns the conversion of a file with the given schema, and its layout.
    ///
    /// Columns of unsupported types are omitted and listed in the layout. `read` returns the cells of one column, whose
    /// first list determines the length of all.
    pub(crate) fn new(
        path: &Path,
        format: Format,
        schema: &Schema,
        n_rows: u64,
        options: &ReadOptions,
        read: impl Fn(usize) -> Result<ColumnArrays>,
    ) -> Result<(Conversion, TableLayout)> {
        let (mut kept, mut fields, mut columns, mut unread) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut list_lengths, mut lists) = (Vec::new(), Vec::new());
        for (at, field) in schema.fields().iter().enumerate() {
            let name = field.name().clone();
            let length = match lists::element_type(field.data_type()) {
                Some(element) if options.reads_list(&name) => {
                    lists::length(field.data_type(), read(at)?)?.map(|length| (element, length))
                }
                _ => None,
            };
            let bytes = || holds_bytes(field.data_type()).then_some((ColumnKind::Text, DataType::Binary));
            let shown = if options.shows(&name) { bytes() } else { None };
            match (shown.or_else(|| converted_type(field.data_type())), length) {
                (Some((kind, data_type)), _) => {
                    kept.push(at);
                    list_lengths.push(None);
                    fields.push(Field::new(&name, data_type, true));
                    columns.push(TableColumn { name, kind });
                }
                (None, Some((element, length))) => {
                    kept.push(at);
                    list_lengths.push(Some(length));
                    lists.push(ListColumns { name: name.clone(), columns: fields.len()..fields.len() + length });
                    fields.extend(lists::fields(&name, &element, length));
                    let number = |field: &Field| TableColumn { name: field.name().clone(), kind: ColumnKind::Number };
                    columns.extend(fields[fields.len() - length..].iter().map(number));
                }
                (None, None) => unread.push(UnreadColumn { name, data_type: field.data_type().to_string() }),
            }
        }
        let mut layout = TableLayout::new(path, format, fields, columns, n_rows)?.with_unread(path, unread)?;
        let untyped = schema.fields().iter().filter(|field| field.data_type() == &DataType::Null);
        layout.evidence = TypeEvidence::Declared { untyped: untyped.map(|field| field.name().clone()).collect() };
        layout.lists = lists;
        Ok((Conversion { schema: layout.schema.clone(), kept, list_lengths }, layout))
    }

    /// Returns the number of columns after conversion.
    pub(crate) fn n_columns(&self) -> usize {
        self.schema.fields().len()
    }

    /// Returns the supported columns of `batch`, converted; its first row is row `start` of the file.
    pub(crate) fn apply(&self, path: &Path, start: u64, batch: &RecordBatch) -> Result<RecordBatch> {
        let mut columns = Vec::with_capacity(self.n_columns());
        for (&at, length) in self.kept.iter().zip(&self.list_lengths) {
            let changed = || Error::Changed { path: path.to_owned(), place: RowPlace::Row(start) };
            let (array, field) = (batch.columns().get(at).ok_or_else(changed)?, self.schema.field(columns.len()));
            let convert = |array: &ArrayRef| converted(array).map_err(|error| located(error, path, field, start));
            match length {
                None => columns.push(convert(array)?),
                Some(length) => {
                    let name = field.name().strip_suffix("[0]").unwrap_or(field.name());
                    columns.extend(lists::expand((path, name, start), array, *length, convert)?);
                }
            }
        }
        RecordBatch::try_new(self.schema.clone(), columns).map_err(|cause| Error::arrow(path, cause))
    }
}

/// The arrays of one column, batch by batch.
pub(crate) type ColumnArrays = Box<dyn Iterator<Item = Result<ArrayRef>>>;

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
