//! Errors of predictions with intervals: how much would they differ for other customers?

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::interval::Estimate;

/// How often the customers are drawn again.
const RESAMPLES: usize = 1000;
/// The 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// Which customers each resample has.
#[derive(Debug)]
pub(super) struct Bootstrap {
    resamples: Vec<Vec<usize>>,
    n_customers: usize,
}

impl Bootstrap {
    /// Draws from so many customers, as often as there are.
    pub(super) fn new(n_customers: usize, seed: u64) -> Bootstrap {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = |_| (0..n_customers).map(|_| generator.random_range(0..n_customers as u64) as usize).collect();
        Bootstrap { resamples: (0..RESAMPLES).map(&mut draw).collect(), n_customers }
    }

    /// The root of the mean squared error, averaged over trainings, with the interval over resamples.
    ///
    /// # Formula
    ///
    /// ```text
    /// half width = 1.96 · standard deviation of the value over 1,000 resamples of the customers
    /// ```
    pub(super) fn root_mean_square(&self, trainings: &[&[f64]]) -> Option<Estimate> {
        self.estimate(trainings, |rows| average(trainings, rows))
    }

    /// The difference of two such errors, the first less the second, for the same customers.
    pub(super) fn difference(&self, one: &[&[f64]], other: &[&[f64]]) -> Option<Estimate> {
        let both = [one, other].concat();
        if one.is_empty() || other.is_empty() {
            return None;
        }
        self.estimate(&both, |rows| average(one, rows) - average(other, rows))
    }

    fn estimate(&self, trainings: &[&[f64]], value: impl Fn(&[usize]) -> f64) -> Option<Estimate> {
        let fits = |errors: &&[f64]| errors.len() == self.n_customers;
        if trainings.is_empty() || self.n_customers == 0 || !trainings.iter().all(fits) {
            return None;
        }
        let all: Vec<usize> = (0..self.n_customers).collect();
        let values: Vec<f64> = self.resamples.iter().map(|rows| value(rows)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64;
        Some(Estimate { mean: value(&all), half_width: Some(NORMAL * variance.sqrt()), n: self.n_customers })
    }
}

/// The root of the mean square of each training's errors on these customers, averaged.
fn average(trainings: &[&[f64]], rows: &[usize]) -> f64 {
    let root = |errors: &&[f64]| (rows.iter().map(|row| errors[*row].powi(2)).sum::<f64>() / rows.len() as f64).sqrt();
    trainings.iter().map(root).sum::<f64>() / trainings.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_are_all_alike_have_no_interval() {
        let bootstrap = Bootstrap::new(4, 0);
        let found = bootstrap.root_mean_square(&[&[3.0, -3.0, 3.0, -3.0], &[1.0; 4]]).unwrap();
        assert_eq!((found.mean, found.half_width, found.n), (2.0, Some(0.0), 4));
    }

    #[test]
    fn the_interval_is_that_of_the_formula_for_many_customers() {
        // Squares are 0 or 4, half of each: mean 2, standard error 2/√1000; the root has 1/(2√2) of it.
        let errors: Vec<f64> = (0..1000).map(|row| if row % 2 == 0 { 0.0 } else { 2.0 }).collect();
        let found = Bootstrap::new(1000, 1).root_mean_square(&[&errors]).unwrap();
        let expected = 1.96 * 2.0 / 1000_f64.sqrt() / (2.0 * 2_f64.sqrt());
        assert!((found.mean - 2_f64.sqrt()).abs() < 1e-12);
        assert!((found.half_width.unwrap() / expected - 1.0).abs() < 0.1, "{found:?} {expected}");
    }

    #[test]
    fn differences_are_for_the_same_customers() {
        let (one, other) = ([1.0, 5.0, 2.0, 8.0], [2.0, 10.0, 4.0, 16.0]);
        let bootstrap = Bootstrap::new(4, 2);
        let difference = bootstrap.difference(&[&one], &[&other]).unwrap();
        let single = bootstrap.root_mean_square(&[&one]).unwrap();
        assert!((difference.mean + single.mean).abs() < 1e-12);
        assert!((difference.half_width.unwrap() - single.half_width.unwrap()).abs() < 1e-12);
        assert_eq!(bootstrap.difference(&[&one], &[]), None);
        assert_eq!(bootstrap.root_mean_square(&[&one[..3]]), None);
    }
}
