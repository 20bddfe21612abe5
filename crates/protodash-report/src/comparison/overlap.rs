//! How many rows each pair of methods shares.

use super::ComparisonPage;
use crate::html::Html;
use crate::numbers::count;
use crate::section::{scrolling, section};

/// Writes a matrix of counts for the largest number of prototypes; darker means more.
pub(super) fn write(html: &mut Html, page: &ComparisonPage) {
    let Some(overlap) = page.document.overlap.iter().rfind(|overlap| overlap.methods.len() > 1) else { return };
    section(html, "overlap", "Shared rows", |html| {
        let words = format!("How many of {} each pair of methods shares.", super::prototypes(overlap.n_prototypes));
        html.leaf("p", &[], &words);
        scrolling(html, "Shared rows", |html| {
            html.element("table", &[("class", "heat")], |html| {
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        html.leaf("th", &[("scope", "col")], "method");
                        overlap.methods.iter().for_each(|name| html.leaf("th", &[("scope", "col")], name));
                    });
                });
                html.element("tbody", &[], |html| {
                    for (name, shared) in overlap.methods.iter().zip(&overlap.shared) {
                        html.element("tr", &[], |html| {
                            html.leaf("th", &[("scope", "row")], name);
                            for number in shared {
                                let part = *number as f64 / overlap.n_prototypes.max(1) as f64;
                                let class = format!("h{}", (10.0 * part).round().min(10.0));
                                html.leaf("td", &[("class", &class)], &count(*number as u64));
                            }
                        });
                    }
                });
            });
        });
    });
}
