//! The page of a selection: prototypes with their weights, and evidence of their quality.

mod bandwidths;
mod cards;
mod classes;
mod coverage;
mod coverage_view;
mod criticisms;
mod curve;
mod distributions;
mod map;
mod shift;
mod similarity;
mod table;
mod view;

use serde::Serialize;

use crate::document::SelectionDocument;
use crate::html::Html;
use crate::image::Images;
use crate::row::Row;
use crate::section::{write_contents, write_meanings};
use crate::typical::Column;

pub use coverage::{Coverage, CoveredGroup};
pub(crate) use curve::SizeCurves;
pub use distributions::{ColumnDistribution, DistributionBar};
pub use map::{Map, MapPlaces, MapPoint, MapView};
pub use similarity::PrototypeSimilarity;

/// What the page of a selection shows: the result, and what its data add to it. Empty parts are omitted.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, SelectionPage};
///
/// let page = SelectionPage::new(SelectionDocument::example());
/// assert_eq!(page.prototypes[0].id.as_deref(), Some("Dan"));
/// assert!(page.map.is_none());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SelectionPage {
    /// The result.
    pub document: SelectionDocument,
    /// The row of each prototype.
    pub prototypes: Vec<Row>,
    /// For each prototype, some of the rows it represents, from the most to the least similar.
    pub examples: Vec<Vec<Row>>,
    /// The row of each criticism: those of the complete run, then those of smaller sizes only.
    pub criticisms: Vec<Row>,
    /// The criticisms of some smaller sizes, ascending.
    pub smaller_criticisms: Vec<SmallerCriticisms>,
    /// The examples of some smaller sizes.
    pub smaller_examples: SmallerExamples,
    /// The number of target rows nearest to each of the first prototypes, for each known size, ascending; empty if unknown.
    pub n_represented: Vec<Vec<usize>>,
    /// The columns, one for each cell of a row.
    pub columns: Vec<Column>,
    /// The names of the shown columns, one for each shown text of a row.
    pub shown: Vec<String>,
    /// The images that rows refer to.
    pub images: Images,
    /// The data in two dimensions.
    pub map: Option<Map>,
    /// The columns among rows and prototypes, largest difference first.
    pub distributions: Vec<ColumnDistribution>,
    /// How far the rows are from their prototypes.
    pub coverage: Option<Coverage>,
    /// The same for some smaller sizes, ascending, each with its number of prototypes.
    pub smaller_coverage: Vec<(usize, Coverage)>,
    /// How similar the prototypes are to each other.
    pub similarity: Option<PrototypeSimilarity>,
    /// Thumbnails of points of the map.
    pub thumbnails: Option<Thumbnails>,
    /// The classes of the target with their shares; empty if unknown.
    pub class_shares: Vec<(String, f64)>,
}

/// Small images of points of the map, on one sheet.
///
/// # Examples
///
/// ```
/// let sheet = protodash_report::Thumbnails { image: 3, columns: 32, rows: 32, step: 2, width: 8, height: 8 };
/// assert!(sheet.columns * sheet.rows >= 1000); // of the first, the third, the fifth, … point
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Thumbnails {
    /// The index of the sheet among the images of the page.
    pub image: usize,
    /// Number of thumbnails next to each other.
    pub columns: usize,
    /// Number of rows of thumbnails.
    pub rows: usize,
    /// Every how many points have one, from the first on.
    pub step: usize,
    /// The width of a thumbnail in pixels.
    pub width: usize,
    /// Its height.
    pub height: usize,
}

/// The criticisms of the first prototypes.
///
/// # Examples
///
/// ```
/// let found = protodash_report::SmallerCriticisms { n_prototypes: 2, found: vec![(0, 0.4)] };
/// assert_eq!(found.found[0].1, 0.4);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SmallerCriticisms {
    /// The number of prototypes.
    pub n_prototypes: usize,
    /// Positions among the criticisms of the page, with their scores, worst first.
    pub found: Vec<(usize, f64)>,
}

/// Some of the rows that each of the first prototypes represents.
///
/// # Examples
///
/// ```
/// assert!(protodash_report::SmallerExamples::default().pairs.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SmallerExamples {
    /// Numbers of prototypes, ascending, each with the positions among `pairs` of the examples of each prototype, from the
    /// most to the least similar.
    pub sizes: Vec<(usize, Vec<Vec<usize>>)>,
    /// A prototype, by its position in the order of choice, and a row that it represents at some size.
    pub pairs: Vec<(usize, Row)>,
}

impl SelectionPage {
    /// The page of a result without its data.
    ///
    /// # Examples
    ///
    /// See [`SelectionPage`].
    #[must_use]
    pub fn new(document: SelectionDocument) -> SelectionPage {
        let row = |index, id: &Option<String>, label: &Option<String>| Row {
            index,
            id: id.clone(),
            label: label.clone(),
            ..Row::default()
        };
        let prototypes = document.prototypes.iter().map(|found| row(found.source_index, &found.id, &found.label));
        let criticisms = document.criticisms.iter().map(|found| row(found.row(), &found.id, &found.label));
        SelectionPage {
            prototypes: prototypes.collect(),
            criticisms: criticisms.collect(),
            document,
            examples: Vec::new(),
            smaller_criticisms: Vec::new(),
            smaller_examples: SmallerExamples::default(),
            n_represented: Vec::new(),
            columns: Vec::new(),
            shown: Vec::new(),
            images: Images::default(),
            map: None,
            distributions: Vec::new(),
            coverage: None,
            smaller_coverage: Vec::new(),
            similarity: None,
            thumbnails: None,
            class_shares: Vec::new(),
        }
    }

    /// Whether rows are images and nothing else, so that their cards can be small.
    fn is_gallery(&self) -> bool {
        !self.images.is_empty() && self.columns.is_empty() && self.shown.is_empty()
    }

    /// What the rows to represent are called.
    fn target_noun(&self) -> &'static str {
        if self.document.data.has_separate_target() { "target rows" } else { "rows" }
    }

    /// Writes the page's content; the slider needs the result, which has the weights at every size.
    pub(crate) fn write(&self, html: &mut Html, has_result: bool) {
        if self.prototypes.is_empty() {
            html.leaf("p", &[("class", "empty")], "No prototypes.");
            return;
        }
        write_contents(html, &self.contents());
        // Above the curve and the map, so that both are seen while it moves.
        if has_result {
            curve::write_slider(html, self);
        }
        // Wide windows show both next to each other.
        html.element("div", &[("class", "overview")], |html| {
            curve::write(html, self);
            map::write(html, self);
        });
        html.line();
        cards::write(html, self);
        similarity::write(html, self);
        distributions::write(html, self);
        coverage::write(html, self);
        criticisms::write(html, self);
        classes::write(html, &self.document);
        shift::write(html, &self.document);
        bandwidths::write(html, &self.document);
        table::write(html, self);
        write_explanations(html, self);
    }

    /// The sections of this page.
    fn contents(&self) -> Vec<(&'static str, &'static str)> {
        let has_shift = self.document.covariate_shift.as_ref().is_some_and(|shift| !shift.features.is_empty());
        let has_similarity = self.similarity.as_ref().is_some_and(|similarity| similarity.prototypes.len() > 1);
        let sections = [
            ("#sizes", "How many prototypes", self.prototypes.len() > 1),
            ("#map", "Map", self.map.is_some()),
            ("#prototypes", "Prototypes", true),
            ("#similarity", "Similarity", has_similarity),
            ("#distributions", "Distributions", !self.distributions.is_empty()),
            ("#coverage", "Who is not represented", self.coverage.is_some()),
            ("#criticisms", "Criticisms", self.document.criticism.is_some()),
            ("#classes", "Classes", self.document.per_label.is_some()),
            ("#shift", "Shift", has_shift),
            ("#bandwidths", "Bandwidths", self.document.kernel.cross_validation.is_some()),
            ("#table", "Table", true),
            ("#reading", "How to read this", true),
        ];
        sections.into_iter().filter(|(_, _, there)| *there).map(|(place, name, _)| (place, name)).collect()
    }
}

fn write_explanations(html: &mut Html, page: &SelectionPage) {
    let rows = page.target_noun();
    let mut terms = vec![
        ("weight", "How much the prototype counts: together, the weighted prototypes resemble the data.".to_owned()),
        (
            "of weight",
            format!(
                "Its share: its weight divided by the sum of all weights. It need not be the share of its nearest \
                 {rows}: a prototype that is also similar to {rows} near other prototypes shares their weight with \
                 them."
            ),
        ),
        (
            "gain",
            "How much the objective rose when the prototype was chosen. The method maximises the objective: the larger \
             it is, the closer the weighted prototypes are to the data."
                .to_owned(),
        ),
        ("nearest rows", format!("The number of {rows} nearer to this prototype than to any other, measured by the kernel.")),
    ];
    if page.document.explained.is_some() {
        terms.push((
            "explained",
            "1 − MMD² / ‖μ‖²: the share of the target's kernel mean embedding that the weighted prototypes reproduce. 100 % \
             means no difference, 0 % is no better than no prototypes."
                .to_owned(),
        ));
    }
    if page.similarity.is_some() {
        terms.push((
            "similarity",
            "k(x, z) / √(k(x, x) k(z, z)), the cosine of two prototypes as the kernel sees them: 1 for equal rows, near 0 \
             for rows that have nothing in common."
                .to_owned(),
        ));
    }
    if !page.criticisms.is_empty() {
        terms.push((
            "score",
            "How badly a criticism is represented. With the witness definition: the difference between its mean similarity \
             to the data and its similarity to the weighted prototypes. With the distance definition: its kernel distance \
             to the nearest prototype."
                .to_owned(),
        ));
    }
    if !page.distributions.is_empty() {
        terms.push((
            "apart",
            format!(
                "How much a column differs between the {rows} and the weighted prototypes, from 0 to 100 %. For numbers, the \
                 largest gap between their shares up to the edge of a bar; for categories, the share of the weight that \
                 would have to move to another category. With few prototypes it cannot come close to 0 %."
            ),
        ));
    }
    if page.coverage.is_some() {
        terms.push((
            "distance",
            format!(
                "The mean distance of a group's {rows} from their nearest prototype, as a multiple of the average over all \
                 {rows}. Groups are classes, categories and the two farthest ranges of each column of numbers, with at least \
                 1 % of the {rows}. Distances do not depend on the bandwidth: they are Euclidean, or the share of codes that \
                 differ, or the kernel's own if it does not compare columns."
            ),
        ));
    }
    if !page.columns.is_empty() {
        terms.push((
            "typical",
            format!("For numbers, the median of the {rows}; for categories, the most frequent one with its share."),
        ));
        terms.push((
            "difference",
            "For numbers, the distance from the median in standard deviations (sd); for categories, the share of rows \
             with the same one. Cards list the most unusual values first."
                .to_owned(),
        ));
    }
    write_meanings(html, &terms);
}
