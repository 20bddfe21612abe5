//! How the prototypes were allocated to the classes.

use crate::document::SelectionDocument;
use crate::html::Html;
use crate::numbers::{count, percent};
use crate::row::label_text;
use crate::section::{scrolling, section, write_head};

/// Writes a line for each class.
pub(super) fn write(html: &mut Html, document: &SelectionDocument) {
    let Some(per_label) = &document.per_label else { return };
    section(html, "classes", "Classes", |html| {
        html.leaf("p", &[], "Prototypes were chosen separately for each class, among its source rows.");
        scrolling(html, "Classes", |html| {
            html.element("table", &[("class", "sortable")], |html| {
                let numbers = ["share of target", "target rows", "source rows", "prototypes"].map(|name| (name, true));
                write_head(html, &[&[("class", false)], &numbers[..]].concat());
                html.element("tbody", &[], |html| {
                    for class in &per_label.classes {
                        html.element("tr", &[], |html| {
                            html.element("th", &[("scope", "row")], |html| html.name(label_text(&class.label)));
                            html.leaf(
                                "td",
                                &[("class", "number"), ("data-value", &class.share.to_string())],
                                &percent(class.share),
                            );
                            for number in [class.n_target, class.n_source, class.n_prototypes] {
                                html.leaf(
                                    "td",
                                    &[("class", "number"), ("data-value", &number.to_string())],
                                    &count(number as u64),
                                );
                            }
                        });
                    }
                });
            });
        });
    });
}
