//! The result as a file: schema 1 of the JSON format.
//!
//! These structs are the format. They are filled from the core's at the edge, so that renaming a field there changes no
//! file. Keys may be added under the same schema number; those that are here keep their names and meaning.

mod comparison;
mod covariate_shift;
mod cross_validation;
mod flags;
mod kernel;
mod layout;
mod per_label;
mod read;
pub(crate) mod relation;

use std::io::Write;

use protodash::Stopped;
use serde::{Deserialize, Serialize};

use crate::error::WriteError;
use layout::Layout;

pub(crate) use comparison::{Chosen, Comparison, Outcome, Overlap};
pub(crate) use covariate_shift::{CovariateShift, ShiftedFeature};
pub(crate) use cross_validation::CrossValidation;
pub(crate) use flags::Flags;
pub(crate) use kernel::Kernel;
pub(crate) use per_label::{Class, PerLabel};
pub(crate) use read::{Saved, read, read_any};

/// The number of this schema.
pub(crate) const SCHEMA: u64 = 1;

/// A whole result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Document {
    pub(crate) schema: u64,
    pub(crate) method: String,
    pub(crate) kernel: Kernel,
    pub(crate) weights: String,
    pub(crate) n_target: usize,
    pub(crate) n_source: usize,
    pub(crate) n_features: usize,
    pub(crate) stopped: String,
    pub(crate) prototypes: Vec<Prototype>,
    /// f after the first i + 1 prototypes.
    pub(crate) objective: Vec<f64>,
    pub(crate) objective_final: f64,
    pub(crate) mmd2: Option<f64>,
    pub(crate) explained: Option<f64>,
    pub(crate) criticisms: Vec<Criticism>,
    /// Of `explained`, when the target's energy was estimated.
    pub(crate) explained_standard_error: Option<f64>,
    /// The weights of the first i + 1 prototypes when they were all there were.
    pub(crate) weights_path: Vec<Vec<f64>>,
    /// How the criticisms were found.
    pub(crate) criticism: Option<CriticismRule>,
    /// What each class got, if each was to have prototypes of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) per_label: Option<PerLabel>,
    /// What the weights did to the source, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) covariate_shift: Option<CovariateShift>,
    /// Where the rows came from and what their columns were for.
    pub(crate) data: Flags,
    /// How many times as many rows were chosen as were kept.
    #[serde(default = "one")]
    pub(crate) oversample: f64,
    /// Of every random draw.
    #[serde(default)]
    pub(crate) seed: u64,
}

/// The factor of results that were written before there was one.
fn one() -> f64 {
    1.0
}

/// A chosen row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Prototype {
    /// Row of the source file, counted from 0.
    pub(crate) source_index: u64,
    pub(crate) id: Option<String>,
    pub(crate) weight: f64,
    pub(crate) share: f64,
    pub(crate) gain: f64,
    pub(crate) label: Option<String>,
    /// Target rows nearest to this prototype.
    pub(crate) n_represented: usize,
}

/// A row badly represented: of the source, or of the target if that was searched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Criticism {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source_index: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target_index: Option<u64>,
    pub(crate) id: Option<String>,
    pub(crate) score: f64,
    pub(crate) label: Option<String>,
}

/// What "badly represented" meant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CriticismRule {
    pub(crate) definition: String,
    pub(crate) diversity: Option<f64>,
    pub(crate) among: String,
}

impl Document {
    /// Writes the document, one line for each prototype and each list of weights.
    pub(crate) fn write(&self, writer: &mut dyn Write) -> Result<(), WriteError> {
        let mut serializer = serde_json::Serializer::with_formatter(&mut *writer, Layout::default());
        self.serialize(&mut serializer)?;
        Ok(writer.write_all(b"\n")?)
    }
}

/// The word for why a run ended.
pub(crate) fn stopped(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::NPrototypes => "n_prototypes",
        Stopped::MinGain => "min_gain",
        Stopped::Optimal => "optimal",
        _ => "unknown",
    }
}
