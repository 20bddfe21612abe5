//! Groups of equal rows.

use std::cmp::Ordering;

use ndarray::ArrayView2;
use numpy::PyArray1;
use protodash::{Scalar, SparseMatrix};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::data::Array;
use crate::sparse::SparseArrays;
use crate::watch::{self, Run};

type Distinct<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// Returns the first row of each group of equal rows, groups sorted by value, and the group index of each row.
///
/// Costs O(n log n) comparisons and 16 bytes per row.
#[pyfunction]
pub(crate) fn distinct<'py>(py: Python<'py>, rows: &Bound<'py, PyAny>, n_threads: usize) -> PyResult<Distinct<'py>> {
    let run = Run { n_threads, progress: None };
    let (first, places) = if let Ok(rows) = rows.extract::<SparseArrays<'_>>() {
        let rows = rows.matrix()?;
        grouped(py, rows.n_rows(), |row, other| compare_sparse(&rows, row, other), run)?
    } else {
        match Array::of(rows)? {
            Array::F32(rows) => {
                let rows = rows.as_array();
                grouped(py, rows.nrows(), |row, other| compare(rows, row, other), run)?
            }
            Array::F64(rows) => {
                let rows = rows.as_array();
                grouped(py, rows.nrows(), |row, other| compare(rows, row, other), run)?
            }
        }
    };
    Ok((PyArray1::from_vec(py, first), PyArray1::from_vec(py, places)))
}

fn grouped(
    py: Python<'_>,
    n_rows: usize,
    compare: impl Fn(usize, usize) -> Ordering + Send + Sync,
    run: Run,
) -> PyResult<(Vec<i64>, Vec<i64>)> {
    watch::run(py, run, |_| {
        let mut order: Vec<usize> = (0..n_rows).collect();
        // Equal rows keep the caller's order, so that the first of them represents the group.
        order.par_sort_unstable_by(|&row, &other| compare(row, other).then(row.cmp(&other)));
        let (mut first, mut places) = (Vec::new(), vec![0; order.len()]);
        for (place, &row) in order.iter().enumerate() {
            if place == 0 || compare(order[place - 1], row) != Ordering::Equal {
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

/// The same order as that of the rows with their zeros.
fn compare_sparse(rows: &SparseMatrix, row: usize, other: usize) -> Ordering {
    let (ours, theirs) = (rows.stored(row), rows.stored(other));
    let same = ours.0.iter().zip(theirs.0).zip(ours.1.iter().zip(theirs.1));
    let n_same = same.take_while(|((column, other), (value, its))| column == other && value == its).count();
    let entry = |(columns, values): (&[u32], &[f64])| Some((*columns.get(n_same)?, *values.get(n_same)?));
    let order = |value: f64, other: f64| value.partial_cmp(&other).unwrap_or(Ordering::Equal);
    match (entry(ours), entry(theirs)) {
        (None, None) => Ordering::Equal,
        (Some((_, value)), None) => order(value, 0.0),
        (None, Some((_, value))) => order(0.0, value),
        (Some((column, value)), Some((other, its))) => match column.cmp(&other) {
            Ordering::Equal => order(value, its),
            // The other row has a zero there.
            Ordering::Less => order(value, 0.0),
            Ordering::Greater => order(0.0, its),
        },
    }
}
