//! Prototypes and criticisms in the format.

use protodash::{Criticism, Prototype, Role};
use protodash_table::RowMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A chosen row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PrototypeRecord {
    /// Row of the source, counted from 0.
    pub source_index: u64,
    /// Its id.
    pub id: Option<String>,
    /// Its weight.
    pub weight: f64,
    /// Its weight divided by the sum of all weights.
    pub share: f64,
    /// How much the objective rose when it was chosen.
    pub gain: f64,
    /// Its class.
    pub label: Option<String>,
    /// Number of target rows nearest to it; `None` if they were not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_represented: Option<usize>,
    /// Keys of a newer version of the format.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A badly represented row: of the source, or of the target if that was searched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CriticismRecord {
    /// Row of the source, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_index: Option<u64>,
    /// Row of the target, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_index: Option<u64>,
    /// Its id.
    pub id: Option<String>,
    /// How badly it is represented.
    pub score: f64,
    /// Its class.
    pub label: Option<String>,
    /// Keys of a newer version of the format.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl CriticismRecord {
    /// A criticism of the core among the rows of `role`, with the names of its row.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Criticism, Role};
    /// use protodash_report::CriticismRecord;
    /// use protodash_table::RowMap;
    ///
    /// let rows = RowMap::new(vec![5, 6], Some(vec!["a".into(), "b".into()]), None)?;
    /// let record = CriticismRecord::new(&Criticism { row: 1, score: 0.5 }, Role::Target, &rows);
    /// assert_eq!((record.target_index, record.id.as_deref()), (Some(6), Some("b")));
    /// # Ok::<(), protodash_table::Error>(())
    /// ```
    #[must_use]
    pub fn new(criticism: &Criticism, role: Role, rows: &RowMap) -> CriticismRecord {
        let number = Some(rows.table_row(criticism.row));
        CriticismRecord {
            source_index: number.filter(|_| role == Role::Source),
            target_index: number.filter(|_| role == Role::Target),
            id: rows.id(criticism.row).map(str::to_owned),
            score: criticism.score,
            label: rows.label(criticism.row).map(str::to_owned),
            other: Map::new(),
        }
    }

    /// The row, of whichever side was searched.
    #[must_use]
    pub fn row(&self) -> u64 {
        self.source_index.or(self.target_index).unwrap_or(0)
    }
}

/// What "badly represented" means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CriticismRule {
    /// `witness` or `distance`.
    pub definition: String,
    /// How strongly witness criticisms repel each other.
    pub diversity: Option<f64>,
    /// The side that was searched: `source` or `target`.
    pub among: String,
}

impl PrototypeRecord {
    /// A prototype of the core, with the names of its row.
    pub(super) fn new(prototype: &Prototype, rows: &RowMap) -> PrototypeRecord {
        let Prototype { source_index, weight, share, gain } = *prototype;
        PrototypeRecord {
            source_index: rows.table_row(source_index),
            id: rows.id(source_index).map(str::to_owned),
            weight,
            share,
            gain,
            label: rows.label(source_index).map(str::to_owned),
            n_represented: None,
            other: Map::new(),
        }
    }
}
