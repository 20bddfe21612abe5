//! The allocation of prototypes to classes, in the format.

use protodash::{Allocation, Choice, ClassSummary};
use serde::{Deserialize, Serialize};

/// How the prototypes were allocated to the classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PerLabelRecord {
    /// `proportional` or `equal`.
    pub allocation: String,
    /// The classes.
    pub classes: Vec<ClassRecord>,
}

/// A class of the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassRecord {
    /// Its name.
    pub label: String,
    /// Its share of the target.
    pub share: f64,
    /// Number of its target rows.
    pub n_target: usize,
    /// Number of its source rows.
    pub n_source: usize,
    /// Number of its prototypes.
    pub n_prototypes: usize,
}

impl PerLabelRecord {
    /// The record of an allocation; the labels of the summaries are indices into `names`.
    #[must_use]
    pub fn new(allocation: Allocation, classes: &[ClassSummary], names: &[String]) -> PerLabelRecord {
        let class = |summary: &ClassSummary| ClassRecord {
            label: names.get(summary.label).cloned().unwrap_or_default(),
            share: summary.share,
            n_target: summary.n_target,
            n_source: summary.n_source,
            n_prototypes: summary.n_prototypes,
        };
        PerLabelRecord { allocation: allocation.name().to_owned(), classes: classes.iter().map(class).collect() }
    }
}
