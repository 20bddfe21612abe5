//! Later passes over a CSV file: decode cells into arrays of the types that the first pass inferred.

use std::io::Read;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, SchemaRef};

use super::records::{Next, Record, Records};
use crate::input::census::{CellKind, parse_number};
use crate::input::layout::rows_per_batch;
use crate::input::origin::FileOrigin;
use crate::input::place::RowPlace;
use crate::input::text::TextEncoding;
use crate::{Error, Result};

/// Yields the batches of a CSV file.
pub(crate) struct Decoder<R> {
    origin: Arc<FileOrigin>,
    records: Records<R>,
    schema: SchemaRef,
    encoding: TextEncoding,
    builders: Vec<Builder>,
}

impl<R: Read> Decoder<R> {
    pub(crate) fn new(
        origin: Arc<FileOrigin>,
        records: Records<R>,
        schema: SchemaRef,
        encoding: TextEncoding,
    ) -> Decoder<R> {
        let builders = schema.fields().iter().map(|field| Builder::new(field.data_type())).collect();
        Decoder { origin, records, schema, encoding, builders }
    }

    /// Returns the decoder with all non-empty cells of the text column `verbatim` kept as written.
    pub(crate) fn keeping(mut self, verbatim: Option<usize>) -> Decoder<R> {
        if let Some(position) = verbatim {
            self.builders[position] = Builder::Name(StringBuilder::new());
        }
        self
    }

    /// Returns the decoder with the first record skipped.
    pub(crate) fn after_header(mut self) -> Result<Decoder<R>> {
        self.records.next().map_err(|cause| self.origin.error(cause))?;
        Ok(self)
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let mut n_rows = 0;
        while n_rows < rows_per_batch(self.builders.len()) {
            let line = match self.records.next().map_err(|cause| self.origin.error(cause))? {
                Next::End => break,
                Next::TooLong(line) | Next::Unclosed(line) => line,
                Next::Record(record) => {
                    if append(&mut self.builders, &record, self.encoding).is_some() {
                        n_rows += 1;
                        continue;
                    }
                    record.line
                }
            };
            // The first pass accepted this record.
            return Err(Error::Changed { path: self.origin.path().to_owned(), place: RowPlace::Line(line) });
        }
        if n_rows == 0 {
            return Ok(None);
        }
        let columns = self.builders.iter_mut().map(Builder::finish).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), columns);
        batch.map(Some).map_err(|cause| Error::arrow(self.origin.path(), cause))
    }
}

impl<R: Read> Iterator for Decoder<R> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        self.next_batch().transpose()
    }
}

/// Appends the cells of `record`, or returns `None` if they do not match the types of the columns.
fn append(builders: &mut [Builder], record: &Record<'_>, encoding: TextEncoding) -> Option<()> {
    if record.len() != builders.len() {
        return None;
    }
    builders.iter_mut().zip(record.fields()).try_for_each(|(builder, cell)| builder.append(cell, encoding))
}

/// Collects the cells of one column.
enum Builder {
    Integer(Int64Builder),
    Float(Float64Builder),
    Boolean(BooleanBuilder),
    Text(StringBuilder),
    /// Text in which no word means missing.
    Name(StringBuilder),
}

impl Builder {
    fn new(data_type: &DataType) -> Builder {
        match data_type {
            DataType::Int64 => Builder::Integer(Int64Builder::new()),
            DataType::Float64 => Builder::Float(Float64Builder::new()),
            DataType::Boolean => Builder::Boolean(BooleanBuilder::new()),
            _ => Builder::Text(StringBuilder::new()),
        }
    }

    fn append(&mut self, cell: &[u8], encoding: TextEncoding) -> Option<()> {
        if cell.is_empty() || (CellKind::is_missing(cell) && !matches!(self, Builder::Name(_))) {
            self.append_null();
            return Some(());
        }
        match self {
            Builder::Integer(builder) => builder.append_value(std::str::from_utf8(cell).ok()?.parse().ok()?),
            Builder::Float(builder) => builder.append_value(parse_number(cell)?),
            Builder::Boolean(builder) => {
                let is_true = cell.eq_ignore_ascii_case(b"true");
                (is_true || cell.eq_ignore_ascii_case(b"false")).then(|| builder.append_value(is_true))?;
            }
            Builder::Text(builder) | Builder::Name(builder) => builder.append_value(encoding.decode(cell)?),
        }
        Some(())
    }

    fn append_null(&mut self) {
        match self {
            Builder::Integer(builder) => builder.append_null(),
            Builder::Float(builder) => builder.append_null(),
            Builder::Boolean(builder) => builder.append_null(),
            Builder::Text(builder) | Builder::Name(builder) => builder.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Builder::Integer(builder) => Arc::new(builder.finish()),
            Builder::Float(builder) => Arc::new(builder.finish()),
            Builder::Boolean(builder) => Arc::new(builder.finish()),
            Builder::Text(builder) | Builder::Name(builder) => Arc::new(builder.finish()),
        }
    }
}
