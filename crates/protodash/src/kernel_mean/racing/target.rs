//! The target of a race: equal rows merged, weights that sum to 1.

use crate::kernel_mean::Target;
use crate::kernel_mean::collapse::Collapsed;
use crate::rows::{Rows, Scalar, same_rows};

/// The distinct rows of a target with their weights, if rows repeat often.
pub(crate) struct MergedTarget<T>(Option<(Collapsed<T>, Vec<f64>)>);

impl<T: Scalar> MergedTarget<T> {
    pub(crate) fn of(given: Target<'_, T>) -> Self {
        let n_rows = given.rows.n_rows() as f64;
        MergedTarget(Collapsed::of(given.rows).map(|merged| {
            let mut weights = merged.weights(given);
            if given.weights.is_none() {
                weights.iter_mut().for_each(|weight| *weight /= n_rows);
            }
            (merged.without_positions(), weights)
        }))
    }

    /// Number of distinct rows; `None` if rows are not merged.
    pub(crate) fn n_distinct(&self) -> Option<usize> {
        self.0.as_ref().map(|(_, weights)| weights.len())
    }
}

/// A target whose equal rows are merged if there are many.
pub(crate) struct RaceTarget<'a, T> {
    given: Target<'a, T>,
    merged: Option<&'a Collapsed<T>>,
    /// The weight of each distinct row, unless all have the same; they sum to 1.
    weights: Option<&'a [f64]>,
}

impl<'a, T: Scalar> RaceTarget<'a, T> {
    /// The target, of which these are the distinct rows.
    pub(crate) fn new(given: Target<'a, T>, merged: &'a MergedTarget<T>) -> Self {
        match &merged.0 {
            Some((merged, weights)) => RaceTarget { given, merged: Some(merged), weights: Some(weights) },
            None => RaceTarget { given, merged: None, weights: given.weights },
        }
    }

    /// The target for exact means: merged rows with their weights, or the rows as they were given.
    pub(crate) fn for_means(&self) -> Target<'_, T> {
        match self.merged {
            Some(merged) => Target { rows: merged.rows(), weights: self.weights },
            None => self.given,
        }
    }

    /// Whether its rows are the same as the source's.
    pub(crate) fn is(&self, source: Rows<'_, T>) -> bool {
        self.merged.is_none() && same_rows(self.given.rows, source)
    }

    /// The distinct rows.
    pub(super) fn rows(&self) -> Rows<'_, T> {
        self.merged.map_or(self.given.rows, Collapsed::rows)
    }

    /// The distinct rows without weights: a race accounts for these in its sampling order.
    pub(super) fn unweighted(&self) -> Target<'_, T> {
        Target { rows: self.rows(), weights: None }
    }

    /// The weight of a distinct row.
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.map_or_else(|| 1.0 / self.given.rows.n_rows() as f64, |weights| weights[row])
    }
}
