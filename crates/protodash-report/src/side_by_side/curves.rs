//! How much the first prototypes of each selection explain.

use super::NAMES;
use super::findings::{Comparability, comparability};
use crate::chart::{Across, LineChart, Series, write_legend};
use crate::document::SelectionDocument;
use crate::html::Html;
use crate::numbers::{short, whole_percent};
use crate::section::section;

/// Writes both curves: in one chart if they measure the same, else one next to the other.
pub(super) fn write(html: &mut Html, documents: &[SelectionDocument; 2]) {
    let paths = documents.each_ref().map(SelectionDocument::explained_path);
    let known = documents.iter().zip(&paths).all(|(document, path)| path.len() == document.objective.len());
    let values: [&[f64]; 2] =
        if known { [&paths[0], &paths[1]] } else { documents.each_ref().map(|document| document.objective.as_slice()) };
    let series = |side: usize| {
        let points = values[side].iter().enumerate().map(|(at, value)| ((at + 1) as f64, *value));
        let points = [(0.0, 0.0)].into_iter().chain(points).collect();
        Series { name: format!("{}, prototypes: ", NAMES[side]), points, band: Vec::new(), look: side }
    };
    let what = if known { "Share explained" } else { "Objective" };
    let chart = |html: &mut Html, title: &str, id: &'static str, series: Vec<Series>| {
        let chart = LineChart {
            title,
            id,
            x_name: "number of prototypes",
            y_name: if known { "explained" } else { "objective" },
            series,
            y_text: if known { whole_percent } else { short },
            across: Across::Whole,
            powers: false,
        };
        chart.write(html, |_, _| {});
    };
    section(html, "sizes", "How many prototypes", |html| {
        write_legend(html, NAMES.into_iter());
        match comparability(documents) {
            Comparability::Comparable => {
                let title = format!("{what} by number of prototypes of A and B");
                html.element("figure", &[("class", "curve")], |html| {
                    chart(html, &title, "curve", vec![series(0), series(1)]);
                });
            }
            Comparability::Different(why) => {
                let words = format!("The heights of the two curves cannot be compared: {why}.");
                html.leaf("p", &[("class", "quiet")], &words);
                html.element("div", &[("class", "charts")], |html| {
                    for (side, id) in ["curve-a", "curve-b"].into_iter().enumerate() {
                        html.element("figure", &[], |html| {
                            html.leaf("figcaption", &[], NAMES[side]);
                            let title = format!("{what} by number of prototypes of {}", NAMES[side]);
                            chart(html, &title, id, vec![series(side)]);
                        });
                    }
                });
            }
        }
    });
}
