//! The data for the script of a selection's page, besides the result.

use std::collections::BTreeMap;

use protodash::NearestChange;
use serde::Serialize;

use super::coverage_view::CoverageView;
use super::distributions::{ColumnDistribution, DistributionView};
use super::map::{MapPlaces, MapPoint, Projection, classes};
use super::similarity::{PrototypeSimilarity, SimilarityView};
use super::{SelectionPage, Thumbnails};
use crate::document::SelectionDocument;
use crate::row::Row;
use crate::section::as_sentence;
use crate::sentences::{Request, findings};

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
    /// The findings by number of prototypes, for smaller numbers than all.
    findings: BTreeMap<usize, Vec<String>>,
    coverage: Option<CoverageView<'a>>,
    /// Ascending.
    smaller_criticisms: Vec<CriticismsView<'a>>,
    criticism_cards: String,
    /// Numbers of prototypes with the examples of each.
    smaller_examples: &'a [(usize, Vec<Vec<usize>>)],
    examples: String,
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    image: Vec<Option<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnails: Option<&'a Thumbnails>,
    class: Vec<Option<usize>>,
    nearest: Vec<Option<usize>>,
    changes: NearestView,
}

/// The criticisms of a size.
#[derive(Debug, Serialize)]
struct CriticismsView<'a> {
    n_prototypes: usize,
    found: &'a [(usize, f64)],
}

/// The sizes at which the nearest prototypes of points change, one list per property.
#[derive(Debug, Default, Serialize)]
struct NearestView {
    /// Number of changes of each point.
    counts: Vec<usize>,
    sizes: Vec<usize>,
    /// Counted from 1; 0 for none.
    nearest: Vec<usize>,
    /// In millionths of the largest, for short numbers.
    distances: Vec<u32>,
    largest: f64,
}

impl NearestView {
    fn new(points: &[MapPoint]) -> NearestView {
        let changes = || points.iter().flat_map(|point| &point.changes);
        // NaN, where there is no prototype, and rounding below 0 become 0.
        let distance = |change: &NearestChange| change.distance.max(0.0).sqrt();
        let largest = changes().map(distance).fold(0.0, f64::max);
        let part = |distance: f64| if largest > 0.0 { (1e6 * distance / largest).round() as u32 } else { 0 };
        NearestView {
            counts: points.iter().map(|point| point.changes.len()).collect(),
            sizes: changes().map(|change| change.n_prototypes).collect(),
            nearest: changes().map(|change| change.nearest.map_or(0, |nearest| nearest + 1)).collect(),
            distances: changes().map(|change| part(distance(change))).collect(),
            largest,
        }
    }
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
            findings: self.findings(),
            coverage: self.coverage_view(),
            smaller_criticisms: self
                .smaller_criticisms
                .iter()
                .map(|of_size| CriticismsView { n_prototypes: of_size.n_prototypes, found: &of_size.found })
                .collect(),
            criticism_cards: self.smaller_criticism_cards(),
            smaller_examples: &self.smaller_examples.sizes,
            examples: self.smaller_example_items(),
            distributions: self.distributions.iter().map(ColumnDistribution::view).collect(),
            similarity: self.similarity.as_ref().map(PrototypeSimilarity::view),
        }
    }

    /// The findings of each smaller run whose weights the page has.
    fn findings(&self) -> BTreeMap<usize, Vec<String>> {
        let document = &self.document;
        // Copies without the weights of all other sizes, which are quadratic in the number of prototypes.
        let bare = SelectionDocument { weights_path: Vec::new(), later_weights: Vec::new(), ..document.clone() };
        let classes = self.class_shares.iter().filter(|_| document.classes_without_prototype.is_some());
        let (classes, shares): (Vec<&str>, Vec<f64>) = classes.map(|(class, share)| (class.as_str(), *share)).unzip();
        let of_size = |size: usize| {
            let weights = document.weights_at(size).filter(|_| size < document.prototypes.len())?.to_vec();
            let mut run = SelectionDocument { later_weights: vec![weights], ..bare.clone() }.prefix(size)?;
            if !classes.is_empty() {
                run.set_classes(classes.iter().copied(), Some(&shares));
            }
            Some((size, findings(&run, Request::default()).iter().map(|sentence| as_sentence(sentence)).collect()))
        };
        document.written_sizes().into_iter().filter_map(of_size).collect()
    }

    fn points(&self) -> Option<Points<'_>> {
        let map = self.map.as_ref()?;
        let classes = classes(map);
        let class = |label: &str| classes.iter().position(|name| *name == label);
        let points = || map.points.iter().chain(&map.source);
        let (has_text, has_images) =
            (points().any(|point| !point.text.is_empty()), points().any(|point| point.image.is_some()));
        Some(Points {
            places: map.places.iter().map(PointPlaces::new).collect(),
            n_target: map.points.len(),
            index: points().map(|point| point.index).collect(),
            id: if_any(points().map(|point| point.id.as_deref())),
            label: if_any(points().map(|point| point.label.as_deref())),
            text: points().map(|point| point.text.as_str()).filter(|_| has_text).collect(),
            image: points().map(|point| point.image).filter(|_| has_images).collect(),
            thumbnails: self.thumbnails.as_ref(),
            class: map.points.iter().map(|point| point.label.as_deref().and_then(class)).collect(),
            nearest: map.points.iter().map(|point| point.nearest).collect(),
            changes: NearestView::new(&map.points),
        })
    }
}

/// The values, or none at all if none is known.
fn if_any<'a>(values: impl Iterator<Item = Option<&'a str>>) -> Vec<Option<&'a str>> {
    let values: Vec<Option<&str>> = values.collect();
    if values.iter().any(Option::is_some) { values } else { Vec::new() }
}
