//! What each class got, in the format.

use protodash::ClassSummary;
use serde::{Deserialize, Serialize};

/// How the prototypes were shared out among the classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PerLabel {
    /// `proportional` or `equal`.
    pub(crate) allocation: String,
    pub(crate) classes: Vec<Class>,
}

/// A class of the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Class {
    pub(crate) label: String,
    /// Its part of the target.
    pub(crate) share: f64,
    pub(crate) n_target: usize,
    pub(crate) n_source: usize,
    pub(crate) n_prototypes: usize,
}

impl PerLabel {
    /// What the classes got; classes are places in `names`.
    pub(crate) fn new(allocation: String, classes: &[ClassSummary], names: &[String]) -> PerLabel {
        let class = |summary: &ClassSummary| Class {
            label: names.get(summary.label).cloned().unwrap_or_default(),
            share: summary.share,
            n_target: summary.n_target,
            n_source: summary.n_source,
            n_prototypes: summary.n_prototypes,
        };
        PerLabel { allocation, classes: classes.iter().map(class).collect() }
    }
}
