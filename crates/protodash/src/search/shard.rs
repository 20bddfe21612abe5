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
//! and as long as no weight is held at 0, v keeps its old entries too, so that a step costs one kernel column and one
//! pass over C.

use std::ops::Range;

use super::basis::Basis;
use super::columns::{Columns, ROWS_PER_PASS, Term, subtract, terms};
use super::diagonal::Diagonal;
use super::rank::{Ranked, Standing, View};
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
    /// Its row of F but the last entry.
    pub(crate) terms: &'a [Term],
    pub(crate) last: f64,
    pub(crate) is_pivot: bool,
    /// What the new weights change in v.
    pub(crate) changes: &'a [Term],
    /// The kernel values of the whole source with it, if they are known already.
    pub(crate) similarities: Option<&'a [f64]>,
}

/// Some consecutive rows of the source.
pub(crate) struct Shard<'a, T, K: ?Sized> {
    kernel: &'a K,
    /// Added to every kernel value; see `Candidates`.
    shift: f64,
    rows: Rows<'a, T>,
    first: usize,
    kernel_mean: Vec<f64>,
    /// How far off a kernel mean may be that was not computed again.
    mean_error: ErrorBound,
    /// Which kernel means may be off; empty if none.
    is_rough: Vec<bool>,
    diagonal: Diagonal,
    /// False for prototypes, for later copies of an equal row, and for rows that the leader refused.
    candidate: Vec<bool>,
    gradient: Vec<f64>,
    schur: Vec<f64>,
    columns: Columns,
}

impl<'a, T: Scalar, K: Kernel<T> + ?Sized> Shard<'a, T, K> {
    pub(crate) fn new(
        (kernel, shift): (&'a K, f64),
        rows: Rows<'a, T>,
        first: usize,
        (kernel_mean, mean_error): (Vec<f64>, Option<ErrorBound>),
        candidate: Vec<bool>,
    ) -> Self {
        let diagonal = Diagonal::of(kernel, shift, rows);
        Shard {
            gradient: kernel_mean.clone(),
            schur: (0..rows.n_rows()).map(|row| diagonal.get(row)).collect(),
            columns: Columns::Double(Vec::new()),
            is_rough: vec![true; if mean_error.is_some() { rows.n_rows() } else { 0 }],
            mean_error: mean_error.unwrap_or_default(),
            kernel,
            shift,
            rows,
            first,
            kernel_mean,
            diagonal,
            candidate,
        }
    }

    /// Keeps columns in these numbers. To be called while there are none.
    pub(crate) fn keep_columns_in(&mut self, precision: Precision) {
        self.columns = match precision {
            Precision::Single => Columns::Single(Vec::new()),
            Precision::Double => Columns::Double(Vec::new()),
        };
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
        self.kernel_mean[row] = mean;
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
        self.columns.begin(self.len());
        let mut buffer = [0.0; ROWS_PER_PASS];
        for start in (0..self.len()).step_by(ROWS_PER_PASS) {
            let rows = start..self.len().min(start + ROWS_PER_PASS);
            let values = &mut buffer[..rows.len()];
            match newcomer.similarities {
                Some(known) => values.copy_from_slice(&known[self.first..][rows.clone()]),
                None => self.similarities(rows.clone(), newcomer.row, values),
            }
            self.columns.subtract(rows.clone(), newcomer.terms, values);
            if newcomer.is_pivot {
                values.iter_mut().for_each(|value| *value /= newcomer.last);
            }
            self.columns.append(values);
            if newcomer.is_pivot {
                let schur = self.schur[rows.clone()].iter_mut();
                schur.zip(&*values).for_each(|(schur, value)| *schur -= value * value);
            }
            self.columns.subtract(rows.clone(), newcomer.changes, &mut self.gradient[rows]);
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
        for place in 0..n_left {
            let mut column = vec![0.0; self.len()];
            self.columns.subtract(0..self.len(), &[(place, -1.0)], &mut column);
            self.schur.iter_mut().zip(&column).for_each(|(schur, value)| *schur -= value * value);
        }
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
            let changes = chosen.coordinates.get(place).map(|value| (place, *value));
            let newcomer = Newcomer {
                source_index: usize::MAX,
                row,
                terms: &reduced,
                last,
                is_pivot,
                changes: changes.as_slice(),
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

    /// *Propose*: the best candidates, best first, by the largest score that each may have.
    pub(crate) fn propose(&self, view: &View<'_>, chosen: Chosen<'_, T>, limit: usize) -> Vec<Ranked> {
        let mut best: Vec<Ranked> = Vec::with_capacity(limit.min(self.len()) + 1);
        self.for_each_candidate(view, chosen, |ranked| {
            if best.len() < limit || ranked.before(&best[best.len() - 1]) {
                let place = best.partition_point(|other| other.before(&ranked));
                best.insert(place, ranked);
                best.truncate(limit);
            }
        });
        best
    }

    /// *Propose*: all candidates whose score may be at least this, in the order of the source.
    pub(crate) fn at_least(&self, view: &View<'_>, chosen: Chosen<'_, T>, score: f64) -> Vec<usize> {
        let mut found = Vec::new();
        self.for_each_candidate(view, chosen, |ranked| {
            if ranked.score >= score {
                found.push(ranked.source_index);
            }
        });
        found
    }

    /// The best score that a candidate has for sure, under the present weights; `None` if no row surely rises.
    pub(crate) fn surely(&self, view: &View<'_>) -> Option<f64> {
        let rows = (0..self.len()).filter(|row| self.candidate[*row]);
        let scores = rows.filter_map(|row| {
            let standing = self.standing(row, self.gradient[row], self.schur[row]);
            let gradient = standing.gradient - self.allowance(view, row, standing.diagonal);
            view.score(Standing { gradient, ..standing })
        });
        scores.reduce(f64::max)
    }

    /// The score of one row, its gradient under the present weights computed from the data and its kernel mean.
    pub(crate) fn exact_score(
        &self,
        view: &View<'_>,
        chosen: Chosen<'_, T>,
        weights: &[f64],
        source_index: usize,
    ) -> Option<f64> {
        let row = self.local(source_index)?;
        let weighted = chosen.rows.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
        let similarity: f64 =
            weighted.map(|(prototype, weight)| weight * self.similarity(self.rows.row(row), prototype)).sum();
        view.score(self.standing(row, self.kernel_mean[row] - similarity, self.schur[row]))
    }

    /// What the leader needs in order to admit this row; `None` if it is another shard's.
    pub(crate) fn describe(&self, chosen: Chosen<'_, T>, source_index: usize) -> Option<Proposal<T>> {
        let row = self.local(source_index)?;
        let values = self.rows.row(row);
        Some(Proposal {
            source_index,
            row: values.to_vec(),
            kernel_mean: self.kernel_mean[row],
            diagonal: self.diagonal.get(row),
            similarities: chosen.rows.iter().map(|prototype| self.similarity(values, prototype)).collect(),
        })
    }

    /// The row whose Schur complement is farthest below what rounding explains, if there is one: proof that the kernel
    /// is not positive semi-definite.
    pub(crate) fn indefinite(&self, rounding: f64) -> Option<(usize, f64)> {
        let part = |row: usize| self.schur[row] / self.diagonal.get(row).abs();
        let row = (0..self.len()).min_by(|a, b| part(*a).total_cmp(&part(*b)))?;
        let schur = self.schur[row];
        (schur < -rounding.max(1e-6) * self.diagonal.get(row).abs()).then_some((self.first + row, schur))
    }

    fn similarity(&self, x: &[T], y: &[T]) -> f64 {
        self.kernel.evaluate(x, y) + self.shift
    }

    fn similarities(&self, rows: Range<usize>, y: &[T], values: &mut [f64]) {
        column(self.kernel, self.rows.slice(rows), y, values);
        if self.shift != 0.0 {
            values.iter_mut().for_each(|value| *value += self.shift);
        }
    }

    fn local(&self, source_index: usize) -> Option<usize> {
        source_index.checked_sub(self.first).filter(|row| *row < self.rows.n_rows())
    }

    fn standing(&self, row: usize, gradient: f64, schur: f64) -> Standing {
        Standing { gradient, schur, diagonal: self.diagonal.get(row) }
    }

    fn rough(&self, row: usize) -> bool {
        self.is_rough.get(row).is_some_and(|is_rough| *is_rough)
    }

    /// How far off the gradient of a row may be.
    fn allowance(&self, view: &View<'_>, row: usize, diagonal: f64) -> f64 {
        let of_mean = if self.rough(row) { self.mean_error.at(self.kernel_mean[row]) } else { 0.0 };
        of_mean + view.column_error * diagonal.sqrt()
    }

    /// Visits every row that may be chosen with the largest score that it may have.
    fn for_each_candidate(&self, view: &View<'_>, chosen: Chosen<'_, T>, mut visit: impl FnMut(Ranked)) {
        let seen;
        let (gradient, schur) = if view.lost.is_none() && view.changes.is_empty() {
            (&self.gradient, &self.schur)
        } else {
            seen = self.as_seen(view, chosen);
            (&seen.0, &seen.1)
        };
        for row in (0..self.len()).filter(|row| self.candidate[*row]) {
            let standing = self.standing(row, gradient[row], schur[row]);
            let gradient = standing.gradient + self.allowance(view, row, standing.diagonal);
            if let Some(score) = view.score(Standing { gradient, ..standing }) {
                visit(Ranked { source_index: self.first + row, score });
            }
        }
    }

    /// Gradients and Schur complements under another view than the current weights'.
    fn as_seen(&self, view: &View<'_>, chosen: Chosen<'_, T>) -> (Vec<f64>, Vec<f64>) {
        if matches!(self.columns, Columns::Dropped) {
            let mut seen = (self.kernel_mean.clone(), self.schur.clone());
            self.for_each_few(chosen, |rows, columns| {
                subtract(columns, 0..rows.len(), &terms(view.coordinates.iter().copied()), &mut seen.0[rows.clone()]);
                let along = |values: &mut [f64], terms: &[Term]| subtract(columns, 0..rows.len(), terms, values);
                add_squares_along(view.lost, along, &mut seen.1[rows.clone()]);
            });
            return seen;
        }
        let (mut gradient, mut schur) = (self.gradient.clone(), self.schur.clone());
        self.columns.subtract(0..self.len(), view.changes, &mut gradient);
        let along = |values: &mut [f64], terms: &[Term]| self.columns.subtract(0..self.len(), terms, values);
        add_squares_along(view.lost, along, &mut schur);
        (gradient, schur)
    }

    /// Gradients and Schur complements from the data alone.
    fn recompute(&mut self, chosen: Chosen<'_, T>) {
        let (mut gradient, mut schur) = (std::mem::take(&mut self.gradient), std::mem::take(&mut self.schur));
        gradient.copy_from_slice(&self.kernel_mean);
        let coordinates = terms(chosen.coordinates.iter().copied());
        self.for_each_few(chosen, |rows, columns| {
            subtract(columns, 0..rows.len(), &coordinates, &mut gradient[rows.clone()]);
            for (offset, row) in rows.enumerate() {
                let pivots = columns.iter().enumerate().filter(|(place, _)| chosen.basis.row(*place).1);
                schur[row] = self.diagonal.get(row) - pivots.map(|(_, column)| column[offset].powi(2)).sum::<f64>();
            }
        });
        (self.gradient, self.schur) = (gradient, schur);
    }

    /// Visits the columns of C a few rows at a time, computed from the data.
    fn for_each_few(&self, chosen: Chosen<'_, T>, mut visit: impl FnMut(Range<usize>, &[Vec<f64>])) {
        let n_rows = (RECOMPUTED_BYTES / size_of::<f64>() / chosen.rows.len().max(1)).clamp(8, ROWS_PER_PASS);
        let mut columns: Vec<Vec<f64>> = vec![Vec::new(); chosen.rows.len()];
        for start in (0..self.len()).step_by(n_rows) {
            let rows = start..self.len().min(start + n_rows);
            for (place, prototype) in chosen.rows.iter().enumerate() {
                let (known, column) = columns.split_at_mut(place);
                let column = &mut column[0];
                column.resize(rows.len(), 0.0);
                self.similarities(rows.clone(), prototype, column);
                let (entries, is_pivot) = chosen.basis.row(place);
                subtract(known, 0..rows.len(), &terms(entries[..place].iter().copied()), column);
                if is_pivot {
                    column.iter_mut().for_each(|value| *value /= entries[place]);
                }
            }
            visit(rows, &columns);
        }
    }
}

/// Adds (cⱼᵀu)² for each row, `subtract` subtracting terms of the columns.
fn add_squares_along(lost: Option<&[f64]>, subtract: impl Fn(&mut [f64], &[Term]), schur: &mut [f64]) {
    let Some(lost) = lost else { return };
    let mut along = vec![0.0; schur.len()];
    subtract(&mut along, &terms(lost.iter().copied()));
    schur.iter_mut().zip(&along).for_each(|(schur, along)| *schur += along * along);
}
