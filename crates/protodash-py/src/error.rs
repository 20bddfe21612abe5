//! Which Python exception each error is. The words are those of the core and of the tables.

use std::error::Error as _;

use protodash::{Error, Role};
use protodash_table::EncodeProblem;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::words::in_python;

/// Why a call could not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The core refused the data or the parameters.
    Core(Error),
    /// The core refused the target's own kernel matrix.
    TargetGram(Error),
    /// A table cannot be read or turned into a matrix.
    Table(Box<protodash_table::Error>),
    /// A page cannot be gathered.
    Result(protodash_report::Error),
    /// A broken promise inside, which is never the caller's fault.
    Panic(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Core(error)
    }
}

impl From<protodash_table::Error> for Failure {
    fn from(error: protodash_table::Error) -> Self {
        Failure::Table(Box::new(error))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Core(Error::Cancelled) => PyKeyboardInterrupt::new_err("interrupted"),
            Failure::Core(error) => refused(&error),
            Failure::TargetGram(error) => {
                PyValueError::new_err(error.to_string().replace("the kernel matrix", "target_gram"))
            }
            Failure::Table(error) if is_stopped(&error) => PyKeyboardInterrupt::new_err("interrupted"),
            Failure::Table(error) => PyValueError::new_err(in_python(&with_hint(&error))),
            Failure::Result(protodash_report::Error::Core(error)) => Failure::Core(error).into(),
            Failure::Result(protodash_report::Error::Table(error)) => Failure::Table(error).into(),
            Failure::Result(error) => PyValueError::new_err(error.to_string()),
            Failure::Panic(message) => {
                PyRuntimeError::new_err(format!("protodash broke a promise of its own, please report it: {message}"))
            }
        }
    }
}

/// The same error of data that are both target and source, and which the caller calls the source.
pub(crate) fn of_the_source(error: Error) -> Error {
    match error {
        Error::Empty { role: Role::Target, rows, columns } => Error::Empty { role: Role::Source, rows, columns },
        Error::NotFinite { role: Role::Target, row, column, value } => {
            Error::NotFinite { role: Role::Source, row, column, value }
        }
        other => other,
    }
}

/// The error with those numbers as attributes that Python's half needs in order to go on or to name a class.
fn refused(error: &Error) -> PyErr {
    let raised = PyValueError::new_err(error.to_string());
    let noted = match error {
        Error::UnreachableNumber { below, .. } => note(&raised, "below", *below),
        Error::ClassWithoutSource { label, n_target } => {
            note(&raised, "label", Some(*label)).and_then(|()| note(&raised, "n_target", Some(*n_target)))
        }
        _ => Ok(()),
    };
    noted.map_or_else(|failure| failure, |()| raised)
}

fn note(raised: &PyErr, name: &str, number: Option<usize>) -> PyResult<()> {
    Python::attach(|py| raised.value(py).setattr(name, number))
}

fn is_stopped(error: &protodash_table::Error) -> bool {
    matches!(error, protodash_table::Error::Encode(EncodeProblem::Stopped))
}

/// The error, its causes, and what to try.
fn with_hint(error: &protodash_table::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text += &format!(": {inner}");
        cause = inner.source();
    }
    match hint(error) {
        None => text,
        Some(hint) => format!("{text}\nhint: {hint}"),
    }
}

/// What to try; no program wrote a table in memory.
fn hint(error: &protodash_table::Error) -> Option<String> {
    use protodash_table::Error::{DuplicateColumn, Empty, NoRows};
    match error {
        NoRows { .. } | Empty { .. } => Some("look at what made the table: no row is left in it".into()),
        DuplicateColumn { .. } => Some("rename one of them".into()),
        _ => error.hint(),
    }
}
