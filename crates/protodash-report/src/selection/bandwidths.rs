//! The cross-validation of the bandwidth.

use crate::chart::{Across, LineChart, Series};
use crate::document::SelectionDocument;
use crate::html::Html;
use crate::numbers::{length, short, whole_percent};
use crate::section::{as_sentence, section};
use crate::sentences::bandwidth_sentence;

/// Writes the cross-validation score by bandwidth, on a log scale.
pub(super) fn write(html: &mut Html, document: &SelectionDocument) {
    let Some(tried) = &document.kernel.cross_validation else { return };
    let is_error = tried.criterion == "error";
    section(html, "bandwidths", "Bandwidth", |html| {
        html.leaf("p", &[], &as_sentence(&bandwidth_sentence(document).unwrap_or_default()));
        let points = tried.curve.iter().filter_map(|point| Some((point.bandwidth.log10(), point.score?)));
        let chart = LineChart {
            title: "Cross-validation score by bandwidth",
            id: "bandwidth-curve",
            x_name: "bandwidth",
            y_name: tried.score_name(),
            series: vec![Series { name: "bandwidth ".to_owned(), points: points.collect(), band: Vec::new(), look: 0 }],
            y_text: if is_error { whole_percent } else { short },
            across: Across::Powers,
            powers: false,
        };
        let chosen = document.kernel.bandwidth().unwrap_or(1.0);
        html.element("figure", &[("class", "curve")], |html| {
            chart.write(html, |html, frame| {
                let (top, bottom) = frame.ends();
                let x = length(frame.across(chosen.log10()));
                let place = [
                    ("class", "cursor"),
                    ("x1", x.as_str()),
                    ("x2", &x),
                    ("y1", &length(top)),
                    ("y2", &length(bottom)),
                ];
                html.leaf("line", &place, "");
            });
        });
    });
}
