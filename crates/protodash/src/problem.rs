//! The input of a method: the data, and when to stop.

use crate::kernel::Kernel;
use crate::kernel_mean::{ApproximateMeans, Target};
use crate::params::Params;
use crate::rows::{Rows, Scalar, same_rows};
use crate::search::ShardLayout;

/// The data and parameters of a selection.
#[derive(Clone, Copy)]
pub(crate) struct SelectionProblem<'a, T: Scalar> {
    pub(crate) target: Target<'a, T>,
    pub(crate) source: Rows<'a, T>,
    pub(crate) kernel: &'a dyn Kernel<T>,
    /// The kernel mean of every source row; empty in a race, which knows upper bounds.
    pub(crate) kernel_mean: &'a [f64],
    /// How to compute kernel means in f64; `None` if they are exact. Only some methods accept others.
    pub(crate) approximate: Option<ApproximateMeans<'a, T>>,
    pub(crate) params: &'a Params,
    /// Which rows may be chosen, if the caller knows them; otherwise they follow from the parameters.
    pub(crate) candidates: Option<&'a [bool]>,
    /// How a search divides the source; does not affect the result.
    pub(crate) layout: ShardLayout,
}

impl<'a, T: Scalar> SelectionProblem<'a, T> {
    /// The weight of each source row: its target weight, if target and source are the same rows.
    pub(crate) fn source_weights(&self) -> Option<&'a [f64]> {
        self.target.weights.filter(|_| same_rows(self.target.rows, self.source))
    }
}

/// The maximum number of prototypes, and the minimum gain of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoppingRule {
    pub(crate) n_prototypes: Option<usize>,
    pub(crate) min_gain: Option<f64>,
    /// How many of the first rows are prototypes whatever they gain.
    pub(crate) n_fixed: usize,
}

impl StoppingRule {
    /// Stops at this number, regardless of the gains.
    pub(crate) fn at(n_prototypes: usize) -> Self {
        StoppingRule { n_prototypes: Some(n_prototypes), min_gain: None, n_fixed: 0 }
    }
}
