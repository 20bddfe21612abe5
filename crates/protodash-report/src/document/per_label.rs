//! What each class got, in the format.

use protodash::ClassSummary;
use serde::{Deserialize, Serialize};

/// How the prototypes were shared out among the classes.
///
/// # Examples
///
/// ```
/// use protodash_report::PerLabelRecord;
///
/// let json = r#"{"allocation": "equal", "classes": []}"#;
/// assert_eq!(serde_json::from_str::<PerLabelRecord>(json)?.allocation, "equal");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PerLabelRecord {
    /// `proportional` or `equal`.
    pub allocation: String,
    /// What each class got.
    pub classes: Vec<ClassRecord>,
}

/// A class of the target.
///
/// # Examples
///
/// ```
/// use protodash_report::ClassRecord;
///
/// let json = r#"{"label": "no", "share": 0.25, "n_target": 1, "n_source": 2, "n_prototypes": 1}"#;
/// assert_eq!(serde_json::from_str::<ClassRecord>(json)?.n_source, 2);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassRecord {
    /// Its name.
    pub label: String,
    /// Its part of the target.
    pub share: f64,
    /// Its rows to be represented.
    pub n_target: usize,
    /// Its rows to choose from.
    pub n_source: usize,
    /// Its prototypes.
    pub n_prototypes: usize,
}

impl PerLabelRecord {
    /// What the classes got; classes are places in `names`.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::PerLabelRecord;
    ///
    /// assert!(PerLabelRecord::new("equal".to_owned(), &[], &[]).classes.is_empty());
    /// ```
    #[must_use]
    pub fn new(allocation: String, classes: &[ClassSummary], names: &[String]) -> PerLabelRecord {
        let class = |summary: &ClassSummary| ClassRecord {
            label: names.get(summary.label).cloned().unwrap_or_default(),
            share: summary.share,
            n_target: summary.n_target,
            n_source: summary.n_source,
            n_prototypes: summary.n_prototypes,
        };
        PerLabelRecord { allocation, classes: classes.iter().map(class).collect() }
    }
}
