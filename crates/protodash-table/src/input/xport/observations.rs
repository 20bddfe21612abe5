//! The observations of a data set as batches.

use std::io::{BufReader, Read};
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;

use super::data_set::{Variable, XportDataSet, skip};
use super::float::number;
use crate::input::layout::rows_per_batch;
use crate::input::origin::FileOrigin;
use crate::input::text::TextEncoding;
use crate::{Error, Result};

/// Yields the observations of one data set.
pub(crate) struct Observations {
    origin: Arc<FileOrigin>,
    data_set: Arc<XportDataSet>,
    schema: SchemaRef,
    reader: BufReader<Box<dyn Read + Send>>,
    n_left: u64,
    buffer: Vec<u8>,
}

impl Observations {
    pub(crate) fn open(
        origin: Arc<FileOrigin>,
        data_set: Arc<XportDataSet>,
        schema: SchemaRef,
    ) -> Result<Observations> {
        let reader = BufReader::with_capacity(1 << 16, skip(&origin, data_set.start)?);
        let n_left = data_set.n_rows;
        Ok(Observations { origin, data_set, schema, reader, n_left, buffer: Vec::new() })
    }

    fn next_batch(&mut self) -> Result<RecordBatch> {
        let row_len = self.data_set.row_len();
        let n = self.n_left.min(rows_per_batch(row_len / 8) as u64);
        self.buffer.resize(n as usize * row_len, 0);
        self.reader.read_exact(&mut self.buffer).map_err(|cause| self.origin.error(cause))?;
        self.n_left -= n;
        let mut start = 0;
        let mut columns = Vec::with_capacity(self.data_set.variables.len());
        for variable in &self.data_set.variables {
            let values = self.buffer.chunks_exact(row_len).map(|row| &row[start..start + variable.length]);
            columns.push(column(variable, values));
            start += variable.length;
        }
        RecordBatch::try_new(self.schema.clone(), columns).map_err(|cause| Error::arrow(self.origin.path(), cause))
    }
}

impl Iterator for Observations {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        (self.n_left > 0).then(|| self.next_batch())
    }
}

fn column<'a>(variable: &Variable, values: impl Iterator<Item = &'a [u8]>) -> ArrayRef {
    if variable.is_text {
        let mut builder = StringBuilder::new();
        for value in values {
            let value = value.trim_ascii();
            let text = TextEncoding::Utf8.decode(value).or_else(|| TextEncoding::Windows1252.decode(value));
            builder.append_option(text.filter(|text| !text.is_empty()));
        }
        return Arc::new(builder.finish());
    }
    let mut builder = Float64Builder::new();
    values.for_each(|value| builder.append_option(number(value)));
    Arc::new(builder.finish())
}
