//! The rows that the prototypes represent worst.

use super::SelectionPage;
use crate::html::Html;
use crate::numbers::short;
use crate::row::Row;
use crate::section::section;

/// A row represented badly.
///
/// # Examples
///
/// ```
/// use protodash_report::{Criticism, Row};
///
/// let criticism = Criticism { row: Row { index: 17, ..Row::default() }, score: 0.2 };
/// assert_eq!(criticism.row.index, 17);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Criticism {
    /// The row.
    pub row: Row,
    /// How badly, by the definition of the page's sentence.
    pub score: f64,
}

/// Writes a card for each criticism, the worst first.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    if page.criticisms_sentence.is_empty() {
        return;
    }
    section(html, "criticisms", "Criticisms", |html| {
        html.leaf("p", &[], &page.criticisms_sentence);
        let class = if page.images.is_empty() { "cards" } else { "cards gallery" };
        html.element("ol", &[("class", class), ("id", "criticism-cards")], |html| {
            for (at, criticism) in page.criticisms.iter().enumerate() {
                let (rank, id) = ((at + 1).to_string(), format!("criticism-{}", at + 1));
                let attributes = [("class", "card criticism"), ("id", id.as_str()), ("data-criticism", &rank)];
                html.element("li", &attributes, |html| {
                    html.element("div", &[("class", "card-head")], |html| {
                        criticism.row.write_image(html, &page.images);
                        html.element("div", &[], |html| {
                            html.element("h3", &[], |html| {
                                html.leaf("span", &[("class", "rank")], &rank);
                                html.text(" ");
                                criticism.row.write_name(html);
                            });
                            criticism.row.write_label(html);
                            html.leaf("p", &[("class", "quiet")], &format!("score {}", short(criticism.score)));
                        });
                    });
                    criticism.row.write_cells(html, &page.columns);
                });
                html.line();
            }
        });
    });
}
