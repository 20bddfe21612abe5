//! A note on an array in which one column alone decides which rows are similar.

use ndarray::ArrayView2;
use numpy::PyReadonlyArray2;
use protodash::Scalar;
use protodash_table::dominance_note;
use pyo3::prelude::*;

/// Returns a note if the scale of one column dwarfs all others, without a hint.
#[pyfunction]
pub(crate) fn array_note(py: Python<'_>, matrix: GivenMatrix<'_>) -> Option<String> {
    let variances = match &matrix {
        GivenMatrix::Single(matrix) => {
            let matrix = matrix.as_array();
            py.detach(|| variances(matrix))
        }
        GivenMatrix::Double(matrix) => {
            let matrix = matrix.as_array();
            py.detach(|| variances(matrix))
        }
    };
    let named = variances.into_iter().enumerate().map(|(at, variance)| (format!("x{at}"), variance));
    dominance_note(&named.collect::<Vec<_>>()).map(|note| note.render(|_| None))
}

/// A matrix of either precision.
#[derive(FromPyObject)]
pub(crate) enum GivenMatrix<'py> {
    Single(PyReadonlyArray2<'py, f32>),
    Double(PyReadonlyArray2<'py, f64>),
}

/// The variance of each column, in one pass (Welford 1962).
fn variances<T: Scalar>(matrix: ArrayView2<'_, T>) -> Vec<f64> {
    let mut moments = vec![(0.0, 0.0); matrix.ncols()];
    for (row, n_rows) in matrix.rows().into_iter().zip(1_u32..) {
        for ((mean, squares), value) in moments.iter_mut().zip(row) {
            let distance = value.to_f64() - *mean;
            *mean += distance / f64::from(n_rows);
            *squares += distance * (value.to_f64() - *mean);
        }
    }
    moments.into_iter().map(|(_, squares)| squares / matrix.nrows().max(1) as f64).collect()
}
