//! Covariate shift in the format.

use protodash::covariate_shift::{FeatureShift, Moments};
use protodash_table::{ColumnScale, Feature};
use serde::{Deserialize, Serialize};

/// Maximum number of columns of sparse rows.
const MOST_SPARSE: usize = 200;

/// The source before and after weighting, compared with the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShiftRecord {
    /// (Σw)²/Σw².
    pub effective_sample_size: f64,
    /// The features in the units of the file, without those that are constant in source and target. Means of ranks are not
    /// ranks of means, so those of a column that was scaled to ranks stay ranks.
    pub features: Vec<ShiftedFeature>,
}

/// A feature before and after weighting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShiftedFeature {
    /// Its name.
    pub feature: String,
    /// Mean in the source.
    pub source_mean: f64,
    /// Mean in the weighted source.
    pub weighted_mean: f64,
    /// Mean in the target.
    pub target_mean: f64,
    /// Standard deviation in the source.
    pub source_standard_deviation: f64,
    /// Standard deviation in the weighted source.
    pub weighted_standard_deviation: f64,
    /// Standard deviation in the target.
    pub target_standard_deviation: f64,
    /// `source_mean` − `target_mean` in standard deviations of the target.
    pub difference_before: f64,
    /// `weighted_mean` − `target_mean` in standard deviations of the target.
    pub difference_after: f64,
}

impl ShiftRecord {
    /// The features, largest gap before weighting first; equal gaps stay in the order of the columns.
    #[must_use]
    pub fn largest_first(&self) -> Vec<&ShiftedFeature> {
        let mut features: Vec<&ShiftedFeature> = self.features.iter().collect();
        features.sort_by(|a, b| b.difference_before.abs().total_cmp(&a.difference_before.abs()));
        features
    }

    /// The shift that the core measured, in the units of the file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Prototype, covariate_shift};
    /// use protodash_report::ShiftRecord;
    /// use protodash_table::Feature;
    ///
    /// let (target, source) = (array![[1.0], [3.0]], array![[0.0], [2.0]]);
    /// let chosen = [Prototype { source_index: 1, weight: 1.0, share: 1.0, gain: 0.0 }];
    /// let measured = covariate_shift(&target, &source, &chosen, None)?;
    /// assert_eq!(ShiftRecord::new(&measured, &[Feature::new("age", None)]).features[0].weighted_mean, 2.0);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    #[must_use]
    pub fn new(shift: &protodash::CovariateShift, features: &[Feature]) -> ShiftRecord {
        let described = features
            .iter()
            .zip(&shift.features)
            .filter_map(|(feature, shift)| feature.unit.as_ref().map(|unit| ShiftedFeature::new(feature, unit, shift)));
        ShiftRecord { effective_sample_size: shift.effective_sample_size, features: described.collect() }
    }

    /// The same of sparse rows: of the columns that differ, those with the largest gaps before weighting, in their order.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Dataset, KernelSpec, Prototype, SparseMatrix};
    /// use protodash_report::ShiftRecord;
    ///
    /// let rows = |column| SparseMatrix::new(70_000, vec![0, 1], vec![column], vec![1.0]);
    /// let dataset = Dataset::from_sparse(rows(7)?, Some(rows(9)?), &KernelSpec::new("linear")?, 0)?;
    /// let chosen = [Prototype { source_index: 0, weight: 1.0, share: 1.0, gain: 0.0 }];
    /// let shift = ShiftRecord::of_sparse(&dataset.covariate_shift(&chosen, None)?, |column| format!("word {column}"));
    /// let names: Vec<&str> = shift.features.iter().map(|feature| feature.feature.as_str()).collect();
    /// assert_eq!(names, ["word 7", "word 9"]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    #[must_use]
    pub fn of_sparse(shift: &protodash::CovariateShift, name: impl Fn(usize) -> String) -> ShiftRecord {
        let gap = |column: &usize| shift.features[*column].difference_before().abs();
        let differs = |feature: &FeatureShift| {
            feature.source.mean != feature.target.mean || feature.weighted.mean != feature.target.mean
        };
        let mut columns: Vec<usize> = (0..shift.features.len()).filter(|at| differs(&shift.features[*at])).collect();
        // Stable, so that of equal gaps the first columns are kept.
        columns.sort_by(|one, other| gap(other).total_cmp(&gap(one)));
        columns.truncate(MOST_SPARSE);
        columns.sort_unstable();
        let described = columns.into_iter().map(|column| {
            let feature = Feature::new(&name(column), None);
            ShiftedFeature::new(&feature, &ColumnScale::IDENTITY, &shift.features[column])
        });
        ShiftRecord { effective_sample_size: shift.effective_sample_size, features: described.collect() }
    }
}

impl ShiftedFeature {
    fn new(feature: &Feature, unit: &ColumnScale, shift: &FeatureShift) -> ShiftedFeature {
        let (unit, divisor, measure) = match unit {
            ColumnScale::Linear { divisor, .. } if feature.is_date => (unit, *divisor, " (days since 1970-01-01)"),
            ColumnScale::Linear { divisor, .. } => (unit, *divisor, ""),
            ColumnScale::Rank(_) => (&ColumnScale::IDENTITY, 1.0, " (rank)"),
        };
        let mean = |moments: Moments| unit.in_file(moments.mean);
        let deviation = |moments: Moments| divisor * moments.standard_deviation;
        ShiftedFeature {
            feature: format!("{}{measure}", feature.name),
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
