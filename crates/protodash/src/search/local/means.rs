//! What a block knows of its rows' kernel means.
//!
//! In a race nearly all means are upper bounds, and the block does not keep them: gradients are computed from them, and a
//! bound follows from what the race remembers of the row. The exact means are kept apart. When columns are dropped or
//! computed again, gradients have to start from the means, which are then restored.

use std::borrow::Cow;
use std::collections::HashMap;

use super::LocalShard;
use super::basis_copy::BasisCopy;
use super::block::CandidateBlock;
use super::columns::ROWS_PER_PASS;
use super::panels::terms;
use crate::kernel_mean::ErrorBound;
use crate::parallel;
use crate::rows::Scalar;

/// Rows whose products with v are computed together, a multiple of the runs of every panel.
const ROWS_PER_PRODUCT: usize = 32;

/// The kernel means of a block's rows, with the shift.
pub(in crate::search) struct BlockMeans<'a> {
    /// All of them; empty in a race until they are restored. Copied when one is corrected.
    pub(super) values: Cow<'a, [f64]>,
    /// Error bound of means that have not been corrected.
    pub(in crate::search) error: ErrorBound,
    /// Which means are not exact; empty if all are, and in a race.
    pub(in crate::search) is_approximate: Vec<bool>,
    /// The largest absolute value of a mean.
    pub(in crate::search) largest: f64,
    /// Set in a race.
    pub(in crate::search) race: Option<RacedMeans>,
}

/// What is known in a race instead of the means.
#[derive(Default)]
pub(in crate::search) struct RacedMeans {
    /// How far the estimate of each row is below its upper bound, in units of `unit`.
    pub(in crate::search) slack: Vec<f32>,
    pub(in crate::search) unit: f64,
    /// The rows whose means are exact, in order, with their means.
    pub(in crate::search) exact: Vec<(usize, f64)>,
}

impl BlockMeans<'_> {
    /// Whether the mean of a row is not exact.
    pub(in crate::search) fn is_approximate(&self, row: usize) -> bool {
        match &self.race {
            Some(race) => race.position(row).is_err(),
            None => self.is_approximate.get(row).is_some_and(|is_approximate| *is_approximate),
        }
    }

    /// The mean of a row; infinite if it is an upper bound that is not kept.
    pub(in crate::search) fn get(&self, row: usize) -> f64 {
        match &self.race {
            Some(race) => match (race.position(row), self.values.get(row)) {
                (Ok(position), _) => race.exact[position].1,
                (Err(_), Some(mean)) => *mean,
                (Err(_), None) => f64::INFINITY,
            },
            None => self.values[row],
        }
    }
}

impl RacedMeans {
    /// The position of a row among the exact ones, or where it would be.
    fn position(&self, row: usize) -> Result<usize, usize> {
        self.exact.binary_search_by_key(&row, |(row, _)| *row)
    }
}

impl<T: Scalar> LocalShard<'_, T> {
    /// *Correct*: replaces the kernel mean of a row by the exact one.
    pub(in crate::search) fn correct_mean(&mut self, source_index: usize, mean: f64) {
        let row = source_index - self.data.first;
        let block = &mut self.blocks[row / self.data.rows_per_block];
        block.set_exact_mean(row % self.data.rows_per_block, mean, &self.basis);
    }

    /// Replaces all kernel means, given with the shift, which ends a race. With an error bound, they take the place of upper
    /// bounds only.
    pub(in crate::search) fn replace_means(&mut self, means: &[f64], error: Option<ErrorBound>) {
        let (basis, first) = (&self.basis, self.data.first);
        parallel::map_mut(&mut self.blocks, |block| {
            let start = block.first - first;
            let means = &means[start..start + block.len()];
            match error {
                None => block.set_exact_means(means, basis),
                Some(error) => block.set_rounded_means(means, error, basis),
            }
        });
        self.raced = Vec::new();
    }

    /// Computes the means that the gradients contain, before these are computed anew.
    pub(super) fn restore_means(&mut self) {
        let basis = &self.basis;
        parallel::map_mut(&mut self.blocks, |block| block.restore_means(basis));
    }
}

impl<T: Scalar> CandidateBlock<'_, T> {
    /// Replaces the mean of a row by the exact one.
    fn set_exact_mean(&mut self, row: usize, mean: f64, basis: &BasisCopy<T>) {
        match self.means.values.get(row) {
            Some(before) => {
                self.gradient[row] += mean - before;
                self.means.values.to_mut()[row] = mean;
            }
            None => self.gradient[row] = mean - self.product_with_coordinates(row, basis),
        }
        self.means.largest = self.means.largest.max(mean.abs());
        if let Some(is_approximate) = self.means.is_approximate.get_mut(row) {
            *is_approximate = false;
        }
        if let Some(race) = &mut self.means.race {
            match race.position(row) {
                Ok(position) => race.exact[position].1 = mean,
                Err(position) => race.exact.insert(position, (row, mean)),
            }
        }
    }

    /// Replaces all means by the exact ones.
    fn set_exact_means(&mut self, means: &[f64], basis: &BasisCopy<T>) {
        self.restore_means(basis);
        self.means.race = None;
        means.iter().enumerate().for_each(|(row, mean)| self.set_exact_mean(row, *mean, basis));
    }

    /// Replaces all means that are not exact by rounded ones, which ends a race.
    fn set_rounded_means(&mut self, means: &[f64], error: ErrorBound, basis: &BasisCopy<T>) {
        self.restore_means(basis);
        let exact = self.means.race.take().map_or_else(Vec::new, |race| race.exact);
        let exact: HashMap<usize, f64> = exact.into_iter().collect();
        self.means.largest = 0.0;
        for (row, mean) in means.iter().enumerate() {
            self.set_exact_mean(row, *exact.get(&row).unwrap_or(mean), basis);
        }
        self.means.is_approximate = (0..means.len()).map(|row| !exact.contains_key(&row)).collect();
        self.means.error = error;
    }

    /// Changes the upper bound of a row's mean by this much.
    pub(in crate::search) fn shift_mean(&mut self, row: usize, change: f64) {
        self.gradient[row] += change;
        if !self.means.values.is_empty() {
            self.means.values.to_mut()[row] += change;
        }
    }

    /// Computes the means that the gradients contain, if they are not kept.
    fn restore_means(&mut self, basis: &BasisCopy<T>) {
        let Some(race) = self.means.race.as_ref().filter(|_| self.means.values.is_empty()) else { return };
        let mut means = self.gradient.clone();
        let coordinates = terms(basis.coordinates().iter().map(|coordinate| -coordinate));
        for start in (0..means.len()).step_by(ROWS_PER_PASS) {
            let rows = start..means.len().min(start + ROWS_PER_PASS);
            self.columns.subtract(rows.clone(), &coordinates, &mut means[rows]);
        }
        race.exact.iter().for_each(|(row, mean)| means[*row] = *mean);
        self.means.values = Cow::Owned(means);
    }

    /// cⱼᵀv.
    fn product_with_coordinates(&self, row: usize, basis: &BasisCopy<T>) -> f64 {
        let start = row / ROWS_PER_PRODUCT * ROWS_PER_PRODUCT;
        let rows = start..self.len().min(start + ROWS_PER_PRODUCT);
        let mut products = [0.0; ROWS_PER_PRODUCT];
        let coordinates = terms(basis.coordinates().iter().map(|coordinate| -coordinate));
        self.columns.subtract(rows.clone(), &coordinates, &mut products[..rows.len()]);
        products[row - start]
    }
}
