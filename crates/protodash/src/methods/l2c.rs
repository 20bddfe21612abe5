//! L2C, the greedy method of MMD-critic (Kim, Khanna and Koyejo, "Examples are not enough, learn to criticize!", 2016).

use rayon::prelude::*;

use crate::diagonal::checked_diagonal;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::kernel_mean::column::column;
use crate::rows::{Rows, Scalar};

/// Values that differ by less than this part of their terms are taken for equal.
const TIE: f64 = 1e-12;
/// Rows that are handed to a thread at once.
const BLOCK: usize = 1024;

/// Rows in the order in which each next one makes the objective with equal weights largest.
///
/// # Formula
///
/// ```text
/// J(L) = 1/|L| Σ_{i ∈ L} μᵢ − 1/(2|L|²) Σ_{i,j ∈ L} Kᵢⱼ
/// argmaxⱼ J(L ∪ {j}) = argmaxⱼ μⱼ − (Σ_{i ∈ L} Kᵢⱼ + ½Kⱼⱼ)/(|L| + 1)
/// ```
///
/// J is l(w) with w = 1/|L|, and 2J the published objective; taking μ from another data set is all it takes to choose
/// for that one. J may fall: a kernel mean that few rows approach well is not approached better by more. The authors'
/// code goes on to the number asked for, and so does this. Their code also inverts the Gram matrix of the chosen rows at
/// every step, without need, and fails on a row that comes twice; here such a row may be chosen twice, which is the only
/// way to give it twice the weight. Ties go to the first row. Each row costs one kernel column and O(n₂).
pub(crate) struct Order<'a, T, K: ?Sized> {
    rows: Rows<'a, T>,
    kernel: &'a K,
    kernel_mean: &'a [f64],
    diagonal: Vec<f64>,
    /// Σ Kᵢⱼ over the rows i that were chosen, but for the last.
    sums: Vec<f64>,
    chosen: Vec<usize>,
    is_candidate: Vec<bool>,
}

impl<'a, T: Scalar, K: Kernel<T> + ?Sized> Order<'a, T, K> {
    /// An order of those rows that are candidates, of which nothing is known yet.
    pub(crate) fn new(
        (rows, is_candidate): (Rows<'a, T>, Vec<bool>),
        kernel: &'a K,
        kernel_mean: &'a [f64],
    ) -> Result<Self> {
        let diagonal = checked_diagonal(kernel, rows)?;
        Ok(Order {
            rows,
            kernel,
            kernel_mean,
            sums: vec![0.0; diagonal.len()],
            is_candidate,
            chosen: Vec::new(),
            diagonal,
        })
    }

    /// Adds the kernel column of the row chosen last.
    fn catch_up(&mut self) {
        let Some(&last) = self.chosen.last() else { return };
        let (rows, kernel) = (self.rows, self.kernel);
        self.sums.par_chunks_mut(BLOCK).enumerate().for_each(|(block, sums)| {
            let first = block * BLOCK;
            let mut values = vec![0.0; sums.len()];
            column(kernel, rows.slice(first..first + sums.len()), rows.row(last), &mut values);
            sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value);
        });
    }
}

impl<T: Scalar, K: Kernel<T> + ?Sized> Iterator for Order<'_, T, K> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.catch_up();
        let size = (self.chosen.len() + 1) as f64;
        let value = |row: usize| self.kernel_mean[row] - (self.sums[row] + 0.5 * self.diagonal[row]) / size;
        let candidates = || (0..self.is_candidate.len()).filter(|row| self.is_candidate[*row]);
        let larger = |one: usize, other: usize| if value(other) > value(one) { other } else { one };
        let largest = candidates().reduce(larger)?;
        // What two rows are made of decides what is rounding between them, not how large some other row is.
        let terms = |row: usize| self.kernel_mean[row].abs() + (self.sums[row].abs() + self.diagonal[row]) / size;
        let is_equal = |row: &usize| value(*row) >= value(largest) - TIE * (terms(*row) + terms(largest));
        let best = candidates().find(is_equal)?;
        self.is_candidate[best] = false;
        self.chosen.push(best);
        Some(best)
    }
}
