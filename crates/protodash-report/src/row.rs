//! A row of the data as it is shown: its name, its cells, its picture.

use serde::Serialize;

use crate::html::Html;
use crate::image::Images;
use crate::numbers::{count, measured};
use crate::typical::Column;

/// Cells that a card shows before it is opened.
const TELLING: usize = 6;

/// A row of a file.
///
/// # Examples
///
/// ```
/// use protodash_report::{Cell, Row};
///
/// let cells = vec![Cell { text: "63".to_owned(), distance: 1.5, remark: "+1.5 sd".to_owned(), ..Cell::default() }];
/// let row = Row { index: 87, id: Some("74292".to_owned()), cells, ..Row::default() };
/// assert_eq!(row.image, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Row {
    /// Its number in the file, counted from 0.
    pub index: u64,
    /// What names it, if a column does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its class, if a column says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// One cell for each column of the page; none if nothing is known of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cell>,
    /// Its place among the images of the page, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<usize>,
}

/// A value of a row.
///
/// # Examples
///
/// ```
/// use protodash_report::{Cell, Column};
///
/// let age = Column::of_numbers("age", vec![20.0, 30.0, 40.0]);
/// let cell: Cell = age.number("40", Some(40.0));
/// assert_eq!((cell.text.as_str(), cell.remark.as_str()), ("40", "+1.2 sd"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Cell {
    /// The value as it is shown: as it stands in the file, but for numbers with very many digits.
    pub text: String,
    /// The value as it stands in the file, if it is shown otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
    /// What it is sorted by, if it is a number.
    #[serde(skip)]
    pub value: Option<f64>,
    /// How far it is from what is typical, in units of the column's spread.
    #[serde(skip)]
    pub distance: f64,
    /// The same in a few words, such as `+2.1 sd` or `3.0 % have it`; empty if nothing is known.
    pub remark: String,
}

/// Signs of a number that are shown as they stand in the file.
const READABLE: usize = 10;

impl Cell {
    /// A number, written so in the file: of very many digits behind the point those that count are shown.
    pub(crate) fn of_number(text: &str, value: Option<f64>) -> Cell {
        let rounded = value.filter(|_| text.len() > READABLE && text.contains(['.', 'e'])).map(measured);
        match rounded.filter(|rounded| rounded.len() < text.len()) {
            Some(rounded) => Cell { text: rounded, exact: Some(text.to_owned()), value, ..Cell::default() },
            None => Cell { text: text.to_owned(), value, ..Cell::default() },
        }
    }

    /// The value as it stands in the file.
    pub(crate) fn in_file(&self) -> &str {
        self.exact.as_deref().unwrap_or(&self.text)
    }

    /// The value as an element's content, with a title that has all digits.
    pub(crate) fn write(&self, html: &mut Html) {
        match &self.exact {
            Some(exact) => html.leaf("span", &[("title", exact)], &self.text),
            None => html.in_short(&self.text),
        }
    }
}

impl Row {
    /// What the row is called: its id and its number.
    pub(crate) fn name(&self) -> String {
        match &self.id {
            Some(id) if !id.is_empty() => format!("{id} (row {})", count(self.index)),
            _ => format!("row {}", count(self.index)),
        }
    }

    /// Its name in a place of its own.
    pub(crate) fn write_name(&self, html: &mut Html) {
        html.element("span", &[("class", "row-name")], |html| match &self.id {
            Some(id) if !id.is_empty() => {
                html.name(id);
                html.text(&format!(" (row {})", count(self.index)));
            }
            _ => html.text(&self.name()),
        });
    }

    /// Its class, if it has one.
    pub(crate) fn label(&self) -> Option<&str> {
        self.label.as_deref().map(label_text)
    }

    /// Its class in a place of its own, if it has one.
    pub(crate) fn write_label(&self, html: &mut Html) {
        if let Some(label) = self.label() {
            html.element("p", &[("class", "label")], |html| {
                html.text("label ");
                html.name(label);
            });
        }
    }

    /// What a screen reader says of its picture.
    fn description(&self) -> String {
        match self.label() {
            Some(label) => format!("image of {}, label {label}", self.name()),
            None => format!("image of {}", self.name()),
        }
    }

    /// Its picture, if it has one.
    pub(crate) fn write_image(&self, html: &mut Html, images: &Images) {
        if let Some((at, image)) = self.image.and_then(|at| Some((at, images.get(at)?))) {
            let class = format!("image i{at}");
            let (width, height) = (image.width().to_string(), image.height().to_string());
            // An SVG without content keeps the place and the proportions of the picture, which the stylesheet paints.
            let view = format!("0 0 {width} {height}");
            html.leaf(
                "svg",
                &[("class", &class), ("role", "img"), ("viewBox", &view), ("aria-label", &self.description())],
                "",
            );
        }
    }

    /// The most telling cells beside what is typical, and a button for all of them.
    pub(crate) fn write_cells(&self, html: &mut Html, columns: &[Column]) {
        if self.cells.is_empty() || columns.is_empty() {
            return;
        }
        let mut order: Vec<usize> = (0..self.cells.len().min(columns.len())).collect();
        order.sort_by(|a, b| self.cells[*b].distance.total_cmp(&self.cells[*a].distance));
        html.element("table", &[("class", "cells")], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    ["column", "value", "typical", "differs by"]
                        .iter()
                        .for_each(|name| html.leaf("th", &[("scope", "col")], name));
                });
            });
            html.element("tbody", &[], |html| {
                for &at in order.iter().take(TELLING) {
                    write_cell(html, &columns[at], &self.cells[at]);
                }
            });
        });
        if columns.len() > TELLING {
            let words = format!("all {} columns", count(columns.len() as u64));
            html.leaf("button", &[("type", "button"), ("class", "more scripted"), ("aria-expanded", "false")], &words);
        }
    }
}

/// A class as it is shown: where the data have none, it is missing.
pub(crate) fn label_text(label: &str) -> &str {
    if label.is_empty() { "missing" } else { label }
}

fn write_cell(html: &mut Html, column: &Column, cell: &Cell) {
    html.element("tr", &[], |html| {
        html.element("th", &[("scope", "row")], |html| html.column_name(&column.name));
        html.element("td", &[], |html| cell.write(html));
        html.element("td", &[("class", "typical")], |html| html.in_short(&column.typical_text()));
        html.leaf("td", &[("class", "remark")], &cell.remark);
    });
}
