//! L2C, the greedy method of MMD-critic (Kim, Khanna and Koyejo, "Examples are not enough, learn to criticize!", 2016).

use super::lazy::first_of_equals;
use crate::diagonal::checked_diagonal;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::kernel_mean::column::add_column;
use crate::rows::{Rows, Scalar};

/// Rows in greedy order: each next one maximises the objective with equal weights.
///
/// # Formula
///
/// ```text
/// J(L) = 1/|L| Σ_{i ∈ L} μᵢ − 1/(2|L|²) Σ_{i,j ∈ L} Kᵢⱼ
/// argmaxⱼ J(L ∪ {j}) = argmaxⱼ μⱼ − (Σ_{i ∈ L} Kᵢⱼ + ½Kⱼⱼ)/(|L| + 1)
/// ```
///
/// J is l(w) with w = 1/|L|, and 2J the published objective; with μ from another data set the rows represent that one. J
/// may fall, since a few rows can match the kernel mean better than more rows. The authors' code continues to the
/// requested number, and so does this. Their code also inverts the Gram matrix of the chosen rows at every step,
/// needlessly, and fails on a row that occurs twice; here such a row may be chosen twice, which is the only way to give
/// it twice the weight. Ties go to the first row. Each row costs one kernel column and O(n₂).
pub(crate) struct L2cOrder<'a, T: Scalar> {
    rows: Rows<'a, T>,
    kernel: &'a dyn Kernel<T>,
    kernel_mean: &'a [f64],
    diagonal: Vec<f64>,
    /// Σ_{i ∈ L} Kᵢⱼ of every row j, where L lacks the row chosen last.
    sums: Vec<f64>,
    /// L.
    chosen: Vec<usize>,
    /// The rows of the start that have not been returned, last first.
    start: Vec<usize>,
    is_candidate: Vec<bool>,
}

impl<T: Scalar> Iterator for L2cOrder<'_, T> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.add_last_column();
        let best = match self.start.pop() {
            Some(first) => first,
            None => self.largest_objective()?, // j₀ = argmaxⱼ J(L ∪ {j})
        };
        self.is_candidate[best] = false;
        self.chosen.push(best); // L = L ∪ {j₀}
        Some(best)
    }
}

impl<'a, T: Scalar> L2cOrder<'a, T> {
    /// An order of the rows that are candidates.
    pub(crate) fn new(
        rows: Rows<'a, T>,
        is_candidate: Vec<bool>,
        kernel: &'a dyn Kernel<T>,
        kernel_mean: &'a [f64],
    ) -> Result<Self> {
        let diagonal = checked_diagonal(kernel, rows)?;
        let sums = vec![0.0; diagonal.len()];
        Ok(L2cOrder { rows, kernel, kernel_mean, diagonal, sums, chosen: Vec::new(), start: Vec::new(), is_candidate })
    }

    /// Makes these rows the first, in this order.
    pub(crate) fn start_with(&mut self, rows: &[usize]) {
        self.start = rows.iter().rev().copied().collect();
    }

    /// Adds the kernel column of the row chosen last to the sums; deferred until they are needed.
    fn add_last_column(&mut self) {
        if let Some(&last) = self.chosen.last() {
            add_column(self.kernel, self.rows, self.rows.row(last), &mut self.sums);
        }
    }

    /// The candidate j with the largest J(L ∪ {j}).
    fn largest_objective(&self) -> Option<usize> {
        let size = (self.chosen.len() + 1) as f64;
        let value = |row: usize| self.kernel_mean[row] - (self.sums[row] + 0.5 * self.diagonal[row]) / size;
        let terms = |row: usize| self.kernel_mean[row].abs() + (self.sums[row].abs() + self.diagonal[row]) / size;
        first_of_equals(|| (0..self.is_candidate.len()).filter(|row| self.is_candidate[*row]), value, terms)
    }
}
