//! Later passes over a CSV file: decode cells into arrays of the types that the first pass inferred.

use std::io::Read;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::records::{Next, Record, Records};
use crate::input::census::CellKind;
use crate::input::column_builder::ColumnBuilder;
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
    columns: Vec<CsvColumn>,
}

impl<R: Read> Decoder<R> {
    pub(crate) fn new(
        origin: Arc<FileOrigin>,
        records: Records<R>,
        schema: SchemaRef,
        encoding: TextEncoding,
    ) -> Decoder<R> {
        let builders = schema.fields().iter().map(|field| ColumnBuilder::new(field.data_type()));
        let columns = builders.map(|builder| CsvColumn { builder, is_verbatim: false }).collect();
        Decoder { origin, records, schema, encoding, columns }
    }

    /// Returns the decoder with all non-empty cells of the text column `verbatim` kept as written.
    pub(crate) fn keeping(mut self, verbatim: Option<usize>) -> Decoder<R> {
        if let Some(position) = verbatim {
            self.columns[position].is_verbatim = true;
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
        while n_rows < rows_per_batch(self.columns.len()) {
            let line = match self.records.next().map_err(|cause| self.origin.error(cause))? {
                Next::End => break,
                Next::TooLong(line) | Next::Unclosed(line) => line,
                Next::Record(record) => {
                    if append(&mut self.columns, &record, self.encoding).is_some() {
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
        let columns = self.columns.iter_mut().map(|column| column.builder.finish()).collect();
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
fn append(columns: &mut [CsvColumn], record: &Record<'_>, encoding: TextEncoding) -> Option<()> {
    if record.len() != columns.len() {
        return None;
    }
    columns.iter_mut().zip(record.fields()).try_for_each(|(column, cell)| column.append(cell, encoding))
}

/// Collects the cells of one column.
struct CsvColumn {
    builder: ColumnBuilder,
    /// Whether no word means missing.
    is_verbatim: bool,
}

impl CsvColumn {
    fn append(&mut self, cell: &[u8], encoding: TextEncoding) -> Option<()> {
        if cell.is_empty() || (CellKind::is_missing(cell) && !self.is_verbatim) {
            self.builder.append_null();
            return Some(());
        }
        self.builder.append(&encoding.decode(cell)?)
    }
}
