//! The graph of tables: an arrow leads from each table to those its prototypes represent.

use std::f64::consts::TAU;

use super::{RelatedPair, RelationPage};
use crate::html::Html;
use crate::numbers::{length, percent};
use crate::section::section;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 620.0;
const RADIUS: f64 = 240.0;
const NODE: f64 = 9.0;

/// Writes the graph, the slider for the number of arrows, and a panel for the ranking of a table.
pub(super) fn write(html: &mut Html, page: &RelationPage) {
    let pairs = page.strongest();
    let shown = page.n_edges.clamp(1, pairs.len().max(1));
    section(html, "graph", "Graph", |html| {
        if !page.remark.is_empty() {
            html.leaf("p", &[], &page.remark);
        }
        html.leaf(
            "p",
            &[],
            "An arrow from one table to another means that prototypes of the first represent the second; thicker \
             arrows explain more. The best representative of each table comes first, then the second best. Click a \
             table to see \
             which tables represent it and which it represents.",
        );
        if pairs.len() > 1 {
            write_slider(html, shown, pairs.len());
        }
        html.element("div", &[("class", "graph-frame")], |html| {
            let view = format!("0 0 {WIDTH} {HEIGHT}");
            let attributes =
                [("id", "network"), ("viewBox", view.as_str()), ("role", "group"), ("aria-label", "Graph of tables")];
            html.element("svg", &attributes, |html| {
                write_arrow_head(html);
                for (place, pair) in pairs.iter().enumerate() {
                    write_arrow(html, page, pair, place < shown);
                }
                (0..page.tables.len()).for_each(|at| write_node(html, page, at));
            });
            html.leaf("div", &[("id", "ranking"), ("class", "ranking"), ("aria-live", "polite")], "");
        });
    });
}

fn write_slider(html: &mut Html, shown: usize, most: usize) {
    let (shown, most) = (shown.to_string(), most.to_string());
    html.element("div", &[("class", "size edges scripted")], |html| {
        html.leaf("label", &[("for", "edges")], "Strongest arrows");
        let attributes = [
            ("type", "range"),
            ("id", "edges"),
            ("min", "1"),
            ("max", &most),
            ("value", &shown),
            ("step", "1"),
            ("autocomplete", "off"),
        ];
        html.void("input", &attributes);
        html.leaf("output", &[("id", "edges-text"), ("for", "edges")], &format!("{shown} of {most}"));
    });
}

fn write_arrow_head(html: &mut Html) {
    html.element("defs", &[], |html| {
        let marker = [
            ("id", "arrow"),
            ("viewBox", "0 0 10 10"),
            ("refX", "9"),
            ("refY", "5"),
            ("markerWidth", "9"),
            ("markerHeight", "9"),
            ("markerUnits", "userSpaceOnUse"),
            ("orient", "auto"),
        ];
        html.element("marker", &marker, |html| {
            html.leaf("path", &[("class", "arrow-head"), ("d", "M0 1L10 5L0 9z")], "");
        });
    });
}

/// The position of a table on the circle, clockwise from the top, and its angle.
fn place(at: usize, n_tables: usize) -> (f64, f64, f64) {
    let angle = TAU * at as f64 / n_tables.max(1) as f64 - TAU / 4.0;
    (WIDTH / 2.0 + RADIUS * angle.cos(), HEIGHT / 2.0 + RADIUS * angle.sin(), angle)
}

/// A curve bent to one side, which separates the two directions of a pair.
fn curve(source: usize, target: usize, n_tables: usize) -> String {
    let ((x1, y1, _), (x2, y2, _)) = (place(source, n_tables), place(target, n_tables));
    let (dx, dy) = (x2 - x1, y2 - y1);
    let (middle_x, middle_y) = ((x1 + x2) / 2.0 - 0.12 * dy, (y1 + y2) / 2.0 + 0.12 * dx);
    // The arrow ends at the edge of the node.
    let (back_x, back_y) = (middle_x - x2, middle_y - y2);
    let part = (NODE + 2.0) / back_x.hypot(back_y).max(1.0);
    let places = [x1, y1, middle_x, middle_y, x2 + part * back_x, y2 + part * back_y].map(length);
    let [x1, y1, middle_x, middle_y, x2, y2] = places;
    format!("M{x1} {y1}Q{middle_x} {middle_y} {x2} {y2}")
}

fn write_arrow(html: &mut Html, page: &RelationPage, pair: &RelatedPair, shown: bool) {
    let path = curve(pair.source, pair.target, page.tables.len());
    let width = length(0.8 + 3.7 * pair.explained.clamp(0.0, 1.0).powi(2));
    let (source, target) = (pair.source.to_string(), pair.target.to_string());
    let words = format!(
        "{} represents {}: {} explained, rank {}",
        page.tables[pair.source].name,
        page.tables[pair.target].name,
        percent(pair.explained),
        pair.rank
    );
    let mut attributes = vec![
        ("class", "edge"),
        ("d", path.as_str()),
        ("stroke-width", &width),
        ("marker-end", "url(#arrow)"),
        ("data-source", &source),
        ("data-target", &target),
    ];
    if !shown {
        attributes.push(("hidden", ""));
    }
    html.element("path", &attributes, |html| html.leaf("title", &[], &words));
}

fn write_node(html: &mut Html, page: &RelationPage, at: usize) {
    let (x, y, angle) = place(at, page.tables.len());
    let (place, number) = (format!("translate({} {})", length(x), length(y)), at.to_string());
    html.element("g", &[("class", "node"), ("transform", &place), ("data-table", &number)], |html| {
        html.leaf("circle", &[("r", &length(NODE))], "");
        // Names point outwards and do not cross the arrows.
        let (x, y) = (length(angle.cos() * (NODE + 7.0)), length(angle.sin() * (NODE + 7.0)));
        let anchor = match angle.cos() {
            right if right > 0.2 => "start",
            left if left < -0.2 => "end",
            _ => "middle",
        };
        let name = shortened(&page.tables[at].name);
        html.leaf("text", &[("x", &x), ("y", &y), ("dy", "0.35em"), ("text-anchor", anchor)], &name);
    });
}

/// A name cut to fit beside the circle; the tables below have it in full.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 22;
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_spread_over_the_circle() {
        let (x, y, _) = place(0, 4);
        assert!((x - WIDTH / 2.0).abs() < 1e-9 && (y - (HEIGHT / 2.0 - RADIUS)).abs() < 1e-9);
        let (x, _, _) = place(1, 4);
        assert!((x - (WIDTH / 2.0 + RADIUS)).abs() < 1e-9);
    }

    #[test]
    fn the_two_arrows_of_a_pair_are_apart() {
        assert_ne!(curve(0, 1, 3), curve(1, 0, 3));
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shortened("health"), "health");
        assert_eq!(shortened(&"ä".repeat(40)).chars().count(), 22);
    }
}
