//! The rows that the prototypes represent worst.

use super::SelectionPage;
use crate::html::Html;
use crate::numbers::short;
use crate::section::{as_sentence, section};
use crate::sentences::criticisms_sentence;

/// Writes a card for each criticism, worst first.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    if page.document.criticism.is_none() {
        return;
    }
    section(html, "criticisms", "Criticisms", |html| {
        html.leaf("p", &[], &as_sentence(&criticisms_sentence(&page.document)));
        html.leaf(
            "p",
            &[("class", "quiet of-whole-run"), ("hidden", "")],
            "For the complete run, whatever the slider shows.",
        );
        let class = if page.is_gallery() { "cards gallery" } else { "cards" };
        html.element("ol", &[("class", class), ("id", "criticism-cards")], |html| {
            for (at, (row, criticism)) in page.criticisms.iter().zip(&page.document.criticisms).enumerate() {
                let (rank, id) = ((at + 1).to_string(), format!("criticism-{}", at + 1));
                let attributes = [("class", "card criticism"), ("id", id.as_str()), ("data-criticism", &rank)];
                html.element("li", &attributes, |html| {
                    html.element("div", &[("class", "card-head")], |html| {
                        row.write_image(html, &page.images);
                        html.element("div", &[], |html| {
                            html.element("h3", &[], |html| {
                                html.leaf("span", &[("class", "rank")], &rank);
                                html.text(" ");
                                row.write_name(html);
                            });
                            row.write_label(html);
                            row.write_shown(html, &page.shown);
                            html.leaf("p", &[("class", "quiet")], &format!("score {}", short(criticism.score)));
                        });
                    });
                    row.write_cells(html, &page.columns);
                });
                html.line();
            }
        });
    });
}
