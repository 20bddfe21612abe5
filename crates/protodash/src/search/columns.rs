//! The columns of the partial factor C for the rows of a shard: kept in f32, kept in f64, or not kept.

use std::ops::Range;

use super::panels::{DoubleTerm, Panels, Term};
use crate::factor::Rotation;
use crate::kernel_mean::Precision;

/// Rows whose sums stay in the first cache while columns pass by.
pub(super) const ROWS_PER_PASS: usize = 512;

/// C, a column for each prototype.
#[derive(Debug, Clone)]
pub(super) enum Columns {
    /// Rounded to f32: half the memory, and gradients off by about 1e-7.
    Single(Panels<f32>),
    Double(Panels<f64>),
    /// Computed again from the data at every step.
    Dropped,
}

impl Columns {
    /// No columns yet, to be kept in these numbers.
    pub(super) fn new(precision: Precision, n_rows: usize) -> Self {
        match precision {
            Precision::Single => Columns::Single(Panels::new(n_rows)),
            Precision::Double => Columns::Double(Panels::new(n_rows)),
        }
    }

    /// Begins a column; `room` says how many may come in all, this one included.
    pub(super) fn begin(&mut self, room: usize) {
        match self {
            Columns::Single(panels) => panels.begin(room),
            Columns::Double(panels) => panels.begin(room),
            Columns::Dropped => {}
        }
    }

    /// Sets entries of the column begun last. What is kept of the values is what they are from here on.
    pub(super) fn put(&mut self, start: usize, values: &mut [f64]) {
        match self {
            Columns::Single(panels) => panels.put(start, values),
            Columns::Double(panels) => panels.put(start, values),
            Columns::Dropped => {}
        }
    }

    /// Subtracts the sum of the terms from a value for each row of the range.
    pub(super) fn subtract(&self, rows: Range<usize>, terms: &[Term], values: &mut [f64]) {
        match self {
            Columns::Single(panels) => panels.subtract(rows, terms, values),
            Columns::Double(panels) => panels.subtract(rows, terms, values),
            Columns::Dropped => {}
        }
    }

    /// The same for two values of each row, with a factor for each, in one pass.
    pub(super) fn subtract_both(&self, rows: Range<usize>, terms: &[DoubleTerm], values: [&mut [f64]; 2]) {
        match self {
            Columns::Single(panels) => panels.subtract_both(rows, terms, values),
            Columns::Double(panels) => panels.subtract_both(rows, terms, values),
            Columns::Dropped => {}
        }
    }

    /// Forgets all columns, but not how they are kept.
    pub(super) fn clear(&mut self) {
        match self {
            Columns::Single(panels) => panels.clear(),
            Columns::Double(panels) => panels.clear(),
            Columns::Dropped => {}
        }
    }

    /// Turns the columns as a factor turned that lost a member, and lets the last one go.
    pub(super) fn rotate(&mut self, rotations: &[Rotation]) {
        match self {
            Columns::Single(panels) => panels.rotate(rotations),
            Columns::Double(panels) => panels.rotate(rotations),
            Columns::Dropped => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_in_single_precision_is_what_the_caller_goes_on_with() {
        let mut columns = Columns::new(Precision::Single, 2);
        columns.begin(1);
        let mut values = [0.1, 0.25];
        columns.put(0, &mut values);
        assert_eq!(values, [f64::from(0.1_f32), 0.25]);
        let mut rest = [1.0, 1.0];
        columns.subtract(0..2, &[(0, 1.0)], &mut rest);
        assert_eq!(rest, [1.0 - f64::from(0.1_f32), 0.75]);
    }
}
