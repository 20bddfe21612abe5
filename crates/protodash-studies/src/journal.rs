//! What is finished, line by line, so that a study that was stopped goes on where it was.
//!
//! The first line states the protocol, each further line is one finished unit as JSON. Lines are only ever appended,
//! and each is handed to the operating system before the next unit begins: whatever ends the run can spoil the last
//! line and no other.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result};

/// The version of the lines; lines of another one are not read.
const FORMAT: u64 = 1;

/// A journal that is open for more.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

/// A journal with what it already holds.
#[derive(Debug)]
pub(crate) struct Opened<U> {
    pub(crate) journal: Journal,
    /// The units that are finished.
    pub(crate) units: Vec<U>,
    /// Whether a line that was half-written was dropped.
    pub(crate) dropped: bool,
}

impl Journal {
    /// The journal at `path`, begun if there is none, for a study of this protocol.
    pub(crate) fn open<U: DeserializeOwned>(path: &Path, study: &str, protocol: &impl Serialize) -> Result<Opened<U>> {
        let failed = |cause| Error::Write { path: path.to_owned(), cause };
        let head = serde_json::json!({ "format": FORMAT, "study": study, "protocol": to_value(protocol, path)? });
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(failed)?;
        let text = std::fs::read(path).map_err(failed)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let dropped = whole < text.len();
        if dropped {
            file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0)).map(drop)).map_err(failed)?;
        }
        let text = String::from_utf8_lossy(&text[..whole]);
        let mut lines = text.lines().enumerate();
        match lines.next() {
            None => writeln!(file, "{head}").map_err(failed)?,
            Some((_, line)) => same_protocol(&parsed(path, 0, line)?, &head, path)?,
        }
        let units = lines.map(|(number, line)| parsed(path, number, line)).collect::<Result<_>>()?;
        Ok(Opened { journal: Journal { path: path.to_owned(), file: Mutex::new(file) }, units, dropped })
    }

    /// Adds a finished unit.
    pub(crate) fn append(&self, unit: &impl Serialize) -> Result<()> {
        let failed = |cause| Error::Write { path: self.path.clone(), cause };
        let line = format!("{}\n", to_value(unit, &self.path)?);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)
    }
}

fn to_value(value: &impl Serialize, path: &Path) -> Result<Value> {
    serde_json::to_value(value).map_err(|cause| Error::Write { path: path.to_owned(), cause: cause.into() })
}

fn parsed<U: DeserializeOwned>(path: &Path, number: usize, line: &str) -> Result<U> {
    let damaged = |cause: serde_json::Error| Error::Damaged {
        path: path.to_owned(),
        line: number + 1,
        message: cause.to_string(),
    };
    serde_json::from_str(line).map_err(damaged)
}

/// An error that names what differs, unless nothing does.
fn same_protocol(there: &Value, here: &Value, path: &Path) -> Result<()> {
    let mut differences = Vec::new();
    compare("", there, here, &mut differences);
    if differences.is_empty() {
        return Ok(());
    }
    Err(Error::OtherProtocol { path: path.to_owned(), differences: differences.join(", ") })
}

fn compare(name: &str, there: &Value, here: &Value, differences: &mut Vec<String>) {
    if let (Value::Object(there), Value::Object(here)) = (there, here) {
        let keys: std::collections::BTreeSet<&String> = there.keys().chain(here.keys()).collect();
        for key in keys {
            let value = |of: &serde_json::Map<String, Value>| of.get(key).cloned().unwrap_or(Value::Null);
            compare(key, &value(there), &value(here), differences);
        }
    } else if there != here {
        differences.push(format!("{name} is {there} there and {here} here"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(path: &Path, seed: u64) -> Result<Opened<usize>> {
        Journal::open(path, "test", &serde_json::json!({ "seed": seed, "m": 3 }))
    }

    #[test]
    fn what_was_written_is_found_again_and_a_half_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let opened = units(&path, 1).unwrap();
        assert_eq!((opened.units, opened.dropped), (vec![], false));
        opened.journal.append(&7_usize).unwrap();
        opened.journal.append(&8_usize).unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&whole[..], b"123"].concat()).unwrap();
        let opened = units(&path, 1).unwrap();
        assert_eq!((opened.units, opened.dropped), (vec![7, 8], true));
        opened.journal.append(&9_usize).unwrap();
        let opened = units(&path, 1).unwrap();
        assert_eq!((opened.units, opened.dropped), (vec![7, 8, 9], false));
    }

    #[test]
    fn a_half_written_head_is_a_fresh_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        std::fs::write(&path, "{\"format\":").unwrap();
        assert_eq!(units(&path, 1).unwrap().units, [0_usize; 0]);
        assert_eq!(units(&path, 1).unwrap().units, [0_usize; 0]);
    }

    #[test]
    fn another_protocol_is_refused_by_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        units(&path, 1).unwrap();
        let message = units(&path, 2).unwrap_err().to_string();
        assert!(message.ends_with("holds trials of another protocol: seed is 1 there and 2 here"), "{message}");
    }

    #[test]
    fn a_line_that_is_no_unit_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        units(&path, 1).unwrap().journal.append(&"text").unwrap();
        let message = units(&path, 1).unwrap_err().to_string();
        assert!(message.contains(": line 2 is not a finished trial: "), "{message}");
    }
}
