//! Further numbers of a study, in tables that can be sorted.

use crate::html::Html;
use crate::section::{scrolling, section, write_head};

/// A table of a study.
///
/// # Examples
///
/// ```
/// use protodash_report::{StudyCell, StudyTable};
///
/// let row = vec![StudyCell::text("5"), StudyCell::number(0.25, "25 %")];
/// let table = StudyTable { title: "Widths".to_owned(), rows: vec![row], ..StudyTable::default() };
/// assert_eq!(table.rows[0][1].value, Some(0.25));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyTable {
    /// What it shows.
    pub title: String,
    /// How to read it; may be empty.
    pub remark: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// Lines with a cell for each column.
    pub rows: Vec<Vec<StudyCell>>,
}

/// A cell of a table.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::StudyCell::text("yes").value, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyCell {
    /// What is shown.
    pub text: String,
    /// What the column is sorted by, if it is a number.
    pub value: Option<f64>,
}

impl StudyCell {
    /// A cell that is a word.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_report::StudyCell::text("adults").text, "adults");
    /// ```
    pub fn text(text: impl Into<String>) -> StudyCell {
        StudyCell { text: text.into(), value: None }
    }

    /// A cell that is a number, as it is shown.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_report::StudyCell::number(2.0, "2.0 s").value, Some(2.0));
    /// ```
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
        html.leaf("p", &[("class", "quiet scripted")], "Click on the head of a column to sort by it.");
        for table in tables {
            html.leaf("h3", &[("class", "table-title")], &table.title);
            if !table.remark.is_empty() {
                html.leaf("p", &[("class", "quiet")], &table.remark);
            }
            write_table(html, table);
        }
    });
}

/// Writes one table in a frame of its own.
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
            // What is missing comes last among numbers that are wanted largest first.
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
