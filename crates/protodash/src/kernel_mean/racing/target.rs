//! The target of a race: equal rows merged, weights that sum to 1.

use crate::kernel_mean::Target;
use crate::kernel_mean::collapse::Collapsed;
use crate::rows::{Rows, Scalar, same_rows};

/// A target whose equal rows are merged if there are many.
pub(crate) struct RaceTarget<'a, T> {
    given: Target<'a, T>,
    merged: Option<Collapsed<T>>,
    /// The weight of each distinct row; they sum to 1.
    weights: Vec<f64>,
}

impl<'a, T: Scalar> RaceTarget<'a, T> {
    /// The target with its equal rows merged.
    pub(crate) fn new(given: Target<'a, T>) -> Self {
        let merged = Collapsed::of(given.rows);
        let mut weights = match (&merged, given.weights) {
            (Some(merged), _) => merged.weights(given),
            (None, Some(weights)) => weights.to_vec(),
            (None, None) => vec![1.0; given.rows.n_rows()],
        };
        if given.weights.is_none() {
            let n_rows = given.rows.n_rows() as f64;
            weights.iter_mut().for_each(|weight| *weight /= n_rows);
        }
        RaceTarget { given, merged, weights }
    }

    /// The target for exact means: merged rows with their weights, or the rows as they were given.
    pub(crate) fn for_means(&self) -> Target<'_, T> {
        match &self.merged {
            Some(merged) => Target { rows: merged.rows(), weights: Some(&self.weights) },
            None => self.given,
        }
    }

    /// Whether its rows are the same as the source's.
    pub(crate) fn is(&self, source: Rows<'_, T>) -> bool {
        self.merged.is_none() && same_rows(self.given.rows, source)
    }

    /// The distinct rows.
    pub(super) fn rows(&self) -> Rows<'_, T> {
        self.merged.as_ref().map_or(self.given.rows, Collapsed::rows)
    }

    /// The distinct rows without weights: a race accounts for these in its sampling order.
    pub(super) fn unweighted(&self) -> Target<'_, T> {
        Target { rows: self.rows(), weights: None }
    }

    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }
}
