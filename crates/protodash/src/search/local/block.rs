//! A block of a shard's rows, the unit of parallel work, with the state of the search for each row.
//!
//! For each row j the block keeps the gradient gⱼ and the Schur complement sⱼ against all prototypes. Both follow from
//! the row cⱼ of the partial Cholesky factor C of the source's Gram matrix, pivoted on the prototypes:
//!
//! ```text
//! gⱼ = μⱼ − cⱼᵀv,  v = Fᵀw        sⱼ = Kⱼⱼ − Σ cⱼₚ² over the pivots p
//! ```
//!
//! where F is the prototypes' triangle (see `basis`). A new prototype adds one column to C and leaves the others
//! unchanged; if new weights change v, the gradients are updated in the same pass over C.

use std::ops::Range;

use super::basis_copy::BasisCopy;
use super::columns::{Columns, ROWS_PER_PASS};
use super::diagonal::Diagonal;
use super::means::BlockMeans;
use super::panels::{ColumnPanels, DoubleTerm, Term, terms};
use crate::constraints::RowConstraints;
use crate::factor::Rotation;
use crate::kernel::Kernel;
use crate::kernel_mean::column;
use crate::rows::{Rows, Scalar};
use crate::search::protocol::ColumnStorage;

/// Memory for recomputed columns, when none are stored.
const RECOMPUTED_BYTES: usize = 2 << 20;

/// A new prototype, prepared for the blocks of a shard.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewColumn<'a, T> {
    pub(super) source_index: usize,
    pub(super) row: &'a [T],
    pub(super) earlier: EarlierColumns<'a>,
    /// The last entry of its row of F.
    pub(super) last: f64,
    pub(super) is_pivot: bool,
    /// Its entry of v.
    pub(super) coordinate: f64,
    /// Maximum number of columns still to come, this one included.
    pub(super) n_columns_to_come: usize,
    /// Its kernel values with the first rows of the shard, as far as they are known.
    pub(super) similarities: &'a [f64],
}

/// Which multiples of earlier columns to subtract for a new prototype.
#[derive(Debug, Clone, Copy)]
pub(super) enum EarlierColumns<'a> {
    /// Its row of F, subtracted from its kernel column.
    FromColumn(&'a [Term]),
    /// Its row of F, and the changes of v, which are subtracted from the gradients.
    FromColumnAndGradient(&'a [DoubleTerm]),
}

/// The rows of a block, before the search starts.
pub(super) struct BlockRows<'a, T> {
    pub(super) rows: Rows<'a, T>,
    /// The source row of the first of them.
    pub(super) first: usize,
    /// Their gradients at w = 0: their kernel means, with the shift.
    pub(super) gradient: Vec<f64>,
    pub(super) means: BlockMeans<'a>,
    /// False for copies of an earlier source row.
    pub(super) is_candidate: Vec<bool>,
    /// Quotas and costs of all source rows, if there are any.
    pub(super) constraints: Option<&'a RowConstraints>,
}

/// Some consecutive rows of a shard.
pub(in crate::search) struct CandidateBlock<'a, T: Scalar> {
    kernel: &'a dyn Kernel<T>,
    /// Added to every kernel value; see [`SearchSpace`](crate::search::SearchSpace).
    shift: f64,
    pub(super) rows: Rows<'a, T>,
    /// The source row of the first row.
    pub(in crate::search) first: usize,
    pub(in crate::search) means: BlockMeans<'a>,
    pub(in crate::search) diagonal: Diagonal,
    /// False for prototypes, for copies of an earlier source row, and for refused rows.
    pub(in crate::search) is_candidate: Vec<bool>,
    /// Quotas and costs of all source rows, if there are any.
    pub(super) constraints: Option<&'a RowConstraints>,
    /// Which rows quotas or a budget close for now; empty if they close none.
    is_closed: Vec<bool>,
    pub(in crate::search) gradient: Vec<f64>,
    /// Empty if the search does not need them after the first step.
    pub(in crate::search) schur: Vec<f64>,
    pub(super) columns: Columns,
}

impl<'a, T: Scalar> CandidateBlock<'a, T> {
    /// The state before the first step.
    pub(super) fn new(
        (kernel, shift): (&'a dyn Kernel<T>, f64),
        rows: BlockRows<'a, T>,
        (columns, keeps_schur): (ColumnStorage, bool),
    ) -> Self {
        let BlockRows { rows, first, gradient, means, is_candidate, constraints } = rows;
        let diagonal = Diagonal::of(kernel, shift, rows);
        CandidateBlock {
            gradient,
            schur: (0..if keeps_schur { rows.n_rows() } else { 0 }).map(|row| diagonal.get(row)).collect(),
            columns: Columns::new(columns, rows.n_rows()),
            means,
            kernel,
            shift,
            rows,
            first,
            diagonal,
            is_candidate,
            constraints,
            is_closed: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.n_rows()
    }

    /// The first row whose similarity to itself is negative or not finite, with that value.
    pub(super) fn bad_diagonal(&self) -> Option<(usize, f64)> {
        let mut values = (0..self.len()).map(|row| (self.first + row, self.diagonal.get(row)));
        values.find(|(_, value)| !(value.is_finite() && *value >= 0.0))
    }

    /// The largest |μⱼ|/√Kⱼⱼ, before the first step.
    pub(super) fn scale(&self) -> f64 {
        let rows = self.gradient.iter().enumerate().map(|(row, mean)| (mean, self.diagonal.get(row)));
        rows.filter(|row| row.1 > 0.0).map(|(mean, diagonal)| mean.abs() / diagonal.sqrt()).fold(0.0, f64::max)
    }

    /// Drops all columns and changes how later ones are stored.
    pub(super) fn store_columns(&mut self, columns: ColumnStorage) {
        self.columns = Columns::new(columns, self.len());
    }

    /// Adds a row to the candidates or removes it; does nothing if the row belongs to another block.
    pub(super) fn set_candidate(&mut self, source_index: usize, is_candidate: bool) {
        if let Some(row) = self.local(source_index) {
            self.is_candidate[row] = is_candidate;
        }
    }

    /// *Limit costs*: closes the rows that cost more than the limit of their group, and opens all others.
    pub(super) fn limit_costs(&mut self, limits: &[f64]) {
        let Some(rows) = self.constraints else { return };
        let is_closed = |row: usize| rows.cost(row) > limits[rows.group(row)];
        self.is_closed = (self.first..self.first + self.len()).map(is_closed).collect();
    }

    /// Whether a row of the block may be chosen now.
    pub(in crate::search) fn is_open(&self, row: usize) -> bool {
        self.is_candidate[row] && !self.is_closed.get(row).is_some_and(|is_closed| *is_closed)
    }

    /// The cost of a row of the block; 1 without a budget.
    pub(super) fn cost(&self, row: usize) -> f64 {
        self.constraints.map_or(1.0, |rows| rows.cost(self.first + row))
    }

    /// *Admit*: one kernel column, one column of C, and the gradients at the new weights.
    pub(super) fn admit(&mut self, new: &NewColumn<'_, T>, basis: &BasisCopy<T>, shard_start: usize) {
        self.set_candidate(new.source_index, false);
        if matches!(self.columns, Columns::Dropped) {
            return self.recompute(basis);
        }
        self.columns.begin(new.n_columns_to_come);
        let mut buffer = [0.0; ROWS_PER_PASS];
        for start in (0..self.len()).step_by(ROWS_PER_PASS) {
            let rows = start..self.len().min(start + ROWS_PER_PASS);
            let values = &mut buffer[..rows.len()];
            let place = self.first - shard_start + start;
            match new.similarities.get(place..place + values.len()) {
                Some(known) => values.copy_from_slice(known),
                None => self.similarities(rows.clone(), new.row, values),
            }
            let gradient = &mut self.gradient[rows.clone()];
            match new.earlier {
                EarlierColumns::FromColumn(terms) => self.columns.subtract(rows.clone(), terms, values),
                EarlierColumns::FromColumnAndGradient(terms) => {
                    self.columns.subtract_both(rows.clone(), terms, [values, gradient]);
                }
            }
            if new.is_pivot {
                values.iter_mut().for_each(|value| *value /= new.last);
            }
            self.columns.put(start, values);
            gradient.iter_mut().zip(&*values).for_each(|(gradient, value)| *gradient -= new.coordinate * value);
            if new.is_pivot && !self.schur.is_empty() {
                let schur = self.schur[rows].iter_mut();
                schur.zip(&*values).for_each(|(schur, value)| *schur -= value * value);
            }
        }
    }

    /// *Expel*: removes a prototype from an independent set; the rotations made F triangular again.
    ///
    /// v refers to columns that no longer exist, so the gradients start from the kernel mean again.
    pub(super) fn expel(&mut self, rotations: &[Rotation], n_left: usize) {
        self.gradient.copy_from_slice(&self.means.values);
        self.columns.rotate(rotations);
        // Summed from scratch, so that rounding errors do not accumulate over many exchanges.
        self.reset_schur();
        let (columns, n_rows) = (&self.columns, self.schur.len());
        let positions: Vec<usize> = (0..n_left).collect();
        subtract_squares(&mut self.schur, &positions, |values, terms| columns.subtract(0..n_rows, terms, values));
    }

    /// *Rebuild*: admits all prototypes again, after F or the column storage has changed.
    pub(super) fn rebuild(&mut self, basis: &BasisCopy<T>, shard_start: usize) {
        self.gradient.copy_from_slice(&self.means.values);
        self.reset_schur();
        if matches!(self.columns, Columns::Dropped) {
            return self.recompute(basis);
        }
        self.columns.clear();
        for (position, row) in basis.rows().iter().enumerate() {
            let (entries, is_pivot) = basis.factor_row(position);
            let reduced = terms(entries[..position].iter().copied());
            let new = NewColumn {
                source_index: usize::MAX,
                row,
                earlier: EarlierColumns::FromColumn(&reduced),
                last: entries[position],
                is_pivot,
                coordinate: basis.coordinates().get(position).copied().unwrap_or(0.0),
                n_columns_to_come: basis.len() - position,
                similarities: &[],
            };
            self.admit(&new, basis, shard_start);
        }
    }

    pub(super) fn similarity(&self, x: &[T], y: &[T]) -> f64 {
        self.kernel.evaluate(x, y) + self.shift
    }

    fn similarities(&self, rows: Range<usize>, y: &[T], values: &mut [f64]) {
        column(self.kernel, self.rows.slice(rows), y, values);
        if self.shift != 0.0 {
            values.iter_mut().for_each(|value| *value += self.shift);
        }
    }

    /// The position of a source row in this block; `None` if it belongs to another.
    pub(in crate::search) fn local(&self, source_index: usize) -> Option<usize> {
        source_index.checked_sub(self.first).filter(|row| *row < self.rows.n_rows())
    }

    /// The Schur complement of a row. Where none are kept, nothing asks for them after the first step.
    #[inline]
    pub(in crate::search) fn schur(&self, row: usize) -> f64 {
        self.schur.get(row).copied().unwrap_or_else(|| self.diagonal.get(row))
    }

    fn reset_schur(&mut self) {
        for (row, schur) in self.schur.iter_mut().enumerate() {
            *schur = self.diagonal.get(row);
        }
    }

    /// Computes gradients and Schur complements from the data.
    fn recompute(&mut self, basis: &BasisCopy<T>) {
        let (mut gradient, mut schur) = (std::mem::take(&mut self.gradient), std::mem::take(&mut self.schur));
        gradient.copy_from_slice(&self.means.values);
        let coordinates = terms(basis.coordinates().iter().copied());
        let pivots: Vec<usize> = (0..basis.len()).filter(|position| basis.factor_row(*position).1).collect();
        self.for_each_run(basis, |rows, columns| {
            columns.subtract(0..rows.len(), &coordinates, &mut gradient[rows.clone()]);
            if schur.is_empty() {
                return;
            }
            rows.clone().for_each(|row| schur[row] = self.diagonal.get(row));
            subtract_squares(&mut schur[rows.clone()], &pivots, |values, terms| {
                columns.subtract(0..rows.len(), terms, values);
            });
        });
        (self.gradient, self.schur) = (gradient, schur);
    }

    /// Visits the columns of C for a few rows at a time, computed from the data.
    pub(super) fn for_each_run(&self, basis: &BasisCopy<T>, mut visit: impl FnMut(Range<usize>, &ColumnPanels<f64>)) {
        let n_rows = (RECOMPUTED_BYTES / size_of::<f64>() / basis.len().max(1)).clamp(8, ROWS_PER_PASS);
        let mut column = vec![0.0; n_rows];
        for start in (0..self.len()).step_by(n_rows) {
            let rows = start..self.len().min(start + n_rows);
            let column = &mut column[..rows.len()];
            let mut columns = ColumnPanels::new(rows.len());
            for (position, prototype) in basis.rows().iter().enumerate() {
                self.similarities(rows.clone(), prototype, column);
                let (entries, is_pivot) = basis.factor_row(position);
                columns.subtract(0..rows.len(), &terms(entries[..position].iter().copied()), column);
                if is_pivot {
                    column.iter_mut().for_each(|value| *value /= entries[position]);
                }
                columns.begin(basis.len() - position);
                columns.put(0, column);
            }
            visit(rows, &columns);
        }
    }
}

/// Subtracts the squares of some columns for each row; `subtract` subtracts a linear combination of columns.
fn subtract_squares(schur: &mut [f64], positions: &[usize], subtract: impl Fn(&mut [f64], &[Term])) {
    let mut column = vec![0.0; schur.len()];
    for &position in positions {
        column.fill(0.0);
        subtract(&mut column, &[(position, 1.0)]);
        schur.iter_mut().zip(&column).for_each(|(schur, value)| *schur -= value * value);
    }
}
