//! Which Python exception each error is. The words are those of the core and of the tables.

use protodash::Error;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// Why a call could not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The core refused the data or the parameters.
    Core(Error),
    /// A broken promise inside, which is never the caller's fault.
    Panic(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Core(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Core(Error::Cancelled) => PyKeyboardInterrupt::new_err("interrupted"),
            Failure::Core(error) => PyValueError::new_err(error.to_string()),
            Failure::Panic(message) => {
                PyRuntimeError::new_err(format!("protodash broke a promise of its own, please report it: {message}"))
            }
        }
    }
}
