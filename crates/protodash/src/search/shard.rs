//! A shard: some source rows, and what the search must know of each.
//!
//! For each row j the shard keeps the gradient gⱼ and the Schur complement sⱼ against all prototypes. Both come from
//! the row cⱼ of the partial Cholesky factor C of the source's Gram matrix, pivoted on the prototypes:
//!
//! ```text
//! gⱼ = μⱼ − cⱼᵀv,  v = Fᵀw        sⱼ = Kⱼⱼ − Σ cⱼₚ² over the pivots p
//! ```
//!
//! F being the leader's triangle (see `basis`). A new prototype adds one column to C and changes nothing in the others;
//! where new weights change v, the gradients follow in the same pass over C.

use std::borrow::Cow;
use std::ops::Range;

use super::basis::Basis;
use super::columns::{Columns, ROWS_PER_PASS};
use super::diagonal::Diagonal;
use super::panels::{DoubleTerm, Panels, Term, terms};
use crate::factor::Rotation;
use crate::kernel::Kernel;
use crate::kernel_mean::{ErrorBound, Precision, column};
use crate::rows::{Rows, Scalar};

/// Bytes for the columns of a few rows where none are kept.
const RECOMPUTED_BYTES: usize = 2 << 20;

/// Everything the leader may know of a candidate.
#[derive(Debug, Clone)]
pub(crate) struct Proposal<T> {
    pub(crate) source_index: usize,
    pub(crate) row: Vec<T>,
    pub(crate) kernel_mean: f64,
    pub(crate) diagonal: f64,
    /// Kernel values with the prototypes, in their order.
    pub(crate) similarities: Vec<f64>,
}

/// The prototypes as shards are told of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen<'a, T> {
    pub(crate) rows: &'a [Vec<T>],
    pub(crate) basis: &'a Basis,
    /// v = Fᵀw.
    pub(crate) coordinates: &'a [f64],
}

/// A new prototype as shards are told of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Newcomer<'a, T> {
    pub(crate) source_index: usize,
    pub(crate) row: &'a [T],
    /// What to subtract of the columns before its own.
    pub(crate) before: Before<'a>,
    /// The last entry of its row of F.
    pub(crate) last: f64,
    pub(crate) is_pivot: bool,
    /// Its entry of v.
    pub(crate) coordinate: f64,
    /// How many columns may come in all, its own included.
    pub(crate) room: usize,
    /// The kernel values of the whole source with it, if they are known already.
    pub(crate) similarities: Option<&'a [f64]>,
}

/// What a new prototype makes of the columns before its own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Before<'a> {
    /// Its row of F, to be subtracted from its kernel column.
    Column(&'a [Term]),
    /// That, and what the new weights change in v, to be subtracted from the gradients.
    ColumnAndGradient(&'a [DoubleTerm]),
}

/// Some consecutive rows of the source.
pub(crate) struct Shard<'a, T, K: ?Sized> {
    kernel: &'a K,
    /// Added to every kernel value; see `Candidates`.
    shift: f64,
    pub(super) rows: Rows<'a, T>,
    pub(super) first: usize,
    /// Copied when one of them is computed anew.
    pub(super) kernel_mean: Cow<'a, [f64]>,
    /// How far off a kernel mean may be that was not computed again.
    pub(super) mean_error: ErrorBound,
    /// Which kernel means may be off; empty if none.
    pub(super) is_rough: Vec<bool>,
    /// The largest absolute value of a kernel mean.
    pub(super) largest_mean: f64,
    pub(super) diagonal: Diagonal,
    /// False for prototypes, for later copies of an equal row, and for rows that the leader refused.
    pub(super) candidate: Vec<bool>,
    pub(super) gradient: Vec<f64>,
    pub(super) schur: Vec<f64>,
    pub(super) columns: Columns,
}

impl<'a, T: Scalar, K: Kernel<T> + ?Sized> Shard<'a, T, K> {
    pub(crate) fn new(
        (kernel, shift): (&'a K, f64),
        rows: Rows<'a, T>,
        first: usize,
        (kernel_mean, mean_error): (&'a [f64], Option<ErrorBound>),
        candidate: Vec<bool>,
    ) -> Self {
        let diagonal = Diagonal::of(kernel, shift, rows);
        Shard {
            gradient: kernel_mean.to_vec(),
            schur: (0..rows.n_rows()).map(|row| diagonal.get(row)).collect(),
            columns: Columns::new(Precision::Double, rows.n_rows()),
            is_rough: vec![true; if mean_error.is_some() { rows.n_rows() } else { 0 }],
            mean_error: mean_error.unwrap_or_default(),
            largest_mean: largest(kernel_mean),
            kernel,
            shift,
            rows,
            first,
            kernel_mean: Cow::Borrowed(kernel_mean),
            diagonal,
            candidate,
        }
    }

    /// Keeps columns in these numbers. To be called while there are none.
    pub(crate) fn keep_columns_in(&mut self, precision: Precision) {
        self.columns = Columns::new(precision, self.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.n_rows()
    }

    /// The first row whose diagonal a kernel cannot have, with its value.
    pub(crate) fn bad_diagonal(&self) -> Option<(usize, f64)> {
        let values = (0..self.len()).map(|row| (self.first + row, self.diagonal.get(row)));
        values.into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0))
    }

    /// The largest |μⱼ|/√Kⱼⱼ of these rows.
    pub(crate) fn own_scale(&self) -> f64 {
        let rows = self.kernel_mean.iter().enumerate().map(|(row, mean)| (mean, self.diagonal.get(row)));
        rows.filter(|row| row.1 > 0.0).map(|(mean, diagonal)| mean.abs() / diagonal.sqrt()).fold(0.0, f64::max)
    }

    /// Gives up the columns of C: from here on they are computed again at every step.
    pub(crate) fn drop_columns(&mut self) {
        self.columns = Columns::Dropped;
    }

    /// Takes a row out of the candidates.
    pub(crate) fn refuse(&mut self, source_index: usize) {
        if let Some(candidate) = self.local(source_index).and_then(|row| self.candidate.get_mut(row)) {
            *candidate = false;
        }
    }

    /// Makes a row a candidate again.
    pub(crate) fn readmit(&mut self, source_index: usize) {
        if let Some(candidate) = self.local(source_index).and_then(|row| self.candidate.get_mut(row)) {
            *candidate = true;
        }
    }

    /// Whether the kernel mean of this row may be off; `None` if it is another shard's.
    pub(crate) fn is_rough(&self, source_index: usize) -> Option<bool> {
        self.local(source_index).map(|row| self.rough(row))
    }

    /// Puts the exact kernel mean of a row in the place of one that may be off.
    pub(crate) fn correct_mean(&mut self, source_index: usize, mean: f64) {
        let Some(row) = self.local(source_index) else { return };
        self.gradient[row] += mean - self.kernel_mean[row];
        self.kernel_mean.to_mut()[row] = mean;
        self.largest_mean = self.largest_mean.max(mean.abs());
        if let Some(is_rough) = self.is_rough.get_mut(row) {
            *is_rough = false;
        }
    }

    /// *Admit*: a new prototype. One kernel column, one column of C, and the gradients at the new weights.
    pub(crate) fn admit(&mut self, newcomer: &Newcomer<'_, T>, chosen: Chosen<'_, T>) {
        self.refuse(newcomer.source_index);
        if matches!(self.columns, Columns::Dropped) {
            return self.recompute(chosen);
        }
        self.columns.begin(newcomer.room);
        let mut buffer = [0.0; ROWS_PER_PASS];
        for start in (0..self.len()).step_by(ROWS_PER_PASS) {
            let rows = start..self.len().min(start + ROWS_PER_PASS);
            let values = &mut buffer[..rows.len()];
            match newcomer.similarities {
                Some(known) => values.copy_from_slice(&known[self.first..][rows.clone()]),
                None => self.similarities(rows.clone(), newcomer.row, values),
            }
            let gradient = &mut self.gradient[rows.clone()];
            match newcomer.before {
                Before::Column(terms) => self.columns.subtract(rows.clone(), terms, values),
                Before::ColumnAndGradient(terms) => {
                    self.columns.subtract_both(rows.clone(), terms, [values, gradient]);
                }
            }
            if newcomer.is_pivot {
                values.iter_mut().for_each(|value| *value /= newcomer.last);
            }
            self.columns.put(start, values);
            gradient.iter_mut().zip(&*values).for_each(|(gradient, value)| *gradient -= newcomer.coordinate * value);
            if newcomer.is_pivot {
                let schur = self.schur[rows].iter_mut();
                schur.zip(&*values).for_each(|(schur, value)| *schur -= value * value);
            }
        }
    }

    /// *Expel*: a prototype leaves an independent set, with the rotations that made the leader's factor triangular.
    ///
    /// The coordinates belong to columns that are gone: gradients start from the kernel mean again.
    pub(crate) fn expel(&mut self, rotations: &[Rotation], n_left: usize) {
        self.gradient.copy_from_slice(&self.kernel_mean);
        self.columns.rotate(rotations);
        // Summed anew, so that exchanging often does not let rounding pile up.
        self.reset_schur();
        let (columns, n_rows) = (&self.columns, self.rows.n_rows());
        let places: Vec<usize> = (0..n_left).collect();
        subtract_squares(&mut self.schur, &places, |values, terms| columns.subtract(0..n_rows, terms, values));
    }

    /// All prototypes admitted anew, after those that are pivots or the numbers that columns are kept in changed.
    pub(crate) fn rebuild(&mut self, chosen: Chosen<'_, T>) {
        self.gradient.copy_from_slice(&self.kernel_mean);
        self.reset_schur();
        if matches!(self.columns, Columns::Dropped) {
            return self.recompute(chosen);
        }
        self.columns.clear();
        for (place, row) in chosen.rows.iter().enumerate() {
            let (entries, is_pivot) = chosen.basis.row(place);
            let (reduced, last) = (terms(entries[..place].iter().copied()), entries[place]);
            let newcomer = Newcomer {
                source_index: usize::MAX,
                row,
                before: Before::Column(&reduced),
                last,
                is_pivot,
                coordinate: chosen.coordinates.get(place).copied().unwrap_or(0.0),
                room: chosen.rows.len() - place,
                similarities: None,
            };
            self.admit(&newcomer, chosen);
        }
    }

    fn reset_schur(&mut self) {
        for (row, schur) in self.schur.iter_mut().enumerate() {
            *schur = self.diagonal.get(row);
        }
    }

    /// *Reweigh*: the gradients at other weights, given by what they change in v.
    pub(crate) fn reweigh(&mut self, changes: &[Term], chosen: Chosen<'_, T>) {
        if matches!(self.columns, Columns::Dropped) {
            return self.recompute(chosen);
        }
        self.columns.subtract(0..self.rows.n_rows(), changes, &mut self.gradient);
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

    pub(super) fn local(&self, source_index: usize) -> Option<usize> {
        source_index.checked_sub(self.first).filter(|row| *row < self.rows.n_rows())
    }

    /// Gradients and Schur complements from the data alone.
    fn recompute(&mut self, chosen: Chosen<'_, T>) {
        let (mut gradient, mut schur) = (std::mem::take(&mut self.gradient), std::mem::take(&mut self.schur));
        gradient.copy_from_slice(&self.kernel_mean);
        let coordinates = terms(chosen.coordinates.iter().copied());
        let pivots: Vec<usize> = (0..chosen.rows.len()).filter(|place| chosen.basis.row(*place).1).collect();
        self.for_each_few(chosen, |rows, columns| {
            columns.subtract(0..rows.len(), &coordinates, &mut gradient[rows.clone()]);
            rows.clone().for_each(|row| schur[row] = self.diagonal.get(row));
            subtract_squares(&mut schur[rows.clone()], &pivots, |values, terms| {
                columns.subtract(0..rows.len(), terms, values);
            });
        });
        (self.gradient, self.schur) = (gradient, schur);
    }

    /// Visits the columns of C a few rows at a time, computed from the data.
    pub(super) fn for_each_few(&self, chosen: Chosen<'_, T>, mut visit: impl FnMut(Range<usize>, &Panels<f64>)) {
        let n_rows = (RECOMPUTED_BYTES / size_of::<f64>() / chosen.rows.len().max(1)).clamp(8, ROWS_PER_PASS);
        let mut column = vec![0.0; n_rows];
        for start in (0..self.len()).step_by(n_rows) {
            let rows = start..self.len().min(start + n_rows);
            let column = &mut column[..rows.len()];
            let mut columns = Panels::new(rows.len());
            for (place, prototype) in chosen.rows.iter().enumerate() {
                self.similarities(rows.clone(), prototype, column);
                let (entries, is_pivot) = chosen.basis.row(place);
                columns.subtract(0..rows.len(), &terms(entries[..place].iter().copied()), column);
                if is_pivot {
                    column.iter_mut().for_each(|value| *value /= entries[place]);
                }
                columns.begin(chosen.rows.len() - place);
                columns.put(0, column);
            }
            visit(rows, &columns);
        }
    }
}

/// The largest absolute value.
fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()))
}

/// Subtracts the squares of some columns for each row, `subtract` subtracting terms of the columns.
fn subtract_squares(schur: &mut [f64], places: &[usize], subtract: impl Fn(&mut [f64], &[Term])) {
    let mut column = vec![0.0; schur.len()];
    for &place in places {
        column.fill(0.0);
        subtract(&mut column, &[(place, 1.0)]);
        schur.iter_mut().zip(&column).for_each(|(schur, value)| *schur -= value * value);
    }
}
