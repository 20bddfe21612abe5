//! The support at a point of the path, and its linear systems.

use crate::error::Result;
use crate::factor::{Factor, schur};
use crate::gram::Gram;
use crate::kernel::Kernel;
use crate::kernel_mean::column::column;
use crate::observe::{Observer, check_cancelled};
use crate::parallel;
use crate::rows::{Rows, Scalar};
use crate::weights::{ActiveSet, Constraint};

/// A row whose Schur complement against the support is below this fraction of its diagonal is numerically dependent on it.
const DEPENDENT: f64 = 1e-12;
/// Rows that a thread works on at a time.
const BLOCK: usize = 1024;

/// Linearly independent rows of the source, in the order in which they joined.
pub(super) struct Support<'a, T: Scalar> {
    pub(super) members: Vec<usize>,
    rows: Rows<'a, T>,
    kernel: &'a dyn Kernel<T>,
    gram: Gram,
    factor: Factor,
    /// The values of the members' rows.
    values: Vec<T>,
    /// K[:, members]; `None` if it does not fit in memory and is recomputed whenever it is needed.
    columns: Option<Vec<Vec<f64>>>,
    column_memory: u64,
}

impl<'a, T: Scalar> Support<'a, T> {
    /// An empty support that stores at most `column_memory` bytes of kernel columns.
    pub(super) fn new(rows: Rows<'a, T>, kernel: &'a dyn Kernel<T>, column_memory: u64) -> Self {
        Support {
            members: Vec::new(),
            rows,
            kernel,
            gram: Gram::default(),
            factor: Factor::default(),
            values: Vec::new(),
            columns: Some(Vec::new()),
            column_memory,
        }
    }

    /// Adds a row, unless it is numerically dependent on the others.
    pub(super) fn join(&mut self, row: usize, observer: &mut dyn Observer) -> Result<bool> {
        // With `evaluate`, as for the weights of any other method: values of a column may differ in the last digit.
        let similarity = |other: &usize| self.kernel.evaluate(self.rows.row(row), self.rows.row(*other));
        let similarities: Vec<f64> = self.members.iter().map(similarity).collect();
        let diagonal = similarity(&row);
        let reduced = self.factor.reduce(&similarities);
        let schur = schur(&reduced, diagonal);
        if schur <= DEPENDENT * diagonal {
            return Ok(false);
        }
        self.make_room(observer)?;
        if let Some(columns) = &mut self.columns {
            columns.push(whole_column(self.kernel, self.rows, self.rows.row(row)));
        }
        self.factor.push(&reduced, schur);
        self.gram.push(&similarities, diagonal);
        self.values.extend_from_slice(self.rows.row(row));
        self.members.push(row);
        Ok(true)
    }

    /// Removes the member at `position`.
    pub(super) fn leave(&mut self, position: usize) {
        let n_columns = self.rows.n_columns();
        self.members.remove(position);
        self.values.drain(position * n_columns..(position + 1) * n_columns);
        self.gram.remove(position);
        self.factor.remove(position);
        if let Some(columns) = &mut self.columns {
            columns.remove(position);
        }
    }

    /// The similarities of a source row to the members.
    pub(super) fn similarities(&self, row: usize) -> Vec<f64> {
        match &self.columns {
            Some(columns) => columns.iter().map(|column| column[row]).collect(),
            None => {
                let mut similarities = vec![0.0; self.members.len()];
                let members = Rows::new(&self.values, self.rows.n_columns());
                column(self.kernel, members, self.rows.row(row), &mut similarities);
                similarities
            }
        }
    }

    /// The optimal weights w ≥ 0 for these means.
    pub(super) fn nonnegative(&self, means: &[f64]) -> Vec<f64> {
        ActiveSet::new(Constraint::Nonnegative).maximise(&self.gram, means).weights
    }

    /// Solves K x = b on the members with one step of iterative refinement, which nearly singular systems need.
    pub(super) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        self.factor.solve(&mut x);
        let products = self.gram.times(&x);
        let mut residual: Vec<f64> = b.iter().zip(&products).map(|(b, product)| b - product).collect();
        self.factor.solve(&mut residual);
        x.iter_mut().zip(&residual).for_each(|(x, correction)| *x += correction);
        x
    }

    /// K[:, members] x and K[:, members] y, for all source rows.
    pub(super) fn products(&self, x: &[f64], y: &[f64]) -> Vec<[f64; 2]> {
        let mut sums = vec![[0.0; 2]; self.rows.n_rows()];
        parallel::map_chunks(&mut sums, BLOCK, |block, sums| {
            let range = block * BLOCK..block * BLOCK + sums.len();
            let mut values = vec![0.0; sums.len()];
            for position in 0..self.members.len() {
                let similarities = match &self.columns {
                    Some(columns) => &columns[position][range.clone()],
                    None => {
                        let member = self.rows.row(self.members[position]);
                        column(self.kernel, self.rows.slice(range.clone()), member, &mut values);
                        &values[..]
                    }
                };
                let (x, y) = (x[position], y[position]);
                for (sum, similarity) in sums.iter_mut().zip(similarities) {
                    sum[0] += similarity * x;
                    sum[1] += similarity * y;
                }
            }
        });
        sums
    }

    /// Stops storing the columns if one more would not fit.
    fn make_room(&mut self, observer: &mut dyn Observer) -> Result<()> {
        let needed = (self.members.len() as u64 + 1) * self.rows.n_rows() as u64 * size_of::<f64>() as u64;
        if self.columns.is_some() && needed > self.column_memory {
            self.columns = None;
            check_cancelled(observer.on_columns_dropped(self.members.len(), self.column_memory))?;
        }
        Ok(())
    }
}

/// The similarities of one row to all rows.
fn whole_column<T: Scalar>(kernel: &dyn Kernel<T>, rows: Rows<'_, T>, y: &[T]) -> Vec<f64> {
    let mut values = vec![0.0; rows.n_rows()];
    parallel::map_chunks(&mut values, BLOCK, |block, values| {
        column(kernel, rows.slice(block * BLOCK..block * BLOCK + values.len()), y, values);
    });
    values
}
