//! The first pass over a JSON lines file: which keys there are, what their values are, and whether every line is valid.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use arrow_schema::Field;

use super::line::{Value, parse_line};
use crate::input::census::{Cell, Census};
use crate::input::layout::Layout;
use crate::input::origin::Origin;
use crate::input::place::LineMap;
use crate::input::text::{Encoding, text_reader};
use crate::input::{Column, Format, UnreadColumn};
use crate::{Error, Note, Result};

/// The longest line: a file without line breaks must not be read into memory whole.
const LINE_LIMIT: usize = 1 << 28;

/// What the first pass found.
pub(crate) struct Scan {
    pub(crate) layout: Layout,
    pub(crate) lines: LineMap,
}

/// Returns what a pass over all of `origin` finds.
pub(crate) fn scan(origin: &Origin) -> Result<Scan> {
    let text = text_reader(origin.reader()?).map_err(|cause| origin.error(cause))?;
    let mut reader = BufReader::with_capacity(1 << 16, text);
    let (mut tally, mut buffer, mut line) = (Tally::default(), Vec::new(), 0);
    while read_line(&mut reader, &mut buffer).map_err(|cause| origin.error(cause))? {
        line += 1;
        if buffer.len() > LINE_LIMIT {
            return Err(Error::RecordTooLong { path: origin.path().to_owned(), line, limit: LINE_LIMIT });
        }
        let text = buffer.trim_ascii_end();
        if !text.is_empty() {
            tally.add(line, text).map_err(|cause| json_error(origin.path(), line, &cause))?;
        }
    }
    tally.finish(origin.path())
}

/// Reads the next line into `buffer` and tells whether there was one; of a line beyond the limit, only the beginning.
fn read_line(reader: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<bool> {
    buffer.clear();
    Ok(reader.take(LINE_LIMIT as u64 + 1).read_until(b'\n', buffer)? > 0)
}

fn json_error(path: &Path, line: u64, cause: &serde_json::Error) -> Error {
    // The parser sees one line at a time and calls each the first.
    let position = format!(" at line {} column {}", cause.line(), cause.column());
    let problem = cause.to_string().replace(&position, "");
    Error::Json { path: path.to_owned(), line, character: cause.column().max(1), problem }
}

/// What is known after some of the lines.
#[derive(Default)]
struct Tally {
    keys: Vec<KeyTally>,
    positions: HashMap<String, usize>,
    n_rows: u64,
    lines: LineMap,
}

/// What is known of one key.
struct KeyTally {
    name: String,
    census: Census,
    nested: Option<&'static str>,
    /// How many rows had been seen when the key last came, to notice that it comes twice in one.
    last_row: Option<u64>,
}

impl Tally {
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

    /// Returns the position of `name` among the keys, which mostly is the one after the last.
    fn position(&mut self, name: &str, expected: usize) -> usize {
        if self.keys.get(expected).is_some_and(|key| key.name == name) {
            return expected;
        }
        if let Some(&at) = self.positions.get(name) {
            return at;
        }
        let name = name.to_owned();
        self.positions.insert(name.clone(), self.keys.len());
        self.keys.push(KeyTally { name, census: Census::default(), nested: None, last_row: None });
        self.keys.len() - 1
    }

    fn finish(self, path: &Path) -> Result<Scan> {
        if self.n_rows == 0 {
            return Err(Error::Empty { path: path.to_owned() });
        }
        let (mut fields, mut columns, mut unread, mut notes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for KeyTally { name, census, nested, .. } in self.keys {
            if let Some(nested) = nested {
                unread.push(UnreadColumn { name, data_type: nested.to_owned() });
                continue;
            }
            let verdict = census.verdict(Encoding::Utf8);
            if verdict.long_integers {
                notes.push(Note::long_integers(&name));
            }
            fields.push(Field::new(&name, verdict.data_type, true));
            columns.push(Column { name, kind: verdict.kind });
        }
        let layout = Layout::new(path, Format::JsonLines, fields, columns, self.n_rows)?;
        Ok(Scan { layout: layout.with_notes(notes).with_unread(path, unread)?, lines: self.lines })
    }
}

impl KeyTally {
    fn add(&mut self, row: u64, value: Value<'_>) -> std::result::Result<(), String> {
        if self.last_row.replace(row) == Some(row) {
            return Err(format!("the key {:?} comes twice", self.name));
        }
        match value {
            Value::Cell(cell) => self.census.count(row, cell, Vec::new),
            Value::Boolean(value) => self.census.count(row, Cell::Boolean, || value.to_string().into_bytes()),
            Value::Text(text) => self.census.count(row, Cell::Text, || text.into_owned().into_bytes()),
            Value::Nested(nested) => self.nested = self.nested.or(Some(nested)),
        }
        Ok(())
    }
}
