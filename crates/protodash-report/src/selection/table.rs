//! The prototypes as a sortable table.

use super::SelectionPage;
use crate::html::Html;
use crate::numbers::{count, percent, short};
use crate::row::Cell;
use crate::section::{scrolling, section, write_head};

/// Maximum number of data columns in the table; cards show wider rows.
const MOST_COLUMNS: usize = 30;

/// Maximum number of data columns that fit on a printed page at the usual font size.
const NARROW: usize = 6;

/// Writes a line for each prototype.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    let has = |value: fn(&crate::row::Row) -> bool| page.prototypes.iter().any(value);
    let (ids, labels) = (has(|row| row.id.is_some()), has(|row| row.label.is_some()));
    let known = has(|row| !row.cells.is_empty());
    let cells = known && page.columns.len() <= MOST_COLUMNS;
    let counted = page.document.prototypes.iter().any(|prototype| prototype.n_represented.is_some());
    section(html, "table", "Table", |html| {
        html.leaf("p", &[("class", "quiet scripted")], "Click a column header to sort.");
        if known && !cells {
            let n_columns = count(page.columns.len() as u64);
            let left_out = format!(
                "The {n_columns} columns are too many for this table (at most {MOST_COLUMNS}); see the cards above."
            );
            html.leaf("p", &[("class", "quiet")], &left_out);
        }
        scrolling(html, "Table of prototypes", |html| {
            let wide = cells && page.columns.len() > NARROW;
            let class = if wide { "sortable wide" } else { "sortable" };
            html.element("table", &[("class", class), ("id", "prototype-table")], |html| {
                let mut names = vec![("rank", true), ("row", true)];
                let words = [(ids, "id"), (labels, "label")];
                names.extend(words.iter().filter(|(there, _)| *there).map(|(_, name)| (*name, false)));
                names.extend(page.shown.iter().map(|name| (name.as_str(), false)));
                names.extend(["weight", "of weight", "gain"].map(|name| (name, true)));
                if page.document.n_fixed > 0 {
                    names.push(("fixed or adds", true));
                }
                if counted {
                    names.push(("nearest rows", true));
                }
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
    let (row, prototype) = (&page.prototypes[at], &page.document.prototypes[at]);
    let rank = (at + 1).to_string();
    let mut attributes = vec![("data-rank", rank.as_str())];
    if prototype.weight <= 0.0 {
        attributes.push(("hidden", ""));
    }
    html.element("tr", &attributes, |html| {
        number(html, "number", (at + 1) as f64, &rank);
        number(html, "number", row.index as f64, &count(row.index));
        for (_, text) in [(ids, row.id.as_deref()), (labels, row.label())].iter().filter(|(there, _)| *there) {
            html.element("td", &[], |html| html.name(text.unwrap_or_default()));
        }
        for text in page.shown.iter().enumerate().map(|(at, _)| row.shown.get(at)) {
            html.element("td", &[], |html| html.in_short(text.map_or("", String::as_str)));
        }
        number(html, "number weight", prototype.weight, &short(prototype.weight));
        number(html, "number share", prototype.share, &percent(prototype.share));
        number(html, "number", prototype.gain, &short(prototype.gain));
        if page.document.n_fixed > 0 {
            let added = page.added(at);
            let text = added.unwrap_or_else(|| if at < page.document.n_fixed { "fixed" } else { "unknown" }.to_owned());
            html.leaf("td", &[("class", "number")], &text);
        }
        if let Some(n_represented) = prototype.n_represented {
            number(html, "number stands", n_represented as f64, &count(n_represented as u64));
        }
        if cells {
            for place in 0..page.columns.len() {
                write_cell(html, row.cells.get(place), has_numbers(page, place));
            }
        }
    });
    html.line();
}

/// Whether a column holds numbers.
fn has_numbers(page: &SelectionPage, place: usize) -> bool {
    page.prototypes.iter().any(|row| row.cells.get(place).is_some_and(|cell| cell.value.is_some()))
}

fn write_cell(html: &mut Html, cell: Option<&Cell>, is_number: bool) {
    // In a column of numbers, other values sort to the end in both directions.
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
    use crate::document::SelectionDocument;
    use crate::typical::Column;

    fn written(n_columns: usize) -> String {
        let columns: Vec<Column> =
            (0..n_columns).map(|at| Column::of_numbers(&format!("c{at}"), vec![0.0, 1.0])).collect();
        let mut page = SelectionPage::new(SelectionDocument::example());
        page.prototypes[0].cells = columns.iter().map(|column| column.number("1", Some(1.0))).collect();
        page.columns = columns;
        let mut html = Html::default();
        write(&mut html, &page);
        html.finish()
    }

    #[test]
    fn fixed_rows_are_marked_and_new_rows_say_what_they_add() {
        let mut document = SelectionDocument::example();
        assert!(!written_page(SelectionPage::new(document.clone())).contains("fixed"));
        document.n_fixed = 1;
        let page = written_page(SelectionPage::new(document));
        assert!(page.contains("<td class=\"number\">fixed</td>"), "{page}");
        // The objective rises from 0.2 to 0.3, of an energy of 0.75.
        assert!(page.contains("<td class=\"number\">26.7\u{a0}%</td>"), "{page}");
    }

    fn written_page(page: SelectionPage) -> String {
        let mut html = Html::default();
        write(&mut html, &page);
        html.finish()
    }

    #[test]
    fn a_table_that_is_too_wide_says_what_it_omits() {
        let (narrow, wide) = (written(30), written(1031));
        assert!(narrow.contains("c29") && !narrow.contains("see the cards"));
        assert!(!wide.contains("c29") && wide.contains("The 1,031 columns are too many for this table (at most 30)"));
    }
}
