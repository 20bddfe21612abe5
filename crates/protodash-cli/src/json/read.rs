//! Reading a result back, and refusing whatever is none.

use std::io;
use std::path::Path;

use serde_json::Value;

use super::{Document, SCHEMA};
use crate::error::Failure;

/// The result that a file holds.
pub(crate) fn read(path: &Path) -> Result<Document, Failure> {
    let bytes = std::fs::read(path).map_err(|cause| unreadable(path, cause))?;
    let refused = |message: String| Failure::NotAResult {
        path: path.to_owned(),
        message,
        hint: "RESULT.json is a file that `protodash select SOURCE -o RESULT.json` wrote",
    };
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| refused(format!("is not a result: it is not JSON ({error})")))?;
    match value.get("schema") {
        None => return Err(refused("is not a result: it has no \"schema\"".to_owned())),
        Some(schema) if schema.as_u64() != Some(SCHEMA) => {
            return Err(refused(format!("is a result of schema {schema}, and only schema {SCHEMA} can be read")));
        }
        Some(_) => {}
    }
    let document: Document =
        serde_json::from_value(value).map_err(|error| refused(format!("is not a whole result: {error}")))?;
    match document.prototypes.iter().find(|prototype| !(prototype.weight >= 0.0 && prototype.weight.is_finite())) {
        Some(bad) => Err(refused(format!(
            "is not a result: the weight of row {} is {}, and weights are finite and at least 0",
            bad.source_index, bad.weight
        ))),
        None => Ok(document),
    }
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
