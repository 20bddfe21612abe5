//! The rows that prototypes represent worst.

use ndarray::ArrayRef2;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArrayDyn};
use protodash::criticisms::{Among, CriticismParams, Definition};
use protodash::{Criticism, Error, Kernel, Prototype, Scalar, verify};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::data::{ObservedJob, Sides, numbers};
use crate::represent::prototypes;
use crate::watch::{Reporter, Run};

/// Parameters of the criticisms.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options<'py> {
    n_criticisms: usize,
    definition: String,
    diversity: f64,
    among: String,
    target_weights: Option<PyReadonlyArrayDyn<'py, f64>>,
    kernel_mean: Option<PyReadonlyArrayDyn<'py, f64>>,
    /// The saved objective.
    objective: f64,
}

type Found<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// Rows and scores, worst first, after verifying that the prototypes belong to these data.
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
    let job = FindCriticisms { prototypes: prototypes(&indices, &weights), objective: options.objective, params };
    let found = sides.data()?.run(py, run, job)?;
    let rows = PyArray1::from_iter(py, found.iter().map(|criticism| criticism.row as i64));
    Ok((rows, PyArray1::from_iter(py, found.iter().map(|criticism| criticism.score))))
}

struct FindCriticisms {
    prototypes: Vec<Prototype>,
    objective: f64,
    params: CriticismParams,
}

impl ObservedJob for FindCriticisms {
    type Output = Vec<Criticism>;

    fn run<T: Scalar, K: Kernel<T> + ?Sized>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
        observer: &mut Reporter<'_>,
    ) -> Result<Vec<Criticism>, Error> {
        let FindCriticisms { prototypes, objective, params } = self;
        verify(target, source, (&prototypes, objective), kernel, params.target_weights.as_deref(), observer)?;
        protodash::criticize(target, source, &prototypes, kernel, &params, observer)
    }
}
