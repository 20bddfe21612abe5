//! The figures and the settings of both selections in one table.

use super::NAMES;
use super::findings::{setting_name, setting_texts};
use crate::document::SelectionDocument;
use crate::html::Html;
use crate::numbers::{count, percent, short};
use crate::section::{scrolling, section, write_head};
use crate::sentences::NearerFraction;

/// A figure of a selection as text; `None` if it is unknown.
type FigureText = fn(&SelectionDocument) -> Option<String>;

const FIGURES: [(&str, FigureText); 6] = [
    ("prototypes", |document| Some(count(document.weighted().count() as u64))),
    ("explained", |document| document.explained.map(percent)),
    ("MMD²", |document| document.mmd2.map(short)),
    ("random rows explain", |document| document.baseline.as_ref()?.random_explained.map(percent)),
    ("compared with random rows", |document| {
        Some(NearerFraction(document.baseline.as_ref()?.nearer_than_random?).to_string())
    }),
    ("classes without a prototype", |document| Some(count(document.classes_without_prototype.as_ref()?.len() as u64))),
];

/// Writes a line for each known figure and for each setting that differs.
pub(super) fn write(html: &mut Html, documents: &[SelectionDocument; 2]) {
    let [first, second] = documents;
    section(html, "differences", "Differences", |html| {
        scrolling(html, "Figures and settings of both", |html| {
            html.element("table", &[("class", "sortable pairs"), ("id", "difference-table")], |html| {
                write_head(html, &[("figure or setting", false), (NAMES[0], false), (NAMES[1], false)]);
                html.element("tbody", &[], |html| {
                    for (name, figure) in FIGURES {
                        let texts = [figure(first), figure(second)];
                        if texts.iter().any(Option::is_some) {
                            write_line(html, name, texts.map(|text| text.unwrap_or_else(|| "unknown".to_owned())));
                        }
                    }
                    for found in first.differences_from(second) {
                        write_line(html, &setting_name(&found), setting_texts(&found));
                    }
                });
            });
        });
    });
}

fn write_line(html: &mut Html, name: &str, texts: [String; 2]) {
    html.element("tr", &[], |html| {
        html.element("th", &[("scope", "row")], |html| html.column_name(name));
        for text in texts {
            html.element("td", &[], |html| html.in_short(&text));
        }
    });
    html.line();
}
