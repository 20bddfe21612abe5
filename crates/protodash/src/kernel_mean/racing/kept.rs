//! The upper bound of a row that is not raced at the moment.
//!
//! The search keeps the gradient of such a row, which contains its upper bound, but not the bound itself. It follows from the
//! [`PackedRow`] and the *slack*, its distance from the estimate, which the search keeps too.

use super::{AnchoredRows, PackedRow, Race, RacedRow};
use crate::parallel;
use crate::rows::Scalar;

/// A row as it is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct KeptRow {
    pub(crate) row: PackedRow,
    /// Upper bound less estimate, in units of [`Race::slack_unit`].
    pub(crate) slack: f32,
    /// The upper bound that follows from both.
    pub(crate) upper: f64,
}

impl<T: Scalar> Race<'_, T> {
    /// The unit of slacks: the size of a kernel mean, so that slacks are numbers in f32 under every kernel.
    pub(crate) fn slack_unit(&self) -> f64 {
        let size = self.mean_length * self.mean_length;
        if size.is_normal() { size } else { 1.0 }
    }

    /// Packs rows with these upper bounds, which rounding raises a little.
    pub(crate) fn kept(&self, anchored: &AnchoredRows, states: &[RacedRow], upper: &[f64]) -> Vec<KeptRow> {
        let unit = self.slack_unit();
        parallel::map(0..states.len(), |place| {
            let row = PackedRow::new(&states[place]);
            let estimate = self.mean(&row.unpack(), anchored.anchors[place]).estimate;
            let slack = rounded_up((upper[place] - estimate) / unit);
            KeptRow { row, slack, upper: estimate + unit * f64::from(slack) }
        })
    }

    /// The upper bounds of rows that were kept with these slacks, to the last bit.
    pub(crate) fn kept_bounds(&self, anchored: &AnchoredRows, states: &[RacedRow], slack: &[f32]) -> Vec<f64> {
        let unit = self.slack_unit();
        parallel::map(0..states.len(), |place| {
            self.mean(&states[place], anchored.anchors[place]).estimate + unit * f64::from(slack[place])
        })
    }
}

/// A number in f32 that is larger than this.
fn rounded_up(value: f64) -> f32 {
    (value as f32).next_up()
}
