//! The data in two dimensions, with prototypes and criticisms.

use std::fmt::Write;

use super::SelectionPage;
use crate::html::Html;
use crate::numbers::{count, length, percent};
use crate::row::label_text;
use crate::section::section;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 560.0;
const EDGE: f64 = 28.0;
/// The radius of a prototype that has all the weight, and of one that has none.
const RADII: (f64, f64) = (26.0, 6.0);

/// Maximum number of classes with colours; more are not coloured.
const MOST_CLASSES: usize = 10;

/// Rows as points in a plane.
///
/// # Examples
///
/// ```
/// use protodash_report::{Map, MapPoint};
///
/// let point = MapPoint { place: [0.5, -1.0], index: 4, ..MapPoint::default() };
/// let map = Map { points: vec![point], shares: vec![0.7, 0.2], ..Map::default() };
/// assert_eq!(map.prototypes.len(), 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Map {
    /// The share of the variance along each of the two axes.
    pub shares: Vec<f64>,
    /// The rows to represent, or a sample of them.
    pub points: Vec<MapPoint>,
    /// The total number of rows to represent.
    pub n_rows: usize,
    /// The position of each prototype, in order of choice.
    pub prototypes: Vec<[f64; 2]>,
    /// The position of each criticism.
    pub criticisms: Vec<[f64; 2]>,
}

/// A row as a point.
///
/// # Examples
///
/// ```
/// let point = protodash_report::MapPoint { nearest: Some(0), ..Default::default() };
/// assert_eq!(point.place, [0.0, 0.0]);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapPoint {
    /// Coordinates on the first and the second axis.
    pub place: [f64; 2],
    /// The row of the file.
    pub index: u64,
    /// The id of the row, if there is one.
    pub id: Option<String>,
    /// Its class, if known.
    pub label: Option<String>,
    /// Its texts in the shown columns, one per line; long ones are cut.
    pub text: String,
    /// Its nearest prototype, by its index in the order of choice.
    pub nearest: Option<usize>,
}

/// Maps positions in the data to positions in the drawing.
pub(super) struct Projection {
    scale: f64,
    middle: [f64; 2],
}

impl Projection {
    /// Both axes have the same scale, so distances are not distorted.
    pub(super) fn around(map: &Map) -> Projection {
        let places = || map.points.iter().map(|point| &point.place).chain(&map.prototypes).chain(&map.criticisms);
        let range = |axis: usize| {
            let values = || places().map(move |place| place[axis]).filter(|value| value.is_finite());
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
        };
        let ((left, right), (low, high)) = (range(0), range(1));
        let room = |from: f64, to: f64, length: f64| {
            if to > from { (length - 2.0 * EDGE) / (to - from) } else { f64::INFINITY }
        };
        let scale = room(left, right, WIDTH).min(room(low, high, HEIGHT));
        let middle = |from: f64, to: f64| if from.is_finite() { from / 2.0 + to / 2.0 } else { 0.0 };
        Projection {
            scale: if scale.is_finite() { scale } else { 1.0 },
            middle: [middle(left, right), middle(low, high)],
        }
    }

    pub(super) fn place(&self, place: [f64; 2]) -> [f64; 2] {
        let along = |axis: usize| (place[axis] - self.middle[axis]) * self.scale;
        [WIDTH / 2.0 + along(0), HEIGHT / 2.0 - along(1)]
    }
}

/// The classes of the points, sorted by name, if there are enough colours for them.
pub(super) fn classes(map: &Map) -> Vec<&str> {
    let mut names: Vec<&str> = map.points.iter().filter_map(|point| point.label.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    // Natural sort order: 9 before 10.
    names.sort_by_key(|name| (name.len(), *name));
    if names.len() <= MOST_CLASSES { names } else { Vec::new() }
}

/// Writes the map.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    let Some(map) = &page.map else { return };
    let projection = Projection::around(map);
    section(html, "map", "Map", |html| {
        html.leaf("p", &[], &words(page, map));
        let classes = classes(map);
        write_legend(html, page, &classes);
        let view = format!("0 0 {WIDTH} {HEIGHT}");
        html.element("div", &[("class", "map-frame")], |html| {
            let attributes =
                [("id", "plane"), ("viewBox", view.as_str()), ("role", "img"), ("aria-label", "Map of the data")];
            html.element("svg", &attributes, |html| {
                write_points(html, map, &projection, &classes);
                html.leaf("path", &[("id", "chosen-points"), ("class", "dots chosen"), ("d", "")], "");
                write_criticisms(html, map, &projection);
                write_prototypes(html, page, map, &projection);
            });
        });
        html.leaf("p", &[("id", "map-text"), ("class", "quiet"), ("aria-live", "polite")], "");
    });
}

/// What the map shows and how far it can be trusted.
fn words(page: &SelectionPage, map: &Map) -> String {
    let all = map.shares.iter().sum::<f64>();
    let rows = if map.points.len() < map.n_rows {
        format!(
            "a random sample of {} of {} {}",
            count(map.points.len() as u64),
            count(map.n_rows as u64),
            page.target_noun()
        )
    } else {
        format!("all {} {}", count(map.n_rows as u64), page.target_noun())
    };
    let directions = match map.shares.len() {
        0 => "All dots coincide: no column varies.".to_owned(),
        1 => "The data vary in one direction only, drawn from left to right.".to_owned(),
        _ => format!(
            "This 2-D view shows {} of the variance ({} from left to right, {} from bottom to top); nearby dots can still \
             differ.",
            percent(all.min(1.0)),
            percent(map.shares[0]),
            percent(map.shares[1])
        ),
    };
    format!("Each dot is a row: {rows}. Numbered circles are prototypes; larger means heavier. {directions}")
}

fn write_legend(html: &mut Html, page: &SelectionPage, classes: &[&str]) {
    html.element("ul", &[("class", "legend map-legend")], |html| {
        for (at, name) in classes.iter().enumerate() {
            html.element("li", &[], |html| {
                let (id, class) = (format!("class-{at}"), format!("dots c{at}"));
                html.element("label", &[("for", &id)], |html| {
                    let at = at.to_string();
                    let attributes = [
                        ("type", "checkbox"),
                        ("id", id.as_str()),
                        ("class", "scripted"),
                        ("data-class", &at),
                        ("checked", ""),
                    ];
                    html.void("input", &attributes);
                    html.element("svg", &[("viewBox", "-7 -7 14 14"), ("aria-hidden", "true")], |html| {
                        html.leaf("path", &[("class", &class), ("d", "M0 0h0")], "");
                    });
                    html.name(label_text(name));
                });
            });
        }
        if !page.criticisms.is_empty() {
            html.element("li", &[], |html| {
                html.element("svg", &[("viewBox", "-9 -9 18 18"), ("aria-hidden", "true")], |html| {
                    html.leaf("path", &[("class", "map-criticism"), ("d", CROSS)], "");
                });
                html.text("criticism");
            });
        }
    });
}

const CROSS: &str = "M-6-6L6 6M-6 6L6-6";

/// All points of a class are one path, so thousands of them are one element.
fn write_points(html: &mut Html, map: &Map, projection: &Projection, classes: &[&str]) {
    let n_groups = classes.len().max(1);
    let mut paths = vec![String::new(); n_groups];
    for point in &map.points {
        let class = point.label.as_deref().and_then(|label| classes.iter().position(|name| *name == label));
        let [x, y] = projection.place(point.place);
        if let Some(path) = paths.get_mut(class.unwrap_or(0)) {
            let _ = write!(path, "M{} {}h0", length(x), length(y));
        }
    }
    for (at, path) in paths.iter().enumerate() {
        let class = if classes.is_empty() { "dots plain".to_owned() } else { format!("dots c{at}") };
        let id = format!("dots-{at}");
        html.leaf("path", &[("class", &class), ("id", &id), ("d", path)], "");
    }
}

fn write_criticisms(html: &mut Html, map: &Map, projection: &Projection) {
    for (at, place) in map.criticisms.iter().enumerate() {
        let [x, y] = projection.place(*place);
        let (place, rank) = (format!("translate({} {})", length(x), length(y)), (at + 1).to_string());
        html.leaf(
            "path",
            &[("class", "map-criticism"), ("transform", &place), ("data-criticism", &rank), ("d", CROSS)],
            "",
        );
    }
}

fn write_prototypes(html: &mut Html, page: &SelectionPage, map: &Map, projection: &Projection) {
    let shares: Vec<f64> = page.document.prototypes.iter().map(|prototype| prototype.share).collect();
    let mut order: Vec<usize> = (0..map.prototypes.len().min(shares.len())).collect();
    // Small circles go on top of large ones.
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
    for at in order {
        let [x, y] = projection.place(map.prototypes[at]);
        let (place, rank) = (format!("translate({} {})", length(x), length(y)), (at + 1).to_string());
        let radius = RADII.1 + (RADII.0 - RADII.1) * shares[at].max(0.0).sqrt();
        html.element("g", &[("class", "map-prototype"), ("transform", &place), ("data-rank", &rank)], |html| {
            html.leaf("circle", &[("r", &length(radius))], "");
            let size = size_of_number(radius, rank.len());
            let attributes = [("dy", "0.35em"), ("font-size", &*length(size)), ("hidden", "")];
            html.leaf("text", if size < LEAST_NUMBER { &attributes } else { &attributes[..2] }, &rank);
        });
    }
}

/// Maximum and minimum legible font size of a prototype's number; the script uses the same.
const LARGEST_NUMBER: f64 = 12.0;
const LEAST_NUMBER: f64 = 7.0;

/// The font size at which a number with this many digits fits into a circle.
fn size_of_number(radius: f64, n_digits: usize) -> f64 {
    (2.7 * radius / n_digits as f64).min(LARGEST_NUMBER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_axes_have_the_same_scale() {
        let point = |x, y| MapPoint { place: [x, y], ..MapPoint::default() };
        let map = Map { points: vec![point(0.0, 0.0), point(10.0, 1.0)], ..Map::default() };
        let projection = Projection::around(&map);
        let ([left, bottom], [right, top]) = (projection.place([0.0, 0.0]), projection.place([10.0, 1.0]));
        assert!(((right - left) - 10.0 * (bottom - top)).abs() < 1e-9);
        assert_eq!((left, right), (EDGE, WIDTH - EDGE));
    }

    #[test]
    fn a_single_position_is_in_the_middle() {
        let map = Map { points: vec![MapPoint::default()], ..Map::default() };
        assert_eq!(Projection::around(&map).place([0.0, 0.0]), [WIDTH / 2.0, HEIGHT / 2.0]);
        assert_eq!(Projection::around(&Map::default()).place([0.0, 0.0]), [WIDTH / 2.0, HEIGHT / 2.0]);
    }

    #[test]
    fn classes_are_in_natural_sort_order() {
        let point = |label: &str| MapPoint { label: Some(label.to_owned()), ..MapPoint::default() };
        let map = Map { points: ["10", "9", "1", "9"].map(point).to_vec(), ..Map::default() };
        assert_eq!(classes(&map), ["1", "9", "10"]);
    }
}
