//! Covariate shift: the mean of each feature before and after weighting, next to the target's.

use crate::document::{SelectionDocument, ShiftedFeature};
use crate::html::Html;
use crate::numbers::{length, short, signed};
use crate::section::{as_sentence, scrolling, section};
use crate::sentences::{limit_name, shift_sentence, shift_warning};

const WIDTH: f64 = 240.0;

/// Writes a line for each feature, largest gap first.
pub(super) fn write(html: &mut Html, document: &SelectionDocument) {
    let Some(shift) = document.covariate_shift.as_ref().filter(|shift| !shift.features.is_empty()) else { return };
    let features = shift.largest_first();
    let sizes = features.iter().flat_map(|feature| [feature.difference_before, feature.difference_after]);
    let largest = sizes.map(f64::abs).filter(|size| size.is_finite()).fold(0.0, f64::max);
    section(html, "shift", "Covariate shift", |html| {
        html.leaf("p", &[], &as_sentence(&shift_sentence(document, shift, usize::MAX)));
        if let Some(warning) = shift_warning(document, shift, &limit_name) {
            html.leaf("p", &[], &as_sentence(&warning));
        }
        scrolling(html, "Shift", |html| {
            html.element("table", &[("class", "sortable shift")], |html| {
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        ["feature", "source", "weighted", "target", "gap before", "gap after"]
                            .iter()
                            .for_each(|name| html.leaf("th", &[("scope", "col")], name));
                        html.leaf("th", &[("scope", "col"), ("class", "plain-head")], "before (ring) → after (dot)");
                    });
                });
                html.element("tbody", &[], |html| {
                    features.iter().for_each(|feature| write_feature(html, feature, largest));
                });
            });
        });
    });
}

fn write_feature(html: &mut Html, feature: &ShiftedFeature, largest: f64) {
    html.element("tr", &[], |html| {
        html.element("th", &[("scope", "row")], |html| html.column_name(&feature.feature));
        for mean in [feature.source_mean, feature.weighted_mean, feature.target_mean] {
            html.leaf("td", &[("data-value", &mean.to_string())], &short(mean));
        }
        for difference in [feature.difference_before, feature.difference_after] {
            let size = difference.abs().to_string();
            html.leaf("td", &[("data-value", &size)], &signed(difference));
        }
        html.element("td", &[], |html| write_dumbbell(html, feature, largest));
    });
}

/// The mean before and after weighting, with the target's in the middle.
fn write_dumbbell(html: &mut Html, feature: &ShiftedFeature, largest: f64) {
    let place = |difference: f64| {
        let part = if largest > 0.0 && difference.is_finite() { difference / largest } else { 0.0 };
        length(WIDTH / 2.0 + part * (WIDTH / 2.0 - 8.0))
    };
    let (before, after, middle) =
        (place(feature.difference_before), place(feature.difference_after), length(WIDTH / 2.0));
    let view = format!("0 0 {WIDTH} 16");
    html.element("svg", &[("class", "dumbbell"), ("viewBox", &view), ("aria-hidden", "true")], |html| {
        html.leaf("line", &[("class", "axis"), ("x1", &middle), ("x2", &middle), ("y1", "0"), ("y2", "16")], "");
        html.leaf("line", &[("class", "way"), ("x1", &before), ("x2", &after), ("y1", "8"), ("y2", "8")], "");
        html.leaf("circle", &[("class", "before"), ("cx", &before), ("cy", "8"), ("r", "5")], "");
        html.leaf("circle", &[("class", "after"), ("cx", &after), ("cy", "8"), ("r", "4")], "");
    });
}
