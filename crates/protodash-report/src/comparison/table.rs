//! All outcomes as a sortable table.

use super::ComparisonPage;
use crate::document::OutcomeRecord;
use crate::html::Html;
use crate::numbers::{bytes, count, percent, seconds, short};
use crate::section::{scrolling, section, write_head};

/// A column: its name, the value it sorts by, and the text it shows.
type Measured = (&'static str, fn(&OutcomeRecord) -> Option<f64>, fn(f64) -> String);

const COLUMNS: [Measured; 10] = [
    ("prototypes", |outcome| Some(outcome.n_prototypes as f64), whole),
    ("found", |outcome| Some(outcome.n_found as f64), whole),
    ("objective", |outcome| Some(outcome.objective), short),
    ("explained", |outcome| outcome.explained, percent),
    ("MMD²", |outcome| outcome.mmd2, scientific),
    ("refitted", |outcome| outcome.mmd2_refitted, scientific),
    ("1-NN", |outcome| outcome.accuracy, percent),
    ("vote", |outcome| outcome.accuracy_weighted, percent),
    ("time", |outcome| Some(outcome.seconds), seconds),
    ("memory", |outcome| Some(outcome.peak_memory_bytes as f64), |value| bytes(value as u64)),
];

fn whole(value: f64) -> String {
    count(value as u64)
}

fn scientific(value: f64) -> String {
    format!("{value:.3e}")
}

/// Writes a line for each method and number of prototypes; columns without values are left out.
pub(super) fn write(html: &mut Html, page: &ComparisonPage) {
    let known = |column: &&Measured| {
        let is_there = page.document.results.iter().any(|outcome| (column.1)(outcome).is_some());
        is_there && (column.0 != "vote" || page.document.has_votes())
    };
    let columns: Vec<&Measured> = COLUMNS.iter().filter(known).collect();
    section(html, "table", "Table", |html| {
        html.leaf("p", &[("class", "quiet scripted")], "Click a column header to sort.");
        scrolling(html, "Table of outcomes", |html| {
            html.element("table", &[("class", "sortable"), ("id", "outcome-table")], |html| {
                let own = columns.iter().map(|column| (column.0, true));
                let names: Vec<(&str, bool)> = [("method", false)].into_iter().chain(own).collect();
                write_head(html, &names);
                html.element("tbody", &[], |html| {
                    for outcome in &page.document.results {
                        html.element("tr", &[], |html| {
                            html.leaf("th", &[("scope", "row")], &outcome.method);
                            for (_, value, text) in &columns {
                                let value = value(outcome);
                                let sorted = value.map_or_else(String::new, |value| value.to_string());
                                let attributes = [("class", "number"), ("data-value", sorted.as_str())];
                                html.leaf("td", &attributes, &value.map_or_else(String::new, text));
                            }
                        });
                        html.line();
                    }
                });
            });
        });
    });
}
