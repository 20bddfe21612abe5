//! Kernel means computed in f32 or known only by upper bounds, and how to compute some or all of them again.

use std::ops::Range;

use super::block::{Blocks, ErrorBound};
use super::fused::FewRows;
use super::racing::Race;
use super::{Precision, Target, column, mean_in};
use crate::error::Result;
use crate::kernel::{Kernel, loop_formula};
use crate::observe::{Observer, Stage};
use crate::parallel;
use crate::rows::{Rows, Scalar};

/// Target rows per task. The last bits of results depend on it.
const ROWS_PER_TASK: usize = 2048;
/// Target rows per chunk: few enough to stay in cache while every row is compared with them.
const ROWS_AT_A_TIME: usize = 64;

/// Kernel means that are not exact.
#[derive(Clone, Copy)]
pub(crate) struct ApproximateMeans<'a, T: Scalar> {
    pub(crate) target: Target<'a, T>,
    /// True if the target is the source.
    pub(crate) is_source: bool,
    /// Error bound of means that were computed in f32.
    pub(crate) error: ErrorBound,
    /// Set if the means are upper bounds from a part of the target; `error` is then 0.
    pub(crate) race: Option<&'a Race<'a, T>>,
}

impl<T: Scalar> ApproximateMeans<'_, T> {
    /// Kernel means of some rows in f64, with distances from differences.
    pub(crate) fn means_of(&self, kernel: &dyn Kernel<T>, rows: &[&[T]]) -> Vec<f64> {
        let tasks = Blocks { n_rows: self.target.rows.n_rows(), size: ROWS_PER_TASK };
        let few = loop_formula(kernel).and_then(|formula| FewRows::new(formula, rows));
        let partial = |task: usize| {
            let task = tasks.get(task);
            match &few {
                Some(few) => {
                    let weights = self.target.weights.map(|weights| &weights[task.clone()]);
                    few.sums(self.target.rows.slice(task), weights)
                }
                None => self.evaluated_sums(kernel, rows, task),
            }
        };
        let partials = parallel::map(0..tasks.len(), partial);
        let total = |position: usize| partials.iter().map(|partial: &Vec<f64>| partial[position]).sum();
        (0..rows.len()).map(|position| self.mean_of_sum(total(position))).collect()
    }

    /// Σᵢ pᵢ k(xᵢ, y) over some target rows, for each of these rows y and any kernel.
    fn evaluated_sums(&self, kernel: &dyn Kernel<T>, rows: &[&[T]], task: Range<usize>) -> Vec<f64> {
        let mut sums = vec![0.0; rows.len()];
        let mut values = [0.0; ROWS_AT_A_TIME];
        for start in task.clone().step_by(ROWS_AT_A_TIME) {
            let range = start..task.end.min(start + ROWS_AT_A_TIME);
            let values = &mut values[..range.len()];
            for (row, sum) in rows.iter().zip(&mut sums) {
                column(kernel, self.target.rows.slice(range.clone()), row, values);
                *sum += self.weighted_sum(range.clone(), values);
            }
        }
        sums
    }

    /// Kernel means of all source rows, with a bound on their error.
    pub(crate) fn all_means(
        &self,
        precision: Precision,
        kernel: &dyn Kernel<T>,
        source: Rows<'_, T>,
        observer: &mut dyn Observer,
    ) -> Result<(Vec<f64>, ErrorBound)> {
        mean_in(precision, self.target, source, kernel, (Stage::KernelMean, observer))
    }

    /// Σᵢ pᵢ vᵢ over some target rows; p is 1 where there are no weights.
    pub(crate) fn weighted_sum(&self, rows: Range<usize>, values: &[f64]) -> f64 {
        match self.target.weights {
            None => values.iter().sum(),
            Some(weights) => weights[rows].iter().zip(values).map(|(weight, value)| weight * value).sum(),
        }
    }

    /// The mean, given the sum over the whole target.
    pub(crate) fn mean_of_sum(&self, sum: f64) -> f64 {
        if self.target.weights.is_some() { sum } else { sum / self.target.rows.n_rows() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Gaussian, Laplacian};
    use crate::observe::Unobserved;

    #[test]
    fn means_of_some_rows_agree_with_the_means_of_all() {
        let value = |i: u32| (f64::from(i * i % 1009) * 0.7).sin() as f32;
        let (target, source): (Vec<f32>, Vec<f32>) = ((0..9300).map(value).collect(), (7..157).map(value).collect());
        let (target, source) = (Rows::new(&target, 3), Rows::new(&source, 3));
        let weights: Vec<f64> = (0..3100).map(|i| f64::from(i % 7) / 9299.0).collect();
        let kernels: [Box<dyn Kernel<f32> + Send>; 2] =
            [Box::new(Gaussian::new(0.5).unwrap()), Box::new(Laplacian::new(0.5).unwrap())];
        for kernel in kernels {
            for weights in [None, Some(&weights[..])] {
                let target = Target { rows: target, weights };
                let means = ApproximateMeans { target, is_source: false, error: ErrorBound::default(), race: None };
                let all = means.all_means(Precision::Double, &kernel, source, &mut Unobserved).unwrap().0;
                let rows: Vec<&[f32]> = (0..11).map(|row| source.row(row)).collect();
                let fused = means.means_of(&kernel, &rows);
                let evaluated = means.evaluated_sums(&kernel, &rows, 0..3100);
                for (row, (fused, sum)) in fused.iter().zip(evaluated).enumerate() {
                    let mean = means.mean_of_sum(sum);
                    assert!((fused - mean).abs() <= 1e-13 * mean, "{fused} {mean}");
                    assert_eq!(means.means_of(&kernel, &rows[row..=row])[0].to_bits(), fused.to_bits());
                }
                let few = means.means_of(&kernel, &[source.row(3), source.row(40), source.row(3)]);
                for (few, all) in few.iter().zip([all[3], all[40], all[3]]) {
                    assert!((few - all).abs() <= 1e-13 * all, "{few} {all}");
                }
            }
        }
    }
}
