//! How many prototypes to use: the curve, with that of random rows below it, and the slider.

use super::SelectionPage;
use crate::chart::{Across, LineChart, Series, write_legend_of};
use crate::document::SelectionDocument;
use crate::html::Html;
use crate::numbers::{counted, length, percent, short, whole_percent};
use crate::section::section;
use crate::sentences::random_weights_words;

/// Curves over the number of prototypes: the shares explained, or the objectives if a share is unknown.
#[derive(Clone, Copy)]
pub(crate) struct SizeCurves {
    explained: bool,
}

impl SizeCurves {
    /// Curves of what is known of each of these results.
    pub(crate) fn of<'a>(documents: impl IntoIterator<Item = &'a SelectionDocument>) -> SizeCurves {
        let is_known = |document: &SelectionDocument| document.explained_path().len() == document.objective.len();
        SizeCurves { explained: documents.into_iter().all(is_known) }
    }

    /// What the curves show.
    pub(crate) fn name(self) -> &'static str {
        if self.explained { "Share explained" } else { "Objective" }
    }

    /// The curve of a result.
    pub(crate) fn curve(self, name: &str, document: &SelectionDocument, look: usize) -> Series {
        let points = if self.explained { from_0(&document.explained_path()) } else { from_0(&document.objective) };
        Series { name: name.to_owned(), points, band: Vec::new(), look }
    }

    /// A chart of some curves.
    pub(crate) fn chart<'a>(self, title: &'a str, id: &'a str, series: Vec<Series>) -> LineChart<'a> {
        LineChart {
            title,
            id,
            x_name: "number of prototypes",
            y_name: if self.explained { "explained" } else { "objective" },
            series,
            y_text: if self.explained { whole_percent } else { short },
            across: Across::Whole,
            powers: false,
        }
    }
}

/// Writes the curve.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    let n_prototypes = page.prototypes.len();
    if n_prototypes < 2 {
        return;
    }
    let curves = SizeCurves::of([&page.document]);
    let random = random_path(page).filter(|_| curves.explained);
    section(html, "sizes", "How many prototypes", |html| {
        let best = best_explained(page).filter(|_| curves.explained);
        html.leaf("p", &[], &words(&page.document, curves.explained, random.is_some()));
        if best.is_some() {
            html.leaf("p", &[("class", "quiet")], "No selection from these source rows can exceed the dotted line.");
        }
        let mut series = vec![curves.curve("prototypes: ", &page.document, 0)];
        series.extend(random.map(|random| {
            let (name, points) = ("random rows: ".to_owned(), from_0(random));
            Series { name, points, band: Vec::new(), look: 1 }
        }));
        series.extend(best.map(|best| {
            let points = vec![(0.0, best), (n_prototypes as f64, best)];
            Series { name: "all source rows: ".to_owned(), points, band: Vec::new(), look: 2 }
        }));
        if series.len() > 1 {
            write_legend_of(html, series.iter().map(|series| (series.look, series.name.trim_end_matches(": "))));
        }
        let title = format!("{} by number of prototypes", curves.name());
        let chart = curves.chart(&title, "curve", series);
        html.element("figure", &[("class", "curve")], |html| {
            chart.write(html, |html, frame| {
                let (top, bottom) = frame.ends();
                let (x, top, bottom) = (length(frame.across(n_prototypes as f64)), length(top), length(bottom));
                let place =
                    [("id", "cursor"), ("class", "cursor"), ("x1", &x), ("x2", &x), ("y1", &top), ("y2", &bottom)];
                html.leaf("line", &place, "");
            });
        });
    });
}

/// The share explained by 1, 2, … random rows, if known.
fn random_path(page: &SelectionPage) -> Option<&[f64]> {
    let path = page.document.baseline.as_ref().map(|baseline| baseline.random_explained_path.as_slice());
    path.filter(|path| !path.is_empty())
}

/// The share explained by all rows of a separate source, if known.
fn best_explained(page: &SelectionPage) -> Option<f64> {
    page.document.baseline.as_ref()?.explained_limit()
}

/// The points of a curve that starts at 0: no prototypes explain nothing.
fn from_0(values: &[f64]) -> Vec<(f64, f64)> {
    let points = values.iter().enumerate().map(|(at, value)| ((at + 1) as f64, *value));
    [(0.0, 0.0)].into_iter().chain(points).collect()
}

/// A description of the lines.
fn words(document: &SelectionDocument, known: bool, has_random: bool) -> String {
    match (known, has_random) {
        (true, true) => format!(
            "The share explained by the first prototypes, and below it the share explained by the same number of random \
             rows ({}). The gap between the lines is the benefit of selection.",
            random_weights_words(document)
        ),
        (true, false) => "The share explained by the first prototypes.".to_owned(),
        (false, _) => "The objective of the first prototypes.".to_owned(),
    }
}

/// Writes the slider, which needs the script.
pub(super) fn write_slider(html: &mut Html, page: &SelectionPage) {
    let n_prototypes = page.prototypes.len();
    if n_prototypes < 2 {
        return;
    }
    let reached = match (page.document.explained_path().last(), page.document.objective.last()) {
        (Some(explained), _) => format!("{} explained", percent(*explained)),
        (None, objective) => format!("objective {}", short(objective.copied().unwrap_or(0.0))),
    };
    let (most, words) = (n_prototypes.to_string(), format!("{}, {reached}", counted(n_prototypes as u64, "prototype")));
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
        html.leaf("output", &[("id", "size-text"), ("for", "size")], &words);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::BaselineRecord;

    #[test]
    fn random_rows_are_drawn_under_the_prototypes() {
        let mut document = SelectionDocument::example();
        let written = |document: &SelectionDocument| {
            let mut html = Html::default();
            write(&mut html, &SelectionPage::new(document.clone()));
            html.finish()
        };
        assert!(!written(&document).contains("random rows"));
        document.baseline = Some(BaselineRecord {
            random_explained: Some(0.5),
            random_explained_path: vec![0.3, 0.5],
            ..BaselineRecord::empty()
        });
        let page = written(&document);
        assert!(!page.contains("all source rows"));
        document.baseline.as_mut().unwrap().best_explained = Some(0.9);
        let page = written(&document);
        assert!(page.contains("all source rows: 2: 90\u{a0}%") && page.contains("dotted line"), "{page}");
        assert!(page.contains("random rows: 2: 50\u{a0}%"), "{page}");
        // Both lines start at 0.
        assert!(page.contains("prototypes: 0: 0\u{a0}%") && page.contains("random rows: 0: 0\u{a0}%"), "{page}");
    }
}
