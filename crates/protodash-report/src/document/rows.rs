//! Prototypes and criticisms in the format.

use protodash::{Criticism, Prototype, Role};
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
    /// How much witness criticisms are kept apart.
    pub diversity: Option<f64>,
    /// The side that was searched: `source` or `target`.
    pub among: String,
}

/// The numbers, ids and labels of the rows of one side.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RowNames {
    /// The row of the table that each row of the matrix is, counted from 0 and ascending.
    pub numbers: Vec<u64>,
    /// The id of each row, if there are ids.
    pub ids: Option<Vec<String>>,
    /// The class of each row, if it is known.
    pub labels: Option<Vec<String>>,
}

impl RowNames {
    /// A prototype of the core, with the names of its row.
    pub(super) fn prototype(&self, prototype: &Prototype) -> PrototypeRecord {
        let Prototype { source_index, weight, share, gain } = *prototype;
        PrototypeRecord {
            source_index: self.number(source_index),
            id: self.id(source_index),
            weight,
            share,
            gain,
            label: self.label(source_index),
            n_represented: None,
            other: Map::new(),
        }
    }

    /// A criticism of the core among the rows of `role`, with the names of its row.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Criticism, Role};
    /// use protodash_report::RowNames;
    ///
    /// let rows = RowNames { numbers: vec![5, 6], ids: Some(vec!["a".into(), "b".into()]), labels: None };
    /// let record = rows.criticism(Role::Target, &Criticism { row: 1, score: 0.5 });
    /// assert_eq!((record.target_index, record.id.as_deref()), (Some(6), Some("b")));
    /// ```
    #[must_use]
    pub fn criticism(&self, role: Role, criticism: &Criticism) -> CriticismRecord {
        let number = Some(self.number(criticism.row));
        CriticismRecord {
            source_index: number.filter(|_| role == Role::Source),
            target_index: number.filter(|_| role == Role::Target),
            id: self.id(criticism.row),
            score: criticism.score,
            label: self.label(criticism.row),
            other: Map::new(),
        }
    }

    /// The row of the table that a row of the matrix is.
    pub(crate) fn number(&self, row: usize) -> u64 {
        self.numbers.get(row).copied().unwrap_or(row as u64)
    }

    /// The id of a row of the matrix.
    pub(crate) fn id(&self, row: usize) -> Option<String> {
        self.ids.as_ref()?.get(row).cloned()
    }

    /// The class of a row of the matrix.
    pub(crate) fn label(&self, row: usize) -> Option<String> {
        self.labels.as_ref()?.get(row).cloned()
    }
}
