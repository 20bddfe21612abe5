//! One row next to the rows that represent it: a column for each, a line for each column of the table.

use super::{Difference, ExplanationPage, STATIC};
use crate::document::{ExplainedRow, ExplainingRow};
use crate::html::Html;
use crate::numbers::{four_digits, percent, plain_percent};
use crate::row::{Cell, Row};
use crate::section::{as_sentence, scrolling};

/// The row at a place, next to the rows that represent it.
pub(super) fn write(html: &mut Html, page: &ExplanationPage, at: usize) {
    let (row, found) = (&page.rows[at], &page.document.explanations[at]);
    let place = at.to_string();
    let class = if at == 0 || at >= STATIC { "explained" } else { "explained later" };
    html.element("article", &[("class", class), ("data-at", place.as_str())], |html| {
        html.element("h3", &[], |html| row.write_name(html));
        write_finding(html, page, found);
        if found.prototypes.is_empty() {
            return;
        }
        let versus = Versus { page, row, found, others: others(page, found) };
        scrolling(html, &format!("Values of {}", row.name()), |html| versus.write(html));
    });
    html.line();
}

fn others<'a>(page: &'a ExplanationPage, found: &ExplainedRow) -> Vec<Option<&'a Row>> {
    found.prototypes.iter().map(|one| page.sources.get(&one.source_index)).collect()
}

fn write_finding(html: &mut Html, page: &ExplanationPage, found: &ExplainedRow) {
    let class = if found.similar { "finding" } else { "finding alone" };
    html.leaf("p", &[("class", class)], &as_sentence(&found.finding()));
    if let (false, Some(_), Some(limit)) = (found.similar, found.nearest_distance, page.document.limit) {
        let words = format!(
            "For {} of source rows, the nearest neighbour is nearer than {}. The rows below are the best there are, but \
             not similar.",
            plain_percent(page.document.similar_share),
            four_digits(limit)
        );
        html.leaf("p", &[], &words);
    }
}

struct Versus<'a> {
    page: &'a ExplanationPage,
    row: &'a Row,
    found: &'a ExplainedRow,
    others: Vec<Option<&'a Row>>,
}

/// A line of the table: a column, its value in the row and in the others, and their differences.
struct Compared<'a> {
    place: usize,
    ours: &'a Cell,
    theirs: Vec<Option<(&'a Cell, Difference)>>,
    largest: f64,
}

impl Versus<'_> {
    fn write(&self, html: &mut Html) {
        html.element("table", &[("class", "sortable versus")], |html| {
            self.write_head(html);
            html.element("tbody", &[], |html| self.write_descriptions(html));
            if self.page.columns.is_empty() {
                return;
            }
            html.element("tbody", &[], |html| {
                self.compared().iter().for_each(|line| self.write_compared(html, line));
            });
        });
    }

    fn write_head(&self, html: &mut Html) {
        html.element("thead", &[], |html| {
            html.element("tr", &[], |html| {
                html.leaf("th", &[("scope", "col"), ("class", "word")], "column");
                html.leaf("th", &[("scope", "col"), ("class", "plain-head own-row")], "this row");
                let distances = self.found.distances();
                for ((one, other), distance) in self.found.prototypes.iter().zip(&self.others).zip(&distances) {
                    html.element("th", &[("scope", "col"), ("class", "plain-head")], |html| {
                        write_explainer(html, one, *other, distance);
                    });
                }
                if !self.page.columns.is_empty() {
                    html.leaf("th", &[("scope", "col"), ("class", "number")], "largest difference");
                }
            });
        });
    }

    /// What is not compared number by number: images, classes, texts, and without the data what they have in common.
    fn write_descriptions(&self, html: &mut Html) {
        if self.row.image.is_some() || self.others.iter().flatten().any(|other| other.image.is_some()) {
            self.write_line(html, "image", |html, row| row.write_image(html, &self.page.images));
        }
        if self.row.label.is_some() || self.others.iter().flatten().any(|other| other.label.is_some()) {
            self.write_line(html, "label", |html, row| {
                html.name(row.label().unwrap_or_default());
                if row.label() != self.row.label() {
                    write_apart(html, "differs");
                }
            });
        }
        for (at, name) in self.page.shown.iter().enumerate() {
            self.write_line(html, name, |html, row| html.in_short(row.shown.get(at).map_or("", String::as_str)));
        }
        // Single pixels say little.
        if self.page.columns.is_empty() && self.page.images.is_empty() {
            self.write_named(html, "alike", |one| &one.alike);
            self.write_named(html, "differs most", |one| &one.differs);
        }
    }

    fn write_line(&self, html: &mut Html, name: &str, cell: impl Fn(&mut Html, &Row)) {
        html.element("tr", &[], |html| {
            html.element("th", &[("scope", "row")], |html| html.column_name(name));
            for row in [Some(self.row)].iter().chain(&self.others) {
                html.element("td", &[], |html| row.iter().for_each(|row| cell(html, row)));
            }
            self.write_end(html);
        });
    }

    fn write_end(&self, html: &mut Html) {
        if !self.page.columns.is_empty() {
            html.leaf("td", &[], "");
        }
    }

    fn write_named(&self, html: &mut Html, name: &str, of: fn(&ExplainingRow) -> &Vec<String>) {
        if self.found.prototypes.iter().all(|one| of(one).is_empty()) {
            return;
        }
        html.element("tr", &[], |html| {
            html.leaf("th", &[("scope", "row")], name);
            html.leaf("td", &[], "");
            for one in &self.found.prototypes {
                html.element("td", &[], |html| {
                    html.element("ul", &[], |html| of(one).iter().for_each(|text| html.leaf("li", &[], text)));
                });
            }
        });
    }

    /// The lines in the order of the table; if there is no room for all, those that differ most.
    fn compared(&self) -> Vec<Compared<'_>> {
        let columns = self.page.columns.iter().zip(&self.row.cells).enumerate();
        let mut lines: Vec<Compared<'_>> = columns
            .map(|(place, (column, ours))| {
                let cell = |other: &Option<&'_ Row>| {
                    let theirs = self.cell(*other, place)?;
                    Some((theirs, Difference::between(column, ours, theirs)))
                };
                let theirs: Vec<Option<(&Cell, Difference)>> = self.others.iter().map(cell).collect();
                let largest = theirs.iter().flatten().map(|(_, difference)| difference.size).fold(0.0, f64::max);
                Compared { place, ours, theirs, largest }
            })
            .collect();
        lines.sort_by(|a, b| b.largest.total_cmp(&a.largest));
        lines.truncate(self.page.n_columns());
        lines.sort_by_key(|line| line.place);
        lines
    }

    fn cell(&self, row: Option<&Row>, place: usize) -> Option<&Cell> {
        // Looked up again, so that the cell lives as long as the page.
        self.page.sources.get(&row?.index)?.cells.get(place)
    }

    fn write_compared(&self, html: &mut Html, line: &Compared<'_>) {
        let differs = line.theirs.iter().flatten().any(|(_, difference)| !difference.is_alike());
        html.element("tr", if differs { &[] } else { &[("class", "alike")] }, |html| {
            html.element("th", &[("scope", "row")], |html| html.column_name(&self.page.columns[line.place].name));
            html.element("td", &[("class", "own-row")], |html| line.ours.write(html));
            for other in &line.theirs {
                let far = other.is_some_and(|(_, difference)| !difference.is_alike());
                html.element("td", if far { &[("class", "far")] } else { &[] }, |html| {
                    let Some((cell, difference)) = other else { return };
                    cell.write(html);
                    if far {
                        write_apart(html, &difference.text());
                    }
                });
            }
            let words = line.theirs.iter().flatten().map(|(_, difference)| *difference);
            let largest = words.fold(None, |most: Option<Difference>, one| match most {
                Some(most) if most.size >= one.size => Some(most),
                _ => Some(one),
            });
            let text = largest.map_or_else(String::new, |largest| match largest.is_equal() {
                true => "equal".to_owned(),
                false if largest.is_alike() => "alike".to_owned(),
                false => largest.text(),
            });
            html.leaf("td", &[("class", "number"), ("data-value", &line.largest.to_string())], &text);
        });
    }
}

fn write_explainer(html: &mut Html, one: &ExplainingRow, row: Option<&Row>, distance: &str) {
    row.iter().for_each(|row| row.write_name(html));
    html.leaf("span", &[("class", "share")], &format!("{} of weight", percent(one.share)));
    html.leaf("span", &[("class", "quiet")], &format!("distance {distance}"));
}

fn write_apart(html: &mut Html, words: &str) {
    html.text(" ");
    html.leaf("span", &[("class", "apart")], words);
}
