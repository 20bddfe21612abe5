//! JSON lines: one object per line; the columns are the union of the keys.
//!
//! A first pass infers types from the values as written, later passes decode with `arrow-json`. A value is missing if it is
//! `null` or its key is absent; `"NA"` is text. Columns with an object or a list are not supported.

mod line;
mod scan;

use std::io::BufReader;
use std::sync::Arc;

use arrow_json::ReaderBuilder;
use arrow_schema::SchemaRef;

use super::layout::rows_per_batch;
use super::origin::FileOrigin;
use super::place::{LineMap, RowPlace};
use super::text::text_reader;
use super::{Batches, Format, OpenedTable, TableReader};
use crate::Result;

/// A JSON lines file whose columns are known.
struct JsonLines {
    origin: Arc<FileOrigin>,
    schema: SchemaRef,
    lines: LineMap,
}

/// Returns the JSON lines file `origin` after a first pass over all of it.
pub(crate) fn open(origin: Arc<FileOrigin>) -> Result<OpenedTable> {
    let scan = scan::scan(&origin)?;
    let schema = scan.layout.schema.clone();
    Ok(OpenedTable { layout: scan.layout, table: Box::new(JsonLines { origin, schema, lines: scan.lines }) })
}

impl TableReader for JsonLines {
    fn batches(&self) -> Result<Batches> {
        let origin = self.origin.clone();
        let text = text_reader(origin.reader()?).map_err(|cause| origin.error(cause))?;
        let reader = ReaderBuilder::new(self.schema.clone())
            .with_batch_size(rows_per_batch(self.schema.fields().len()))
            // Numbers in a mixed column become the text that they are in the file.
            .with_coerce_primitive(true)
            .build(BufReader::with_capacity(1 << 16, text))
            .map_err(|cause| origin.decode_error(Format::JsonLines, cause))?;
        Ok(Batches::new(reader.map(move |batch| batch.map_err(|cause| origin.decode_error(Format::JsonLines, cause)))))
    }

    fn place(&self, row: u64) -> RowPlace {
        self.lines.place(row)
    }

    fn yield_types_of(&mut self, schema: &SchemaRef) -> bool {
        self.schema = schema.clone();
        true
    }
}
