//! Reading results, and rejecting other files.

use std::io;
use std::path::Path;

use protodash_report::{ComparisonDocument, ReadError, RelationDocument, SelectionDocument, read_json};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Failure;

/// A result of any kind.
pub(crate) enum Saved {
    /// Of `protodash select` or `criticize`.
    Selection(Box<SelectionDocument>),
    /// Of `protodash compare`.
    Comparison(Box<ComparisonDocument>),
    /// Of `protodash relate`.
    Relation(Box<RelationDocument>),
}

/// The selection that a file holds.
pub(crate) fn read(path: &Path) -> Result<SelectionDocument, Failure> {
    let hint = "RESULT.json is a file that `protodash select SOURCE -o RESULT.json` wrote";
    let rejected = |error: ReadError| not_a_result(path, &error, hint);
    SelectionDocument::from_value(value(path, hint)?).map_err(rejected)
}

/// The result that a file holds, of whatever kind; each kind has a list that no other has.
pub(crate) fn read_any(path: &Path) -> Result<Saved, Failure> {
    let hint =
        "RESULT.json is a file that `protodash select`, `criticize`, `compare` or `relate` wrote with -o RESULT.json";
    let value = value(path, hint)?;
    let saved = if value.get("results").is_some() {
        complete(value).map(|found| Saved::Comparison(Box::new(found)))
    } else if value.get("pairs").is_some() {
        complete(value).map(|found| Saved::Relation(Box::new(found)))
    } else {
        SelectionDocument::from_value(value).map(|found| Saved::Selection(Box::new(found)))
    };
    saved.map_err(|error| not_a_result(path, &error, hint))
}

/// The JSON in a file.
fn value(path: &Path, hint: &'static str) -> Result<Value, Failure> {
    let bytes = std::fs::read(path).map_err(|cause| unreadable(path, cause))?;
    // Bytes that are not UTF-8 are not JSON either, and are reported as that.
    read_json(&String::from_utf8_lossy(&bytes)).map_err(|error| not_a_result(path, &error, hint))
}

fn complete<T: DeserializeOwned>(value: Value) -> Result<T, ReadError> {
    serde_json::from_value(value).map_err(ReadError::Incomplete)
}

fn not_a_result(path: &Path, error: &ReadError, hint: &'static str) -> Failure {
    Failure::NotAResult { path: path.to_owned(), message: error.to_string(), hint }
}

/// A file that cannot be read, reported in the same words as a table.
fn unreadable(path: &Path, cause: io::Error) -> Failure {
    let path = path.to_owned();
    Failure::from(match cause.kind() {
        io::ErrorKind::NotFound => protodash_table::Error::NotFound { path },
        io::ErrorKind::PermissionDenied => protodash_table::Error::NoPermission { path },
        io::ErrorKind::IsADirectory => protodash_table::Error::IsDirectory { path },
        _ => protodash_table::Error::Read { path, cause },
    })
}
