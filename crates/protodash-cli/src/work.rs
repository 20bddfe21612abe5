//! What the core is asked for: a selection with what goes with it, or criticisms of a finished one.

use ndarray::{Array1, Array2};
use protodash::criticisms::CriticismParams;
use protodash::objective::objective;
use protodash::{
    Allocation, ClassSummary, CovariateShift, Criticism, Error, Kernel, Labelled, Params, Prototype, Scalar, Selection,
    covariate_shift, criticize, represent, select_per_label, select_with,
};
use rayon::prelude::*;

use crate::classes::Classes;
use crate::matrices::Job;
use crate::progress::Progress;

/// How far, relative to it, the objective of the same prototypes on the same data may differ: rounding, no more.
const SAME_OBJECTIVE: f64 = 1e-6;

/// Chooses prototypes, counts the rows that each stands for, and looks for criticisms if any are wanted.
pub(crate) struct Choose<'a> {
    /// What is asked of the selection.
    pub(crate) params: &'a Params,
    /// Whether each class is to have prototypes of its own, and how many.
    pub(crate) per_label: Option<(Allocation, &'a Classes)>,
    /// What is asked of the criticisms.
    pub(crate) criticisms: Option<CriticismParams>,
    /// Who watches.
    pub(crate) progress: &'a mut Progress,
}

/// What [`Choose`] returns.
pub(crate) struct Chosen {
    /// The prototypes and the path to them.
    pub(crate) selection: Selection,
    /// What each class got, if each was to have its own.
    pub(crate) classes: Vec<ClassSummary>,
    /// For each prototype the number of target rows nearest to it.
    pub(crate) n_represented: Vec<usize>,
    /// The rows worst represented, in rows of the matrix.
    pub(crate) criticisms: Vec<Criticism>,
}

impl Job for Choose<'_> {
    type Output = Chosen;

    fn run<T: Scalar, K: Kernel<T>>(self, target: &Array2<T>, source: &Array2<T>, kernel: &K) -> Result<Chosen, Error> {
        let Choose { params, per_label, criticisms, progress } = self;
        let (selection, classes) = match per_label {
            None => (select_with(target, source, kernel, params, progress)?, Vec::new()),
            Some((allocation, classes)) => {
                let target = Labelled { rows: target, labels: &classes.target };
                let source = Labelled { rows: source, labels: &classes.source };
                let found = select_per_label(target, source, kernel, params, allocation, progress)?;
                (found.selection, found.classes)
            }
        };
        let n_represented = represent(target, source, &selection.prototypes, kernel, progress)?.n_represented;
        let criticisms = match criticisms {
            None => Vec::new(),
            Some(mut wanted) => {
                wanted.kernel_mean = Some(selection.kernel_mean().to_vec());
                criticize(target, source, &selection.prototypes, kernel, &wanted, progress)?
            }
        };
        Ok(Chosen { selection, classes, n_represented, criticisms })
    }
}

/// Measures what the weights of prototypes do to the source.
pub(crate) struct MeasureShift<'a> {
    /// The prototypes, in rows of the matrix.
    pub(crate) prototypes: &'a [Prototype],
    /// How much each target row counts.
    pub(crate) target_weights: Option<&'a [f64]>,
}

impl Job for MeasureShift<'_> {
    type Output = CovariateShift;

    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &Array2<T>,
        source: &Array2<T>,
        _: &K,
    ) -> Result<CovariateShift, Error> {
        covariate_shift(target, source, self.prototypes, self.target_weights)
    }
}

/// Looks for criticisms of finished prototypes, having made sure that they are prototypes of these data.
pub(crate) struct FindCriticisms<'a> {
    /// The prototypes, in rows of the matrix.
    pub(crate) prototypes: &'a [Prototype],
    /// The objective that they had.
    pub(crate) objective: f64,
    /// What is asked of the criticisms.
    pub(crate) params: CriticismParams,
    /// Who watches.
    pub(crate) progress: &'a mut Progress,
}

/// What [`FindCriticisms`] returns.
pub(crate) enum Verdict {
    /// The rows worst represented, in rows of the matrix.
    Found(Vec<Criticism>),
    /// On these data the prototypes have another objective, so that they were not chosen from them.
    OtherData(f64),
}

impl Job for FindCriticisms<'_> {
    type Output = Verdict;

    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &Array2<T>,
        source: &Array2<T>,
        kernel: &K,
    ) -> Result<Verdict, Error> {
        let found = objective_on(target, source, kernel, self.prototypes, self.params.target_weights.as_deref())?;
        if (found - self.objective).abs() > SAME_OBJECTIVE * self.objective.abs().max(f64::MIN_POSITIVE) {
            return Ok(Verdict::OtherData(found));
        }
        criticize(target, source, self.prototypes, kernel, &self.params, self.progress).map(Verdict::Found)
    }
}

/// l(w) of these prototypes, from the data alone; costs one kernel value for each target row and prototype.
fn objective_on<T: Scalar, K: Kernel<T>>(
    target: &Array2<T>,
    source: &Array2<T>,
    kernel: &K,
    prototypes: &[Prototype],
    target_weights: Option<&[f64]>,
) -> Result<f64, Error> {
    let row = |matrix: &Array2<T>, index: usize| matrix.row(index).to_vec();
    let rows: Vec<Vec<T>> = prototypes.iter().map(|prototype| row(source, prototype.source_index)).collect();
    let weight = |index: usize| target_weights.map_or(1.0, |weights| weights[index]);
    // Huge weights are divided by the largest before they are added, so that the sum stays finite.
    let largest = (0..target.nrows()).map(weight).fold(0.0, f64::max);
    let total: f64 = (0..target.nrows()).map(|index| weight(index) / largest).sum();
    let kernel_mean: Vec<f64> = rows
        .par_iter()
        .map(|prototype| {
            let similar =
                |index: usize| weight(index) / largest / total * kernel.evaluate(&row(target, index), prototype);
            (0..target.nrows()).map(similar).sum()
        })
        .collect();
    let n = rows.len();
    let gram = Array2::from_shape_fn((n, n), |(i, j)| kernel.evaluate(&rows[i], &rows[j]));
    let weights: Array1<f64> = prototypes.iter().map(|prototype| prototype.weight).collect();
    objective(Array1::from(kernel_mean).view(), gram.view(), weights.view())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use protodash::{Gaussian, select};

    #[test]
    fn the_objective_is_found_again_from_the_data() {
        let target = array![[0.0, 1.0], [2.0, 2.0], [5.0, 4.0]];
        let source = array![[1.0, 1.0], [2.0, 3.0], [4.0, 4.0], [9.0, 9.0]];
        let kernel = Gaussian::new(1.5).unwrap();
        for weights in [None, Some(vec![1.0, 0.0, 1e300])] {
            let mut params = Params::new(2);
            params.target_weights = weights.clone();
            let selection = select(&target, &source, &kernel, &params).unwrap();
            let found = objective_on(&target, &source, &kernel, &selection.prototypes, weights.as_deref()).unwrap();
            assert!((found - selection.objective_final()).abs() < 1e-12, "{found}");
        }
    }
}
