//! What the weights did to the source, in the format.

use protodash::covariate_shift::{FeatureShift, Moments};
use protodash_table::{Feature, Unit};
use serde::{Deserialize, Serialize};

/// The source before and after it was weighted, and the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CovariateShift {
    /// (sum of weights)^2 / sum of squared weights.
    pub(crate) effective_sample_size: f64,
    /// In the units of the file. A column that is constant in the source tells its rows apart from nothing and is left
    /// out.
    pub(crate) features: Vec<ShiftedFeature>,
}

/// A feature before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ShiftedFeature {
    pub(crate) feature: String,
    pub(crate) source_mean: f64,
    pub(crate) weighted_mean: f64,
    pub(crate) target_mean: f64,
    pub(crate) source_standard_deviation: f64,
    pub(crate) weighted_standard_deviation: f64,
    pub(crate) target_standard_deviation: f64,
    /// source_mean - target_mean, in standard deviations of the target.
    pub(crate) difference_before: f64,
    /// weighted_mean - target_mean, in standard deviations of the target.
    pub(crate) difference_after: f64,
}

impl CovariateShift {
    /// What the core measured in the matrices, in the units of the files.
    pub(crate) fn new(shift: &protodash::CovariateShift, features: &[Feature]) -> CovariateShift {
        let described = features.iter().zip(&shift.features).filter_map(|(feature, shift)| {
            feature.unit.map(|unit| ShiftedFeature::new(feature.name.clone(), unit, shift))
        });
        CovariateShift { effective_sample_size: shift.effective_sample_size, features: described.collect() }
    }
}

impl ShiftedFeature {
    fn new(feature: String, unit: Unit, shift: &FeatureShift) -> ShiftedFeature {
        let mean = |moments: Moments| unit.shift + unit.divisor * moments.mean;
        let deviation = |moments: Moments| unit.divisor * moments.standard_deviation;
        ShiftedFeature {
            feature,
            source_mean: mean(shift.source),
            weighted_mean: mean(shift.weighted),
            target_mean: mean(shift.target),
            source_standard_deviation: deviation(shift.source),
            weighted_standard_deviation: deviation(shift.weighted),
            target_standard_deviation: deviation(shift.target),
            difference_before: shift.difference_before(),
            difference_after: shift.difference_after(),
        }
    }
}
