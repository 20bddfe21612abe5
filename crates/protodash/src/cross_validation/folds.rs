//! Which rows each fold holds out.

use ndarray::{Array2, Axis};
use rand::SeedableRng;
use rand::seq::{SliceRandom, index};
use rand_chacha::ChaCha8Rng;

use super::{CrossValidation, Labels};
use crate::error::Role;
use crate::rows::{Rows, Scalar, same_rows};

/// A sample of the rows, split into folds.
pub(super) struct Folds<'a, T> {
    target: Rows<'a, T>,
    source: Rows<'a, T>,
    /// Target rows in random order; fold f holds out every `n_folds`-th of them, starting at the f-th.
    shuffled: Vec<usize>,
    /// Source rows of the sample; `None` if they are the target's.
    source_rows: Option<Vec<usize>>,
    n_folds: usize,
}

impl<'a, T: Scalar> Folds<'a, T> {
    pub(super) fn new(target: Rows<'a, T>, source: Rows<'a, T>, settings: &CrossValidation) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(settings.seed);
        let mut sample = |n_rows: usize| -> Vec<usize> {
            let mut rows = index::sample(&mut generator, n_rows, n_rows.min(settings.n_rows)).into_vec();
            rows.shuffle(&mut generator);
            rows
        };
        let shuffled = sample(target.n_rows());
        let mut source_rows = (!same_rows(target, source)).then(|| sample(source.n_rows()));
        // Ties go to the first row, so the order of the source is kept.
        source_rows.iter_mut().for_each(|rows| rows.sort_unstable());
        Folds { target, source, shuffled, source_rows, n_folds: settings.n_folds }
    }

    pub(super) fn n_target(&self) -> usize {
        self.shuffled.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Fold<T>> {
        (0..self.n_folds).map(|fold| {
            self.fold(fold, &|role, rows| match role {
                Role::Target => copied(self.target, rows),
                Role::Source => copied(self.source, rows),
            })
        })
    }

    /// The same folds with a number for each row: those of [`sample`](Self::sample), the source's after the target's.
    pub(super) fn numbered(&self) -> impl Iterator<Item = Fold<f64>> {
        let target = self.sampled_target();
        (0..self.n_folds).map(move |fold| {
            self.fold(fold, &|role, rows| {
                let number = |row: &usize| match (role, &self.source_rows) {
                    (Role::Source, Some(source)) => target.len() + source.partition_point(|other| other < row),
                    _ => target.partition_point(|other| other < row),
                };
                Array2::from_shape_fn((rows.len(), 1), |(at, _)| number(&rows[at]) as f64)
            })
        })
    }

    /// The rows of the sample in the order of the data: of the target, and of the source unless it is the target.
    pub(super) fn sample(&self) -> (Array2<T>, Option<Array2<T>>) {
        let source = self.source_rows.as_deref().map(|rows| copied(self.source, rows));
        (copied(self.target, &self.sampled_target()), source)
    }

    fn sampled_target(&self) -> Vec<usize> {
        let mut rows = self.shuffled.clone();
        rows.sort_unstable();
        rows
    }

    fn fold<U>(&self, fold: usize, copy: &dyn Fn(Role, &[usize]) -> Array2<U>) -> Fold<U> {
        let held_out = |position: &usize| position % self.n_folds == fold;
        let positions = 0..self.shuffled.len();
        let part = |held: bool| {
            let mut rows: Vec<usize> = positions
                .clone()
                .filter(|position| held_out(position) == held)
                .map(|position| self.shuffled[position])
                .collect();
            rows.sort_unstable();
            rows
        };
        let (kept_rows, held_rows) = (part(false), part(true));
        Fold {
            target: copy(Role::Target, &kept_rows),
            held_out: copy(Role::Target, &held_rows),
            own_source: self.source_rows.as_deref().map(|rows| copy(Role::Source, rows)),
            source_rows: self.source_rows.clone().unwrap_or_else(|| kept_rows.clone()),
            kept_rows,
            held_rows,
        }
    }
}

fn copied<T: Scalar>(rows: Rows<'_, T>, chosen: &[usize]) -> Array2<T> {
    let view = ndarray::ArrayView2::from_shape((rows.n_rows(), rows.n_columns()), rows.values());
    // `Rows` guarantees that the shape fits.
    view.map_or_else(|_| Array2::from_shape_simple_fn((0, 1), || rows.row(0)[0]), |view| view.select(Axis(0), chosen))
}

/// One fold: the rows to fit on, and those held out.
pub(super) struct Fold<T> {
    /// The target rows to represent.
    pub(super) target: Array2<T>,
    /// The target rows to score on.
    pub(super) held_out: Array2<T>,
    own_source: Option<Array2<T>>,
    kept_rows: Vec<usize>,
    held_rows: Vec<usize>,
    source_rows: Vec<usize>,
}

impl<T> Fold<T> {
    /// The rows to choose from.
    pub(super) fn source(&self) -> &Array2<T> {
        self.own_source.as_ref().unwrap_or(&self.target)
    }

    /// Target weights of the rows to represent; `None` if all are 0, so that every row counts the same.
    pub(super) fn kept_weights(&self, weights: &[f64]) -> Option<Vec<f64>> {
        let kept: Vec<f64> = self.kept_rows.iter().map(|&row| weights[row]).collect();
        kept.iter().any(|weight| *weight > 0.0).then_some(kept)
    }

    /// Weights of the held-out rows.
    pub(super) fn held_out_weights(&self, weights: Option<&[f64]>) -> Vec<f64> {
        self.held_rows.iter().map(|&row| weights.map_or(1.0, |weights| weights[row])).collect()
    }

    pub(super) fn held_out_label(&self, labels: Labels<'_>, place: usize) -> usize {
        labels.target[self.held_rows[place]]
    }

    pub(super) fn source_label(&self, labels: Labels<'_>, source_index: usize) -> usize {
        labels.source[self.source_rows[source_index]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_held_out_once_and_is_not_a_candidate_then() {
        let values: Vec<f64> = (0..23).map(f64::from).collect();
        let rows = Rows::new(&values, 1);
        let settings = CrossValidation { n_folds: 4, ..CrossValidation::default() };
        let mut held = Vec::new();
        for fold in Folds::new(rows, rows, &settings).iter() {
            assert_eq!(fold.held_out.nrows() + fold.source().nrows(), 23);
            assert!(fold.held_out.iter().all(|value| !fold.source().iter().any(|other| other == value)));
            held.extend(fold.held_rows);
        }
        held.sort_unstable();
        assert_eq!(held, (0..23).collect::<Vec<_>>());
    }

    #[test]
    fn a_separate_source_is_the_same_in_every_fold() {
        let (target, source): (Vec<f64>, Vec<f64>) =
            ((0..9).map(f64::from).collect(), (20..25).map(f64::from).collect());
        let settings = CrossValidation { n_folds: 3, n_rows: 6, ..CrossValidation::default() };
        let folds = Folds::new(Rows::new(&target, 1), Rows::new(&source, 1), &settings);
        assert_eq!(folds.n_target(), 6);
        assert!(folds.iter().all(|fold| fold.source().nrows() == 5 && fold.held_out.nrows() == 2));
    }
}
