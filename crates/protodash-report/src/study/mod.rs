//! The page of a study: claims of a paper beside what was found, with the figures that they rest on.

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

/// What a page shows of a study.
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
    /// What the paper says, and what was found.
    pub claims: Vec<StudyClaim>,
    /// Curves or bars with confidence intervals.
    pub figures: Vec<StudyFigure>,
    /// Rows of images.
    pub galleries: Vec<StudyGallery>,
    /// Which tables represent which, if the study is about that.
    pub relation: Option<RelationPage>,
    /// Further numbers.
    pub tables: Vec<StudyTable>,
    /// How it was run: names with values, such as the command and the time it took.
    pub run: Vec<(String, String)>,
    /// Words with their meanings, beside those that every study has.
    pub meanings: Vec<(String, String)>,
    /// The pictures that galleries refer to.
    pub images: Images,
}

/// What the script knows: the graph of tables, if there is one.
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
        claims::write(html, &self.claims);
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
                "A claim holds here if the condition below it is met. The condition is ours: it says in numbers what we \
                 take the words of the paper to mean. Where it is about a mean, the whole confidence interval must meet it.",
            ),
            (
                "undecided",
                "The confidence interval lies on both sides of the condition, or a single trial was run, which has none: \
                 more trials would tell.",
            ),
            (
                "±",
                "Half the width of the 95 % confidence interval of a mean, from Student's distribution over the trials. \
                 In curves it is the shaded band, in bars the line with two ends.",
            ),
        ];
        let always = always.map(|(word, meaning)| (word.to_owned(), meaning.to_owned()));
        write_meanings(html, &[&always[..], &self.meanings].concat());
    }
}
