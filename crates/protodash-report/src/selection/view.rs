//! The data for the script of a selection's page, besides the result.

use std::collections::BTreeMap;

use serde::Serialize;

use super::SelectionPage;
use super::distributions::{ColumnDistribution, DistributionView};
use super::map::{MapPlaces, Projection, classes};
use super::similarity::{PrototypeSimilarity, SimilarityView};
use crate::document::SelectionDocument;
use crate::row::Row;
use crate::section::as_sentence;
use crate::sentences::{Request, selection_sentence};

/// The document for the script.
#[derive(Debug, Serialize)]
pub(crate) struct SelectionView<'a> {
    kind: &'static str,
    n_target: usize,
    target_noun: &'static str,
    explained: Vec<f64>,
    objective: &'a [f64],
    /// For the whole run.
    weights: Vec<f64>,
    n_represented: &'a [Vec<usize>],
    /// Of the whole run; `None` if rows were not counted.
    stands: Option<Vec<usize>>,
    columns: Vec<[String; 2]>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    shown: &'a [String],
    prototypes: &'a [Row],
    criticisms: &'a [Row],
    map: Option<Points<'a>>,
    /// The main finding by number of prototypes, for smaller numbers than all.
    headlines: BTreeMap<usize, String>,
    distributions: Vec<DistributionView<'a>>,
    similarity: Option<SimilarityView>,
}

/// The points of the map, one list per property: shorter than a list of objects. Rows of a separate source come last.
#[derive(Debug, Serialize)]
struct Points<'a> {
    places: Vec<PointPlaces>,
    n_target: usize,
    index: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    id: Vec<Option<&'a str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    label: Vec<Option<&'a str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    text: Vec<&'a str>,
    class: Vec<Option<usize>>,
    nearest: Vec<Option<usize>>,
}

/// Where everything is in a view of the map, in tenths of a unit of the drawing: precise enough to zoom in.
#[derive(Debug, Serialize)]
struct PointPlaces {
    x: Vec<i64>,
    y: Vec<i64>,
    prototypes: Vec<[i64; 2]>,
    criticisms: Vec<[i64; 2]>,
}

impl PointPlaces {
    fn new(places: &MapPlaces) -> PointPlaces {
        let projection = Projection::around(places);
        let place = |place: &[f64; 2]| projection.place(*place).map(|value| (10.0 * value).round() as i64);
        let points: Vec<[i64; 2]> = places.points.iter().chain(&places.source).map(place).collect();
        PointPlaces {
            x: points.iter().map(|place| place[0]).collect(),
            y: points.iter().map(|place| place[1]).collect(),
            prototypes: places.prototypes.iter().map(place).collect(),
            criticisms: places.criticisms.iter().map(place).collect(),
        }
    }
}

impl SelectionPage {
    pub(crate) fn view(&self) -> SelectionView<'_> {
        SelectionView {
            kind: "selection",
            n_target: self.document.n_target,
            target_noun: self.target_noun(),
            explained: self.document.explained_path(),
            objective: &self.document.objective,
            weights: self.document.prototypes.iter().map(|prototype| prototype.weight).collect(),
            n_represented: &self.n_represented,
            stands: self.document.prototypes.iter().map(|prototype| prototype.n_represented).collect(),
            columns: self.columns.iter().map(|column| [column.name.clone(), column.typical_text()]).collect(),
            shown: &self.shown,
            prototypes: &self.prototypes,
            criticisms: &self.criticisms,
            map: self.points(),
            headlines: self.headlines(),
            distributions: self.distributions.iter().map(ColumnDistribution::view).collect(),
            similarity: self.similarity.as_ref().map(PrototypeSimilarity::view),
        }
    }

    /// The main finding of each smaller run whose weights the page has.
    fn headlines(&self) -> BTreeMap<usize, String> {
        let document = &self.document;
        // Copies without the weights of all other sizes, which are quadratic in the number of prototypes.
        let bare = SelectionDocument { weights_path: Vec::new(), later_weights: Vec::new(), ..document.clone() };
        let headline = |size: usize| {
            let weights = document.weights_at(size).filter(|_| size < document.prototypes.len())?.to_vec();
            let run = SelectionDocument { later_weights: vec![weights], ..bare.clone() }.prefix(size)?;
            Some((size, as_sentence(&selection_sentence(&run, Request::default()))))
        };
        document.written_sizes().into_iter().filter_map(headline).collect()
    }

    fn points(&self) -> Option<Points<'_>> {
        let map = self.map.as_ref()?;
        let classes = classes(map);
        let class = |label: &str| classes.iter().position(|name| *name == label);
        let points = || map.points.iter().chain(&map.source);
        Some(Points {
            places: map.places.iter().map(PointPlaces::new).collect(),
            n_target: map.points.len(),
            index: points().map(|point| point.index).collect(),
            id: if_any(points().map(|point| point.id.as_deref())),
            label: if_any(points().map(|point| point.label.as_deref())),
            text: points().map(|point| point.text.as_str()).filter(|_| !self.shown.is_empty()).collect(),
            class: map.points.iter().map(|point| point.label.as_deref().and_then(class)).collect(),
            nearest: map.points.iter().map(|point| point.nearest).collect(),
        })
    }
}

/// The values, or none at all if none is known.
fn if_any<'a>(values: impl Iterator<Item = Option<&'a str>>) -> Vec<Option<&'a str>> {
    let values: Vec<Option<&str>> = values.collect();
    if values.iter().any(Option::is_some) { values } else { Vec::new() }
}
