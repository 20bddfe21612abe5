//! The first pass over a CSV file: counts rows, infers types and encoding, and rejects ragged lines.

use std::path::Path;

use super::header::Header;
use super::records::{Next, RECORD_LIMIT, Record};
use super::{Dialect, open_records};
use crate::advice::Note;
use crate::hint;
use crate::input::Format;
use crate::input::census::{Census, CountedColumn};
use crate::input::layout::TableLayout;
use crate::input::origin::FileOrigin;
use crate::input::place::LineMap;
use crate::input::text::TextEncoding;
use crate::names::{Lookup, look_up};
use crate::{Error, Result};

/// The result of the first pass.
pub(crate) struct CsvScan {
    pub(crate) layout: TableLayout,
    pub(crate) lines: LineMap,
    pub(crate) encoding: TextEncoding,
    /// The id column.
    pub(crate) id: Option<usize>,
}

/// The columns whose cells name rows or classes, where `1.10` is not the number 1.1.
#[derive(Clone, Copy)]
pub(crate) struct NameColumns<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) label: Option<&'a str>,
}

/// Scans all of `origin`.
pub(crate) fn scan(origin: &FileOrigin, dialect: Dialect, names: NameColumns<'_>) -> Result<CsvScan> {
    let mut records = open_records(origin, dialect)?;
    let mut pass: Option<CsvPass> = None;
    loop {
        match (records.next().map_err(|cause| origin.error(cause))?, &mut pass) {
            (Next::End, _) => break,
            (Next::TooLong(line), _) => {
                return Err(Error::RecordTooLong { path: origin.path().to_owned(), line, limit: RECORD_LIMIT });
            }
            (Next::Unclosed(line), _) => return Err(Error::UnclosedQuote { path: origin.path().to_owned(), line }),
            (Next::Record(first), None) => pass = Some(CsvPass::new(&first, dialect)),
            (Next::Record(record), Some(pass)) => pass.add(origin.path(), &record)?,
        }
    }
    let pass = pass.ok_or_else(|| Error::Empty { path: origin.path().to_owned() })?;
    pass.finish(origin.path(), names)
}

/// The state of the pass.
struct CsvPass {
    header: Header,
    delimiter: u8,
    columns: Vec<Census>,
    n_rows: u64,
    lines: LineMap,
    /// The first line that is not UTF-8.
    foreign_line: Option<u64>,
    /// The line after the last record.
    next_line: u64,
    n_blank_lines: u64,
}

impl CsvPass {
    fn new(first: &Record<'_>, dialect: Dialect) -> CsvPass {
        let header = Header::new(first, dialect.header);
        let columns = vec![Census::default(); header.n_fields];
        let mut pass = CsvPass {
            header,
            delimiter: dialect.delimiter,
            columns,
            n_rows: 0,
            lines: LineMap::default(),
            foreign_line: None,
            next_line: first.line + first.n_lines,
            n_blank_lines: 0,
        };
        pass.check_encoding(first);
        if !dialect.header {
            pass.count(first);
        }
        pass
    }

    fn add(&mut self, path: &Path, record: &Record<'_>) -> Result<()> {
        if record.len() != self.header.n_fields {
            return Err(Error::Ragged {
                path: path.to_owned(),
                line: record.line,
                found: record.len(),
                first_line: self.header.line,
                expected: self.header.n_fields,
                n_lines: record.n_lines,
                delimiter: self.delimiter,
            });
        }
        self.n_blank_lines += record.line.saturating_sub(self.next_line);
        self.next_line = record.line + record.n_lines;
        self.check_encoding(record);
        self.count(record);
        Ok(())
    }

    fn count(&mut self, record: &Record<'_>) {
        for (column, cell) in self.columns.iter_mut().zip(record.fields()) {
            column.add(self.n_rows, cell);
        }
        self.lines.note(self.n_rows, record.line);
        self.n_rows += 1;
    }

    fn check_encoding(&mut self, record: &Record<'_>) {
        // Fields are checked together. A separator that splits a character makes both fields invalid, but such text is
        // not UTF-8 anyway, and cells are checked one by one when decoded.
        if self.foreign_line.is_none() && std::str::from_utf8(record.bytes()).is_err() {
            self.foreign_line = Some(record.line);
        }
    }

    fn finish(self, path: &Path, of_names: NameColumns<'_>) -> Result<CsvScan> {
        let encoding = if self.foreign_line.is_some() { TextEncoding::Windows1252 } else { TextEncoding::Utf8 };
        let names = self.header.names(encoding);
        if self.n_rows == 0 {
            return Err(Error::NoRows { path: path.to_owned(), format: Format::Csv, n_columns: names.len() });
        }
        let mut notes = self.header.notes();
        if let Some(line) = self.foreign_line {
            notes.push(Note::new(format!("line {line} is not UTF-8; the file was read as Windows-1252 (Latin-1)")));
        }
        if names.len() == 1 && self.n_blank_lines > 0 {
            let skipped = format!("skipped {} blank lines", self.n_blank_lines);
            notes.push(Note::new(skipped).with_hint(hint!(["if they stand for missing values, write NA instead"])));
        }
        // A name without a match is rejected when roles are resolved.
        let position = |name: Option<&str>| match look_up(names.iter().map(String::as_str), name?) {
            Lookup::Found(position) => Some(position),
            _ => None,
        };
        let (id, label) = (position(of_names.id), position(of_names.label));
        let columns = names.into_iter().zip(self.columns).enumerate().map(|(at, (name, census))| {
            let holds_names = [id, label].contains(&Some(at));
            CountedColumn { name, census: census.decoded(encoding), holds_names }
        });
        let layout = TableLayout::inferred(path, Format::Csv, columns.collect(), self.n_rows)?.with_notes(notes);
        Ok(CsvScan { layout, lines: self.lines, encoding, id })
    }
}
