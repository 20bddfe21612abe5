//! How the bandwidth was found, in the format.

use protodash::{BandwidthCurve, BandwidthScore, Criterion};
use serde::{Deserialize, Serialize};

/// The widths that were tried, and what each came to on rows that were held out.
///
/// # Examples
///
/// ```
/// use protodash_report::CrossValidationRecord;
///
/// let json = r#"{"criterion": "error", "n_folds": 5, "n_rows": 100, "curve": []}"#;
/// assert_eq!(serde_json::from_str::<CrossValidationRecord>(json)?.n_folds, 5);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrossValidationRecord {
    /// `error`: the part of held-out rows whose nearest prototype is of another class; `distance`: their mean distance
    /// from it.
    pub criterion: String,
    /// How many parts the rows were held out in.
    pub n_folds: usize,
    /// Target rows that took part.
    pub n_rows: usize,
    /// Each width that was tried.
    pub curve: Vec<BandwidthPoint>,
}

/// One width.
///
/// # Examples
///
/// ```
/// use protodash_report::BandwidthPoint;
///
/// let json = r#"{"multiple": 2.0, "bandwidth": 6.0, "score": null, "standard_error": null}"#;
/// assert_eq!(serde_json::from_str::<BandwidthPoint>(json)?.bandwidth, 6.0);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BandwidthPoint {
    /// The width as a multiple of the median distance.
    pub multiple: f64,
    /// The width.
    pub bandwidth: f64,
    /// Less is better; `null` where nothing was chosen.
    pub score: Option<f64>,
    /// Of the score, over the folds.
    pub standard_error: Option<f64>,
}

impl CrossValidationRecord {
    /// What the score measures.
    pub(crate) fn score_name(&self) -> &'static str {
        if self.criterion == "error" { "1-NN error" } else { "mean distance to the nearest prototype" }
    }

    /// The curve as it is written.
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
