//! The Python exception for each error of the libraries.

use std::error::Error as _;

use protodash::{Error, MatrixRole};
use protodash_report::core_hint;
use protodash_table::{EncodeProblem, Hint};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::settings::Keywords;

/// Why a call failed.
#[derive(Debug)]
pub(crate) enum CallFailure {
    /// The core rejected the data or the parameters.
    Core(Error),
    /// The core rejected the class or the table of this name.
    Named(Error, String),
    /// A table cannot be read or turned into a matrix; hints name the keywords of the called function.
    Table(Box<protodash_table::Error>, Keywords),
    /// A report cannot be made.
    Result(protodash_report::Error),
    /// An internal error.
    Panic(String),
}

impl From<Error> for CallFailure {
    fn from(error: Error) -> Self {
        CallFailure::Core(error)
    }
}

impl From<protodash_table::Error> for CallFailure {
    fn from(error: protodash_table::Error) -> Self {
        CallFailure::table(error, &Keywords::default())
    }
}

impl CallFailure {
    /// Returns the failure to read or encode a table in a function with these keywords.
    pub(crate) fn table(error: protodash_table::Error, keywords: &Keywords) -> CallFailure {
        CallFailure::Table(Box::new(error), keywords.clone())
    }
}

impl From<CallFailure> for PyErr {
    fn from(failure: CallFailure) -> Self {
        match failure {
            CallFailure::Core(Error::Cancelled) => PyKeyboardInterrupt::new_err("interrupted"),
            CallFailure::Core(error) => refused(&error),
            CallFailure::Named(error, name) => raised_as(&error, error.with_name(&name)),
            CallFailure::Table(error, _) if is_stopped(&error) => PyKeyboardInterrupt::new_err("interrupted"),
            CallFailure::Table(error, keywords) => PyValueError::new_err(with_hint(&error, &keywords)),
            CallFailure::Result(protodash_report::Error::Core(error)) => CallFailure::Core(error).into(),
            CallFailure::Result(protodash_report::Error::Table(error)) => CallFailure::from(*error).into(),
            CallFailure::Result(error) => PyValueError::new_err(error.to_string()),
            CallFailure::Panic(message) => {
                PyRuntimeError::new_err(format!("internal error of protodash, please report it: {message}"))
            }
        }
    }
}

/// Returns the exception for an error of the core.
fn refused(error: &Error) -> PyErr {
    let message = match error {
        Error::KernelMatrix { matrix: MatrixRole::TargetBySource, problem } => format!("target {problem}"),
        Error::KernelMatrix { matrix: MatrixRole::Target, problem } => format!("target_gram {problem}"),
        other => other.to_string(),
    };
    raised_as(error, message)
}

/// Returns the exception with this message, and with the attributes that the Python modules need to continue, to name a class, or
/// to give advice.
fn raised_as(error: &Error, message: String) -> PyErr {
    let raised = PyValueError::new_err(message);
    let advised = match core_hint(error) {
        None => Ok(()),
        Some(hint) => Python::attach(|py| raised.value(py).setattr("advice", Advice { hint })),
    };
    let noted = match error {
        Error::UnreachableNumber { below, .. } => note(&raised, "below", *below),
        _ => Ok(()),
    };
    advised.and(noted).map_or_else(|failure| failure, |()| raised)
}

/// What to try after an error, for a function that knows its keywords.
#[pyclass(frozen, module = "protodash._native")]
pub(crate) struct Advice {
    hint: Hint,
}

#[pymethods]
impl Advice {
    /// Returns the hint, with settings written as keyword arguments; None if it needs others than these.
    fn render(&self, keywords: Vec<String>) -> Option<String> {
        let keywords = Keywords(keywords);
        self.hint.render(|setting| keywords.write(setting))
    }
}

fn note(raised: &PyErr, name: &str, number: Option<usize>) -> PyResult<()> {
    Python::attach(|py| raised.value(py).setattr(name, number))
}

fn is_stopped(error: &protodash_table::Error) -> bool {
    matches!(error, protodash_table::Error::Encode(EncodeProblem::Stopped))
}

/// Returns the error, its causes, and what to try.
fn with_hint(error: &protodash_table::Error, keywords: &Keywords) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text += &format!(": {inner}");
        cause = inner.source();
    }
    match error.hint().and_then(|hint| hint.render(|setting| keywords.write(setting))) {
        None => text,
        Some(hint) => format!("{text}\nhint: {hint}"),
    }
}
