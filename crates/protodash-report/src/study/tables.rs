//! Sortable tables of a study.

use crate::html::Html;
use crate::section::{scrolling, section, write_head};

/// A table of a study.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyTable {
    /// What it shows.
    pub title: String,
    /// How to read it; may be empty.
    pub remark: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, with a cell for each column.
    pub rows: Vec<Vec<StudyCell>>,
}

/// A cell of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyCell {
    /// Its text.
    pub text: String,
    /// The number to sort by.
    pub value: Option<f64>,
}

impl StudyCell {
    /// A cell with text.
    pub fn text(text: impl Into<String>) -> StudyCell {
        StudyCell { text: text.into(), value: None }
    }

    /// A cell with a number and its text.
    pub fn number(value: f64, text: impl Into<String>) -> StudyCell {
        StudyCell { text: text.into(), value: Some(value) }
    }
}

/// Writes the tables, one below the other.
pub(super) fn write(html: &mut Html, tables: &[StudyTable]) {
    if tables.is_empty() {
        return;
    }
    section(html, "tables", "Tables", |html| {
        html.leaf("p", &[("class", "quiet scripted")], "Click a column header to sort.");
        for table in tables {
            html.leaf("h3", &[("class", "table-title")], &table.title);
            if !table.remark.is_empty() {
                html.leaf("p", &[("class", "quiet")], &table.remark);
            }
            write_table(html, table);
        }
    });
}

/// Writes one table in a scrolling frame.
pub(super) fn write_table(html: &mut Html, table: &StudyTable) {
    let is_number = |at: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(at)).filter(|cell| !cell.text.is_empty()).peekable();
        cells.peek().is_some() && cells.all(|cell| cell.value.is_some())
    };
    let numbers: Vec<bool> = (0..table.columns.len()).map(is_number).collect();
    scrolling(html, &table.title, |html| {
        html.element("table", &[("class", "sortable")], |html| {
            let names: Vec<(&str, bool)> =
                table.columns.iter().map(String::as_str).zip(numbers.iter().copied()).collect();
            write_head(html, &names);
            html.element("tbody", &[], |html| table.rows.iter().for_each(|row| write_row(html, row, &numbers)));
        });
    });
}

fn write_row(html: &mut Html, row: &[StudyCell], numbers: &[bool]) {
    html.element("tr", &[], |html| {
        for (at, (cell, is_number)) in row.iter().zip(numbers).enumerate() {
            // Missing values sort last.
            let value = cell.value.unwrap_or(f64::MIN).to_string();
            match (at, is_number) {
                (0, false) => html.leaf("th", &[("scope", "row")], &cell.text),
                (_, false) => html.leaf("td", &[], &cell.text),
                (_, true) => html.leaf("td", &[("class", "number"), ("data-value", &value)], &cell.text),
            }
        }
    });
    html.line();
}
