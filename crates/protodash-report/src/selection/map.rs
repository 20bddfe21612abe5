//! The data in two dimensions, with prototypes and criticisms.

use std::fmt::Write;

use protodash::NearestChange;

use super::SelectionPage;
use crate::html::Html;
use crate::numbers::{count, length, percent, whole_percent};
use crate::row::label_text;
use crate::section::section;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 560.0;
const EDGE: f64 = 28.0;
/// How much larger the radius of a prototype with all the weight is than that of one without.
const WEIGHT_RADIUS: f64 = 20.0;

/// Number of colours of classes; further classes have the same colours and another shape.
const COLOURS: usize = 10;

/// What is drawn at a point: a dot (the end of a line), a hollow triangle, or a cross; the script uses the same.
const SHAPES: [&str; 3] = ["h0", "m0-3.6l3.4 5.8h-6.8z", "m-3 0h6m-3-3v6"];

/// Maximum number of classes with a colour and a shape; more are not coloured.
const MOST_CLASSES: usize = 26;

/// Rows as points in a plane.
///
/// # Examples
///
/// ```
/// use protodash_report::{Map, MapPlaces, MapPoint};
///
/// let places = MapPlaces { points: vec![[0.5, -1.0]], shares: vec![0.7, 0.2], ..MapPlaces::default() };
/// let map = Map { points: vec![MapPoint { index: 4, ..MapPoint::default() }], places: vec![places], ..Map::default() };
/// assert_eq!(map.source.len(), 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Map {
    /// Where everything is: views, of which the page shows the first until the reader chooses another.
    pub places: Vec<MapPlaces>,
    /// The rows to represent, or a sample of them.
    pub points: Vec<MapPoint>,
    /// The rows to choose from, or a sample of them, if they are others.
    pub source: Vec<MapPoint>,
    /// The total number of rows to represent.
    pub n_rows: usize,
    /// The total number of rows to choose from.
    pub n_source: usize,
}

/// What the positions on a map are.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::MapView::ALL.len(), 3);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MapView {
    /// Principal components of the kernel.
    Kernel,
    /// A neighbour embedding of the kernel's distances.
    Neighbours,
    /// Principal components of the columns.
    #[default]
    Columns,
}

impl MapView {
    /// All views.
    pub const ALL: [MapView; 3] = [MapView::Kernel, MapView::Neighbours, MapView::Columns];

    /// Its name in a list.
    fn name(self) -> &'static str {
        match self {
            MapView::Kernel => "kernel (kernel PCA)",
            MapView::Neighbours => "neighbours (t-SNE)",
            MapView::Columns => "columns (PCA)",
        }
    }
}

/// Positions in a plane.
///
/// # Examples
///
/// See [`Map`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapPlaces {
    /// What the places are.
    pub view: MapView,
    /// The share of the variance along each of the two axes; empty for neighbours.
    pub shares: Vec<f64>,
    /// Of the rows nearest to a row under the kernel, the share that is among as many nearest dots, if known.
    pub preserved: Option<f64>,
    /// The position of each row to represent.
    pub points: Vec<[f64; 2]>,
    /// The position of each row of a separate source.
    pub source: Vec<[f64; 2]>,
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
/// assert_eq!(point.index, 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapPoint {
    /// The row of the file.
    pub index: u64,
    /// The id of the row, if there is one.
    pub id: Option<String>,
    /// Its class, if known.
    pub label: Option<String>,
    /// Its texts in the shown columns, one per line, or its most unusual values; long ones are cut.
    pub text: String,
    /// Its index among the images of the page, if it has one of its own.
    pub image: Option<usize>,
    /// Its nearest prototype, by its index in the order of choice.
    pub nearest: Option<usize>,
    /// The sizes at which its nearest prototype changes, ascending.
    pub changes: Vec<NearestChange>,
}

/// Number of points up to which they are drawn larger.
const FEW: usize = 200;

/// Maps positions in the data to positions in the drawing.
pub(super) struct Projection {
    scale: f64,
    middle: [f64; 2],
}

impl Projection {
    /// Both axes have the same scale, so distances are not distorted.
    pub(super) fn around(map: &MapPlaces) -> Projection {
        let places = || map.points.iter().chain(&map.source).chain(&map.prototypes).chain(&map.criticisms);
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
    let Some((map, places)) = page.map.as_ref().and_then(|map| Some((map, map.places.first()?))) else { return };
    let projection = Projection::around(places);
    section(html, "map", "Map", |html| {
        html.leaf("p", &[], &words(page, map));
        for (at, places) in map.places.iter().enumerate() {
            let view = at.to_string();
            let attributes = [("class", "map-caption"), ("data-view", view.as_str()), ("hidden", "")];
            html.leaf("p", if at == 0 { &attributes[..2] } else { &attributes }, &directions(places));
        }
        let classes = classes(map);
        write_controls(html, map);
        write_legend(html, page, map, &classes);
        let view = format!("0 0 {WIDTH} {HEIGHT}");
        html.element("div", &[("class", "map-frame")], |html| {
            let attributes = [
                ("id", "plane"),
                ("viewBox", view.as_str()),
                ("role", "img"),
                ("aria-label", "Map of the data"),
                ("class", "few"),
            ];
            let is_few = map.points.len() + map.source.len() <= FEW;
            html.element("svg", if is_few { &attributes } else { &attributes[..4] }, |html| {
                html.leaf("path", &[("id", "aside-points"), ("class", "dots aside"), ("d", "")], "");
                write_points(html, map, (places, &projection), &classes);
                html.leaf("path", &[("id", "chosen-points"), ("class", "dots chosen"), ("d", "")], "");
                write_criticisms(html, places, (&projection, page.document.criticisms.len()));
                write_prototypes(html, page, places, &projection);
            });
        });
        html.leaf("p", &[("id", "map-text"), ("class", "quiet"), ("aria-live", "polite")], "");
    });
}

/// What is on the map.
fn words(page: &SelectionPage, map: &Map) -> String {
    let some = |shown: usize, all: usize, noun: &str| match shown < all {
        true => format!("a random sample of {} of {} {noun}", count(shown as u64), count(all as u64)),
        false => format!("all {} {noun}", count(all as u64)),
    };
    let rows = some(map.points.len(), map.n_rows, page.target_noun());
    let source = match map.source.is_empty() {
        true => String::new(),
        false => format!(" Grey squares are {}.", some(map.source.len(), map.n_source, "source rows")),
    };
    format!("Each dot is a row: {rows}.{source} Numbered circles are prototypes; larger means heavier.")
}

/// What the axes of a view are, and how far it can be trusted.
fn directions(places: &MapPlaces) -> String {
    let (view, variance) = match places.view {
        MapView::Neighbours => ("Similar rows are placed next to each other (t-SNE of the kernel's distances).", ""),
        MapView::Kernel => {
            ("Rows are placed by similarity under the kernel (kernel principal components).", "kernel's variance")
        }
        MapView::Columns => ("Rows are placed on the first principal components of the columns.", "columns' variance"),
    };
    let axes = match places.shares[..] {
        _ if places.view == MapView::Neighbours => "Distances between groups mean little.".to_owned(),
        [] => return "All dots coincide: no row differs from the others.".to_owned(),
        [_] => "The data vary in one direction only, drawn from left to right.".to_owned(),
        [across, up, ..] => format!(
            "This 2-D view shows {} of the {variance} ({} from left to right, {} from bottom to top); nearby dots can \
             still differ.",
            percent((across + up).min(1.0)),
            percent(across),
            percent(up)
        ),
    };
    let preserved = places.preserved.map_or_else(String::new, |share| {
        format!(
            " Of the 10 rows nearest to a row under the kernel, {} are among its 10 nearest dots.",
            whole_percent(share)
        )
    });
    format!("{view} {axes}{preserved}")
}

/// Buttons to zoom, and a choice between the views.
fn write_controls(html: &mut Html, map: &Map) {
    html.element("div", &[("class", "map-controls scripted")], |html| {
        if map.places.len() > 1 {
            html.element("label", &[("for", "map-view")], |html| html.text("View "));
            html.element("select", &[("id", "map-view")], |html| {
                for (at, places) in map.places.iter().enumerate() {
                    html.leaf("option", &[("value", &at.to_string())], places.view.name());
                }
            });
        }
        let button = |html: &mut Html, id: &str, name: &str, sign: &str, disabled: bool| {
            let attributes = [("type", "button"), ("id", id), ("aria-label", name), ("title", name), ("disabled", "")];
            html.leaf("button", if disabled { &attributes } else { &attributes[..4] }, sign);
        };
        button(html, "map-in", "Zoom in", "+", false);
        button(html, "map-out", "Zoom out", "−", true);
        button(html, "map-reset", "Show the whole map", "Reset", true);
        html.leaf("span", &[("class", "quiet")], "Click the map to zoom with the wheel or + and −; drag to move.");
    });
}

/// The classes of a group of points: its colour, and its shape.
fn group_class(at: usize) -> String {
    let shape = ["", " triangle", " plus"].get(at / COLOURS).unwrap_or(&"");
    format!("dots c{}{shape}", at % COLOURS)
}

/// The classes of the points of a class, or of all if they have none: grey unless a separate source is.
fn target_class(map: &Map, classes: &[&str], at: usize) -> String {
    if classes.is_empty() && map.source.is_empty() { "dots plain".to_owned() } else { group_class(at) }
}

/// What is drawn at the points of a class.
fn shape(at: usize) -> &'static str {
    SHAPES.get(at / COLOURS).unwrap_or(&SHAPES[0])
}

fn write_legend(html: &mut Html, page: &SelectionPage, map: &Map, classes: &[&str]) {
    let entry = |html: &mut Html, (key, class): (&str, &str), shape: &str, name: &dyn Fn(&mut Html)| {
        html.element("li", &[], |html| {
            let id = format!("class-{key}");
            html.element("label", &[("for", &id)], |html| {
                let attributes = [
                    ("type", "checkbox"),
                    ("id", id.as_str()),
                    ("class", "scripted"),
                    ("data-class", key),
                    ("checked", ""),
                ];
                html.void("input", &attributes);
                html.element("svg", &[("viewBox", "-7 -7 14 14"), ("aria-hidden", "true")], |html| {
                    html.leaf("path", &[("class", class), ("d", &format!("M0 0{shape}"))], "");
                });
                name(html);
            });
        });
    };
    html.element("ul", &[("class", "legend map-legend")], |html| {
        for (at, name) in classes.iter().enumerate() {
            entry(html, (&at.to_string(), &group_class(at)), shape(at), &|html| html.name(label_text(name)));
        }
        if !map.source.is_empty() {
            if classes.is_empty() {
                entry(html, ("0", &target_class(map, classes, 0)), SHAPES[0], &|html| html.text("target row"));
            }
            entry(html, ("source", "dots others square"), SHAPES[0], &|html| html.text("source row"));
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
fn write_points(html: &mut Html, map: &Map, (places, projection): (&MapPlaces, &Projection), classes: &[&str]) {
    if !map.source.is_empty() {
        let mut path = String::new();
        for place in &places.source {
            add_point(&mut path, projection.place(*place), SHAPES[0]);
        }
        html.leaf("path", &[("class", "dots others square"), ("id", "dots-source"), ("d", &path)], "");
    }
    let mut paths = vec![String::new(); classes.len().max(1)];
    for (point, place) in map.points.iter().zip(&places.points) {
        let class = point.label.as_deref().and_then(|label| classes.iter().position(|name| *name == label));
        let class = class.unwrap_or(0);
        if let Some(path) = paths.get_mut(class) {
            add_point(path, projection.place(*place), shape(class));
        }
    }
    for (at, path) in paths.iter().enumerate() {
        html.leaf(
            "path",
            &[("class", &target_class(map, classes, at)), ("id", &format!("dots-{at}")), ("d", path)],
            "",
        );
    }
}

fn add_point(path: &mut String, [x, y]: [f64; 2], shape: &str) {
    let _ = write!(path, "M{} {}{shape}", length(x), length(y));
}

/// Writes a cross for each criticism; those of smaller sizes only are hidden at first.
fn write_criticisms(html: &mut Html, map: &MapPlaces, (projection, n_shown): (&Projection, usize)) {
    for (at, place) in map.criticisms.iter().enumerate() {
        let [x, y] = projection.place(*place);
        let (place, rank) = (format!("translate({} {})", length(x), length(y)), (at + 1).to_string());
        let attributes = [
            ("class", "map-criticism"),
            ("transform", &*place),
            ("data-criticism", &*rank),
            ("d", CROSS),
            ("hidden", ""),
        ];
        html.leaf("path", if at < n_shown { &attributes[..4] } else { &attributes }, "");
    }
}

fn write_prototypes(html: &mut Html, page: &SelectionPage, map: &MapPlaces, projection: &Projection) {
    let shares: Vec<f64> = page.document.prototypes.iter().map(|prototype| prototype.share).collect();
    let mut order: Vec<usize> = (0..map.prototypes.len().min(shares.len())).collect();
    let least = least_radius(order.len());
    // Small circles go on top of large ones.
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
    for at in order {
        let [x, y] = projection.place(map.prototypes[at]);
        let (place, rank) = (format!("translate({} {})", length(x), length(y)), (at + 1).to_string());
        let radius = least + WEIGHT_RADIUS * shares[at].max(0.0).sqrt();
        html.element("g", &[("class", "map-prototype"), ("transform", &place), ("data-rank", &rank)], |html| {
            html.leaf("circle", &[("r", &length(radius))], "");
            let size = size_of_number(radius, rank.len());
            let attributes = [("dy", "0.35em"), ("font-size", &*length(size)), ("hidden", "")];
            html.leaf("text", if size < LEAST_NUMBER { &attributes } else { &attributes[..2] }, &rank);
        });
    }
}

/// The radius of a prototype without weight: smaller if there are many, so that the rows stay visible; the script uses the
/// same.
fn least_radius(n_prototypes: usize) -> f64 {
    (6.0 * (40.0 / n_prototypes.max(1) as f64).sqrt().min(1.0)).max(2.0)
}

/// Maximum and minimum legible font size of a prototype's number; the script uses the same.
const LARGEST_NUMBER: f64 = 12.0;
const LEAST_NUMBER: f64 = 7.0;

/// The font size at which a number with this many digits fits into a circle.
fn size_of_number(radius: f64, n_digits: usize) -> f64 {
    (2.5 * radius / n_digits as f64).min(LARGEST_NUMBER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_axes_have_the_same_scale() {
        let places = MapPlaces { points: vec![[0.0, 0.0]], source: vec![[10.0, 1.0]], ..MapPlaces::default() };
        let projection = Projection::around(&places);
        let ([left, bottom], [right, top]) = (projection.place([0.0, 0.0]), projection.place([10.0, 1.0]));
        assert!(((right - left) - 10.0 * (bottom - top)).abs() < 1e-9);
        assert_eq!((left, right), (EDGE, WIDTH - EDGE));
    }

    #[test]
    fn a_single_position_is_in_the_middle() {
        let places = MapPlaces { points: vec![[0.0, 0.0]], ..MapPlaces::default() };
        assert_eq!(Projection::around(&places).place([0.0, 0.0]), [WIDTH / 2.0, HEIGHT / 2.0]);
        assert_eq!(Projection::around(&MapPlaces::default()).place([0.0, 0.0]), [WIDTH / 2.0, HEIGHT / 2.0]);
    }

    #[test]
    fn twenty_six_classes_have_different_looks_and_more_have_none() {
        let looks: std::collections::BTreeSet<String> = (0..MOST_CLASSES).map(group_class).collect();
        assert_eq!(looks.len(), 26);
        let point = |at: usize| MapPoint { label: Some(format!("{at}")), ..MapPoint::default() };
        let with = |n: usize| Map { points: (0..n).map(point).collect(), ..Map::default() };
        assert_eq!((classes(&with(26)).len(), classes(&with(27)).len()), (26, 0));
    }

    #[test]
    fn many_prototypes_are_small() {
        assert_eq!((least_radius(5), least_radius(1000)), (6.0, 2.0));
        // A thousand circles of equal weight cover less than a tenth of the drawing.
        let radius = least_radius(1000) + WEIGHT_RADIUS * 0.001_f64.sqrt();
        assert!(1000.0 * std::f64::consts::PI * radius * radius < 0.1 * WIDTH * HEIGHT);
    }

    #[test]
    fn the_caption_says_how_much_of_which_variance_is_shown() {
        let kernel = MapPlaces { view: MapView::Kernel, shares: vec![0.3, 0.125], ..MapPlaces::default() };
        assert!(directions(&kernel).contains("shows 42.5\u{a0}% of the kernel's variance (30.0\u{a0}% from left"));
        let columns = MapPlaces { view: MapView::Columns, ..kernel };
        assert!(directions(&columns).contains("42.5\u{a0}% of the columns' variance"));
        assert!(directions(&MapPlaces::default()).starts_with("All dots coincide"));
    }

    #[test]
    fn the_caption_says_how_many_neighbours_are_preserved() {
        let places = MapPlaces { view: MapView::Neighbours, preserved: Some(0.43), ..MapPlaces::default() };
        let words = directions(&places);
        assert!(words.ends_with("43\u{a0}% are among its 10 nearest dots.") && !words.contains("variance"), "{words}");
    }

    #[test]
    fn classes_are_in_natural_sort_order() {
        let point = |label: &str| MapPoint { label: Some(label.to_owned()), ..MapPoint::default() };
        let map = Map { points: ["10", "9", "1", "9"].map(point).to_vec(), ..Map::default() };
        assert_eq!(classes(&map), ["1", "9", "10"]);
    }
}
