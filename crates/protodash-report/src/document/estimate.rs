//! Estimates of columns from the prototypes, in the format.

use protodash::WeightedEstimate;
use serde::{Deserialize, Serialize};

/// The mean of a column over the target, estimated from the prototypes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EstimateRecord {
    /// The column.
    pub column: String,
    /// The weighted mean over the prototypes.
    pub estimate: f64,
    /// The mean over the target; `null` if some of its values are missing.
    pub mean: Option<f64>,
    /// The estimate minus the mean.
    pub error: Option<f64>,
    /// The standard error of the mean of as many random rows; `null` if it is unknown.
    pub random_standard_error: Option<f64>,
}

impl EstimateRecord {
    /// The record of a column's estimate.
    #[must_use]
    pub fn new(column: String, found: &WeightedEstimate) -> EstimateRecord {
        EstimateRecord {
            column,
            estimate: found.estimate,
            mean: found.mean,
            error: found.error,
            random_standard_error: found.random_standard_error,
        }
    }
}
