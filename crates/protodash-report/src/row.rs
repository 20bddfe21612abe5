//! A row of the data as the page shows it: its name, its cells, its image.

use serde::Serialize;

use crate::html::Html;
use crate::image::Images;
use crate::numbers::{count, measured};
use crate::typical::Column;

/// Number of cells a card shows before it is expanded.
const MOST_CELLS: usize = 6;

/// A row of a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Row {
    /// Its number in the file, counted from 0.
    pub index: u64,
    /// Its id, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its class, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// One cell for each column of the page; empty if the values are unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cell>,
    /// Its text in each shown column of the page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// Its index among the images of the page, if it is an image or has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<usize>,
}

/// A value of a row.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Cell {
    /// The text shown: as in the file, except that long numbers are rounded.
    pub text: String,
    /// The text in the file, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
    /// The number to sort by, if it is one.
    #[serde(skip)]
    pub value: Option<f64>,
    /// Distance from the typical value, in units of the column's spread.
    #[serde(skip)]
    pub distance: f64,
    /// The same in words, such as `+2.1 sd` or `3.0 % have it`; empty if unknown.
    pub remark: String,
}

/// Numbers up to this many chars are shown as they are in the file.
const READABLE: usize = 10;

impl Cell {
    /// A number with its text in the file; long ones are rounded to their significant digits.
    pub(crate) fn of_number(text: &str, value: Option<f64>) -> Cell {
        let rounded = value.filter(|_| text.len() > READABLE && text.contains(['.', 'e'])).map(measured);
        match rounded.filter(|rounded| rounded.len() < text.len()) {
            Some(rounded) => Cell { text: rounded, exact: Some(text.to_owned()), value, ..Cell::default() },
            None => Cell { text: text.to_owned(), value, ..Cell::default() },
        }
    }

    /// The text in the file.
    #[must_use]
    pub fn in_file(&self) -> &str {
        self.exact.as_deref().unwrap_or(&self.text)
    }

    /// Writes the value, with all digits in its tooltip.
    pub(crate) fn write(&self, html: &mut Html) {
        match &self.exact {
            Some(exact) => html.leaf("span", &[("title", exact)], &self.text),
            None => html.in_short(&self.text),
        }
    }
}

impl Row {
    /// The indices of its cells, most unusual first.
    pub(crate) fn most_unusual(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_by(|a, b| self.cells[*b].distance.total_cmp(&self.cells[*a].distance));
        order
    }

    /// The name of the row: its id and its number.
    pub(crate) fn name(&self) -> String {
        match &self.id {
            Some(id) if !id.is_empty() => format!("{id} (row {})", count(self.index)),
            _ => format!("row {}", count(self.index)),
        }
    }

    /// Writes its name.
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

    /// Writes its class, if it has one.
    pub(crate) fn write_label(&self, html: &mut Html) {
        if let Some(label) = self.label() {
            html.element("p", &[("class", "label")], |html| {
                html.text("label ");
                html.name(label);
            });
        }
    }

    /// The text alternative of its image.
    fn description(&self) -> String {
        match self.label() {
            Some(label) => format!("image of {}, label {label}", self.name()),
            None => format!("image of {}", self.name()),
        }
    }

    /// Writes its image, if it has one.
    pub(crate) fn write_image(&self, html: &mut Html, images: &Images) {
        if let Some((at, image)) = self.image.and_then(|at| Some((at, images.get(at)?))) {
            let class = format!("image{} i{at}", if image.is_file() { " photo" } else { "" });
            let (width, height) = (image.width().to_string(), image.height().to_string());
            // An empty SVG reserves the space and keeps the aspect ratio; the stylesheet paints the image.
            let view = format!("0 0 {width} {height}");
            html.leaf(
                "svg",
                &[("class", &class), ("role", "img"), ("viewBox", &view), ("aria-label", &self.description())],
                "",
            );
        }
    }

    /// Writes its texts in the shown columns.
    pub(crate) fn write_shown(&self, html: &mut Html, names: &[String]) {
        if self.shown.is_empty() {
            return;
        }
        html.element("dl", &[("class", "shown")], |html| {
            for (name, text) in names.iter().zip(&self.shown) {
                html.element("div", &[], |html| {
                    html.element("dt", &[], |html| html.column_name(name));
                    html.element("dd", &[("dir", "auto")], |html| html.in_short(text));
                });
            }
        });
    }

    /// Writes the most unusual cells; where texts or an image tell what a row is, they are closed at first.
    pub(crate) fn write_cells(&self, html: &mut Html, columns: &[Column]) {
        if self.cells.is_empty() || columns.is_empty() {
            return;
        }
        if self.shown.is_empty() && self.image.is_none() {
            return self.write_open_cells(html, columns);
        }
        html.element("details", &[("class", "features")], |html| {
            html.leaf("summary", &[], "features");
            self.write_open_cells(html, columns);
        });
    }

    /// Writes the most unusual cells next to typical values, and a button that shows all.
    fn write_open_cells(&self, html: &mut Html, columns: &[Column]) {
        html.element("table", &[("class", "cells")], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    ["column", "value", "typical", "difference"]
                        .iter()
                        .for_each(|name| html.leaf("th", &[("scope", "col")], name));
                });
            });
            html.element("tbody", &[], |html| {
                for at in self.most_unusual().into_iter().filter(|at| *at < columns.len()).take(MOST_CELLS) {
                    write_cell(html, &columns[at], &self.cells[at]);
                }
            });
        });
        if columns.len() > MOST_CELLS {
            let words = format!("all {} columns", count(columns.len() as u64));
            html.leaf("button", &[("type", "button"), ("class", "more scripted"), ("aria-expanded", "false")], &words);
        }
    }
}

/// The text of a class; an empty one is shown as missing.
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
