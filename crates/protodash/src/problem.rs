//! What is asked of a method: the data, and where to end.

use crate::kernel_mean::{ApproximateMeans, Target};
use crate::params::Params;
use crate::rows::{Rows, Scalar, same_rows};

/// Everything that a method may look at.
pub(crate) struct Problem<'a, T, K: ?Sized> {
    pub(crate) target: Target<'a, T>,
    pub(crate) source: Rows<'a, T>,
    pub(crate) kernel: &'a K,
    /// The kernel mean of every source row.
    pub(crate) kernel_mean: &'a [f64],
    /// What is known of kernel means that may be off; `None` if none is. Only some methods can do with such.
    pub(crate) rough: Option<ApproximateMeans<'a, T>>,
    pub(crate) params: &'a Params,
}

impl<'a, T: Scalar, K: ?Sized> Problem<'a, T, K> {
    /// How much each source row counts: as much as it does in the target, where the two are the same rows.
    pub(crate) fn source_weights(&self) -> Option<&'a [f64]> {
        self.target.weights.filter(|_| same_rows(self.target.rows, self.source))
    }
}

impl<T: Copy, K: ?Sized> Clone for Problem<'_, T, K> {
    fn clone(&self) -> Self {
        *self
    }
}

// Derived, these would ask the same of K, which is only borrowed.
impl<T: Copy, K: ?Sized> Copy for Problem<'_, T, K> {}

/// How many prototypes at most, and the least that each must gain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop {
    pub(crate) n_prototypes: Option<usize>,
    pub(crate) min_gain: Option<f64>,
}

impl Stop {
    /// At this many, whatever they gain.
    pub(crate) fn at(n_prototypes: usize) -> Self {
        Stop { n_prototypes: Some(n_prototypes), min_gain: None }
    }
}
