//! Reading a result back, and refusing whatever is none.

use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::relation::Relation;
use super::{Comparison, Document, SCHEMA};
use crate::error::Failure;

/// A result of any kind.
pub(crate) enum Saved {
    /// Of `protodash select` or `criticize`.
    Selection(Box<Document>),
    /// Of `protodash compare`.
    Comparison(Box<Comparison>),
    /// Of `protodash relate`.
    Relation(Box<Relation>),
}

/// The selection that a file holds.
pub(crate) fn read(path: &Path) -> Result<Document, Failure> {
    let hint = "RESULT.json is a file that `protodash select SOURCE -o RESULT.json` wrote";
    selection(path, value(path, hint)?, hint)
}

/// The result that a file holds, of whatever kind; each has a list that no other has.
pub(crate) fn read_any(path: &Path) -> Result<Saved, Failure> {
    let hint =
        "RESULT.json is a file that `protodash select`, `criticize`, `compare` or `relate` wrote with -o RESULT.json";
    let value = value(path, hint)?;
    match value.as_object() {
        Some(keys) if keys.contains_key("results") => {
            whole(path, value, hint).map(|found| Saved::Comparison(Box::new(found)))
        }
        Some(keys) if keys.contains_key("pairs") => {
            whole(path, value, hint).map(|found| Saved::Relation(Box::new(found)))
        }
        _ => selection(path, value, hint).map(|found| Saved::Selection(Box::new(found))),
    }
}

fn selection(path: &Path, value: Value, hint: &'static str) -> Result<Document, Failure> {
    let document: Document = whole(path, value, hint)?;
    match document.prototypes.iter().find(|prototype| !(prototype.weight >= 0.0 && prototype.weight.is_finite())) {
        Some(bad) => {
            let message = format!(
                "is not a result: the weight of row {} is {}, and weights are finite and at least 0",
                bad.source_index, bad.weight
            );
            Err(refused(path, message, hint))
        }
        None => Ok(document),
    }
}

/// JSON of this schema.
fn value(path: &Path, hint: &'static str) -> Result<Value, Failure> {
    let bytes = std::fs::read(path).map_err(|cause| unreadable(path, cause))?;
    let refused = |message: String| refused(path, message, hint);
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| refused(format!("is not a result: it is not JSON ({error})")))?;
    match value.get("schema") {
        None => Err(refused("is not a result: it has no \"schema\"".to_owned())),
        Some(schema) if schema.as_u64() != Some(SCHEMA) => {
            Err(refused(format!("is a result of schema {schema}, and only schema {SCHEMA} can be read")))
        }
        Some(_) => Ok(value),
    }
}

fn whole<T: DeserializeOwned>(path: &Path, value: Value, hint: &'static str) -> Result<T, Failure> {
    serde_json::from_value(value).map_err(|error| refused(path, format!("is not a whole result: {error}"), hint))
}

fn refused(path: &Path, message: String, hint: &'static str) -> Failure {
    Failure::NotAResult { path: path.to_owned(), message, hint }
}

/// A file that cannot be read is spoken of as a table would be.
fn unreadable(path: &Path, cause: io::Error) -> Failure {
    let path = path.to_owned();
    Failure::from(match cause.kind() {
        io::ErrorKind::NotFound => protodash_table::Error::NotFound { path },
        io::ErrorKind::PermissionDenied => protodash_table::Error::NoPermission { path },
        io::ErrorKind::IsADirectory => protodash_table::Error::IsDirectory { path },
        _ => protodash_table::Error::Read { path, cause },
    })
}
