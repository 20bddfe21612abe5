//! What the weights do to the source: the means of features before and after, and the target's.

use super::grid::{Column, render};
use crate::json::CovariateShift;
use protodash_result::numbers::short;

/// Features that the table has room for; the file has all.
pub(crate) const SHOWN_FEATURES: usize = 20;

/// Names longer than this are cut.
const NAME: usize = 30;

/// The features that differed most before the weighting, largest difference first.
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
        Column::right("off by", each(&|feature| in_hundredths(feature.difference_before))),
        Column::right("now by", each(&|feature| in_hundredths(feature.difference_after))),
    ];
    render(&columns, &[])
}

/// A difference with two digits behind the point; what these cannot tell from 0 has no sign.
fn in_hundredths(difference: f64) -> String {
    let text = format!("{difference:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}
