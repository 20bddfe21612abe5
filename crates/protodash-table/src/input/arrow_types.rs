//! Conversion of Arrow types to numbers, booleans and text, for Parquet, Arrow IPC and tables in memory.

use std::path::Path;

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::display::array_value_to_string;
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::layout::{TableLayout, TypeEvidence};
use super::lists::{self, ListColumns};
use super::{ColumnKind, Format, ReadOptions, RowPlace, TableColumn, UnreadColumn};
use crate::{Error, Result};

/// Returns kind and type of a column of type `from` after conversion, or `None` if it is not supported.
///
/// Lists of numbers are not supported here, but become as many columns; see [`lists`]. Integers, `Float32`, `Float64`, booleans and `Utf8` are not converted. Half floats become `Float32`. Decimals become
/// `Int64` without fractional digits and `Float64` with them. Dates, times and timestamps become ISO 8601 text, in UTC
/// where they have a time zone; durations become `Int64` in their own unit. Dictionaries and runs become their values,
/// and a column of nothing but nulls becomes `Float64`.
fn yielded(from: &DataType) -> Option<(ColumnKind, DataType)> {
    use DataType::*;
    Some(match from {
        Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 | Float32 | Float64 => {
            (ColumnKind::Number, from.clone())
        }
        Float16 => (ColumnKind::Number, Float32),
        Null => (ColumnKind::Number, Float64),
        Decimal32(_, scale) | Decimal64(_, scale) | Decimal128(_, scale) | Decimal256(_, scale) => {
            (ColumnKind::Number, if *scale > 0 { Float64 } else { Int64 })
        }
        Duration(_) => (ColumnKind::Number, Int64),
        Boolean => (ColumnKind::Boolean, Boolean),
        Utf8 | LargeUtf8 | Utf8View | Date32 | Date64 | Time32(_) | Time64(_) | Timestamp(_, _) => {
            (ColumnKind::Text, Utf8)
        }
        Dictionary(_, values) => return yielded(values),
        RunEndEncoded(_, values) => return yielded(values.data_type()),
        _ => return None,
    })
}

/// How the batches of an Arrow schema become those of a [`TableLayout`].
#[derive(Clone, Debug)]
pub(crate) struct Conversion {
    /// The schema after conversion.
    pub(crate) schema: SchemaRef,
    /// The positions of the supported columns in the file.
    pub(crate) kept: Vec<usize>,
    /// For each of them the number of columns that its lists become; `None` if it has none.
    pub(crate) list_lengths: Vec<Option<usize>>,
}

impl Conversion {
    /// Returns the conversion of a file with the given schema, and its layout.
    ///
    /// Columns of unsupported types are omitted and listed in the layout. `read` returns the cells of one column, of which
    /// the first list tells the length of all.
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
            match (yielded(field.data_type()), length) {
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
            let cell = |row: u64| (path, field.name().as_str(), start + row);
            match length {
                None => columns.push(convert(array, field.data_type(), &cell)?),
                Some(length) => {
                    let name = field.name().strip_suffix("[0]").unwrap_or(field.name());
                    let of_elements = |values: &ArrayRef| convert(values, field.data_type(), &cell);
                    columns.extend(lists::expand((path, name, start), array, *length, of_elements)?);
                }
            }
        }
        RecordBatch::try_new(self.schema.clone(), columns).map_err(|cause| Error::arrow(path, cause))
    }
}

/// The arrays of one column, batch by batch.
pub(crate) type ColumnArrays = Box<dyn Iterator<Item = Result<ArrayRef>>>;

/// The position of a cell: file, column, and row counted from 0.
type CellPosition<'a> = (&'a Path, &'a str, u64);

/// Returns `array` converted to `to`; `cell` returns the position of a row.
fn convert<'a>(array: &ArrayRef, to: &DataType, cell: &dyn Fn(u64) -> CellPosition<'a>) -> Result<ArrayRef> {
    match array.data_type() {
        from if from == to => Ok(array.clone()),
        DataType::Dictionary(_, values) => convert(&cast(array, values, cell)?, to, cell),
        DataType::RunEndEncoded(_, values) => convert(&cast(array, values.data_type(), cell)?, to, cell),
        // Named zones would need a time zone database; the instant is the same in UTC.
        DataType::Timestamp(unit, Some(zone)) if zone.as_ref() != "+00:00" => {
            let utc = DataType::Timestamp(*unit, Some("+00:00".into()));
            convert(&cast(array, &utc, cell)?, to, cell)
        }
        _ => cast(array, to, cell),
    }
}

/// Returns `array` cast to `to`.
///
/// # Errors
///
/// [`Error::OutOfRange`] for the first cell that `to` cannot represent.
fn cast<'a>(array: &ArrayRef, to: &DataType, cell: &dyn Fn(u64) -> CellPosition<'a>) -> Result<ArrayRef> {
    let arrow_error = |cause| Error::arrow(cell(0).0, cause);
    // A safe cast returns null for values that do not fit, which shows where they are.
    let options = CastOptions { safe: true, ..CastOptions::default() };
    let result = cast_with_options(array, to, &options).map_err(arrow_error)?;
    if result.logical_null_count() == array.logical_null_count() {
        return Ok(result);
    }
    let (before, after) = (array.logical_nulls(), result.logical_nulls());
    let is_null =
        |nulls: &Option<arrow_buffer::NullBuffer>, row| nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
    let lost = (0..array.len()).find(|&row| is_null(&after, row) && !is_null(&before, row));
    let row = lost.unwrap_or_default();
    let (path, column, file_row) = cell(row as u64);
    Err(Error::OutOfRange {
        path: path.to_owned(),
        place: RowPlace::Row(file_row),
        column: column.to_owned(),
        value: array_value_to_string(array, row).unwrap_or_else(|_| array.data_type().to_string()),
        allowed: allowed(to),
    })
}

/// Returns a description of the values that `to` can represent.
fn allowed(to: &DataType) -> &'static str {
    match to {
        DataType::Int64 => "integers of 64 bits",
        DataType::Utf8 => "dates of the years -262143 to 262142",
        _ => "finite numbers",
    }
}
