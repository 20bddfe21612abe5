//! The features of a table, on their way to Python and back.

use std::sync::Arc;

use protodash_table::{CategoryLevel, ColumnScale, Feature, RankScale};
use pyo3::prelude::*;

/// How a column was scaled: what was subtracted and divided by, or its values in the source with their ranks.
#[derive(FromPyObject, IntoPyObject)]
pub(crate) enum GivenScale {
    Linear((f64, f64)),
    Rank((Vec<f64>, Vec<f64>)),
}

impl From<&ColumnScale> for GivenScale {
    fn from(scale: &ColumnScale) -> GivenScale {
        match scale {
            ColumnScale::Linear { shift, divisor } => GivenScale::Linear((*shift, *divisor)),
            ColumnScale::Rank(ranks) => {
                let (values, of_values) = ranks.parts();
                GivenScale::Rank((values.to_vec(), of_values.to_vec()))
            }
        }
    }
}

impl GivenScale {
    /// The scale; `None` if the ranks are not those of a column.
    fn scale(self) -> Option<ColumnScale> {
        match self {
            GivenScale::Linear((shift, divisor)) => Some(ColumnScale::Linear { shift, divisor }),
            GivenScale::Rank((values, ranks)) => {
                RankScale::from_parts(values, ranks).map(|ranks| ColumnScale::Rank(Arc::new(ranks)))
            }
        }
    }
}

/// A feature's column, its category, whether that is "missing", how it was scaled, and whether its numbers are dates.
pub(crate) type GivenFeature = (String, Option<String>, bool, Option<GivenScale>, bool);

/// Returns a feature as Python keeps it.
pub(crate) fn given(feature: &Feature) -> GivenFeature {
    let level = match &feature.level {
        Some(CategoryLevel::Value(text)) => Some(text.clone()),
        Some(CategoryLevel::Missing) | None => None,
    };
    let is_missing = feature.level == Some(CategoryLevel::Missing);
    (feature.column.clone(), level, is_missing, feature.unit.as_ref().map(GivenScale::from), feature.is_date)
}

/// Returns the feature that Python kept.
pub(crate) fn feature((column, level, is_missing, scale, is_date): GivenFeature) -> Feature {
    let level = if is_missing { Some(CategoryLevel::Missing) } else { level.map(CategoryLevel::Value) };
    let mut feature = Feature::new(&column, level);
    feature.unit = scale.and_then(GivenScale::scale);
    feature.is_date = is_date;
    feature
}
