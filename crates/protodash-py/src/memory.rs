//! Memory limits, read as the command reads them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The number of bytes of a size such as "8GiB".
#[pyfunction]
pub(crate) fn parse_size(text: &str) -> PyResult<u64> {
    protodash_meter::parse_size(text).map_err(PyValueError::new_err)
}

/// Half the RAM of the machine, or of the container's limit.
#[pyfunction]
pub(crate) fn half_of_memory() -> u64 {
    protodash_meter::half_of_memory()
}
