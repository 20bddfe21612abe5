//! Later passes over a JSON lines file: decode values into arrays of the types that the first pass inferred.

use std::io::Read;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::line::{JsonValue, KeyPositions, parse_line};
use crate::input::column_builder::ColumnBuilder;
use crate::input::layout::rows_per_batch;
use crate::input::origin::FileOrigin;
use crate::input::place::RowPlace;
use crate::input::text_lines::TextLineReader;
use crate::{Error, Result};

/// Yields the batches of a JSON lines file.
pub(crate) struct JsonDecoder<R> {
    origin: Arc<FileOrigin>,
    lines: TextLineReader<R>,
    schema: SchemaRef,
    keys: KeyPositions,
    columns: Vec<JsonColumn>,
}

/// The values of one key.
struct JsonColumn {
    builder: ColumnBuilder,
    /// Whether the row that is being read has the key.
    is_filled: bool,
}

impl<R: Read> JsonDecoder<R> {
    pub(crate) fn new(origin: Arc<FileOrigin>, lines: TextLineReader<R>, schema: SchemaRef) -> JsonDecoder<R> {
        let builders = schema.fields().iter().map(|field| ColumnBuilder::new(field.data_type()));
        let columns = builders.map(|builder| JsonColumn { builder, is_filled: false }).collect();
        let keys = schema.fields().iter().map(|field| field.name().clone()).collect();
        JsonDecoder { origin, lines, schema, keys, columns }
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let mut n_rows = 0;
        while n_rows < rows_per_batch(self.columns.len()) {
            let Some((line, text)) = self.lines.next(&self.origin)? else { break };
            let (keys, columns) = (&self.keys, &mut self.columns);
            let mut expected = 0;
            let parsed = parse_line(text, &mut |name, value| {
                // Keys with objects or lists are not in the schema.
                let Some(at) = keys.position(name, expected) else { return Ok(()) };
                expected = at + 1;
                columns[at].append(&value).ok_or_else(|| "another type than before".to_owned())
            });
            // The first pass accepted this line.
            let changed = |_| Error::Changed { path: self.origin.path().to_owned(), place: RowPlace::Line(line) };
            parsed.map_err(changed)?;
            self.columns.iter_mut().for_each(JsonColumn::end_row);
            n_rows += 1;
        }
        if n_rows == 0 {
            return Ok(None);
        }
        let columns = self.columns.iter_mut().map(|column| column.builder.finish()).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), columns);
        batch.map(Some).map_err(|cause| Error::arrow(self.origin.path(), cause))
    }
}

impl<R: Read> Iterator for JsonDecoder<R> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        self.next_batch().transpose()
    }
}

impl JsonColumn {
    /// Appends a value, or returns `None` if it does not fit; numbers in a text column stay as they are written.
    fn append(&mut self, value: &JsonValue<'_>) -> Option<()> {
        if std::mem::replace(&mut self.is_filled, true) {
            return None;
        }
        match value {
            JsonValue::Missing => self.builder.append_null(),
            JsonValue::Number(number) => self.builder.append(number)?,
            JsonValue::Boolean(value) => self.builder.append(if *value { "true" } else { "false" })?,
            JsonValue::Text(text) => match &mut self.builder {
                ColumnBuilder::Text(builder) => builder.append_value(text),
                _ => return None,
            },
            JsonValue::Nested(_) => return None,
        }
        Some(())
    }

    /// A key that the row does not have is missing.
    fn end_row(&mut self) {
        if !std::mem::take(&mut self.is_filled) {
            self.builder.append_null();
        }
    }
}
