//! The target of a race: equal rows merged, weights that sum to 1.

use std::borrow::Cow;

use crate::kernel_mean::Target;
use crate::kernel_mean::collapse::Collapsed;
use crate::rows::{Rows, Scalar, same_rows};

/// A target whose equal rows are merged if there are many.
pub(crate) struct RaceTarget<'a, T> {
    given: Target<'a, T>,
    merged: Option<Collapsed<T>>,
    /// The weight of each distinct row, unless all have the same; they sum to 1.
    weights: Option<Cow<'a, [f64]>>,
}

impl<'a, T: Scalar> RaceTarget<'a, T> {
    /// The target with its equal rows merged.
    pub(crate) fn new(given: Target<'a, T>) -> Self {
        let merged = Collapsed::of(given.rows);
        let n_rows = given.rows.n_rows() as f64;
        let weights = match (&merged, given.weights) {
            (Some(merged), Some(_)) => Some(Cow::Owned(merged.weights(given))),
            (Some(merged), None) => {
                Some(merged.weights(given).into_iter().map(|weight| weight / n_rows).collect::<Vec<_>>().into())
            }
            (None, weights) => weights.map(Cow::Borrowed),
        };
        RaceTarget { given, merged: merged.map(Collapsed::without_positions), weights }
    }

    /// The target for exact means: merged rows with their weights, or the rows as they were given.
    pub(crate) fn for_means(&self) -> Target<'_, T> {
        match &self.merged {
            Some(merged) => Target { rows: merged.rows(), weights: self.weights.as_deref() },
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

    /// The weight of a distinct row.
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or_else(|| 1.0 / self.given.rows.n_rows() as f64, |weights| weights[row])
    }
}
