//! The page of a study: a paper's claims next to what was found, with figures.

mod claims;
mod figures;
mod galleries;
mod tables;

use serde::Serialize;

use crate::html::Html;
use crate::image::Images;
use crate::relation::{RelatedPair, RelatedTable, RelationPage};
use crate::section::{section, write_contents, write_meanings};

pub use claims::{StudyClaim, StudyVerdict};
pub use figures::{StudyFigure, StudyPoint, StudySeries};
pub use galleries::{StudyGallery, StudyStrip};
pub use tables::{StudyCell, StudyTable};

/// What the page of a study shows.
///
/// # Examples
///
/// ```
/// use protodash_report::{Body, Report, StudyClaim, StudyPage, StudyVerdict, render};
///
/// let claim = StudyClaim {
///     place: "figure 4b".to_owned(),
///     claim: "it is faster".to_owned(),
///     criterion: "more than twice as fast".to_owned(),
///     ours: "3.1 times".to_owned(),
///     verdict: StudyVerdict::Holds,
/// };
/// let page = StudyPage { claims: vec![claim], ..StudyPage::default() };
/// assert!(render(&Report::new("A study", Body::Study(Box::new(page))))?.contains("3.1 times"));
/// # Ok::<(), protodash_report::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyPage {
    /// Findings in sentences, below the claims' summary.
    pub remarks: Vec<String>,
    /// The claims and what was found.
    pub claims: Vec<StudyClaim>,
    /// Curves or bars with confidence intervals.
    pub figures: Vec<StudyFigure>,
    /// Galleries of images.
    pub galleries: Vec<StudyGallery>,
    /// How tables represent each other, if the study is about that.
    pub relation: Option<RelationPage>,
    /// Tables of numbers.
    pub tables: Vec<StudyTable>,
    /// How it was run: names with values, such as the number of threads and the time it took.
    pub run: Vec<(String, String)>,
    /// Terms with their meanings, besides those of every study.
    pub meanings: Vec<(String, String)>,
    /// The images that galleries refer to.
    pub images: Images,
}

/// What the script needs: the graph of tables, if there is one.
#[derive(Debug, Serialize)]
pub(crate) struct StudyView<'a> {
    kind: &'static str,
    tables: &'a [RelatedTable],
    pairs: Vec<&'a RelatedPair>,
}

impl StudyPage {
    pub(crate) fn view(&self) -> StudyView<'_> {
        let (tables, pairs) = self.relation.as_ref().map_or_else(Default::default, RelationPage::parts);
        StudyView { kind: "study", tables, pairs }
    }

    pub(crate) fn write(&self, html: &mut Html) {
        let parts = [
            (!self.claims.is_empty(), "#claims", "Claims"),
            (!self.figures.is_empty(), "#figures", "Figures"),
            (!self.galleries.is_empty(), "#galleries", "Images"),
            (self.relation.is_some(), "#graph", "Graph"),
            (self.relation.is_some(), "#ranks", "Ranks"),
            (!self.tables.is_empty(), "#tables", "Tables"),
            (!self.run.is_empty(), "#run", "How it was run"),
            (true, "#reading", "How to read this"),
        ];
        let contents: Vec<_> =
            parts.into_iter().filter(|(there, ..)| *there).map(|(_, place, name)| (place, name)).collect();
        write_contents(html, &contents);
        claims::write(html, &self.claims, &self.remarks);
        figures::write(html, &self.figures);
        galleries::write(html, &self.galleries, &self.images);
        if let Some(relation) = &self.relation {
            relation.write_graph(html);
        }
        tables::write(html, &self.tables);
        self.write_run(html);
        self.write_meanings(html);
    }

    fn write_run(&self, html: &mut Html) {
        if self.run.is_empty() {
            return;
        }
        section(html, "run", "How it was run", |html| {
            html.element("dl", &[("class", "run")], |html| {
                for (name, value) in &self.run {
                    html.leaf("dt", &[], name);
                    html.leaf("dd", &[], value);
                }
            });
        });
    }

    fn write_meanings(&self, html: &mut Html) {
        let always = [
            (
                "holds",
                "A claim holds here if its criterion is met. The criterion is ours: it puts the paper's words into numbers. \
                 If it is about a mean, the whole confidence interval must meet it.",
            ),
            (
                "undecided",
                "The confidence interval includes the threshold, or there was only one trial, which has no interval: more \
                 trials would tell.",
            ),
            (
                "±",
                "Half the width of the 95 % confidence interval of a mean (Student's t over the trials): the shaded band of a \
                 curve, the whisker of a bar.",
            ),
        ];
        let always = always.map(|(word, meaning)| (word.to_owned(), meaning.to_owned()));
        write_meanings(html, &[&always[..], &self.meanings].concat());
    }
}
