//! The allocation of prototypes to classes, in the format.

use protodash::{Choice, ClassNumbers, ClassSummary};
use serde::{Deserialize, Serialize};

/// How the prototypes were allocated to the classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PerLabelRecord {
    /// `proportional`, `equal`, or `given` if the caller set the number of each class.
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
    /// The number that was given for it: more than its prototypes if no further row improved the fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_requested: Option<usize>,
}

impl PerLabelRecord {
    /// The record of an allocation; the labels of the summaries are indices into `names`.
    #[must_use]
    pub fn new(numbers: &ClassNumbers, classes: &[ClassSummary], names: &[String]) -> PerLabelRecord {
        let (allocation, given) = match numbers {
            ClassNumbers::Allocated(allocation) => (allocation.name(), &[][..]),
            ClassNumbers::Given(given) => ("given", &given[..]),
            _ => ("unknown", &[][..]),
        };
        let requested = |label: usize| given.iter().find(|(other, _)| *other == label).map(|(_, number)| *number);
        let class = |summary: &ClassSummary| ClassRecord {
            label: names.get(summary.label).cloned().unwrap_or_default(),
            share: summary.share,
            n_target: summary.n_target,
            n_source: summary.n_source,
            n_prototypes: summary.n_prototypes,
            n_requested: requested(summary.label),
        };
        PerLabelRecord { allocation: allocation.to_owned(), classes: classes.iter().map(class).collect() }
    }

    /// The numbers that the caller gave, by class; `None` if a rule divided the total.
    #[must_use]
    pub fn given(&self) -> Option<Vec<(&str, usize)>> {
        let numbers = self.classes.iter().filter_map(|class| Some((class.label.as_str(), class.n_requested?)));
        (self.allocation == "given").then(|| numbers.collect())
    }
}
