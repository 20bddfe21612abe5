//! The page of a comparison: several methods on the same data, side by side.

mod curves;
mod galleries;
mod overlap;
mod table;

use serde::Serialize;

use crate::html::Html;
use crate::image::Images;
use crate::row::Row;
use crate::section::{write_contents, write_meanings};

pub use overlap::Overlap;

/// What a page shows of a comparison.
///
/// # Examples
///
/// ```
/// use protodash_report::{ComparisonPage, Outcome};
///
/// let outcome = Outcome { method: "protodash".to_owned(), n_prototypes: 10, objective: 0.2, ..Outcome::default() };
/// let page = ComparisonPage { outcomes: vec![outcome], ..ComparisonPage::default() };
/// assert_eq!(page.methods(), ["protodash"]);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ComparisonPage {
    /// What came of each method at each number of prototypes.
    pub outcomes: Vec<Outcome>,
    /// The rows that methods have in common, for each number of prototypes.
    pub overlap: Vec<Overlap>,
    /// What the accuracy was measured on, such as `360 held-out rows`; empty without classes.
    pub judged: String,
    /// The pictures that rows refer to.
    pub images: Images,
}

/// One method at one number of prototypes.
///
/// # Examples
///
/// ```
/// use protodash_report::Outcome;
///
/// let outcome = Outcome { method: "random".to_owned(), seconds: 0.01, ..Outcome::default() };
/// assert_eq!(outcome.accuracy, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// The method.
    pub method: String,
    /// How many prototypes were asked for.
    pub n_prototypes: usize,
    /// How many were found.
    pub n_found: usize,
    /// The objective with the method's own weights.
    pub objective: f64,
    /// The part of the target that is explained.
    pub explained: Option<f64>,
    /// The squared distance from the target that is left.
    pub mmd2: Option<f64>,
    /// The same with the best weights for the same rows.
    pub mmd2_solved_again: Option<f64>,
    /// The part of the judged rows that the nearest prototype classifies rightly.
    pub accuracy: Option<f64>,
    /// The same for the weighted vote of all prototypes.
    pub accuracy_weighted: Option<f64>,
    /// How long the choice took.
    pub seconds: f64,
    /// The most memory in use; 0 if it is not known.
    pub peak_memory_bytes: u64,
    /// The chosen rows with their weights.
    pub prototypes: Vec<(Row, f64)>,
}

/// What the script knows: the page needs nothing beyond what it shows.
#[derive(Debug, Serialize)]
pub(crate) struct View {
    kind: &'static str,
}

impl ComparisonPage {
    /// The methods, in the order in which they took part.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash_report::ComparisonPage::default().methods().is_empty());
    /// ```
    pub fn methods(&self) -> Vec<&str> {
        let mut methods: Vec<&str> = Vec::new();
        for outcome in &self.outcomes {
            if !methods.contains(&outcome.method.as_str()) {
                methods.push(&outcome.method);
            }
        }
        methods
    }

    /// The numbers of prototypes, ascending.
    fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.outcomes.iter().map(|outcome| outcome.n_prototypes).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The outcomes at one number of prototypes, in the order of the methods, each with its look.
    fn at(&self, n_prototypes: usize) -> Vec<(usize, &Outcome)> {
        let outcome = |(look, method): (usize, &&str)| {
            let found =
                self.outcomes.iter().find(|other| other.n_prototypes == n_prototypes && other.method == **method);
            found.map(|outcome| (look, outcome))
        };
        self.methods().iter().enumerate().filter_map(outcome).collect()
    }

    pub(crate) fn view(&self) -> View {
        View { kind: "comparison" }
    }

    pub(crate) fn write(&self, html: &mut Html) {
        if self.outcomes.is_empty() {
            html.leaf("p", &[("class", "empty")], "No method could choose that many prototypes.");
            return;
        }
        let contents = [
            ("#quality", "Quality"),
            ("#time", "Time"),
            ("#galleries", "What was chosen"),
            ("#overlap", "Rows in common"),
            ("#table", "Table"),
            ("#reading", "How to read this"),
        ];
        let has_overlap = self.overlap.iter().any(|overlap| overlap.methods.len() > 1);
        let contents: Vec<_> = contents.into_iter().filter(|(place, _)| *place != "#overlap" || has_overlap).collect();
        write_contents(html, &contents);
        curves::write_quality(html, self);
        curves::write_time(html, self);
        galleries::write(html, self);
        overlap::write(html, self);
        table::write(html, self);
        self.write_meanings(html);
    }

    fn write_meanings(&self, html: &mut Html) {
        let mut meanings = vec![
            (
                "objective",
                "What the methods maximise: the larger, the nearer the weighted prototypes are to the data. All \
                           methods are measured with the same kernel, each with its own weights."
                    .to_owned(),
            ),
            (
                "explained",
                "The part of the data's kernel mean embedding that the weighted prototypes reproduce: 1 minus MMD², \
                 divided by its value without any prototype."
                    .to_owned(),
            ),
            (
                "found",
                "How many prototypes the method chose: fewer than asked for where no further row would add anything, or \
                 where its path has no such number."
                    .to_owned(),
            ),
            (
                "memory",
                "The most memory that the whole program had in use by the end of the choice, what it had before included."
                    .to_owned(),
            ),
            (
                "MMD²",
                "The squared distance between the data and the weighted prototypes that is left; less is better. \
                      “Solved again” is the same with the best weights for the rows that the method chose."
                    .to_owned(),
            ),
            (
                "time",
                "How long the choice took, without what all methods share (the kernel mean of the data).".to_owned(),
            ),
        ];
        if !self.judged.is_empty() {
            meanings.push((
                "1-NN",
                format!(
                    "How many of {} have the class of the prototype nearest to them; “vote” is the \
                                            same for the weighted vote of all prototypes.",
                    self.judged
                ),
            ));
        }
        write_meanings(html, &meanings);
    }
}

/// A number of prototypes in words.
fn prototypes(n_prototypes: usize) -> String {
    crate::numbers::counted(n_prototypes as u64, "prototype")
}
