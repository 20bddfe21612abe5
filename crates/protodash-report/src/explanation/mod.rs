//! The page of explanations: each row next to the source rows that represent it.

mod difference;
mod list;
mod versus;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::document::{ExplainedRow, ExplanationDocument};
use crate::html::Html;
use crate::image::Images;
use crate::numbers::{count, four_digits, plain_percent};
use crate::row::Row;
use crate::section::{section, write_contents, write_meanings};
use crate::typical::Column;

pub(crate) use difference::Difference;

/// Number of rows that are shown without a script; with it, one at a time.
const STATIC: usize = 5;

/// Maximum number of values on a page, which bounds its size: with more, each row shows the columns that differ most.
const MOST_VALUES: usize = 300_000;

/// The page of explanations.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplanationPage {
    /// The explanations.
    pub document: ExplanationDocument,
    /// The explained rows, in the order of the document.
    pub rows: Vec<Row>,
    /// The source rows that explain others, by number.
    pub sources: BTreeMap<u64, Row>,
    /// The columns of all rows; empty without the data, and for images.
    pub columns: Vec<Column>,
    /// Names of columns that are not features but tell what a row is.
    pub shown: Vec<String>,
    /// The images of the rows.
    pub images: Images,
}

/// What the script needs.
#[derive(Serialize)]
pub(crate) struct ExplanationView {
    kind: &'static str,
    /// The HTML of the rows that are not in the page yet.
    later: Vec<String>,
}

impl ExplanationPage {
    /// The page of a document alone, without the values of its rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::{ExplanationDocument, ExplanationPage};
    ///
    /// let page = ExplanationPage::new(ExplanationDocument::example());
    /// assert_eq!((page.rows.len(), page.sources.len()), (2, 2));
    /// ```
    #[must_use]
    pub fn new(document: ExplanationDocument) -> ExplanationPage {
        let row = |index, id: &Option<String>, label: &Option<String>| Row {
            index,
            id: id.clone(),
            label: label.clone(),
            ..Row::default()
        };
        let rows = document.explanations.iter().map(|found| row(found.row, &found.id, &found.label)).collect();
        let explaining = document.explanations.iter().flat_map(|found| &found.prototypes);
        let sources = explaining.map(|one| (one.source_index, row(one.source_index, &one.id, &one.label))).collect();
        let (columns, shown, images) = (Vec::new(), Vec::new(), Images::default());
        ExplanationPage { document, rows, sources, columns, shown, images }
    }

    /// Number of columns that each row shows.
    pub(crate) fn n_columns(&self) -> usize {
        let n_rows: usize = self.document.explanations.iter().map(|found| 1 + found.prototypes.len()).sum();
        self.columns.len().min(MOST_VALUES / n_rows.max(1)).max(1)
    }

    /// The explained rows as they are shown.
    fn explained(&self) -> impl Iterator<Item = (&Row, &ExplainedRow)> {
        self.rows.iter().zip(&self.document.explanations)
    }

    pub(crate) fn view(&self) -> ExplanationView {
        let later = self.explained().enumerate().skip(STATIC).map(|(at, _)| {
            let mut html = Html::default();
            versus::write(&mut html, self, at);
            html.finish()
        });
        ExplanationView { kind: "explanation", later: later.collect() }
    }

    pub(crate) fn write(&self, html: &mut Html) {
        if self.rows.is_empty() {
            html.leaf("p", &[("class", "empty")], "No rows to explain.");
            return;
        }
        write_contents(html, &[("#rows", "Rows"), ("#explanation", "Explanation"), ("#reading", "How to read this")]);
        // Wide windows show the list next to the row.
        html.element("div", &[("class", "overview explanations")], |html| {
            list::write(html, self);
            section(html, "explanation", "Explanation", |html| {
                self.write_controls(html);
                html.element("div", &[("id", "explained")], |html| {
                    (0..self.rows.len().min(STATIC)).for_each(|at| versus::write(html, self, at));
                });
            });
        });
        html.line();
        self.write_meanings(html);
    }

    fn write_meanings(&self, html: &mut Html) {
        let mut meanings = vec![
            ("explained", "The share of the row's kernel embedding that its weighted prototypes reproduce.".to_owned()),
            ("of weight", "The prototype's share of the weight of all prototypes of the row.".to_owned()),
            (
                "distance",
                "The distance between the prototype and the row, in the features as they were scaled.".to_owned(),
            ),
        ];
        if let Some(limit) = self.document.limit {
            meanings.push((
                "nothing similar",
                format!(
                    "The nearest source row is farther than {}. For {} of source rows, the nearest neighbour is nearer \
                     than that.",
                    four_digits(limit),
                    plain_percent(self.document.similar_share)
                ),
            ));
        }
        if !self.columns.is_empty() {
            meanings.push((
                "difference",
                "For numbers and dates, how much larger (+) or smaller (−) the prototype's value is than that of the row, in \
                 standard deviations (sd) of the source; differences up to 0.25 sd are not marked. Categories are \
                 equal or differ."
                    .to_owned(),
            ));
        }
        write_meanings(html, &meanings);
    }

    fn write_controls(&self, html: &mut Html) {
        html.element("div", &[("class", "order scripted")], |html| {
            if self.rows.len() > 1 {
                html.leaf("button", &[("type", "button"), ("id", "previous")], "Previous row");
                html.leaf("button", &[("type", "button"), ("id", "next")], "Next row");
                let place = format!("1 of {}", count(self.rows.len() as u64));
                html.leaf("output", &[("id", "explained-text"), ("role", "status")], &place);
            }
            if !self.columns.is_empty() {
                html.element("label", &[], |html| {
                    html.void("input", &[("type", "checkbox"), ("id", "only-differing"), ("autocomplete", "off")]);
                    html.text(" Only columns that differ");
                });
            }
        });
    }
}
