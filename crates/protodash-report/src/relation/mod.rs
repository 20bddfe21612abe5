//! The page of a relation: how well the prototypes of each table represent the others.

mod graph;
mod heat;
mod ranking;

use serde::{Deserialize, Serialize};

use crate::html::Html;
use crate::section::{write_contents, write_meanings};

/// What the page of a relation shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RelationPage {
    /// The tables.
    pub tables: Vec<RelatedTable>,
    /// How well the prototypes of one table represent another, for each pair.
    pub pairs: Vec<RelatedPair>,
    /// Number of arrows the graph shows first, strongest first.
    pub n_edges: usize,
    /// A sentence about the relation, on a page that also shows other things; may be empty.
    pub remark: String,
}

/// One of the tables.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RelatedTable {
    /// Its name.
    pub name: String,
    /// Number of its keys.
    pub n_keys: usize,
    /// Number of features.
    pub n_features: usize,
    /// The share of it that its own prototypes explain.
    pub explained: f64,
    /// Its mean rank as a representative of the others; `None` if it represents none.
    pub average_rank: Option<f64>,
}

/// How well the prototypes of one table represent another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct RelatedPair {
    /// Index of the represented table.
    pub target: usize,
    /// Index of the table whose prototypes represent it.
    pub source: usize,
    /// Number of keys that the pair is compared on.
    pub n_keys: usize,
    /// The share of the target that they explain.
    pub explained: f64,
    /// The share that the target's own prototypes explain on the same keys.
    pub own_explained: f64,
    /// The rank of the source among all that represent the target.
    pub rank: f64,
}

/// Number of tables whose ranks fit next to the graph.
const NARROW: usize = 12;

/// The data for the script.
#[derive(Debug, Serialize)]
pub(crate) struct RelationView<'a> {
    kind: &'static str,
    tables: &'a [RelatedTable],
    /// Strongest first, in the order of the arrows.
    pairs: Vec<&'a RelatedPair>,
}

impl RelationPage {
    /// The pairs by rank, ties by the share explained.
    fn strongest(&self) -> Vec<&RelatedPair> {
        let known = |pair: &&RelatedPair| pair.target < self.tables.len() && pair.source < self.tables.len();
        let mut pairs: Vec<&RelatedPair> = self.pairs.iter().filter(known).collect();
        pairs.sort_by(|a, b| a.rank.total_cmp(&b.rank).then(b.explained.total_cmp(&a.explained)));
        pairs
    }

    /// The tables, and the pairs in the order of the arrows.
    pub(crate) fn parts(&self) -> (&[RelatedTable], Vec<&RelatedPair>) {
        (&self.tables, self.strongest())
    }

    /// Writes the graph and the matrix of ranks.
    pub(crate) fn write_graph(&self, html: &mut Html) {
        let write = |html: &mut Html| {
            graph::write(html, self);
            heat::write(html, self);
        };
        // The ranks of many tables need the width of the page.
        if self.tables.len() <= NARROW { html.element("div", &[("class", "overview")], write) } else { write(html) }
    }

    pub(crate) fn view(&self) -> RelationView<'_> {
        RelationView { kind: "relation", tables: &self.tables, pairs: self.strongest() }
    }

    pub(crate) fn write(&self, html: &mut Html) {
        let contents =
            [("#graph", "Graph"), ("#ranks", "Ranks"), ("#table", "Tables"), ("#reading", "How to read this")];
        write_contents(html, &contents);
        self.write_graph(html);
        ranking::write(html, self);
        let meanings = [
            (
                "explained",
                "The share of a table that the prototypes of another reproduce. Prototypes are selected by the columns of one \
                 table among the shared keys and judged by the columns of the other, with refitted weights.",
            ),
            ("by itself", "The share of a table that its own prototypes explain."),
            ("rank", "The rank of a table among all that represent the same table; 1 is best, ties share a rank."),
            ("average rank", "The mean of a table's ranks over all tables it represents; lower is better."),
        ];
        write_meanings(html, &meanings.map(|(word, meaning)| (word, meaning.to_owned())));
    }
}
