//! The widths of the kernel that were tried on held-out rows.

use crate::chart::{Across, LineChart, Series};
use crate::html::Html;
use crate::numbers::{length, short, whole_percent};
use crate::section::section;

/// The bandwidths that were tried.
///
/// # Examples
///
/// ```
/// let tried = protodash_report::Bandwidths { chosen: 2.0, ..Default::default() };
/// assert!(tried.curve.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bandwidths {
    /// What was found, in a sentence.
    pub sentence: String,
    /// What the score of a bandwidth is; less is better.
    pub score_name: String,
    /// Whether the score is a part of 1, which is shown in percent.
    pub is_part: bool,
    /// The one that was chosen.
    pub chosen: f64,
    /// All of them, from the smallest to the largest.
    pub curve: Vec<TriedBandwidth>,
}

/// One of the bandwidths.
///
/// # Examples
///
/// ```
/// let tried = protodash_report::TriedBandwidth { bandwidth: 2.0, score: Some(0.1) };
/// assert_eq!(tried.score, Some(0.1));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TriedBandwidth {
    /// The width.
    pub bandwidth: f64,
    /// What it came to; `None` if nothing was chosen with it.
    pub score: Option<f64>,
}

/// Writes the curve over the logarithm of the width.
pub(super) fn write(html: &mut Html, bandwidths: Option<&Bandwidths>) {
    let Some(tried) = bandwidths else { return };
    section(html, "bandwidths", "Bandwidths that were tried", |html| {
        html.leaf("p", &[], &tried.sentence);
        let points = tried.curve.iter().filter_map(|point| Some((point.bandwidth.log10(), point.score?)));
        let chart = LineChart {
            title: "The score of each bandwidth",
            id: "bandwidth-curve",
            x_name: "bandwidth",
            y_name: &tried.score_name,
            series: vec![Series { name: "bandwidth ".to_owned(), points: points.collect(), band: Vec::new(), look: 0 }],
            y_text: if tried.is_part { whole_percent } else { short },
            across: Across::Powers,
            powers: false,
        };
        html.element("figure", &[("class", "curve")], |html| {
            chart.write(html, |html, frame| {
                let (top, bottom) = frame.ends();
                let x = length(frame.across(tried.chosen.log10()));
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
