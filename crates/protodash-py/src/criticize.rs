//! The rows that finished prototypes represent worst.

use ndarray::{Array1, Array2, ArrayRef2};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArrayDyn};
use protodash::criticisms::{Among, CriticismParams, Definition};
use protodash::objective::objective;
use protodash::{Criticism, Error, Kernel, Prototype, Scalar};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::data::{Job, Sides, numbers};
use crate::represent::prototypes;
use crate::watch::{Reporter, Run};

/// How far, relative to it, the objective of the same prototypes on the same data may differ: rounding, no more.
const SAME_OBJECTIVE: f64 = 1e-6;

/// What is asked of criticisms.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options<'py> {
    n_criticisms: usize,
    definition: String,
    diversity: f64,
    among: String,
    target_weights: Option<PyReadonlyArrayDyn<'py, f64>>,
    kernel_mean: Option<PyReadonlyArrayDyn<'py, f64>>,
    /// The objective that the prototypes had.
    objective: f64,
}

type Found<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// Rows and scores, worst first, having made sure that the prototypes are prototypes of these data.
#[pyfunction]
pub(crate) fn criticize<'py>(
    py: Python<'py>,
    sides: Sides<'py>,
    indices: PyReadonlyArray1<'py, i64>,
    weights: PyReadonlyArray1<'py, f64>,
    options: Options<'py>,
    run: Run,
) -> PyResult<Found<'py>> {
    let mut params = CriticismParams::new(options.n_criticisms);
    params.definition = match options.definition.as_str() {
        "witness" => Definition::Witness { diversity: options.diversity },
        "distance" => Definition::Distance,
        other => return Err(PyValueError::new_err(format!("there is no definition {other:?}"))),
    };
    params.among = if options.among == "target" { Among::Target } else { Among::Source };
    params.target_weights = numbers(options.target_weights.as_ref());
    params.kernel_mean = numbers(options.kernel_mean.as_ref());
    let expected = options.objective;
    let job = Search { prototypes: prototypes(&indices, weights.as_array().iter().copied()), expected, params };
    match sides.data()?.run(py, run, job)? {
        Verdict::Found(found) => {
            let rows = PyArray1::from_iter(py, found.iter().map(|criticism| criticism.row as i64));
            Ok((rows, PyArray1::from_iter(py, found.iter().map(|criticism| criticism.score))))
        }
        Verdict::OtherData(found) => Err(PyValueError::new_err(format!(
            "on these data the prototypes have the objective {found}, and they had {expected} when they were chosen; \
             give the data that the selection was made from"
        ))),
    }
}

enum Verdict {
    Found(Vec<Criticism>),
    /// On these data the prototypes have another objective, so that they were not chosen from them.
    OtherData(f64),
}

struct Search {
    prototypes: Vec<Prototype>,
    expected: f64,
    params: CriticismParams,
}

impl Job for Search {
    type Output = Verdict;

    fn run<T: Scalar, K: Kernel<T> + ?Sized>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
        observer: &mut Reporter<'_>,
    ) -> Result<Verdict, Error> {
        let Search { prototypes, expected, params } = self;
        if let Some(beyond) = prototypes.iter().find(|prototype| prototype.source_index >= source.nrows()) {
            return Err(Error::NotThisSource { source_index: beyond.source_index, rows: source.nrows() });
        }
        if target.ncols() != source.ncols() {
            return Err(Error::DifferentColumns { target: target.ncols(), available: source.ncols() });
        }
        let found = objective_on(target, source, kernel, &prototypes, params.target_weights.as_deref())?;
        if (found - expected).abs() > SAME_OBJECTIVE * expected.abs().max(f64::MIN_POSITIVE) {
            return Ok(Verdict::OtherData(found));
        }
        protodash::criticize(target, source, &prototypes, kernel, &params, observer).map(Verdict::Found)
    }
}

/// l(w) of these prototypes, from the data alone; costs one kernel value for each target row and prototype.
fn objective_on<T: Scalar, K: Kernel<T> + ?Sized>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &K,
    prototypes: &[Prototype],
    target_weights: Option<&[f64]>,
) -> Result<f64, Error> {
    let row = |matrix: &ArrayRef2<T>, index: usize| matrix.row(index).to_vec();
    let rows: Vec<Vec<T>> = prototypes.iter().map(|prototype| row(source, prototype.source_index)).collect();
    let weight = |index: usize| target_weights.and_then(|weights| weights.get(index)).copied().unwrap_or(1.0);
    // Huge weights are divided by the largest before they are added, so that the sum stays finite.
    let largest = (0..target.nrows()).map(weight).fold(0.0, f64::max);
    let total: f64 = (0..target.nrows()).map(|index| weight(index) / largest).sum();
    let mean = |prototype: &Vec<T>| {
        let similar = |index: usize| weight(index) / largest / total * kernel.evaluate(&row(target, index), prototype);
        (0..target.nrows()).map(similar).sum()
    };
    let kernel_mean: Vec<f64> = rows.par_iter().map(mean).collect();
    let gram = Array2::from_shape_fn((rows.len(), rows.len()), |(i, j)| kernel.evaluate(&rows[i], &rows[j]));
    let weights: Array1<f64> = prototypes.iter().map(|prototype| prototype.weight).collect();
    objective(Array1::from(kernel_mean).view(), gram.view(), weights.view())
}
