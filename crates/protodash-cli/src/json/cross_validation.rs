//! How the bandwidth was found, in the format.

use protodash::{BandwidthCurve, BandwidthScore, Criterion};
use serde::{Deserialize, Serialize};

/// The widths that were tried, and what each came to on rows that were held out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CrossValidation {
    /// `error`: the part of held-out rows whose nearest prototype is of another class; `distance`: their mean distance
    /// from it.
    pub(crate) criterion: String,
    pub(crate) n_folds: usize,
    /// Target rows that took part.
    pub(crate) n_rows: usize,
    pub(crate) curve: Vec<Point>,
}

/// One width.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    /// The width as a multiple of the median distance.
    pub(crate) multiple: f64,
    pub(crate) bandwidth: f64,
    /// Less is better; `null` where nothing was chosen.
    pub(crate) score: Option<f64>,
    pub(crate) standard_error: Option<f64>,
}

impl CrossValidation {
    /// The curve as it is written.
    pub(crate) fn new(curve: &BandwidthCurve) -> CrossValidation {
        let finite = |value: f64| value.is_finite().then_some(value);
        let point = |score: &BandwidthScore| Point {
            multiple: score.multiple,
            bandwidth: score.bandwidth,
            score: finite(score.score),
            standard_error: finite(score.standard_error),
        };
        let criterion = if curve.criterion == Criterion::Error { "error" } else { "distance" };
        CrossValidation {
            criterion: criterion.to_owned(),
            n_folds: curve.n_folds,
            n_rows: curve.n_rows,
            curve: curve.scores.iter().map(point).collect(),
        }
    }
}
