//! A journal of finished units, so that a stopped study can resume.
//!
//! The first line holds the protocol, the sizes of the data files and the program's version; each further line is one
//! finished unit as JSON. Lines are only appended, and each is synced to disk before the next unit starts: so a crash
//! can damage only the last line.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::observe::StudyObserver;

/// Version of the format; journals of other versions are rejected.
const FORMAT: u64 = 1;

/// A journal that is open for appending.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

/// A journal with the units it already holds.
#[derive(Debug)]
pub(crate) struct OpenedJournal<U> {
    pub(crate) journal: Journal,
    /// The finished units.
    pub(crate) units: Vec<U>,
}

impl Journal {
    /// Opens the journal at `path`, or creates it, for a study of this protocol on these files.
    pub(crate) fn open<U: DeserializeOwned>(
        path: &Path,
        (study, protocol): (&str, &impl Serialize),
        data: &[PathBuf],
        observer: &dyn StudyObserver,
    ) -> Result<OpenedJournal<U>> {
        let failed = |cause| Error::Write { path: path.to_owned(), cause };
        let head = serde_json::json!({
            "format": FORMAT,
            "study": study,
            "protocol": to_value(protocol, path)?,
            "data": sizes(data)?,
            "version": env!("CARGO_PKG_VERSION"),
        });
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(failed)?;
        let text = std::fs::read(path).map_err(failed)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0)).map(drop)).map_err(failed)?;
            observer.on_note("the last line of the journal was incomplete and is dropped; its unit runs again");
        }
        let text = String::from_utf8_lossy(&text[..whole]);
        let mut lines = text.lines().enumerate();
        match lines.next() {
            None => writeln!(file, "{head}").map_err(failed)?,
            Some((_, line)) => same_head(parsed(path, 0, line)?, head, path, observer)?,
        }
        let units = lines.map(|(number, line)| parsed(path, number, line)).collect::<Result<_>>()?;
        Ok(OpenedJournal { journal: Journal { path: path.to_owned(), file: Mutex::new(file) }, units })
    }

    /// Appends a finished unit.
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

/// Size of each file in bytes, by file name.
fn sizes(files: &[PathBuf]) -> Result<Value> {
    let mut sizes = serde_json::Map::new();
    for path in files {
        let refused = |cause: std::io::Error| Error::Data { path: path.clone(), message: cause.to_string() };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        sizes.insert(name, path.metadata().map_err(refused)?.len().into());
    }
    Ok(sizes.into())
}

/// Fails if protocol or data differ; another version only gives a note.
fn same_head(mut there: Value, mut here: Value, path: &Path, observer: &dyn StudyObserver) -> Result<()> {
    let mut taken = |key: &str| [&mut there, &mut here].map(|head| head.get_mut(key).map_or(Value::Null, Value::take));
    let (data, version) = (taken("data"), taken("version"));
    let differences = differences(&there, &here);
    if !differences.is_empty() {
        return Err(Error::OtherProtocol { path: path.to_owned(), differences });
    }
    // Journals of earlier versions do not have them.
    if data[0].is_null() {
        observer.on_note("the journal does not record its data files; assuming they are the same");
        return Ok(());
    }
    let differences = self::differences(&data[0], &data[1]);
    if !differences.is_empty() {
        return Err(Error::OtherData { path: path.to_owned(), differences });
    }
    if version[0] != version[1] {
        observer
            .on_note(&format!("the journal was started by version {} and continues with {}", version[0], version[1]));
    }
    Ok(())
}

/// A description of the differences; empty if there are none.
fn differences(there: &Value, here: &Value) -> String {
    let mut differences = Vec::new();
    compare("", there, here, &mut differences);
    differences.join(", ")
}

fn compare(name: &str, there: &Value, here: &Value, differences: &mut Vec<String>) {
    if let (Value::Object(there), Value::Object(here)) = (there, here) {
        let keys: std::collections::BTreeSet<&String> = there.keys().chain(here.keys()).collect();
        for key in keys {
            let value = |of: &serde_json::Map<String, Value>| of.get(key).cloned().unwrap_or(Value::Null);
            compare(key, &value(there), &value(here), differences);
        }
    } else if there != here {
        differences.push(format!("{name} was {there}, now {here}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records notes.
    #[derive(Default)]
    struct Notes(Mutex<Vec<String>>);

    impl StudyObserver for Notes {
        fn on_note(&self, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    impl Notes {
        fn text(&self) -> String {
            self.0.lock().unwrap().join("\n")
        }
    }

    fn opened(path: &Path, seed: u64, data: &[PathBuf], notes: &Notes) -> Result<OpenedJournal<usize>> {
        Journal::open(path, ("test", &serde_json::json!({ "seed": seed, "m": 3 })), data, notes)
    }

    fn units(path: &Path, seed: u64) -> Result<OpenedJournal<usize>> {
        opened(path, seed, &[], &Notes::default())
    }

    #[test]
    fn finished_units_are_read_back_and_an_incomplete_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let begun = units(&path, 1).unwrap();
        assert_eq!(begun.units, [0_usize; 0]);
        begun.journal.append(&7_usize).unwrap();
        begun.journal.append(&8_usize).unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&whole[..], b"123"].concat()).unwrap();
        let notes = Notes::default();
        let resumed = opened(&path, 1, &[], &notes).unwrap();
        assert_eq!(resumed.units, [7, 8]);
        assert!(notes.text().contains("was incomplete"), "{}", notes.text());
        resumed.journal.append(&9_usize).unwrap();
        let notes = Notes::default();
        assert_eq!(opened(&path, 1, &[], &notes).unwrap().units, [7, 8, 9]);
        assert_eq!(notes.text(), "");
    }

    #[test]
    fn different_data_files_are_rejected_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let (path, images) = (folder.path().join("journal.jsonl"), folder.path().join("images"));
        std::fs::write(&images, "12345").unwrap();
        let open = || opened(&path, 1, std::slice::from_ref(&images), &Notes::default());
        open().unwrap();
        open().unwrap();
        std::fs::write(&images, "1234567").unwrap();
        let message = open().unwrap_err().to_string();
        let expected = "belongs to a run on other data files (sizes differ): images was 5, now 7";
        assert!(message.ends_with(expected), "{message}");
    }

    #[test]
    fn a_journal_of_another_version_or_without_data_files_continues_with_a_note() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let protocol = "\"format\":1,\"study\":\"test\",\"protocol\":{\"seed\":1,\"m\":3}";
        for (rest, note) in [
            ("", "the journal does not record its data files; assuming they are the same"),
            (",\"data\":{},\"version\":\"0.0.9\"", "the journal was started by version \"0.0.9\" and continues with "),
        ] {
            std::fs::write(&path, format!("{{{protocol}{rest}}}\n7\n")).unwrap();
            let notes = Notes::default();
            assert_eq!(opened(&path, 1, &[], &notes).unwrap().units, [7]);
            assert!(notes.text().starts_with(note), "{}", notes.text());
        }
    }

    #[test]
    fn an_incomplete_header_is_a_fresh_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        std::fs::write(&path, "{\"format\":").unwrap();
        assert_eq!(units(&path, 1).unwrap().units, [0_usize; 0]);
        assert_eq!(units(&path, 1).unwrap().units, [0_usize; 0]);
    }

    #[test]
    fn a_different_protocol_is_rejected_with_the_differences() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        units(&path, 1).unwrap();
        let message = units(&path, 2).unwrap_err().to_string();
        assert!(message.ends_with("belongs to a run with other settings: seed was 1, now 2"), "{message}");
    }

    #[test]
    fn an_invalid_line_is_reported_by_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        units(&path, 1).unwrap().journal.append(&"text").unwrap();
        let message = units(&path, 1).unwrap_err().to_string();
        assert!(message.contains(": line 2 is not a finished unit: "), "{message}");
    }
}
