//! The explained rows as a list to pick from.

use super::ExplanationPage;
use crate::html::Html;
use crate::numbers::{count, counted, four_digits, percent};
use crate::section::{scrolling, section, write_head};

pub(super) fn write(html: &mut Html, page: &ExplanationPage) {
    let (ids, labels) = (page.rows.iter().any(|row| row.id.is_some()), page.rows.iter().any(|row| row.label.is_some()));
    section(html, "rows", "Rows", |html| {
        write_search(html, page);
        scrolling(html, "Explained rows", |html| {
            html.element("table", &[("class", "sortable"), ("id", "explained-table")], |html| {
                let words = [("row", true), ("id", false), ("label", false)];
                let there = [true, ids, labels];
                let mut names: Vec<(&str, bool)> =
                    words.into_iter().zip(there).filter(|(_, there)| *there).map(|(name, _)| name).collect();
                names.extend([
                    ("similar", false),
                    ("explained", true),
                    ("nearest distance", true),
                    ("prototypes", true),
                ]);
                write_head(html, &names);
                html.element("tbody", &[], |html| {
                    (0..page.rows.len()).for_each(|at| write_line(html, page, at, (ids, labels)));
                });
            });
        });
    });
}

fn write_search(html: &mut Html, page: &ExplanationPage) {
    let n_alone = page.document.explanations.iter().filter(|row| !row.similar).count();
    html.element("div", &[("class", "order scripted")], |html| {
        html.leaf("label", &[("for", "find-row")], "Search");
        html.void("input", &[("type", "search"), ("id", "find-row"), ("autocomplete", "off")]);
        if n_alone > 0 {
            html.element("label", &[], |html| {
                html.void("input", &[("type", "checkbox"), ("id", "only-alone"), ("autocomplete", "off")]);
                html.text(&format!(" Only the {} with nothing similar", counted(n_alone as u64, "row")));
            });
        }
        html.leaf("output", &[("id", "find-text"), ("role", "status")], "");
    });
}

fn write_line(html: &mut Html, page: &ExplanationPage, at: usize, (ids, labels): (bool, bool)) {
    let (row, found) = (&page.rows[at], &page.document.explanations[at]);
    let place = at.to_string();
    html.element("tr", &[("data-at", place.as_str())], |html| {
        let number = |html: &mut Html, value: Option<f64>, text: String| {
            let value = value.map_or_else(String::new, |value| value.to_string());
            html.leaf("td", &[("class", "number"), ("data-value", &value)], &text);
        };
        number(html, Some(row.index as f64), row.index.to_string());
        for (_, text) in [(ids, row.id.as_deref()), (labels, row.label())].iter().filter(|(there, _)| *there) {
            html.element("td", &[], |html| html.name(text.unwrap_or_default()));
        }
        let words = if found.similar { ("yes", "") } else { ("nothing similar", "alone") };
        html.leaf("td", if words.1.is_empty() { &[] } else { &[("class", "alone")] }, words.0);
        number(html, found.explained, found.explained.map_or_else(String::new, percent));
        number(html, found.nearest_distance, found.nearest_distance.map_or_else(String::new, four_digits));
        let n_prototypes = found.prototypes.len();
        number(html, Some(n_prototypes as f64), count(n_prototypes as u64));
    });
    html.line();
}
