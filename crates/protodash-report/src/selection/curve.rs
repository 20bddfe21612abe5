//! How many prototypes to use: the curve, its elbow and the slider.

use super::SelectionPage;
use crate::chart::{Across, LineChart, Series};
use crate::html::Html;
use crate::numbers::{count, counted, length, percent, short, whole_percent};
use crate::section::section;

/// Writes the curve and the slider, which needs the script.
pub(super) fn write(html: &mut Html, page: &SelectionPage, has_result: bool) {
    let n_prototypes = page.prototypes.len();
    if n_prototypes < 2 {
        return;
    }
    let explained = page.document.explained_path();
    let known = explained.len() == n_prototypes;
    let values = if known { &explained } else { &page.document.objective };
    let elbow = elbow(values);
    section(html, "sizes", "How many prototypes", |html| {
        html.leaf("p", &[], &words(values, elbow, known));
        let points = values.iter().enumerate().map(|(at, value)| ((at + 1) as f64, *value)).collect();
        let chart = LineChart {
            title: if known { "Share explained by number of prototypes" } else { "Objective by number of prototypes" },
            id: "curve",
            x_name: "number of prototypes",
            y_name: if known { "explained" } else { "objective" },
            series: vec![Series { name: "prototypes: ".to_owned(), points, band: Vec::new(), look: 0 }],
            y_text: if known { whole_percent } else { short },
            across: Across::Whole,
            powers: false,
        };
        html.element("figure", &[("class", "curve")], |html| {
            chart.write(html, |html, frame| {
                let (top, bottom) = frame.ends();
                if let Some(size) = elbow {
                    let (x, y) = (frame.across(size as f64), frame.up(values[size - 1]));
                    html.leaf("circle", &[("class", "elbow"), ("cx", &length(x)), ("cy", &length(y)), ("r", "7")], "");
                    let words = format!("elbow at {}", count(size as u64));
                    let (x, y) = (length(x + 10.0), length((y + 18.0).min(bottom - 4.0)));
                    html.leaf("text", &[("class", "elbow-name"), ("x", &x), ("y", &y)], &words);
                }
                let (x, top, bottom) = (length(frame.across(n_prototypes as f64)), length(top), length(bottom));
                let place =
                    [("id", "cursor"), ("class", "cursor"), ("x1", &x), ("x2", &x), ("y1", &top), ("y2", &bottom)];
                html.leaf("line", &place, "");
            });
        });
    });
    if has_result {
        let reached = values.last().copied().unwrap_or(0.0);
        let reached =
            if known { format!("{} explained", percent(reached)) } else { format!("objective {}", short(reached)) };
        write_slider(html, n_prototypes, &format!("{}, {reached}", counted(n_prototypes as u64, "prototype")));
    }
}

fn write_slider(html: &mut Html, n_prototypes: usize, words: &str) {
    let most = n_prototypes.to_string();
    html.element("div", &[("class", "size scripted")], |html| {
        html.leaf("label", &[("for", "size")], "Number of prototypes");
        let attributes = [
            ("type", "range"),
            ("id", "size"),
            ("min", "1"),
            ("max", &most),
            ("value", &most),
            ("step", "1"),
            ("autocomplete", "off"),
        ];
        html.void("input", &attributes);
        html.leaf("output", &[("id", "size-text"), ("for", "size")], words);
    });
}

/// What the curve shows, and how its elbow is defined.
fn words(values: &[f64], elbow: Option<usize>, known: bool) -> String {
    if values.len() < 3 {
        return "Two points have no elbow.".to_owned();
    }
    let Some(size) = elbow else {
        return "The curve has no elbow: every prototype adds about as much as the one before.".to_owned();
    };
    let reached = if known {
        format!("the first {} explain {}", count(size as u64), percent(values[size - 1]))
    } else {
        format!("the first {} reach an objective of {}", count(size as u64), short(values[size - 1]))
    };
    let reached = if size == 1 {
        reached.replace("first 1 explain ", "first one explains ").replace("first 1 reach ", "first one reaches ")
    } else {
        reached
    };
    format!(
        "The elbow is at {}: {reached}. It is the point farthest above the straight line from the first to the last point; \
         further prototypes add less than average.",
        count(size as u64)
    )
}

/// The number of prototypes at which the curve is farthest above the line from its first to its last point.
///
/// `None` for fewer than three points, and for a curve that is nowhere above that line.
fn elbow(values: &[f64]) -> Option<usize> {
    let (first, last) = (values.first()?, values.last()?);
    let rise = last - first;
    let steps = values.len().checked_sub(1).filter(|steps| *steps >= 2)? as f64;
    let above = |at: usize| values[at] - first - rise * at as f64 / steps;
    let best = (1..values.len() - 1).reduce(|best, other| if above(other) > above(best) { other } else { best })?;
    (above(best) > 1e-3 * rise.abs() && rise > 0.0).then_some(best + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elbow_is_farthest_above_the_chord() {
        // The chord of the first rises by 0.2 a step: 0.2, 0.4, 0.6, 0.8, 1; the curve is above it by 0.3 and 0.2.
        assert_eq!(elbow(&[0.2, 0.7, 0.8, 0.9, 1.0]), Some(2));
        assert_eq!(elbow(&[0.0, 1.0, 2.0, 3.0]), None);
        assert_eq!(elbow(&[0.0, 1.0]), None);
        assert_eq!(elbow(&[0.0, 0.1, 1.0]), None);
        assert_eq!(elbow(&[]), None);
    }

    #[test]
    fn the_words_name_the_elbow() {
        let words = words(&[0.5, 0.9, 0.95, 1.0], Some(2), true);
        assert!(words.starts_with("The elbow is at 2: the first 2 explain 90.0\u{a0}%. "), "{words}");
    }
}
