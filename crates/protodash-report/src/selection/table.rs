//! The prototypes as a table that can be sorted.

use super::{SelectionPage, section};
use crate::html::Html;
use crate::numbers::{count, percent, short};

/// Columns of the file that the table has room for; wider rows are in the cards.
const MOST_COLUMNS: usize = 30;

/// Writes a line for each prototype.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    let has = |value: fn(&crate::row::Row) -> bool| page.prototypes.iter().any(|prototype| value(&prototype.row));
    let (ids, labels) = (has(|row| row.id.is_some()), has(|row| row.label.is_some()));
    let cells = page.columns.len() <= MOST_COLUMNS && has(|row| !row.cells.is_empty());
    section(html, "table", "Table", |html| {
        let hint = "Click on the head of a column to sort by it.";
        html.leaf("p", &[("class", "quiet scripted")], hint);
        let region =
            [("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Table of prototypes")];
        html.element("div", &region, |html| {
            html.element("table", &[("class", "sortable"), ("id", "prototype-table")], |html| {
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        let mut head = |name: &str| html.leaf("th", &[("scope", "col")], name);
                        ["rank", "row"].iter().for_each(|name| head(name));
                        [(ids, "id"), (labels, "label")]
                            .iter()
                            .filter(|(there, _)| *there)
                            .for_each(|(_, name)| head(name));
                        ["weight", "share", "gain", "stands for"].iter().for_each(|name| head(name));
                        page.columns.iter().filter(|_| cells).for_each(|column| head(&column.name));
                    });
                });
                html.element("tbody", &[], |html| {
                    (0..page.prototypes.len()).for_each(|at| write_line(html, page, at, (ids, labels, cells)));
                });
            });
        });
    });
}

fn write_line(html: &mut Html, page: &SelectionPage, at: usize, (ids, labels, cells): (bool, bool, bool)) {
    let prototype = &page.prototypes[at];
    let rank = (at + 1).to_string();
    html.element("tr", &[("data-rank", &rank)], |html| {
        let mut number = |class: &str, value: f64, text: &str| {
            html.leaf("td", &[("class", class), ("data-value", &value.to_string())], text);
        };
        number("number", (at + 1) as f64, &rank);
        number("number", prototype.row.index as f64, &prototype.row.index.to_string());
        for text in [(ids, &prototype.row.id), (labels, &prototype.row.label)].iter().filter(|(there, _)| *there) {
            html.leaf("td", &[], text.1.as_deref().unwrap_or_default());
        }
        let mut number = |class: &str, value: f64, text: &str| {
            html.leaf("td", &[("class", class), ("data-value", &value.to_string())], text);
        };
        number("number weight", prototype.weight, &short(prototype.weight));
        number("number share", prototype.share, &percent(prototype.share));
        number("number", prototype.gain, &short(prototype.gain));
        number("number stands", prototype.n_represented as f64, &count(prototype.n_represented as u64));
        if cells {
            for place in 0..page.columns.len() {
                html.leaf("td", &[], prototype.row.cells.get(place).map_or("", |cell| cell.text.as_str()));
            }
        }
    });
    html.line();
}
