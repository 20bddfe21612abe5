//! What the weights do to the source: the means of features before and after, and the target's.

use super::grid::{Column, render};
use super::numbers::{count, short};
use crate::json::{CovariateShift, Document};

/// Features that the table shows; the file has all.
const SHOWN: usize = 20;
/// Names longer than this are cut.
const NAME: usize = 30;

/// The features that differed most before the weighting, largest difference first.
pub(crate) fn shift_table(shift: &CovariateShift) -> String {
    let mut features: Vec<_> = shift.features.iter().collect();
    // The sort is stable: equal differences stay in the order of the columns.
    features.sort_by(|a, b| b.difference_before.abs().total_cmp(&a.difference_before.abs()));
    features.truncate(SHOWN);
    let each = |value: &dyn Fn(&crate::json::ShiftedFeature) -> String| -> Vec<String> {
        features.iter().map(|feature| value(feature)).collect()
    };
    let columns = [
        Column::left("feature", each(&|feature| feature.feature.clone()), NAME),
        Column::right("source", each(&|feature| short(feature.source_mean))),
        Column::right("weighted", each(&|feature| short(feature.weighted_mean))),
        Column::right("target", each(&|feature| short(feature.target_mean))),
        Column::right("off by", each(&|feature| format!("{:.2}", feature.difference_before))),
        Column::right("now by", each(&|feature| format!("{:.2}", feature.difference_after))),
    ];
    render(&columns, &[])
}

/// What the table means, and how many rows the weighted source amounts to.
pub(crate) fn shift_sentence(document: &Document, shift: &CovariateShift) -> String {
    let features = &shift.features;
    let largest = |difference: &dyn Fn(&crate::json::ShiftedFeature) -> f64| {
        features.iter().map(|feature| difference(feature).abs()).fold(0.0, f64::max)
    };
    let shown = match features.len() {
        n_features if n_features > SHOWN => format!("the {SHOWN} of {} features that", count(n_features as u64)),
        _ => "features that".to_owned(),
    };
    format!(
        "means of {shown} were farthest off, in standard deviations of the target; weighted, the {} source rows amount to \
         {:.1}, and the largest difference falls from {:.2} to {:.2}",
        count(document.n_source as u64),
        shift.effective_sample_size,
        largest(&|feature| feature.difference_before),
        largest(&|feature| feature.difference_after),
    )
}
