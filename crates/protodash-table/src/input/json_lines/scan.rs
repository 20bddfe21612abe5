//! The first pass over a JSON lines file: collects the keys, infers types, and rejects invalid lines.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::line::{JsonValue, parse_line};
use crate::input::census::{CellKind, Census, CountedColumn};
use crate::input::layout::TableLayout;
use crate::input::origin::FileOrigin;
use crate::input::place::LineMap;
use crate::input::text::{TextEncoding, text_reader};
use crate::input::{Format, UnreadColumn};
use crate::{Error, Result};

/// The maximum length of a line, so that a file without line breaks is not read into memory.
const LINE_LIMIT: usize = 1 << 28;

/// The result of the first pass.
pub(crate) struct JsonScan {
    pub(crate) layout: TableLayout,
    pub(crate) lines: LineMap,
}

/// Scans all of `origin`.
pub(crate) fn scan(origin: &FileOrigin) -> Result<JsonScan> {
    let text = text_reader(origin.reader()?).map_err(|cause| origin.error(cause))?;
    let mut reader = BufReader::with_capacity(1 << 16, text);
    let (mut pass, mut buffer, mut line) = (JsonPass::default(), Vec::new(), 0);
    while read_line(&mut reader, &mut buffer).map_err(|cause| origin.error(cause))? {
        line += 1;
        if buffer.len() > LINE_LIMIT {
            return Err(Error::RecordTooLong { path: origin.path().to_owned(), line, limit: LINE_LIMIT });
        }
        let text = buffer.trim_ascii_end();
        if !text.is_empty() {
            pass.add(line, text).map_err(|cause| json_error(origin.path(), line, &cause))?;
        }
    }
    pass.finish(origin.path())
}

/// Reads the next line into `buffer`, up to the limit, and returns whether there was one.
fn read_line(reader: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<bool> {
    buffer.clear();
    Ok(reader.take(LINE_LIMIT as u64 + 1).read_until(b'\n', buffer)? > 0)
}

fn json_error(path: &Path, line: u64, cause: &serde_json::Error) -> Error {
    // The parser sees one line at a time and counts each as the first.
    let position = format!(" at line {} column {}", cause.line(), cause.column());
    let problem = cause.to_string().replace(&position, "");
    Error::Json { path: path.to_owned(), line, character: cause.column().max(1), problem }
}

/// The state of the pass.
#[derive(Default)]
struct JsonPass {
    keys: Vec<KeySummary>,
    positions: HashMap<String, usize>,
    n_rows: u64,
    lines: LineMap,
}

/// The state of one key.
struct KeySummary {
    name: String,
    census: Census,
    nested: Option<&'static str>,
    /// The last row with this key, to detect repetitions within a row.
    last_row: Option<u64>,
}

impl JsonPass {
    fn add(&mut self, line: u64, text: &[u8]) -> serde_json::Result<()> {
        let row = self.n_rows;
        let mut expected = 0;
        parse_line(text, &mut |name, value| {
            let at = self.position(name, expected);
            expected = at + 1;
            self.keys[at].add(row, value)
        })?;
        self.lines.note(row, line);
        self.n_rows += 1;
        Ok(())
    }

    /// Returns the position of `name` among the keys, which is usually `expected`.
    fn position(&mut self, name: &str, expected: usize) -> usize {
        if self.keys.get(expected).is_some_and(|key| key.name == name) {
            return expected;
        }
        if let Some(&at) = self.positions.get(name) {
            return at;
        }
        let name = name.to_owned();
        self.positions.insert(name.clone(), self.keys.len());
        self.keys.push(KeySummary { name, census: Census::default(), nested: None, last_row: None });
        self.keys.len() - 1
    }

    fn finish(self, path: &Path) -> Result<JsonScan> {
        if self.n_rows == 0 {
            return Err(Error::Empty { path: path.to_owned() });
        }
        let (nested, counted): (Vec<_>, Vec<_>) = self.keys.into_iter().partition(|key| key.nested.is_some());
        let unread = nested.into_iter().map(|key| {
            let data_type = key.nested.unwrap_or_default().to_owned();
            UnreadColumn { name: key.name, data_type }
        });
        let columns = counted.into_iter().map(|key| CountedColumn {
            name: key.name,
            census: key.census.decoded(TextEncoding::Utf8),
            holds_names: false,
        });
        let layout = TableLayout::inferred(path, Format::JsonLines, columns.collect(), self.n_rows)?;
        Ok(JsonScan { layout: layout.with_unread(path, unread.collect())?, lines: self.lines })
    }
}

impl KeySummary {
    fn add(&mut self, row: u64, value: JsonValue<'_>) -> std::result::Result<(), String> {
        if self.last_row.replace(row) == Some(row) {
            return Err(format!("key {:?} is repeated", self.name));
        }
        match value {
            JsonValue::Cell(cell) => self.census.count(row, cell, Vec::new),
            JsonValue::Boolean(value) => self.census.count(row, CellKind::Boolean, || value.to_string().into_bytes()),
            JsonValue::Text(text) => self.census.count(row, CellKind::Text, || text.into_owned().into_bytes()),
            JsonValue::Nested(nested) => self.nested = self.nested.or(Some(nested)),
        }
        Ok(())
    }
}
