//! How many rows each two methods both chose.

use super::ComparisonPage;
use crate::html::Html;
use crate::numbers::count;
use crate::section::{scrolling, section};

/// The rows that methods have in common at one number of prototypes.
///
/// # Examples
///
/// ```
/// let overlap = protodash_report::Overlap { n_prototypes: 2, methods: vec!["random".to_owned()], shared: vec![vec![2]] };
/// assert_eq!(overlap.shared[0][0], 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlap {
    /// The number of prototypes.
    pub n_prototypes: usize,
    /// The methods.
    pub methods: Vec<String>,
    /// `shared[i][j]` rows were chosen by both the i-th and the j-th method.
    pub shared: Vec<Vec<usize>>,
}

/// Writes a square of numbers, the darker the more, for the largest number of prototypes.
pub(super) fn write(html: &mut Html, page: &ComparisonPage) {
    let Some(overlap) = page.overlap.iter().rfind(|overlap| overlap.methods.len() > 1) else { return };
    section(html, "overlap", "Rows in common", |html| {
        let words = format!("How many of {} each two methods share.", super::prototypes(overlap.n_prototypes));
        html.leaf("p", &[], &words);
        scrolling(html, "Rows in common", |html| {
            html.element("table", &[("class", "heat")], |html| {
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        html.leaf("td", &[], "");
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
