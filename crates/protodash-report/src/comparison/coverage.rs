//! What each method covers, beside random rows, as one table for each number of prototypes.

use super::ComparisonPage;
use crate::html::Html;
use crate::section::{scrolling, section, write_head};
use crate::sentences::coverage_columns;

/// What the columns mean.
pub(super) const MEANINGS: [(&str, &str); 3] = [
    (
        "classes",
        "How many classes have a prototype; for random rows, the exact expectation. Matters if someone labels the prototypes: a \
         class without one is never seen.",
    ),
    (
        "mean and largest distance",
        "Distance of all rows from their nearest prototype. It does not depend on the bandwidth.",
    ),
    (
        "10-NN radius",
        "Mean distance of the prototypes from their tenth-nearest row, over the median of all rows: below 1, prototypes are more \
         typical than most rows; well above 1, many are outliers.",
    ),
];

/// Writes the tables, if coverage was measured.
pub(super) fn write(html: &mut Html, page: &ComparisonPage) {
    if page.document.random_coverage.is_empty() {
        return;
    }
    section(html, "coverage", "Coverage", |html| {
        for size in page.sizes() {
            let columns = coverage_columns(&page.document, size);
            let name = super::prototypes(size);
            html.leaf("h3", &[], &name);
            scrolling(html, &format!("Coverage of {name}"), |html| {
                html.element("table", &[("class", "coverage-table")], |html| {
                    let headers: Vec<(&str, bool)> = columns.iter().map(|one| (one.header, one.is_number)).collect();
                    write_head(html, &headers);
                    html.element("tbody", &[], |html| {
                        for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
                            html.element("tr", &[], |html| {
                                for (place, column) in columns.iter().enumerate() {
                                    let cell = &column.cells[row];
                                    match place {
                                        0 => html.leaf("th", &[("scope", "row")], cell),
                                        _ => html.leaf("td", &[("class", "number")], cell),
                                    }
                                }
                            });
                        }
                    });
                });
            });
        }
    });
}
