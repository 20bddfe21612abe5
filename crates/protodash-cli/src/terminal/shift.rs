//! Covariate shift: feature means of source, weighted source and target.

use super::grid::{Column, render};
use crate::json::CovariateShift;
use protodash_result::numbers::short;

/// Features shown; the JSON has all.
pub(crate) const SHOWN_FEATURES: usize = 20;

/// Names longer than this are cut.
const NAME: usize = 30;

/// The features with the largest gap before weighting, largest first.
pub(crate) fn shift_table(shift: &CovariateShift) -> String {
    let mut features: Vec<_> = shift.features.iter().collect();
    // The sort is stable: equal differences stay in the order of the columns.
    features.sort_by(|a, b| b.difference_before.abs().total_cmp(&a.difference_before.abs()));
    features.truncate(SHOWN_FEATURES);
    let each = |value: &dyn Fn(&crate::json::ShiftedFeature) -> String| -> Vec<String> {
        features.iter().map(|feature| value(feature)).collect()
    };
    let columns = [
        Column::left("feature", each(&|feature| feature.feature.clone()), NAME),
        Column::right("source", each(&|feature| short(feature.source_mean))),
        Column::right("weighted", each(&|feature| short(feature.weighted_mean))),
        Column::right("target", each(&|feature| short(feature.target_mean))),
        Column::right("gap before", each(&|feature| in_hundredths(feature.difference_before))),
        Column::right("gap after", each(&|feature| in_hundredths(feature.difference_after))),
    ];
    render(&columns, &[])
}

/// A difference with two decimals, without a sign if it rounds to 0.
fn in_hundredths(difference: f64) -> String {
    let text = format!("{difference:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}
