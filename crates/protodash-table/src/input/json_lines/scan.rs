//! The first pass over a JSON lines file: collects the keys, infers types, and rejects invalid lines.

use std::path::Path;

use super::line::{JsonValue, KeyPositions, parse_line};
use crate::input::census::{CellKind, Census, CountedColumn};
use crate::input::layout::TableLayout;
use crate::input::origin::FileOrigin;
use crate::input::place::LineMap;
use crate::input::text::{TextEncoding, text_reader};
use crate::input::text_lines::TextLineReader;
use crate::input::{Format, UnreadColumn};
use crate::{Error, Result};

/// The result of the first pass.
pub(crate) struct JsonScan {
    pub(crate) layout: TableLayout,
    pub(crate) lines: LineMap,
}

/// Scans all of `origin`.
pub(crate) fn scan(origin: &FileOrigin) -> Result<JsonScan> {
    let text = text_reader(origin.reader()?).map_err(|cause| origin.error(cause))?;
    let (mut pass, mut lines) = (JsonPass::default(), TextLineReader::new(text));
    while let Some((line, text)) = lines.next(origin)? {
        pass.add(line, text).map_err(|cause| json_error(origin.path(), line, &cause))?;
    }
    pass.finish(origin.path())
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
    positions: KeyPositions,
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
        self.positions.position(name, expected).unwrap_or_else(|| {
            self.keys.push(KeySummary {
                name: name.to_owned(),
                census: Census::default(),
                nested: None,
                last_row: None,
            });
            self.positions.push(name)
        })
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
            JsonValue::Missing => (),
            JsonValue::Number(number) => self.census.count(row, CellKind::of(number.as_bytes()), Vec::new),
            JsonValue::Boolean(value) => self.census.count(row, CellKind::Boolean, || value.to_string().into_bytes()),
            JsonValue::Text(text) => self.census.count(row, CellKind::Text, || text.into_owned().into_bytes()),
            JsonValue::Nested(nested) => self.nested = self.nested.or(Some(nested)),
        }
        Ok(())
    }
}
