//! The page of a selection: prototypes with their weights, and all that helps to judge them.

mod bandwidths;
mod cards;
mod classes;
mod criticisms;
mod curve;
mod map;
mod shift;
mod table;
mod view;

use crate::html::Html;
use crate::image::Images;
use crate::row::Row;
use crate::section::{write_contents, write_meanings};
use crate::typical::Column;

pub use bandwidths::{Bandwidths, TriedBandwidth};
pub use classes::Class;
pub use criticisms::Criticism;
pub use map::{Map, MapPoint};
pub use shift::ShiftedFeature;

/// What a page shows of a selection. Whatever is empty or `None` is left out.
///
/// # Examples
///
/// ```
/// use protodash_report::{Prototype, SelectionPage};
///
/// let page = SelectionPage { prototypes: vec![Prototype::default()], objective: vec![0.5], ..SelectionPage::default() };
/// assert!(page.map.is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SelectionPage {
    /// The chosen rows, in order of choice.
    pub prototypes: Vec<Prototype>,
    /// The objective after each of them.
    pub objective: Vec<f64>,
    /// The part of the target that is explained after each of them; empty if it is not known.
    pub explained: Vec<f64>,
    /// `n_represented[i][j]` target rows were nearest to the j-th of the first i + 1 prototypes; empty if not known.
    pub n_represented: Vec<Vec<usize>>,
    /// How many rows were to be represented.
    pub n_target: usize,
    /// What the rows to be represented are called: `rows`, or `target rows` if they are others than the source's.
    pub target_noun: String,
    /// The columns, one for each cell of a row.
    pub columns: Vec<Column>,
    /// The pictures that rows refer to.
    pub images: Images,
    /// What makes a row a criticism; empty if none were looked for.
    pub criticisms_sentence: String,
    /// The rows represented worst, the worst first.
    pub criticisms: Vec<Criticism>,
    /// The data in two dimensions.
    pub map: Option<Map>,
    /// What each class got, if each was to have prototypes of its own.
    pub classes: Vec<Class>,
    /// What the weights do to the source, if that was asked for.
    pub shift: Vec<ShiftedFeature>,
    /// What the shift means.
    pub shift_sentence: String,
    /// The bandwidths that were tried, if several were.
    pub bandwidths: Option<Bandwidths>,
}

/// A chosen row.
///
/// # Examples
///
/// ```
/// use protodash_report::{Prototype, Row};
///
/// let row = Row { index: 3, ..Row::default() };
/// let prototype = Prototype { row, weight: 0.2, share: 0.5, gain: 0.1, n_represented: 40, examples: Vec::new() };
/// assert_eq!(prototype.row.index, 3);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prototype {
    /// The row.
    pub row: Row,
    /// How much it counts.
    pub weight: f64,
    /// Its part of all weights.
    pub share: f64,
    /// How much the objective rose when it was chosen.
    pub gain: f64,
    /// Target rows that are nearer to it than to any other prototype.
    pub n_represented: usize,
    /// Some of these rows, from the most similar to the least similar one.
    pub examples: Vec<Row>,
}

impl SelectionPage {
    /// Writes the page's own part.
    ///
    /// Without the result's weights at every size there is no slider.
    pub(crate) fn write(&self, html: &mut Html, has_result: bool) {
        if self.prototypes.is_empty() {
            html.leaf("p", &[("class", "empty")], "There is no prototype to show.");
            return;
        }
        write_contents(html, &self.contents());
        curve::write(html, self, has_result);
        cards::write(html, self);
        criticisms::write(html, self);
        map::write(html, self);
        classes::write(html, &self.classes);
        shift::write(html, self);
        bandwidths::write(html, self.bandwidths.as_ref());
        table::write(html, self);
        write_explanations(html, self);
    }

    /// The parts that this page has.
    fn contents(&self) -> Vec<(&'static str, &'static str)> {
        let sections = [
            ("#sizes", "How many are enough", self.prototypes.len() > 1),
            ("#prototypes", "Prototypes", true),
            ("#criticisms", "Criticisms", !self.criticisms_sentence.is_empty()),
            ("#map", "Map", self.map.is_some()),
            ("#classes", "Classes", !self.classes.is_empty()),
            ("#shift", "Shift", !self.shift.is_empty()),
            ("#bandwidths", "Bandwidths", self.bandwidths.is_some()),
            ("#table", "Table", true),
            ("#reading", "How to read this", true),
        ];
        sections.into_iter().filter(|(_, _, there)| *there).map(|(place, name, _)| (place, name)).collect()
    }
}

fn write_explanations(html: &mut Html, page: &SelectionPage) {
    let rows = &page.target_noun;
    let mut explained = vec![
        ("weight", "How much the prototype counts when all of them together are to resemble the data.".to_owned()),
        ("share", "Its weight divided by the sum of all weights.".to_owned()),
        (
            "gain",
            "How much the objective rose when the prototype was chosen. The objective is what the method maximises: \
                  the larger, the nearer the weighted prototypes are to the data."
                .to_owned(),
        ),
        (
            "stands for",
            format!(
                "The number of {rows} that are nearer to this prototype than to any other, in the sense of \
                                the kernel."
            ),
        ),
    ];
    if !page.explained.is_empty() {
        explained.push(("explained", "The part of the data's kernel mean embedding that the weighted prototypes \
                                      reproduce: 1 minus the squared distance that is left (MMD²), divided by its value \
                                      without any prototype.".to_owned()));
    }
    if !page.criticisms.is_empty() {
        explained.push((
            "score",
            "How badly a criticism is represented. Of a row with too much or too little weight around it: how far its mean \
             similarity to the data is from its similarity to the weighted prototypes. Of a row that is far from every \
             prototype: its distance from the nearest, in the sense of the kernel."
                .to_owned(),
        ));
    }
    if !page.columns.is_empty() {
        explained.push((
            "typical",
            format!(
                "For a column of numbers the median of the {rows}; for categories the most \
                                            frequent one, with the part of the {rows} that has it."
            ),
        ));
        explained.push((
            "differs by",
            "For numbers the distance from what is typical in standard deviations (sd); for categories how many have the \
             same. A card begins with what is farthest from typical: numbers by that distance, categories by how much \
             rarer they are than the most frequent one."
                .to_owned(),
        ));
    }
    write_meanings(html, &explained);
}
