//! The rows that each method chose, side by side, heaviest first.

use super::ComparisonPage;
use crate::document::{ChosenRecord, OutcomeRecord};
use crate::html::Html;
use crate::numbers::{percent, short};
use crate::row::Row;
use crate::section::{scrolling, section};

/// Writes the chosen rows of all methods for each number of prototypes; the smallest number is expanded.
pub(super) fn write(html: &mut Html, page: &ComparisonPage) {
    section(html, "galleries", "Chosen rows", |html| {
        html.leaf("p", &[], "The rows that each method chose, heaviest first.");
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

fn write_method(html: &mut Html, page: &ComparisonPage, look: usize, outcome: &OutcomeRecord) {
    let total: f64 = outcome.prototypes.iter().map(|chosen| chosen.weight).sum();
    let mut chosen: Vec<&ChosenRecord> = outcome.prototypes.iter().collect();
    chosen.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let rows: Vec<(Row, f64)> = chosen.into_iter().map(|chosen| (page.row(chosen), chosen.weight)).collect();
    let pictures = rows.iter().any(|(row, _)| row.image.is_some());
    let class = format!("method s{}", look % crate::chart::N_LOOKS);
    html.element("div", &[("class", &class)], |html| {
        html.leaf("h3", &[], &outcome.method);
        html.element("ol", &[("class", if pictures { "thumbnails" } else { "chosen-rows" })], |html| {
            for (row, weight) in &rows {
                let share = if total > 0.0 { percent(weight / total) } else { short(*weight) };
                let class = row.label().map_or_else(String::new, |label| format!(", class {label}"));
                html.element("li", &[("title", &format!("{}{class}, {share} of the weight", row.name()))], |html| {
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
