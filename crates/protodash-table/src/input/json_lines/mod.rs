//! JSON lines: one object per line; the columns are the union of the keys.
//!
//! A first pass infers types from the values as written, later passes decode them. A value is missing if it is `null` or
//! its key is absent; `"NA"` is text. Columns with an object or a list are not supported. `arrow-json` is not used: it
//! needs `arrow-cast`, and its errors do not name the line.

mod decode;
mod line;
mod scan;

use std::sync::Arc;

use arrow_schema::SchemaRef;

use self::decode::JsonDecoder;
use super::origin::FileOrigin;
use super::place::{LineMap, RowPlace};
use super::text::text_reader;
use super::text_lines::TextLineReader;
use super::{Batches, OpenedTable, TableReader};
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
        Ok(Batches::new(JsonDecoder::new(origin, TextLineReader::new(text), self.schema.clone())))
    }

    fn place(&self, row: u64) -> RowPlace {
        self.lines.place(row)
    }

    fn yield_types_of(&mut self, schema: &SchemaRef) -> bool {
        self.schema = schema.clone();
        true
    }
}
