//! The matrix of ranks: which table represents which, and how well.

use super::{RelatedPair, RelationPage};
use crate::html::Html;
use crate::numbers::{count, percent};
use crate::section::{scrolling, section};

/// Writes a line for each represented table and a column for each representing one.
pub(super) fn write(html: &mut Html, page: &RelationPage) {
    let n_tables = page.tables.len();
    let mut cells: Vec<Option<&RelatedPair>> = vec![None; n_tables * n_tables];
    for pair in page.strongest() {
        cells[pair.target * n_tables + pair.source] = Some(pair);
    }
    section(html, "ranks", "Ranks", |html| {
        html.leaf(
            "p",
            &[],
            "Each row is a represented table, each column a table whose prototypes represent it. The number is the rank; 1 and \
             dark is best. Pairs without a number share no keys.",
        );
        scrolling(html, "Ranks", |html| {
            html.element("table", &[("class", "heat rank-heat")], |html| {
                html.element("thead", &[], |html| write_names(html, page));
                html.element("tbody", &[], |html| {
                    for (at, table) in page.tables.iter().enumerate() {
                        html.element("tr", &[], |html| {
                            html.leaf("th", &[("scope", "row")], &table.name);
                            for source in 0..n_tables {
                                write_cell(html, cells[at * n_tables + source], at == source, n_tables);
                            }
                        });
                    }
                });
            });
        });
    });
}

fn write_names(html: &mut Html, page: &RelationPage) {
    html.element("tr", &[], |html| {
        html.leaf("th", &[("scope", "col")], "table");
        for table in &page.tables {
            html.element("th", &[("scope", "col")], |html| html.leaf("span", &[], &table.name));
        }
    });
}

fn write_cell(html: &mut Html, pair: Option<&RelatedPair>, own: bool, n_tables: usize) {
    match pair {
        None if own => html.leaf("td", &[("class", "own")], "–"),
        None => html.leaf("td", &[], ""),
        Some(pair) => {
            let worst = (n_tables.max(3) - 2) as f64;
            let depth = 10.0 * (1.0 - ((pair.rank - 1.0) / worst).clamp(0.0, 1.0));
            let class = format!("h{}", depth.round());
            let words = format!("{} explained, on {} keys", percent(pair.explained), count(pair.n_keys as u64));
            html.leaf("td", &[("class", &class), ("title", &words)], &pair.rank.to_string());
        }
    }
}
