//! Prediction errors with bootstrap intervals over customers and draws of RandomW.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::interval::{Estimate, NORMAL};

/// Number of bootstrap resamples.
const RESAMPLES: u64 = 1000;

/// Bootstrap resamples of the customers.
#[derive(Debug)]
pub(super) struct Bootstrap {
    resamples: Vec<Resample>,
    n_customers: usize,
}

/// Customers sampled with replacement, and the generator that resamples the trainings.
#[derive(Debug)]
struct Resample {
    customers: Vec<usize>,
    generator: ChaCha8Rng,
}

impl Bootstrap {
    /// Resamples `n_customers` customers.
    pub(super) fn new(n_customers: usize, seed: u64) -> Bootstrap {
        let resample = |number| {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            generator.set_stream(number);
            Resample { customers: drawn(n_customers, &mut generator), generator }
        };
        Bootstrap { resamples: (0..RESAMPLES).map(resample).collect(), n_customers }
    }

    /// RMSE averaged over trainings, with its bootstrap interval.
    ///
    /// # Formula
    ///
    /// ```text
    /// half width = 1.96 · standard deviation of the value over 1,000 resamples of the customers and the trainings
    /// ```
    pub(super) fn root_mean_square(&self, trainings: &[&[f64]]) -> Option<Estimate> {
        self.estimate([trainings, &[]], |[value, _]| value)
    }

    /// RMSE of `one` minus RMSE of `other`, paired by customer.
    pub(super) fn difference(&self, one: &[&[f64]], other: &[&[f64]]) -> Option<Estimate> {
        if other.is_empty() {
            return None;
        }
        self.estimate([one, other], |[one, other]| one - other)
    }

    fn estimate(&self, sides: [&[&[f64]]; 2], value: impl Fn([f64; 2]) -> f64) -> Option<Estimate> {
        let fits = |errors: &&[f64]| errors.len() == self.n_customers;
        if sides[0].is_empty() || self.n_customers == 0 || !sides.concat().iter().all(fits) {
            return None;
        }
        let of_resample = |Resample { customers, generator }: &Resample| {
            let mut generator = generator.clone();
            value(sides.map(|trainings| average(trainings, &drawn(trainings.len(), &mut generator), customers)))
        };
        let values: Vec<f64> = self.resamples.iter().map(of_resample).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64;
        let all = |number: usize| (0..number).collect::<Vec<usize>>();
        let whole = value(sides.map(|trainings| average(trainings, &all(trainings.len()), &all(self.n_customers))));
        Some(Estimate { mean: whole, half_width: Some(NORMAL * variance.sqrt()), n: self.n_customers })
    }
}

/// A sample with replacement of all indices below `number`.
fn drawn(number: usize, generator: &mut ChaCha8Rng) -> Vec<usize> {
    (0..number).map(|_| generator.random_range(0..number as u64) as usize).collect()
}

/// RMSE on these customers, averaged over the chosen trainings; 0 without trainings.
fn average(trainings: &[&[f64]], chosen: &[usize], customers: &[usize]) -> f64 {
    let root = |errors: &[f64]| {
        (customers.iter().map(|row| errors[*row].powi(2)).sum::<f64>() / customers.len() as f64).sqrt()
    };
    chosen.iter().map(|place| root(trainings[*place])).sum::<f64>() / chosen.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_errors_have_an_interval_of_width_zero() {
        let found = Bootstrap::new(4, 0).root_mean_square(&[&[3.0, -3.0, 3.0, -3.0]]).unwrap();
        assert_eq!((found.mean, found.half_width, found.n), (3.0, Some(0.0), 4));
    }

    #[test]
    fn draws_that_differ_have_the_interval_of_their_average() {
        // The mean of two draws from {1, 3} is 1, 2 or 3 with probability ¼, ½ and ¼: standard deviation √½.
        let found = Bootstrap::new(4, 0).root_mean_square(&[&[3.0, -3.0, 3.0, -3.0], &[1.0; 4]]).unwrap();
        assert_eq!(found.mean, 2.0);
        assert!((found.half_width.unwrap() / (1.96 * 0.5_f64.sqrt()) - 1.0).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn for_many_customers_the_interval_matches_the_formula() {
        // Half of the squares are 0, half 4: mean 2, standard error 2/√1000, times 1/(2√2) for the square root.
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
