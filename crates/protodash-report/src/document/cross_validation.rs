//! The cross-validation of the bandwidth, in the format.

use protodash::{BandwidthCurve, BandwidthScore, Criterion};
use serde::{Deserialize, Serialize};

/// The bandwidths that were tried, with their scores on held-out rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrossValidationRecord {
    /// `error`: the 1-NN error of held-out rows; `distance`: their mean distance to the nearest prototype.
    pub criterion: String,
    /// Number of folds.
    pub n_folds: usize,
    /// Number of target rows used.
    pub n_rows: usize,
    /// The score of each bandwidth.
    pub curve: Vec<BandwidthPoint>,
}

/// A bandwidth with its score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BandwidthPoint {
    /// The bandwidth as a multiple of the median distance.
    pub multiple: f64,
    /// The bandwidth.
    pub bandwidth: f64,
    /// Its score, lower is better; `null` if nothing was selected.
    pub score: Option<f64>,
    /// The standard error of the score over the folds.
    pub standard_error: Option<f64>,
}

impl CrossValidationRecord {
    /// Whether all of several bandwidths have the same score.
    pub(crate) fn is_flat(&self) -> bool {
        self.curve.len() > 1 && self.curve.iter().all(|point| point.score == self.curve[0].score)
    }

    /// What the score measures.
    pub(crate) fn score_name(&self) -> &'static str {
        if self.criterion == "error" { "1-NN error" } else { "mean distance to the nearest prototype" }
    }

    /// The record of a curve.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{CrossValidation, Gaussian, Params, cross_validate};
    /// use protodash_report::CrossValidationRecord;
    ///
    /// let rows = array![[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0], [9.1], [9.2], [9.3]];
    /// let (params, asked) = (Params::new(2), CrossValidation::default());
    /// let curve = cross_validate(&rows, &rows, None, &Gaussian::new, &params, &asked, &mut protodash::Unobserved)?;
    /// assert_eq!(CrossValidationRecord::new(&curve).criterion, "distance");
    /// # Ok::<(), protodash::Error>(())
    /// ```
    #[must_use]
    pub fn new(curve: &BandwidthCurve) -> CrossValidationRecord {
        let finite = |value: f64| value.is_finite().then_some(value);
        let point = |score: &BandwidthScore| BandwidthPoint {
            multiple: score.multiple,
            bandwidth: score.bandwidth,
            score: finite(score.score),
            standard_error: finite(score.standard_error),
        };
        let criterion = if curve.criterion == Criterion::Error { "error" } else { "distance" };
        CrossValidationRecord {
            criterion: criterion.to_owned(),
            n_folds: curve.n_folds,
            n_rows: curve.n_rows,
            curve: curve.scores.iter().map(point).collect(),
        }
    }
}
