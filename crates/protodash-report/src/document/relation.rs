//! How tables represent each other, as a file: schema 1 of its JSON format.

use std::io::Write;

use protodash::Choice;
use protodash::relate::{KeyedWeight, Pair, RelateParams, Relation, TableSummary};
use serde::{Deserialize, Serialize};

use super::data::is_in_memory;
use super::{SCHEMA, SavedKernel, layout};

/// How well the prototypes of each table represent the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationDocument {
    /// The number of the schema.
    pub schema: u64,
    /// The key column.
    pub key: String,
    /// Which keys are compared: `shared` or `all`.
    pub keys: String,
    /// The file whose keys were used, if only those.
    pub keys_of: Option<String>,
    /// Number of distinct keys in all tables.
    pub n_keys: usize,
    /// Number of prototypes of each table.
    pub n_prototypes: usize,
    /// The method.
    pub method: String,
    /// The rule for weights.
    pub weights: String,
    /// The tables in the order given.
    pub tables: Vec<TableRecord>,
    /// Every table (`target`) with every other that shares keys with it (`source`).
    pub pairs: Vec<PairRecord>,
    /// The graph: the best representatives of each table.
    pub edges: Vec<EdgeRecord>,
    /// Remarks on how the tables were read and encoded.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Settings that nothing else in the result shows; absent in results of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<RelationSettings>,
}

/// The settings of a relation that the relation itself does not show: with them, the same tables give the same relation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RelationSettings {
    /// The rule for the bandwidth of each table, or the bandwidth itself; `null` if the kernel has none.
    pub bandwidth: Option<String>,
    /// Columns that are not features.
    pub drop: Vec<String>,
    /// Columns whose numbers are categories.
    pub categorical: Vec<String>,
    /// Whether all columns are categories.
    pub all_categorical: bool,
    /// How numbers were scaled; `null` is the default.
    pub scale: Option<String>,
    /// The delimiter of text files, if it was given.
    pub delimiter: Option<char>,
    /// How many of its best representatives each table has in the graph.
    pub n_best: usize,
    /// The seed.
    pub seed: u64,
}

/// One of the tables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableRecord {
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// Number of the used keys that it has.
    pub n_keys: usize,
    /// Number of features.
    pub n_features: usize,
    /// Its kernel.
    pub kernel: SavedKernel,
    /// Its mean rank as a representative of the others; `null` if it represents none.
    pub average_rank: Option<f64>,
    /// The objective of its own prototypes.
    pub objective: f64,
    /// The share of it that its own prototypes explain.
    pub explained: f64,
    /// Its own prototypes.
    pub prototypes: Vec<KeyRecord>,
}

/// A chosen key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// The key.
    pub key: String,
    /// Its weight.
    pub weight: f64,
}

/// How well the prototypes of `source` represent `target`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// The table to represent.
    pub target: String,
    /// The table whose prototypes represent it.
    pub source: String,
    /// Number of keys the pair is compared on.
    pub n_keys: usize,
    /// The objective on the target.
    pub objective: f64,
    /// The share of the target that they explain.
    pub explained: f64,
    /// The share that the target's own prototypes explain on the same keys.
    pub own_explained: f64,
    /// The rank of the source among all that represent the target.
    pub rank: f64,
    /// The prototypes with refitted weights.
    pub prototypes: Vec<KeyRecord>,
}

/// An edge of the graph: `source` is among the best representatives of `target`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EdgeRecord {
    /// The representing table.
    pub source: String,
    /// The represented table.
    pub target: String,
    /// The rank of the source.
    pub rank: f64,
    /// The share explained.
    pub explained: f64,
}

/// The part of a relation that does not come from the core.
#[derive(Debug, Clone)]
pub struct RelationProvenance<'a> {
    /// The key column.
    pub key: String,
    /// Which keys are compared: `shared` or `all`.
    pub keys: String,
    /// The file whose keys were used, if only those.
    pub keys_of: Option<String>,
    /// The text of each key.
    pub key_texts: &'a [String],
    /// Name, path, number of used keys, number of features and kernel of each table.
    pub tables: Vec<(String, String, usize, usize, SavedKernel)>,
    /// Remarks on how the tables were read and encoded.
    pub notes: Vec<String>,
    /// The settings that the relation does not show.
    pub settings: RelationSettings,
}

impl RelationDocument {
    /// The document of related tables.
    #[must_use]
    pub fn new(found: &Relation, params: &RelateParams, provenance: RelationProvenance<'_>) -> RelationDocument {
        let RelationProvenance { key, keys, keys_of, key_texts, tables, notes, settings } = provenance;
        let prototypes = |chosen: &[KeyedWeight]| -> Vec<KeyRecord> {
            let record = |chosen: &KeyedWeight| KeyRecord { key: key_texts[chosen.key].clone(), weight: chosen.weight };
            chosen.iter().map(record).collect()
        };
        let name = |table: usize| tables[table].0.clone();
        let pair = |pair: &Pair| PairRecord {
            target: name(pair.target),
            source: name(pair.source),
            n_keys: pair.n_keys,
            objective: pair.objective,
            explained: pair.explained,
            own_explained: pair.own_explained,
            rank: pair.rank,
            prototypes: prototypes(&pair.prototypes),
        };
        let pairs: Vec<PairRecord> = found.pairs.iter().map(pair).collect();
        let edges = edges(&pairs, settings.n_best);
        let records = found.tables.iter().zip(tables).map(|(table, (name, path, n_keys, n_features, kernel))| {
            let prototypes = prototypes(&table.prototypes);
            let TableSummary { average_rank, objective, explained, .. } = *table;
            TableRecord { name, path, n_keys, n_features, kernel, average_rank, objective, explained, prototypes }
        });
        RelationDocument {
            schema: SCHEMA,
            key,
            keys,
            keys_of,
            n_keys: key_texts.len(),
            n_prototypes: params.n_prototypes,
            method: params.method.name().to_owned(),
            weights: params.weights.name().to_owned(),
            tables: records.collect(),
            pairs,
            edges,
            notes,
            settings: Some(settings),
        }
    }
}

/// The pairs for which fewer than `n_best` other sources represent the target better, best first for each target.
fn edges(pairs: &[PairRecord], n_best: usize) -> Vec<EdgeRecord> {
    let mut edges = Vec::new();
    for of_target in pairs.chunk_by(|one, other| one.target == other.target) {
        let n_better = |pair: &PairRecord| of_target.iter().filter(|other| other.rank < pair.rank).count();
        let mut kept: Vec<&PairRecord> = of_target.iter().filter(|pair| n_better(pair) < n_best).collect();
        kept.sort_by(|one, other| one.rank.total_cmp(&other.rank).then_with(|| one.source.cmp(&other.source)));
        edges.extend(kept.into_iter().map(|pair| EdgeRecord {
            source: pair.source.clone(),
            target: pair.target.clone(),
            rank: pair.rank,
            explained: pair.explained,
        }));
    }
    edges
}

impl RelationDocument {
    /// Whether the tables were in memory and have no file names.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.tables.iter().any(|table| is_in_memory(&table.path))
    }

    /// Writes the relation, one line for each table, pair and edge.
    ///
    /// # Errors
    ///
    /// The error of the writer.
    pub fn write(&self, writer: &mut dyn Write) -> serde_json::Result<()> {
        layout::write(self, writer)
    }

    /// The text that [`write`](Self::write) writes.
    ///
    /// # Errors
    ///
    /// If a number cannot be written.
    pub fn to_json(&self) -> serde_json::Result<String> {
        layout::to_json(self)
    }
}
