//! Column names, from the first line or generated.

use crate::advice::{Note, Setting};
use crate::hint;
use crate::input::text::TextEncoding;

use super::records::Record;
use crate::input::census::CellKind;

/// The first record of a file: column names, or the number of columns to generate names for.
pub(crate) struct Header {
    /// Its line, counted from 1.
    pub(crate) line: u64,
    /// Its number of fields, which every record must have.
    pub(crate) n_fields: usize,
    /// The fields, undecoded; `None` if the first record is data.
    names: Option<Vec<Vec<u8>>>,
}

impl Header {
    /// Returns the header from the first record.
    pub(crate) fn new(first: &Record<'_>, is_header: bool) -> Header {
        let names = is_header.then(|| first.fields().map(<[u8]>::to_vec).collect());
        Header { line: first.line, n_fields: first.len(), names }
    }

    /// Returns the name of each column: its field, or, for example, `column_3` if that is empty.
    pub(crate) fn names(&self, encoding: TextEncoding) -> Vec<String> {
        let made_up = |at: usize| format!("column_{}", at + 1);
        match &self.names {
            None => (0..self.n_fields).map(made_up).collect(),
            Some(names) => {
                let decode = |name: &Vec<u8>| encoding.decode(name).unwrap_or_default().into_owned();
                let names = names.iter().map(decode).enumerate();
                names.map(|(at, name)| if name.is_empty() { made_up(at) } else { name }).collect()
            }
        }
    }

    /// Returns notes on the header.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let Some(names) = &self.names else { return Vec::new() };
        let mut notes = Vec::new();
        if names.iter().all(|name| matches!(CellKind::of(name), CellKind::Integer | CellKind::Decimal | CellKind::Code))
        {
            let note = format!("line {} was read as the header although it holds only numbers", self.line);
            notes.push(Note::new(note).with_hint(hint!(["if it is data, use ", Setting::NoHeader])));
        }
        for at in (0..names.len()).filter(|&at| names[at].is_empty()) {
            let (at, line) = (at + 1, self.line);
            notes.push(Note::new(format!("column {at} has no name in line {line}; it is called \"column_{at}\"")));
        }
        notes
    }
}
