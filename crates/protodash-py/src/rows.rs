//! Rows of arrays: samples, and rows scaled to length 1, as the command does with tables.

use numpy::{PyArray1, PyArray2};
use protodash_table::Matrix;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::Array;

/// Returns a random sample of row numbers, ascending; all of them if there are no more.
#[pyfunction]
pub(crate) fn draw_rows(py: Python<'_>, n_rows: usize, n_drawn: usize, seed: u64) -> Bound<'_, PyArray1<i64>> {
    let rows = protodash_table::draw_rows(n_rows, n_drawn, seed);
    PyArray1::from_iter(py, rows.into_iter().map(|row| row as i64))
}

/// Returns a copy with rows of length 1, and a note if there are rows of zeros.
#[pyfunction]
pub(crate) fn normalized<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Option<String>)> {
    let mut matrix = match Array::of(rows)? {
        Array::F32(rows) => Matrix::F32(rows.as_array().to_owned()),
        Array::F64(rows) => Matrix::F64(rows.as_array().to_owned()),
    };
    let note = matrix.normalize().map(|note| note.render(|_| None));
    let rows = match matrix {
        Matrix::F32(rows) => PyArray2::from_owned_array(py, rows).into_any(),
        Matrix::F64(rows) => PyArray2::from_owned_array(py, rows).into_any(),
        // An array is never sparse.
        Matrix::Sparse(_) => return Err(PyValueError::new_err("sparse rows cannot be an array")),
    };
    Ok((rows, note))
}
