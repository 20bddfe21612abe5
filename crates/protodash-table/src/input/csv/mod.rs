//! CSV, TSV and the like: a first pass infers the type of each column, later passes decode the columns.
//!
//! `csv-core`, the splitter behind `arrow-csv`, splits the text. `arrow-csv` itself is not used because it cannot report
//! the line and the number of fields of a record, has no mixed columns, and would turn `00123` into 123. Blank lines are
//! skipped, cells and names are trimmed, and decimal commas are not converted.

mod decode;
mod header;
mod records;
mod scan;
mod sniff;

use std::io::{self, Read};
use std::sync::Arc;

use arrow_schema::{DataType, SchemaRef};

use self::decode::Decoder;
use self::records::Records;
use self::scan::{CsvScan, NameColumns};
use super::origin::FileOrigin;
use super::place::{LineMap, RowPlace};
use super::text::{TextEncoding, text_reader};
use super::{Batches, Head, OpenedTable, ReadOptions, TableReader};
use crate::{Error, Result};

/// A CSV file whose columns are known.
#[derive(Debug)]
struct Csv {
    origin: Arc<FileOrigin>,
    dialect: Dialect,
    encoding: TextEncoding,
    schema: SchemaRef,
    lines: LineMap,
    /// The id column, whose cells are kept as written if they are text.
    id: Option<usize>,
}

/// How to split the file.
#[derive(Clone, Copy, Debug)]
struct Dialect {
    delimiter: u8,
    header: bool,
}

/// Returns the CSV file `origin`, which begins with `head`, after a first pass over all of it.
pub(crate) fn open(origin: Arc<FileOrigin>, head: &Head, options: &ReadOptions) -> Result<OpenedTable> {
    let delimiter = match options.delimiter {
        Some(delimiter) if !delimiter.is_ascii() || b"\"\r\n".contains(&delimiter) => {
            return Err(Error::Delimiter { delimiter });
        }
        Some(delimiter) => delimiter,
        None => sniff(head).map_err(|cause| origin.error(cause))?,
    };
    let dialect = Dialect { delimiter, header: options.header };
    let names = NameColumns { id: options.id.as_deref(), label: options.label.as_deref() };
    let CsvScan { layout, lines, encoding, id } = scan::scan(&origin, dialect, names)?;
    let schema = layout.schema.clone();
    Ok(OpenedTable { layout, table: Box::new(Csv { origin, dialect, encoding, schema, lines, id }) })
}

impl TableReader for Csv {
    fn batches(&self) -> Result<Batches> {
        let records = open_records(&self.origin, self.dialect)?;
        let decoder = Decoder::new(self.origin.clone(), records, self.schema.clone(), self.encoding);
        let decoder = decoder.keeping(self.id.filter(|&at| self.schema.field(at).data_type() == &DataType::Utf8));
        Ok(Batches::new(if self.dialect.header { decoder.after_header()? } else { decoder }))
    }

    fn place(&self, row: u64) -> RowPlace {
        self.lines.place(row)
    }

    fn yield_types_of(&mut self, schema: &SchemaRef) -> bool {
        self.schema = schema.clone();
        true
    }

    fn delimiter(&self) -> Option<u8> {
        Some(self.dialect.delimiter)
    }
}

fn sniff(head: &Head) -> io::Result<u8> {
    let mut text = Vec::new();
    text_reader(Box::new(io::Cursor::new(head.bytes.clone())))?.read_to_end(&mut text)?;
    Ok(sniff::sniff_delimiter(&text, head.is_all))
}

fn open_records(origin: &FileOrigin, dialect: Dialect) -> Result<Records<Box<dyn Read + Send>>> {
    let text = text_reader(origin.reader()?).map_err(|cause| origin.error(cause))?;
    Ok(Records::new(text, dialect.delimiter))
}
