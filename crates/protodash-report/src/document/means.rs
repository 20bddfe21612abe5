//! How the kernel means of a selection were computed.

use protodash::{Choice, MeansUsed};
use serde::{Deserialize, Serialize};

/// How the kernel means were computed.
///
/// # Examples
///
/// ```
/// use protodash_report::MeansRecord;
///
/// let text = r#"{"kind": "racing", "confidence": 0.999999, "tolerance": 0.0, "pairs": 1200, "n_exact": 9}"#;
/// let means: MeansRecord = serde_json::from_str(text)?;
/// assert!(means.is_raced());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeansRecord {
    /// `full` or `racing`, as `--means` spells it.
    pub kind: String,
    /// The probability that the rows are those of the full mean, up to the tolerance.
    pub confidence: f64,
    /// By what part of the best gradient or gain that of a chosen row may be below it.
    pub tolerance: f64,
    /// Kernel values computed for the means.
    pub pairs: u64,
    /// Source rows whose mean is exact.
    pub n_exact: usize,
}

impl MeansRecord {
    /// The record of what a run used.
    pub(super) fn new(means: &MeansUsed) -> MeansRecord {
        MeansRecord {
            kind: means.kind.name().to_owned(),
            confidence: means.confidence,
            tolerance: means.tolerance,
            pairs: means.pairs,
            n_exact: means.n_exact,
        }
    }

    /// Whether only as much of the means was computed as choosing needed.
    ///
    /// # Examples
    ///
    /// See [`MeansRecord`].
    #[must_use]
    pub fn is_raced(&self) -> bool {
        self.kind == "racing"
    }
}
