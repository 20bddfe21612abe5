//! The result as a file: schema 1 of the JSON format.
//!
//! These structs are the format. They are filled from the core's at the edge, so that renaming a field there changes no
//! file. Keys may be added under the same schema number; those that are here keep their names and meaning.

mod covariate_shift;
mod cross_validation;
mod flags;
mod kernel;
mod layout;
mod per_label;

use std::io::Write;

use protodash::Stopped;
use serde::{Deserialize, Serialize};

pub use covariate_shift::{CovariateShift, ShiftedFeature};
pub use cross_validation::{BandwidthPoint, CrossValidation};
pub use flags::Flags;
pub use kernel::SavedKernel;
pub use layout::Layout;
pub use per_label::{Class, PerLabel};

/// The number of this schema.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_result::SCHEMA, 1);
/// ```
pub const SCHEMA: u64 = 1;

/// A whole result.
///
/// # Examples
///
/// ```
/// use protodash_result::Document;
///
/// let document: Document = serde_json::from_str(protodash_result::Document::EXAMPLE)?;
/// assert_eq!(document.prototypes[0].source_index, 3);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The number of the schema, [`SCHEMA`].
    pub schema: u64,
    /// How the rows were chosen, by the command's word for it.
    pub method: String,
    /// What compared the rows.
    pub kernel: SavedKernel,
    /// How the weights were found, by the command's word for it.
    pub weights: String,
    /// Rows to be represented.
    pub n_target: usize,
    /// Rows to choose from.
    pub n_source: usize,
    /// Columns of their matrices.
    pub n_features: usize,
    /// Why the run ended: `n_prototypes`, `min_gain` or `optimal`.
    pub stopped: String,
    /// The chosen rows, in order of choice.
    pub prototypes: Vec<Prototype>,
    /// f after the first i + 1 prototypes.
    pub objective: Vec<f64>,
    /// f after all of them.
    pub objective_final: f64,
    /// The squared maximum mean discrepancy; `null` if the target's energy is not known.
    pub mmd2: Option<f64>,
    /// The part of the target's energy that is explained.
    pub explained: Option<f64>,
    /// The rows represented worst, the worst first.
    pub criticisms: Vec<Criticism>,
    /// Of `explained`, when the target's energy was estimated.
    pub explained_standard_error: Option<f64>,
    /// The weights of the first i + 1 prototypes when they were all there were.
    pub weights_path: Vec<Vec<f64>>,
    /// How the criticisms were found.
    pub criticism: Option<CriticismRule>,
    /// What each class got, if each was to have prototypes of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_label: Option<PerLabel>,
    /// What the weights did to the source, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covariate_shift: Option<CovariateShift>,
    /// Where the rows came from and what their columns were for.
    pub data: Flags,
    /// How many times as many rows were chosen as were kept.
    #[serde(default = "one")]
    pub oversample: f64,
    /// Of every random draw.
    #[serde(default)]
    pub seed: u64,
}

/// The factor of results that were written before there was one.
fn one() -> f64 {
    1.0
}

/// A chosen row.
///
/// # Examples
///
/// ```
/// use protodash_result::Prototype;
///
/// let json = r#"{"source_index": 7, "id": "Ann", "weight": 0.2, "share": 0.5, "gain": 0.1, "label": null, "n_represented": 40}"#;
/// assert_eq!(serde_json::from_str::<Prototype>(json)?.id.as_deref(), Some("Ann"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prototype {
    /// Row of the source file, counted from 0.
    pub source_index: u64,
    /// What names it.
    pub id: Option<String>,
    /// How much it counts.
    pub weight: f64,
    /// Its part of all weights.
    pub share: f64,
    /// How much the objective rose when it was chosen.
    pub gain: f64,
    /// Its class.
    pub label: Option<String>,
    /// Target rows nearest to this prototype.
    pub n_represented: usize,
}

/// A row badly represented: of the source, or of the target if that was searched.
///
/// # Examples
///
/// ```
/// use protodash_result::Criticism;
///
/// let json = r#"{"target_index": 7, "id": null, "score": 0.25, "label": null}"#;
/// assert_eq!(serde_json::from_str::<Criticism>(json)?.target_index, Some(7));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Criticism {
    /// Row of the source file, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_index: Option<u64>,
    /// Row of the target file, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_index: Option<u64>,
    /// What names it.
    pub id: Option<String>,
    /// How badly it is represented.
    pub score: f64,
    /// Its class.
    pub label: Option<String>,
}

/// What "badly represented" meant.
///
/// # Examples
///
/// ```
/// use protodash_result::CriticismRule;
///
/// let json = r#"{"definition": "witness", "diversity": 1.0, "among": "source"}"#;
/// assert_eq!(serde_json::from_str::<CriticismRule>(json)?.among, "source");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CriticismRule {
    /// `witness` or `distance`.
    pub definition: String,
    /// How much witness criticisms are kept apart.
    pub diversity: Option<f64>,
    /// Whose rows were searched: `source` or `target`.
    pub among: String,
}

impl Document {
    /// A small result, for examples and tests.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash_result::Document::EXAMPLE.contains("\"schema\": 1"));
    /// ```
    pub const EXAMPLE: &str = include_str!("example.json");

    /// Writes the document, one line for each prototype and each list of weights.
    ///
    /// # Errors
    ///
    /// What the writer says.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_result::Document;
    ///
    /// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
    /// let mut written = Vec::new();
    /// document.write(&mut written)?;
    /// assert_eq!(String::from_utf8(written)?, Document::EXAMPLE);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, writer: &mut dyn Write) -> serde_json::Result<()> {
        let mut serializer = serde_json::Serializer::with_formatter(&mut *writer, Layout::default());
        self.serialize(&mut serializer)?;
        writer.write_all(b"\n").map_err(serde_json::Error::io)
    }
}

/// The word for why a run ended.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_result::stopped(protodash::Stopped::MinGain), "min_gain");
/// ```
#[must_use]
pub fn stopped(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::NPrototypes => "n_prototypes",
        Stopped::MinGain => "min_gain",
        Stopped::Optimal => "optimal",
        _ => "unknown",
    }
}
