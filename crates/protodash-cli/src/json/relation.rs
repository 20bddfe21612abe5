//! A relation of tables as a file: schema 1 of its JSON format.

use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::error::WriteError;
use protodash_result::{Layout, SavedKernel};

/// A whole relation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Relation {
    pub(crate) schema: u64,
    /// The column of keys.
    pub(crate) key: String,
    /// Which keys pairs rest on: `shared` or `all`.
    pub(crate) keys: String,
    /// The file whose keys alone were used.
    pub(crate) keys_of: Option<String>,
    /// How many keys there are in all tables together.
    pub(crate) n_keys: usize,
    pub(crate) n_prototypes: usize,
    pub(crate) method: String,
    pub(crate) weights: String,
    /// The tables in the order given.
    pub(crate) tables: Vec<Table>,
    /// Every table (`target`) with every other that shares a key with it (`source`).
    pub(crate) pairs: Vec<Pair>,
    /// The graph: the best representatives of each table.
    pub(crate) edges: Vec<Edge>,
}

/// One of the tables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) path: String,
    /// How many of the keys that were used the file has.
    pub(crate) n_keys: usize,
    pub(crate) n_features: usize,
    pub(crate) kernel: SavedKernel,
    pub(crate) average_rank: Option<f64>,
    /// What its own prototypes reach and explain of it.
    pub(crate) objective: f64,
    pub(crate) explained: f64,
    pub(crate) prototypes: Vec<Prototype>,
}

/// A chosen key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Prototype {
    pub(crate) key: String,
    pub(crate) weight: f64,
}

/// How well the prototypes of `source` represent `target`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pair {
    pub(crate) target: String,
    pub(crate) source: String,
    /// How many keys the pair rests on.
    pub(crate) n_keys: usize,
    pub(crate) objective: f64,
    pub(crate) explained: f64,
    /// What the target's own prototypes explain of the same keys.
    pub(crate) own_explained: f64,
    pub(crate) rank: f64,
    pub(crate) prototypes: Vec<Prototype>,
}

/// An edge of the graph: `source` is among the best representatives of `target`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Edge {
    pub(crate) source: String,
    pub(crate) target: String,
    pub(crate) rank: f64,
    pub(crate) explained: f64,
}

impl Relation {
    /// Writes the relation, one line for each table, pair and edge.
    pub(crate) fn write(&self, writer: &mut dyn Write) -> Result<(), WriteError> {
        let mut serializer = serde_json::Serializer::with_formatter(&mut *writer, Layout::default());
        self.serialize(&mut serializer)?;
        Ok(writer.write_all(b"\n")?)
    }
}
