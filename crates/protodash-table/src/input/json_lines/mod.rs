//! JSON lines: one object a line; the columns are the union of the keys.
//!
//! A first pass looks at every value as it is written, later passes leave the decoding to `arrow-json`. Missing is
//! `null` or no key at all; text such as `"NA"` is text. Columns that hold an object or a list anywhere are not read.

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
            // Numbers in a mixed column are yielded as the text that they are in the file.
            .with_coerce_primitive(true)
            .build(BufReader::with_capacity(1 << 16, text))
            .map_err(|cause| origin.decode_error(Format::JsonLines, cause))?;
        Ok(Batches::new(reader.map(move |batch| batch.map_err(|cause| origin.decode_error(Format::JsonLines, cause)))))
    }

    fn place(&self, row: u64) -> RowPlace {
        self.lines.place(row)
    }
}
