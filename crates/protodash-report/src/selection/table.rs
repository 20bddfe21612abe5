//! The prototypes as a table that can be sorted.

use super::SelectionPage;
use crate::html::Html;
use crate::numbers::{count, percent, short};
use crate::row::Cell;
use crate::section::{scrolling, section, write_head};

/// Columns of the file that the table has room for; wider rows are in the cards.
const MOST_COLUMNS: usize = 30;

/// Columns of the file beside which a sheet of paper has room for letters of the usual size.
const NARROW: usize = 6;

/// Writes a line for each prototype.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    let has = |value: fn(&crate::row::Row) -> bool| page.prototypes.iter().any(|prototype| value(&prototype.row));
    let (ids, labels) = (has(|row| row.id.is_some()), has(|row| row.label.is_some()));
    let known = has(|row| !row.cells.is_empty());
    let cells = known && page.columns.len() <= MOST_COLUMNS;
    section(html, "table", "Table", |html| {
        let hint = "Click on the head of a column to sort by it.";
        html.leaf("p", &[("class", "quiet scripted")], hint);
        if known && !cells {
            let n_columns = count(page.columns.len() as u64);
            let left_out =
                format!("The values of the {n_columns} columns are in the cards: a table has room for {MOST_COLUMNS}.");
            html.leaf("p", &[("class", "quiet")], &left_out);
        }
        scrolling(html, "Table of prototypes", |html| {
            let wide = cells && page.columns.len() > NARROW;
            let class = if wide { "sortable wide" } else { "sortable" };
            html.element("table", &[("class", class), ("id", "prototype-table")], |html| {
                let mut names = vec![("rank", true), ("row", true)];
                let words = [(ids, "id"), (labels, "label")];
                names.extend(words.iter().filter(|(there, _)| *there).map(|(_, name)| (*name, false)));
                names.extend(["weight", "share", "gain", "stands for"].map(|name| (name, true)));
                let columns = page.columns.iter().enumerate().filter(|_| cells);
                names.extend(columns.map(|(place, column)| (column.name.as_str(), has_numbers(page, place))));
                write_head(html, &names);
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
        number(html, "number", (at + 1) as f64, &rank);
        number(html, "number", prototype.row.index as f64, &prototype.row.index.to_string());
        for (_, text) in
            [(ids, prototype.row.id.as_deref()), (labels, prototype.row.label())].iter().filter(|(there, _)| *there)
        {
            html.element("td", &[], |html| html.name(text.unwrap_or_default()));
        }
        number(html, "number weight", prototype.weight, &short(prototype.weight));
        number(html, "number share", prototype.share, &percent(prototype.share));
        number(html, "number", prototype.gain, &short(prototype.gain));
        number(html, "number stands", prototype.n_represented as f64, &count(prototype.n_represented as u64));
        if cells {
            for place in 0..page.columns.len() {
                write_cell(html, prototype.row.cells.get(place), has_numbers(page, place));
            }
        }
    });
    html.line();
}

/// Whether a column of the file is sorted by its numbers.
fn has_numbers(page: &SelectionPage, place: usize) -> bool {
    page.prototypes.iter().any(|prototype| prototype.row.cells.get(place).is_some_and(|cell| cell.value.is_some()))
}

fn write_cell(html: &mut Html, cell: Option<&Cell>, is_number: bool) {
    // What is no number among numbers stands at the end in either order.
    let value = cell.and_then(|cell| cell.value).map_or_else(String::new, |value| value.to_string());
    let attributes = [("class", "number"), ("data-value", value.as_str())];
    html.element("td", if is_number { &attributes } else { &[] }, |html| {
        cell.into_iter().for_each(|cell| cell.write(html));
    });
}

fn number(html: &mut Html, class: &str, value: f64, text: &str) {
    html.leaf("td", &[("class", class), ("data-value", &value.to_string())], text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::Prototype;
    use crate::typical::Column;

    fn written(n_columns: usize) -> String {
        let columns: Vec<Column> =
            (0..n_columns).map(|at| Column::of_numbers(&format!("c{at}"), vec![0.0, 1.0])).collect();
        let mut prototype = Prototype::default();
        prototype.row.cells = columns.iter().map(|column| column.number("1", Some(1.0))).collect();
        let page = SelectionPage { columns, prototypes: vec![prototype], ..SelectionPage::default() };
        let mut html = Html::default();
        write(&mut html, &page);
        html.finish()
    }

    #[test]
    fn a_table_too_wide_says_what_it_leaves_out() {
        let (narrow, wide) = (written(30), written(1031));
        assert!(narrow.contains("c29") && !narrow.contains("in the cards"));
        assert!(!wide.contains("c29") && wide.contains("The values of the 1,031 columns are in the cards"));
    }
}
