//! How much the first prototypes of each selection explain.

use super::NAMES;
use super::findings::{Comparability, comparability};
use crate::chart::{Series, write_legend};
use crate::document::SelectionDocument;
use crate::html::Html;
use crate::section::section;
use crate::selection::SizeCurves;

/// Writes both curves: in one chart if they measure the same, else one next to the other.
pub(super) fn write(html: &mut Html, documents: &[SelectionDocument; 2]) {
    let curves = SizeCurves::of(documents);
    let series = |side: usize| curves.curve(&format!("{}, prototypes: ", NAMES[side]), &documents[side], side);
    let write_chart = |html: &mut Html, of: &str, id: &str, series: Vec<Series>| {
        let title = format!("{} by number of prototypes of {of}", curves.name());
        curves.chart(&title, id, series).write(html, |_, _| {});
    };
    section(html, "sizes", "How many prototypes", |html| {
        write_legend(html, NAMES.into_iter());
        match comparability(documents) {
            Comparability::Comparable => {
                html.element("figure", &[("class", "curve")], |html| {
                    write_chart(html, "A and B", "curve", vec![series(0), series(1)]);
                });
            }
            Comparability::Different(why) => {
                let words = format!("The heights of the two curves cannot be compared: {why}.");
                html.leaf("p", &[("class", "quiet")], &words);
                html.element("div", &[("class", "charts")], |html| {
                    for (side, id) in ["curve-a", "curve-b"].into_iter().enumerate() {
                        html.element("figure", &[], |html| {
                            html.leaf("figcaption", &[], NAMES[side]);
                            write_chart(html, NAMES[side], id, vec![series(side)]);
                        });
                    }
                });
            }
        }
    });
}
