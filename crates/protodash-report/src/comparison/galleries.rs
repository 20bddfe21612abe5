//! What each method chose, side by side, the heaviest first.

use super::{ComparisonPage, Outcome};
use crate::html::Html;
use crate::numbers::{percent, short};
use crate::row::Row;
use crate::section::{scrolling, section};

/// Writes the chosen rows of all methods for each number of prototypes; the smallest number is open.
pub(super) fn write(html: &mut Html, page: &ComparisonPage) {
    section(html, "galleries", "What was chosen", |html| {
        html.leaf("p", &[], "The rows that each method chose, the heaviest first.");
        for (place, size) in page.sizes().into_iter().enumerate() {
            let open: &[(&'static str, &str)] =
                if place == 0 { &[("class", "gallery-size"), ("open", "")] } else { &[("class", "gallery-size")] };
            html.element("details", open, |html| {
                html.leaf("summary", &[], &super::prototypes(size));
                scrolling(html, &format!("Chosen, {}", super::prototypes(size)), |html| {
                    html.element("div", &[("class", "side-by-side")], |html| {
                        page.at(size).into_iter().for_each(|(look, outcome)| write_method(html, page, look, outcome));
                    });
                });
            });
            html.line();
        }
    });
}

fn write_method(html: &mut Html, page: &ComparisonPage, look: usize, outcome: &Outcome) {
    let total: f64 = outcome.prototypes.iter().map(|(_, weight)| weight).sum();
    let mut chosen: Vec<&(Row, f64)> = outcome.prototypes.iter().collect();
    chosen.sort_by(|a, b| b.1.total_cmp(&a.1));
    let pictures = chosen.iter().any(|(row, _)| row.image.is_some());
    let class = format!("method s{}", look % crate::chart::N_LOOKS);
    html.element("div", &[("class", &class)], |html| {
        html.leaf("h3", &[], &outcome.method);
        html.element("ol", &[("class", if pictures { "thumbnails" } else { "chosen-rows" })], |html| {
            for (row, weight) in chosen {
                let share = if total > 0.0 { percent(weight / total) } else { short(*weight) };
                let words = format!("{}{}, {share} of all weight", row.name(), named(row));
                html.element("li", &[("title", &words)], |html| {
                    row.write_image(html, &page.images);
                    if !pictures {
                        row.write_name(html);
                        if let Some(label) = row.label() {
                            html.text(" ");
                            html.element("span", &[("class", "label")], |html| html.name(label));
                        }
                        html.text(" ");
                    }
                    html.leaf("span", &[("class", "share")], &share);
                });
            }
        });
    });
}

fn named(row: &Row) -> String {
    row.label().map_or_else(String::new, |label| format!(", class {label}"))
}
