//! Groups of equal rows.

use std::cmp::Ordering;

use ndarray::ArrayView2;
use numpy::PyArray1;
use protodash::Scalar;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::data::Array;
use crate::watch::{self, Run};

type Distinct<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// Returns the first row of each group of equal rows, groups sorted by value, and the group index of each row.
///
/// Costs O(n log n) comparisons and 16 bytes per row.
#[pyfunction]
pub(crate) fn distinct<'py>(py: Python<'py>, rows: &Bound<'py, PyAny>, n_threads: usize) -> PyResult<Distinct<'py>> {
    let run = Run { n_threads, progress: None };
    let (first, places) = match Array::of(rows)? {
        Array::F32(rows) => grouped(py, rows.as_array(), run)?,
        Array::F64(rows) => grouped(py, rows.as_array(), run)?,
    };
    Ok((PyArray1::from_vec(py, first), PyArray1::from_vec(py, places)))
}

fn grouped<T: Scalar>(py: Python<'_>, rows: ArrayView2<'_, T>, run: Run) -> PyResult<(Vec<i64>, Vec<i64>)> {
    watch::run(py, run, |_| {
        let mut order: Vec<usize> = (0..rows.nrows()).collect();
        // Equal rows keep the caller's order, so that the first of them represents the group.
        order.par_sort_unstable_by(|&row, &other| compare(rows, row, other).then(row.cmp(&other)));
        let (mut first, mut places) = (Vec::new(), vec![0; order.len()]);
        for (place, &row) in order.iter().enumerate() {
            if place == 0 || compare(rows, order[place - 1], row) != Ordering::Equal {
                first.push(row as i64);
            }
            places[row] = first.len() as i64 - 1;
        }
        Ok((first, places))
    })
}

/// Lexicographic order; 0 equals -0.
fn compare<T: Scalar>(rows: ArrayView2<'_, T>, row: usize, other: usize) -> Ordering {
    let pairs = rows.row(row).into_iter().zip(rows.row(other)).map(|(x, y)| (x.to_f64(), y.to_f64()));
    let mut orders = pairs.map(|(x, y)| x.partial_cmp(&y).unwrap_or(Ordering::Equal));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
