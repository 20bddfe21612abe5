//! Small tables in a temporary directory, and their encoding.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use protodash_table::{Condition, Encoded, Error, Input, Note, Part, ReadOptions, Roles, encode};
use tempfile::TempDir;

/// A directory for the tables of one test.
pub(crate) struct Tables {
    directory: TempDir,
}

impl Tables {
    pub(crate) fn new() -> Tables {
        Tables { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes `content` to the file `name` and opens it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Input {
        fs::write(self.path(name), content).expect("a writable directory");
        Input::open(&self.path(name), &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the message of `error` with files named without their directory.
    pub(crate) fn message(&self, error: &Error) -> String {
        error.to_string().replace(&format!("{}/", self.directory.path().display()), "")
    }
}

/// Returns the hint of `error`, with settings as they are called in Rust; an empty string if there is none.
pub(crate) fn hint(error: &Error) -> String {
    error.hint().and_then(|hint| hint.render(|setting| Some(format!("{setting:?}")))).unwrap_or_default()
}

/// Returns the notes, with settings as they are called in Rust.
pub(crate) fn texts(notes: &[Note]) -> Vec<String> {
    notes.iter().map(|note| note.render(|setting| Some(format!("{setting:?}")))).collect()
}

/// Encodes `source` as its own target.
pub(crate) fn encode_alone(source: &Input, roles: &Roles) -> Result<Encoded, Error> {
    let (encoded, target) = encode(Part::from(source), None, roles, &mut |_, _| ControlFlow::Continue(()))?;
    assert!(target.is_none());
    Ok(encoded)
}

/// Encodes `source` and `target`.
pub(crate) fn encode_both(source: &Input, target: &Input, roles: &Roles) -> Result<(Encoded, Encoded), Error> {
    encode_parts(Part::from(source), Part::from(target), roles)
}

/// Encodes the rows of `input` that satisfy `source` for those that satisfy `target`.
pub(crate) fn encode_where(
    input: &Input,
    source: &str,
    target: &str,
    roles: &Roles,
) -> Result<(Encoded, Encoded), Error> {
    let (source, target) = (Condition::parse(source)?, Condition::parse(target)?);
    encode_parts(
        Part { condition: Some(&source), ..Part::from(input) },
        Part { condition: Some(&target), ..Part::from(input) },
        roles,
    )
}

fn encode_parts(source: Part<'_>, target: Part<'_>, roles: &Roles) -> Result<(Encoded, Encoded), Error> {
    let (source, target) = encode(source, Some(target), roles, &mut |_, _| ControlFlow::Continue(()))?;
    Ok((source, target.expect("other rows")))
}

/// Returns the default roles after `change`.
pub(crate) fn roles(change: impl FnOnce(&mut Roles)) -> Roles {
    let mut roles = Roles::default();
    change(&mut roles);
    roles
}

/// Returns names as a role takes them.
pub(crate) fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns the names of the features of a matrix.
pub(crate) fn feature_names(encoded: &Encoded) -> Vec<&str> {
    encoded.features.iter().map(|feature| feature.name.as_str()).collect()
}

/// Returns a `.npy` file of `n_rows` rows, whose elements are of NumPy's type `descr` and are given as bytes.
pub(crate) fn npy(descr: &str, n_rows: usize, elements: &[u8]) -> Vec<u8> {
    let size: usize = descr[2..].parse().expect("a type such as <f8");
    let n_columns = elements.len() / size / n_rows;
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({n_rows}, {n_columns}), }}\n");
    let length = u16::try_from(header.len()).expect("a short header").to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), elements].concat()
}
