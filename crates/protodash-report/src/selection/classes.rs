//! What each class got, when each was to have prototypes of its own.

use crate::html::Html;
use crate::numbers::{count, percent};
use crate::row::label_text;
use crate::section::{scrolling, section, write_head};

/// A class of the target.
///
/// # Examples
///
/// ```
/// let class = protodash_report::Class { label: "setosa".to_owned(), n_prototypes: 3, ..Default::default() };
/// assert_eq!(class.n_prototypes, 3);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Class {
    /// Its name.
    pub label: String,
    /// Its part of the target.
    pub share: f64,
    /// Its target rows.
    pub n_target: usize,
    /// Its source rows.
    pub n_source: usize,
    /// How many of them were chosen.
    pub n_prototypes: usize,
}

/// Writes a line for each class.
pub(super) fn write(html: &mut Html, classes: &[Class]) {
    if classes.is_empty() {
        return;
    }
    section(html, "classes", "Classes", |html| {
        html.leaf("p", &[], "Each class has prototypes of its own, chosen among the source rows of that class.");
        scrolling(html, "Classes", |html| {
            html.element("table", &[("class", "sortable")], |html| {
                let numbers =
                    ["part of the target", "target rows", "source rows", "prototypes"].map(|name| (name, true));
                write_head(html, &[&[("class", false)], &numbers[..]].concat());
                html.element("tbody", &[], |html| {
                    for class in classes {
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
