//! Kernel means in f64, for rows whose mean is not exact.

use std::sync::PoisonError;

use crate::error::Result;
use crate::kernel_mean::{Precision, column};
use crate::observe::Observer;
use crate::parallel;
use crate::rows::{Rows, Scalar};
use crate::search::local::{LocalShard, ROWS_PER_PASS};
use crate::search::protocol::{ColumnSums, Shard};

/// Rows of a cached column; the values for others are computed again.
const CACHED_ROWS: usize = 1 << 21;

/// The last kernel column that was computed for its sum.
#[derive(Debug, Default)]
pub(crate) struct CachedColumn {
    source_index: Option<usize>,
    /// Its values for the first rows of the shard, with the shift.
    values: Vec<f64>,
}

impl CachedColumn {
    /// The column as far as it is known, if it is this row's.
    pub(crate) fn of(&self, source_index: usize) -> &[f64] {
        if self.source_index == Some(source_index) { &self.values } else { &[] }
    }
}

impl<T: Scalar> LocalShard<'_, T> {
    /// *Means*: kernel means of some rows, with the shift.
    pub(in crate::search) fn exact_means(&self, source_indices: &[usize]) -> Vec<f64> {
        let data = &self.data;
        let row = |source_index: &usize| source_index - data.first;
        let Some(approximate) = data.approximate else {
            return source_indices.iter().map(|index| data.kernel_mean[row(index)] + self.shift).collect();
        };
        let rows: Vec<&[T]> = source_indices.iter().map(|index| data.rows.row(row(index))).collect();
        approximate.means_of(data.kernel, &rows).into_iter().map(|mean| mean + self.shift).collect()
    }

    /// *Column*: the kernel column of a row, whose sum is its kernel mean if the target is the source.
    ///
    /// The first part of the column is cached for the row's admission.
    pub(in crate::search) fn column_sums(&self, source_index: usize, row: &[T]) -> ColumnSums {
        let start = self.data.first;
        let mut values = std::mem::take(&mut *self.cached_column()).values;
        let n_rows = self.data.rows.n_rows();
        let n_head = (start.next_multiple_of(ROWS_PER_PASS) - start).min(n_rows);
        // Whole runs, so that each is summed in one piece.
        values.resize(n_rows.min(n_head + CACHED_ROWS), 0.0);
        let (head, rest) = values.split_at_mut(n_head);
        self.similarities(0, row, head);
        let terms = (0..n_head).map(|at| self.weighted_sum(start + at, &head[at..=at])).collect();
        self.add_shift(head);
        let sum = |run: usize, values: &mut [f64]| {
            let first = n_head + run * ROWS_PER_PASS;
            self.similarities(first, row, values);
            self.weighted_sum(start + first, values)
        };
        let mut runs = parallel::map_chunks(rest, ROWS_PER_PASS, |run, values| {
            let sum = sum(run, values);
            self.add_shift(values);
            sum
        });
        let n_runs = (n_rows - n_head).div_ceil(ROWS_PER_PASS);
        runs.extend(parallel::map(runs.len()..n_runs, |run| {
            let n_here = ROWS_PER_PASS.min(n_rows - n_head - run * ROWS_PER_PASS);
            sum(run, &mut [0.0; ROWS_PER_PASS][..n_here])
        }));
        let sums = ColumnSums { head: terms, runs };
        *self.cached_column() = CachedColumn { source_index: Some(source_index), values };
        sums
    }

    /// *Correct all*: computes the kernel means of all rows.
    pub(in crate::search) fn correct_all_means(
        &mut self,
        precision: Precision,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        let Some(approximate) = self.data.approximate else { return Ok(()) };
        let range = self.source_range();
        // The symmetric sum adds in a different order: one shard alone could not get the same bits.
        let rows = if approximate.is_source { approximate.target.rows } else { self.data.rows };
        let (mut means, error) = approximate.all_means(precision, self.data.kernel, rows, observer)?;
        if approximate.is_source {
            means = means[range].to_vec();
        }
        means.iter_mut().for_each(|mean| *mean += self.shift);
        self.replace_means(&means, (precision == Precision::Single).then_some(error));
        Ok(())
    }

    fn cached_column(&self) -> std::sync::MutexGuard<'_, CachedColumn> {
        self.cached_column.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn similarities(&self, first: usize, row: &[T], values: &mut [f64]) {
        let rows: Rows<'_, T> = self.data.rows.slice(first..first + values.len());
        column(self.data.kernel, rows, row, values);
    }

    fn add_shift(&self, values: &mut [f64]) {
        values.iter_mut().for_each(|value| *value += self.shift);
    }

    /// Σ pᵢ vᵢ over consecutive source rows, which are also the target.
    fn weighted_sum(&self, first: usize, values: &[f64]) -> f64 {
        self.data.approximate.map_or(0.0, |approximate| approximate.weighted_sum(first..first + values.len(), values))
    }
}
