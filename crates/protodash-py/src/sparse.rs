//! SciPy's sparse rows as the core's.

use numpy::{PyArray1, PyReadonlyArray1};
use protodash::SparseMatrix;
use protodash_table::normalize_sparse;
use pyo3::prelude::*;

use crate::error::CallFailure;

/// The arrays of a CSR matrix, borrowed from NumPy: number of columns, row pointers, columns and values.
#[derive(FromPyObject)]
pub(crate) struct SparseArrays<'py>(
    usize,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, u32>,
    PyReadonlyArray1<'py, f64>,
);

impl SparseArrays<'_> {
    /// A copy of the rows, without the zeros that they store.
    pub(crate) fn matrix(&self) -> Result<SparseMatrix, CallFailure> {
        let SparseArrays(n_columns, starts, columns, values) = self;
        let (columns, values) = (columns.as_array().to_vec(), values.as_array().to_vec());
        Ok(SparseMatrix::new(*n_columns, row_starts(starts), columns, values)?)
    }
}

/// Row pointers as positions; a negative one becomes larger than any.
fn row_starts(starts: &PyReadonlyArray1<'_, i64>) -> Vec<usize> {
    starts.as_array().iter().map(|start| usize::try_from(*start).unwrap_or(usize::MAX)).collect()
}

/// Returns the values of rows of length 1, and a note if there are rows of zeros.
#[pyfunction]
pub(crate) fn normalized_sparse<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    values: PyReadonlyArray1<'py, f64>,
) -> (Bound<'py, PyArray1<f64>>, Option<String>) {
    let mut values = values.as_array().to_vec();
    let note = normalize_sparse(&row_starts(&starts), &mut values).map(|note| note.render(|_| None));
    (PyArray1::from_vec(py, values), note)
}
