//! The page of a relation: which tables' prototypes represent which others.

mod graph;
mod heat;
mod ranking;

use serde::{Deserialize, Serialize};

use crate::html::Html;
use crate::section::{write_contents, write_meanings};

/// What a page shows of a relation.
///
/// # Examples
///
/// ```
/// use protodash_report::{RelatedPair, RelatedTable, RelationPage};
///
/// let table = |name: &str| RelatedTable { name: name.to_owned(), ..RelatedTable::default() };
/// let pair = RelatedPair { target: 0, source: 1, explained: 0.8, rank: 1.0, ..RelatedPair::default() };
/// let page = RelationPage { tables: vec![table("income"), table("health")], pairs: vec![pair], ..RelationPage::default() };
/// assert_eq!(page.n_edges, 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RelationPage {
    /// The tables.
    pub tables: Vec<RelatedTable>,
    /// Every two tables of which one was judged by the prototypes of the other.
    pub pairs: Vec<RelatedPair>,
    /// How many arrows the graph shows at first, the strongest first.
    pub n_edges: usize,
    /// What the relation is of, where a page shows more than it, in a sentence; may be empty.
    pub remark: String,
}

/// One of the tables.
///
/// # Examples
///
/// ```
/// let table = protodash_report::RelatedTable { name: "health".to_owned(), average_rank: Some(1.5), ..Default::default() };
/// assert_eq!(table.n_keys, 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RelatedTable {
    /// Its name.
    pub name: String,
    /// How many of the keys it has.
    pub n_keys: usize,
    /// How many features.
    pub n_features: usize,
    /// The part of it that its own prototypes explain.
    pub explained: f64,
    /// Its average place among those that represent the same table; `None` if it represents none.
    pub average_rank: Option<f64>,
}

/// How well the prototypes of one table represent another.
///
/// # Examples
///
/// ```
/// let pair = protodash_report::RelatedPair { target: 0, source: 1, rank: 2.0, ..Default::default() };
/// assert_eq!(pair.rank, 2.0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct RelatedPair {
    /// The table that is represented, by its place.
    pub target: usize,
    /// The table whose prototypes represent it.
    pub source: usize,
    /// How many keys the pair rests on.
    pub n_keys: usize,
    /// The part of the target that they explain.
    pub explained: f64,
    /// The part that the target's own prototypes explain of the same keys.
    pub own_explained: f64,
    /// The source's place among all that represent the target.
    pub rank: f64,
}

/// What the script knows.
#[derive(Debug, Serialize)]
pub(crate) struct RelationView<'a> {
    kind: &'static str,
    tables: &'a [RelatedTable],
    /// The strongest first, as the arrows of the graph are.
    pairs: Vec<&'a RelatedPair>,
}

impl RelationPage {
    /// The pairs, the best representative of each table first, then the second best; of equal ranks the best explained.
    fn strongest(&self) -> Vec<&RelatedPair> {
        let known = |pair: &&RelatedPair| pair.target < self.tables.len() && pair.source < self.tables.len();
        let mut pairs: Vec<&RelatedPair> = self.pairs.iter().filter(known).collect();
        pairs.sort_by(|a, b| a.rank.total_cmp(&b.rank).then(b.explained.total_cmp(&a.explained)));
        pairs
    }

    /// The tables and the pairs in the order of the graph's arrows.
    pub(crate) fn parts(&self) -> (&[RelatedTable], Vec<&RelatedPair>) {
        (&self.tables, self.strongest())
    }

    /// Writes the graph and the square of ranks, for a page that shows more than these.
    pub(crate) fn write_graph(&self, html: &mut Html) {
        graph::write(html, self);
        heat::write(html, self);
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
                "Prototypes are chosen by the columns of one table among the keys that both tables have, and judged by the \
                 columns of the other with weights solved again: the part of that table which they reproduce.",
            ),
            ("by itself", "The part of a table that its own prototypes explain."),
            (
                "rank",
                "The place of a table among all that represent the same table, 1 for the best; equal ones share a place.",
            ),
            (
                "average rank",
                "The mean of a table's ranks over all tables that it represents; the smaller, the better it stands for the \
                 others.",
            ),
        ];
        write_meanings(html, &meanings.map(|(word, meaning)| (word, meaning.to_owned())));
    }
}
