//! The columns of the partial factor C for the rows of a block: stored in f32, stored in f64, or not stored.

use std::ops::Range;

use super::panels::{ColumnPanels, DoubleTerm, Term};
use crate::factor::Rotation;
use crate::kernel_mean::Precision;
use crate::search::protocol::ColumnStorage;

/// Rows whose sums stay in the L1 cache during a pass over the columns.
pub(in crate::search) const ROWS_PER_PASS: usize = 512;

/// C, with one column for each prototype.
#[derive(Debug, Clone)]
pub(super) enum Columns {
    /// Rounded to f32: half the memory, gradients with an error of about 1e-7.
    Single(ColumnPanels<f32>),
    Double(ColumnPanels<f64>),
    /// Recomputed from the data at every step.
    Dropped,
}

impl Columns {
    /// No columns yet.
    pub(super) fn new(storage: ColumnStorage, n_rows: usize) -> Self {
        match storage {
            ColumnStorage::In(Precision::Single) => Columns::Single(ColumnPanels::new(n_rows)),
            ColumnStorage::In(Precision::Double) => Columns::Double(ColumnPanels::new(n_rows)),
            ColumnStorage::Recompute => Columns::Dropped,
        }
    }

    /// Number of columns; `None` if they are not stored.
    pub(super) fn len(&self) -> Option<usize> {
        match self {
            Columns::Single(panels) => Some(panels.len()),
            Columns::Double(panels) => Some(panels.len()),
            Columns::Dropped => None,
        }
    }

    /// Starts a column. At most `n_to_come` columns follow, including this one.
    pub(super) fn begin(&mut self, n_to_come: usize) {
        match self {
            Columns::Single(panels) => panels.begin(n_to_come),
            Columns::Double(panels) => panels.begin(n_to_come),
            Columns::Dropped => {}
        }
    }

    /// Sets entries of the column begun last, and rounds the values to what is stored.
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

    /// Subtracts terms from two values of each row, with a factor for each, in one pass.
    pub(super) fn subtract_both(&self, rows: Range<usize>, terms: &[DoubleTerm], values: [&mut [f64]; 2]) {
        match self {
            Columns::Single(panels) => panels.subtract_both(rows, terms, values),
            Columns::Double(panels) => panels.subtract_both(rows, terms, values),
            Columns::Dropped => {}
        }
    }

    /// Drops all columns; later ones are stored in the same way.
    pub(super) fn clear(&mut self) {
        match self {
            Columns::Single(panels) => panels.clear(),
            Columns::Double(panels) => panels.clear(),
            Columns::Dropped => {}
        }
    }

    /// Applies the rotations of a factor that lost a member, and drops the last column.
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
    fn values_are_rounded_to_what_is_stored() {
        let mut columns = Columns::new(ColumnStorage::In(Precision::Single), 2);
        columns.begin(1);
        let mut values = [0.1, 0.25];
        columns.put(0, &mut values);
        assert_eq!(values, [f64::from(0.1_f32), 0.25]);
        let mut rest = [1.0, 1.0];
        columns.subtract(0..2, &[(0, 1.0)], &mut rest);
        assert_eq!(rest, [1.0 - f64::from(0.1_f32), 0.75]);
    }
}
