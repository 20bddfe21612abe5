//! How exact the figures of a result are.

use protodash::{FigureErrors, Selection};
use serde::{Deserialize, Serialize};

/// Error bounds of the figures that are larger than the last digits of f64; rows and weights are those of f64.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorBoundsRecord {
    /// Of every objective.
    pub objective: f64,
    /// Of `target_energy`.
    pub target_energy: f64,
    /// Of `mmd2`.
    pub mmd2: f64,
    /// Of `explained`; `null` if that is unknown.
    pub explained: Option<f64>,
}

impl ErrorBoundsRecord {
    /// The bounds of a selection; `None` if all its figures are exact up to the last digits of f64.
    pub(super) fn new(selection: &Selection) -> Option<ErrorBoundsRecord> {
        let bounds = selection.error_bounds;
        let share = selection.explained().zip(selection.target_energy.map(|energy| energy.value));
        (bounds.mmd2() > 0.0).then(|| ErrorBoundsRecord {
            objective: bounds.objective,
            target_energy: bounds.target_energy,
            mmd2: bounds.mmd2(),
            explained: share
                .map(|(explained, energy)| bounds.explained(explained, energy))
                .filter(|bound| bound.is_finite()),
        })
    }

    /// The bounds as the core has them.
    pub(super) fn bounds(&self) -> FigureErrors {
        FigureErrors { objective: self.objective, target_energy: self.target_energy }
    }

    /// The same bounds for another share explained of this energy.
    pub(super) fn at(&self, explained: Option<f64>, energy: Option<f64>) -> ErrorBoundsRecord {
        let (bounds, share) = (self.bounds(), explained.zip(energy));
        ErrorBoundsRecord {
            explained: share
                .map(|(explained, energy)| bounds.explained(explained, energy))
                .filter(|bound| bound.is_finite()),
            ..self.clone()
        }
    }
}
