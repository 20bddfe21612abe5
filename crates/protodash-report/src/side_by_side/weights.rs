//! The weights of the rows in both selections: bars for the shared ones, and a table of all.

use super::{ChosenRow, NAMES, SideBySidePage};
use crate::chart::{write_bar, write_legend};
use crate::html::Html;
use crate::numbers::{count, counted, percent, short};
use crate::section::{scrolling, section, write_head};

/// Maximum number of rows with bars; the table has all.
const MOST_BARS: usize = 40;

/// Writes two bars for each shared row, heaviest first.
pub(super) fn write(html: &mut Html, chosen: &[ChosenRow<'_>]) {
    let shared: Vec<&ChosenRow<'_>> = chosen.iter().filter(|one| one.is_shared()).collect();
    let largest = shared.iter().flat_map(|one| one.shares()).fold(0.0, f64::max);
    if shared.is_empty() {
        return;
    }
    section(html, "weights", "Weights of shared rows", |html| {
        let words = match shared.len() {
            few if few <= MOST_BARS => format!("The share of weight of {} in each.", counted(few as u64, "shared row")),
            many => format!("The share of weight in each, of the {MOST_BARS} heaviest of {many} shared rows."),
        };
        html.leaf("p", &[], &words);
        write_legend(html, NAMES.into_iter());
        html.element("ul", &[("class", "bars twins"), ("aria-label", "Weights of shared rows")], |html| {
            for one in shared.into_iter().take(MOST_BARS) {
                html.element("li", &[], |html| {
                    html.element("span", &[("class", "bar-name")], |html| one.row.write_name(html));
                    html.element("span", &[], |html| {
                        for (side, share) in one.shares().into_iter().enumerate() {
                            write_bar(html, if largest > 0.0 { share / largest } else { 0.0 }, side);
                        }
                    });
                    let [first, second] = one.shares().map(percent);
                    html.leaf("span", &[("class", "bar-text")], &format!("{first} · {second}"));
                });
            }
        });
    });
}

/// Writes all rows as a sortable table.
pub(super) fn write_table(html: &mut Html, page: &SideBySidePage, chosen: &[ChosenRow<'_>]) {
    let has = |value: fn(&ChosenRow<'_>) -> bool| chosen.iter().any(value);
    let (ids, labels) = (has(|one| one.row.id.is_some()), has(|one| one.row.label.is_some()));
    section(html, "table", "Table", |html| {
        html.leaf("p", &[("class", "quiet scripted")], "Click a column header to sort.");
        scrolling(html, "Table of rows of both", |html| {
            html.element("table", &[("class", "sortable"), ("id", "row-table")], |html| {
                let mut names = vec![("row", true)];
                names.extend(
                    [(ids, "id"), (labels, "label")].iter().filter(|(there, _)| *there).map(|(_, name)| (*name, false)),
                );
                names.extend(page.shown.iter().map(|name| (name.as_str(), false)));
                names.extend(
                    ["weight in A", "weight in B", "of weight in A", "of weight in B"].map(|name| (name, true)),
                );
                write_head(html, &names);
                html.element("tbody", &[], |html| {
                    chosen.iter().for_each(|one| write_line(html, page, one, (ids, labels)));
                });
            });
        });
    });
}

fn write_line(html: &mut Html, page: &SideBySidePage, one: &ChosenRow<'_>, (ids, labels): (bool, bool)) {
    let row = one.row;
    html.element("tr", &[], |html| {
        number(html, Some((row.index as f64, count(row.index))));
        for (_, text) in [(ids, row.id.as_deref()), (labels, row.label())].iter().filter(|(there, _)| *there) {
            html.element("td", &[], |html| html.name(text.unwrap_or_default()));
        }
        for at in 0..page.shown.len() {
            html.element("td", &[], |html| html.in_short(row.shown.get(at).map_or("", String::as_str)));
        }
        for record in one.of {
            number(html, record.map(|record| (record.weight, short(record.weight))));
        }
        for record in one.of {
            number(html, record.map(|record| (record.share, percent(record.share))));
        }
    });
    html.line();
}

/// A number that sorts, or an empty cell.
fn number(html: &mut Html, value: Option<(f64, String)>) {
    let (sorted, text) = value.map_or_else(Default::default, |(value, text)| (value.to_string(), text));
    html.leaf("td", &[("class", "number"), ("data-value", &sorted)], &text);
}
