//! The tables, by average rank.

use super::RelationPage;
use crate::html::Html;
use crate::numbers::{count, percent};
use crate::section::{scrolling, section, write_head};

const COLUMNS: [(&str, bool); 7] = [
    ("table", false),
    ("keys", true),
    ("features", true),
    ("average rank", true),
    ("by itself", true),
    ("represented best by", false),
    ("explains", true),
];

/// Writes a line for each table.
pub(super) fn write(html: &mut Html, page: &RelationPage) {
    let rank = |at: &usize| page.tables[*at].average_rank.unwrap_or(f64::INFINITY);
    let mut order: Vec<usize> = (0..page.tables.len()).collect();
    order.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    section(html, "table", "Tables", |html| {
        html.leaf("p", &[("class", "quiet scripted")], "Click a column header to sort.");
        scrolling(html, "Tables", |html| {
            html.element("table", &[("class", "sortable"), ("id", "relation-table")], |html| {
                write_head(html, &COLUMNS);
                html.element("tbody", &[], |html| order.iter().for_each(|at| write_line(html, page, *at)));
            });
        });
    });
}

fn write_line(html: &mut Html, page: &RelationPage, at: usize) {
    let table = &page.tables[at];
    let of_table = page.pairs.iter().filter(|pair| pair.target == at && pair.source < page.tables.len());
    let best = of_table.min_by(|a, b| a.rank.total_cmp(&b.rank));
    html.element("tr", &[], |html| {
        html.leaf("th", &[("scope", "row")], &table.name);
        number(html, table.n_keys as f64, &count(table.n_keys as u64));
        number(html, table.n_features as f64, &count(table.n_features as u64));
        let rank = table.average_rank;
        number(html, rank.unwrap_or(f64::MAX), &rank.map_or_else(String::new, |rank| format!("{rank:.2}")));
        number(html, table.explained, &percent(table.explained));
        html.leaf("td", &[], best.map_or("", |pair| page.tables[pair.source].name.as_str()));
        let explained = best.map(|pair| pair.explained);
        number(html, explained.unwrap_or(-1.0), &explained.map_or_else(String::new, percent));
    });
    html.line();
}

fn number(html: &mut Html, value: f64, text: &str) {
    html.leaf("td", &[("class", "number"), ("data-value", &value.to_string())], text);
}
