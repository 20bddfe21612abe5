//! What the weights do to the source: the mean of each feature before and after, beside the target's.

use super::SelectionPage;
use crate::html::Html;
use crate::numbers::{length, short, signed};
use crate::section::{scrolling, section};

const WIDTH: f64 = 240.0;

/// A feature before and after the source was weighted.
///
/// # Examples
///
/// ```
/// let feature = protodash_report::ShiftedFeature { feature: "age".to_owned(), difference_before: -0.5, ..Default::default() };
/// assert_eq!(feature.difference_after, 0.0);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShiftedFeature {
    /// Its name.
    pub feature: String,
    /// Its mean over the source.
    pub source_mean: f64,
    /// Its mean over the weighted source.
    pub weighted_mean: f64,
    /// Its mean over the target.
    pub target_mean: f64,
    /// How far the source's mean is from the target's, in standard deviations of the target.
    pub difference_before: f64,
    /// How far the weighted mean is from the target's, in standard deviations of the target.
    pub difference_after: f64,
}

/// Writes a line for each feature, the one that was farthest off first.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    if page.shift.is_empty() {
        return;
    }
    let mut features: Vec<&ShiftedFeature> = page.shift.iter().collect();
    features.sort_by(|a, b| b.difference_before.abs().total_cmp(&a.difference_before.abs()));
    let sizes = features.iter().flat_map(|feature| [feature.difference_before, feature.difference_after]);
    let largest = sizes.map(f64::abs).filter(|size| size.is_finite()).fold(0.0, f64::max);
    section(html, "shift", "What the weights do to the source", |html| {
        html.leaf("p", &[], &page.shift_sentence);
        scrolling(html, "Shift", |html| {
            html.element("table", &[("class", "sortable shift")], |html| {
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        ["feature", "source", "weighted", "target", "off by", "now by"]
                            .iter()
                            .for_each(|name| html.leaf("th", &[("scope", "col")], name));
                        html.leaf(
                            "th",
                            &[("scope", "col"), ("class", "plain-head")],
                            "from before (ring) to after (dot)",
                        );
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

/// Where the mean was and where it is, with the target's in the middle.
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
