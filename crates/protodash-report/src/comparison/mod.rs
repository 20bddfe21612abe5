//! The page of a comparison: several methods on the same data, side by side.

mod coverage;
mod curves;
mod galleries;
mod overlap;
mod table;

use std::collections::BTreeMap;

use crate::document::{ChosenRecord, ComparisonDocument, OutcomeRecord};
use crate::html::Html;
use crate::image::Images;
use crate::row::Row;
use crate::section::{write_contents, write_meanings};

/// What the page of a comparison shows.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonPage {
    /// The comparison.
    pub document: ComparisonDocument,
    /// The images of chosen rows, if they are images.
    pub images: Images,
    /// The index in `images` for each row of the source.
    pub image_of: BTreeMap<u64, usize>,
}

impl ComparisonPage {
    /// The row of a chosen record, with its image.
    fn row(&self, chosen: &ChosenRecord) -> Row {
        let (id, label) = (chosen.id.clone(), chosen.label.clone());
        let image = self.image_of.get(&chosen.source_index).copied();
        Row { index: chosen.source_index, id, label, image, ..Row::default() }
    }

    /// The rows on which accuracy was measured; empty without classes.
    fn test_rows(&self) -> String {
        match (self.document.n_test, self.document.holdout) {
            (0, _) => String::new(),
            (n_test, Some(_)) => format!("{n_test} held-out rows"),
            (n_test, None) => format!("{n_test} target rows"),
        }
    }

    /// The methods, in the order they were run.
    fn methods(&self) -> Vec<&str> {
        let mut methods: Vec<&str> = Vec::new();
        for outcome in &self.document.results {
            if !methods.contains(&outcome.method.as_str()) {
                methods.push(&outcome.method);
            }
        }
        methods
    }

    /// The numbers of prototypes, ascending.
    fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.document.results.iter().map(|outcome| outcome.n_prototypes).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The outcomes at one number of prototypes in the order of the methods, each with the index of its colour.
    fn at(&self, n_prototypes: usize) -> Vec<(usize, &OutcomeRecord)> {
        let outcome = |(look, method): (usize, &&str)| {
            let found = self
                .document
                .results
                .iter()
                .find(|other| other.n_prototypes == n_prototypes && other.method == **method);
            found.map(|outcome| (look, outcome))
        };
        self.methods().iter().enumerate().filter_map(outcome).collect()
    }

    pub(crate) fn write(&self, html: &mut Html) {
        if self.document.results.is_empty() {
            html.leaf("p", &[("class", "empty")], "No method could select that many prototypes.");
            return;
        }
        let contents = [
            ("#quality", "Quality"),
            ("#coverage", "Coverage"),
            ("#time", "Time"),
            ("#galleries", "Chosen rows"),
            ("#overlap", "Shared rows"),
            ("#table", "Table"),
            ("#reading", "How to read this"),
        ];
        let has_overlap = self.document.overlap.iter().any(|overlap| overlap.methods.len() > 1);
        let shown = |place: &str| match place {
            "#overlap" => has_overlap,
            "#coverage" => !self.document.random_coverage.is_empty(),
            _ => true,
        };
        let contents: Vec<_> = contents.into_iter().filter(|(place, _)| shown(place)).collect();
        write_contents(html, &contents);
        curves::write_quality(html, self);
        coverage::write(html, self);
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
                "The quantity all methods maximise: the larger, the closer the weighted prototypes are to the data. Every \
                 method is measured with the same kernel and its own weights."
                    .to_owned(),
            ),
            (
                "explained",
                "1 − MMD² / ‖μ‖²: the share of the target's kernel mean embedding that the weighted prototypes reproduce."
                    .to_owned(),
            ),
            (
                "found",
                "The number of prototypes that the method selected: fewer than requested if no further row improves \
                 the fit, or if its path skips that number."
                    .to_owned(),
            ),
            ("memory", "Peak memory of the whole program up to the end of this run, data included.".to_owned()),
            (
                "MMD²",
                "Squared distance between the data and the weighted prototypes; lower is better. “Refitted” uses optimal \
                 non-negative weights for the rows that the method chose."
                    .to_owned(),
            ),
            ("time", "Selection time, without the kernel mean of the data, which all methods share.".to_owned()),
        ];
        let test_rows = self.test_rows();
        if !test_rows.is_empty() {
            let vote = if self.document.has_votes() {
                " “Vote” is the accuracy of the weighted vote of all prototypes."
            } else {
                ""
            };
            let accuracy =
                format!("Accuracy on {test_rows}: how many have the class of their nearest prototype.{vote}");
            meanings.push(("1-NN", accuracy));
        }
        if !self.document.random_coverage.is_empty() {
            meanings.extend(coverage::MEANINGS.map(|(name, words)| (name, words.to_owned())));
        }
        write_meanings(html, &meanings);
    }
}

/// A number of prototypes with its noun.
fn prototypes(n_prototypes: usize) -> String {
    crate::numbers::counted(n_prototypes as u64, "prototype")
}
