//! What a search between workers found.

use crate::error::{Error, Result};
use crate::search::{read_value, written_value};
use crate::selection::{Path, Stopped};

/// The rows that a search between workers found, with their weights at every size.
///
/// [`finish`](super::finish) makes a selection of it where the data are.
///
/// # Examples
///
/// See [`cluster`](super).
#[derive(Debug, Clone, PartialEq)]
pub struct LedPath {
    /// Of the source, its kernel means and the candidates.
    pub(crate) fingerprint: u64,
    pub(crate) source_indices: Vec<usize>,
    /// The weights at every size.
    pub(crate) weights: Vec<Vec<f64>>,
    pub(crate) objective: Vec<f64>,
    pub(crate) stopped: Stopped,
}

impl LedPath {
    /// The path of a search in data with this hash.
    pub(super) fn new(fingerprint: u64, path: Path) -> Self {
        let Path { source_indices, weights, objective, stopped, race: _ } = path;
        LedPath { fingerprint, source_indices, weights, objective, stopped }
    }

    /// The path, if its rows are among so many and its lists fit together.
    pub(super) fn path(&self, n_source: usize) -> Result<Path> {
        let LedPath { source_indices, weights, objective, stopped, .. } = self.clone();
        let n_rows = source_indices.len();
        if let Some(&source_index) = source_indices.iter().find(|row| **row >= n_source) {
            return Err(Error::NotThisSource { source_index, rows: n_source });
        }
        let fits = (1..).zip(&weights).all(|(size, weights)| weights.len() == size);
        if weights.len() != n_rows || objective.len() != n_rows || !fits {
            let (what, given) = ("weights at every size", weights.len());
            return Err(Error::InconsistentSelection { what, given, prototypes: n_rows });
        }
        Ok(Path { source_indices, weights, objective, stopped, race: None })
    }

    /// The path as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        written_value(self)
    }

    /// The path that these bytes hold.
    ///
    /// # Errors
    ///
    /// [`Error::BadMessage`] if they are not what [`to_bytes`](Self::to_bytes) returned.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::cluster::LedPath;
    ///
    /// assert!(LedPath::from_bytes(b"GET / HTTP/1.1").is_err());
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        read_value(bytes)
    }
}
