//! The target's energy ‖μ‖², which turns an objective into MMD² and `explained`.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel_mean::{
    ErrorBound, LandmarkFeatures, Precision, Target, energy_of, mean_in, mean_over_target, zero_if_cancelled,
};
use crate::observe::{Observer, Stage};
use crate::params::TargetEnergy;
use crate::rows::{Rows, Scalar, product};
use crate::selection::Energy;

/// Standard errors from an estimated energy to its upper confidence bound: about the confidence of a race, if normal.
const STANDARD_ERRORS: f64 = 5.0;

impl Energy {
    /// The least share of the best possible objective that this one is, if the prototypes have non-negative weights; `None` if it
    /// is unknown.
    ///
    /// It is [`explained`](Self::explained) if ‖μ‖² is exact. If it is estimated, its upper confidence bound is used instead: five
    /// standard errors above the estimate.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, select};
    ///
    /// let rows = array![[0.0], [100.0]];
    /// let mut energy = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(1))?.target_energy.unwrap();
    /// assert_eq!(energy.certified(0.125), Some(0.5)); // ‖μ‖² = 1/2
    /// energy.standard_error = Some(0.1);
    /// assert_eq!(energy.certified(0.125), Some(0.25));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn certified(&self, objective: f64) -> Option<f64> {
        let value = self.value + STANDARD_ERRORS * self.standard_error.unwrap_or(0.0);
        Energy { value, ..*self }.explained(objective).filter(|_| self.explained(objective).is_some())
    }
}

/// ‖μ‖², computed as requested, or from `own_means`, the kernel mean of the target's own rows, if given.
pub(crate) fn target_energy<T: Scalar>(
    target: Target<'_, T>,
    own_means: Option<&[f64]>,
    kernel: &dyn Kernel<T>,
    asked: (TargetEnergy, Precision),
    observer: &mut dyn Observer,
) -> Result<Option<Energy>> {
    let own_means = own_means.map(|means| (means, ErrorBound::default()));
    Ok(bounded_energy(target, own_means, kernel, asked, observer)?.0)
}

/// The energy with the error bound of the kernel means that it is the mean of.
pub(crate) fn bounded_energy<T: Scalar>(
    target: Target<'_, T>,
    own_means: Option<(&[f64], ErrorBound)>,
    kernel: &dyn Kernel<T>,
    (asked, precision): (TargetEnergy, Precision),
    observer: &mut dyn Observer,
) -> Result<(Option<Energy>, ErrorBound)> {
    let exact = |value: f64| Energy { value, standard_error: None };
    let (energy, error) = match (own_means, asked) {
        (Some((means, error)), _) => (exact(energy_of(target, means)), error),
        (None, TargetEnergy::Skip) => return Ok((None, ErrorBound::default())),
        // A sample as large as the target is no cheaper than the target.
        (None, TargetEnergy::Sample { n_rows, .. }) if n_rows >= target.rows.n_rows() => {
            return bounded_energy(target, None, kernel, (TargetEnergy::Exact, precision), observer);
        }
        (None, TargetEnergy::Exact) => {
            let watch = (Stage::TargetEnergy, observer);
            let (means, error) = mean_in(precision, target, target.rows, kernel, watch)?;
            (exact(energy_of(target, &zero_if_cancelled(means, target, target.rows, kernel))), error)
        }
        (None, TargetEnergy::Sample { n_rows, seed }) => {
            (estimate(target, kernel, (n_rows, seed), None, observer)?, ErrorBound::default())
        }
    };
    Ok((Some(finite(energy)?), error))
}

/// ‖μ‖² without the kernel mean of the target: the part along the landmarks' features exactly, the rest from a sample.
///
/// # Formula
///
/// ```text
/// ‖μ‖² = ψ̄ᵀψ̄ + Σᵢᵢ′ pᵢ pᵢ′ (k(xᵢ, xᵢ′) − ψ(xᵢ)ᵀψ(xᵢ′))
/// ```
///
/// The second term is estimated, with a standard error that is far smaller than that of the whole. Exact if the target has no
/// more rows than the sample.
pub(crate) fn energy_from_features<T: Scalar>(
    target: Target<'_, T>,
    kernel: &dyn Kernel<T>,
    (n_rows, seed): (usize, u64),
    features: (&LandmarkFeatures<T>, &[f64]),
    observer: &mut dyn Observer,
) -> Result<Energy> {
    if n_rows >= target.rows.n_rows() {
        let asked = (TargetEnergy::Exact, Precision::Double);
        let exact = target_energy(target, None, kernel, asked, observer)?;
        return Ok(exact.unwrap_or(Energy { value: 0.0, standard_error: None }));
    }
    finite(estimate(target, kernel, (n_rows, seed), Some(features), observer)?)
}

/// The energy, unless it is not finite.
fn finite(energy: Energy) -> Result<Energy> {
    if energy.value.is_finite() {
        return Ok(energy);
    }
    Err(Error::KernelNotFinite { role: Role::Target, row: 0, value: energy.value.to_string() })
}

/// An unbiased estimate from a weighted random sample with replacement.
///
/// # Formula
///
/// ```text
/// h̄ = 1/(r(r − 1)) Σ_{a≠b} k(x_a, x_b)        standard error = 2 √(Var hₐ / r),  hₐ = 1/(r − 1) Σ_{b≠a} k(x_a, x_b)
/// ```
///
/// Different draws are independent, so each term has the expectation Σᵢᵢ′ pᵢpᵢ′k(xᵢ, xᵢ′) = ‖μ‖². The standard error
/// is that of a U-statistic of order 2, from its projections hₐ.
fn estimate<T: Scalar>(
    target: Target<'_, T>,
    kernel: &dyn Kernel<T>,
    (n_rows, seed): (usize, u64),
    features: Option<(&LandmarkFeatures<T>, &[f64])>,
    observer: &mut dyn Observer,
) -> Result<Energy> {
    let drawn = draw(target, n_rows, seed);
    let values: Vec<T> = drawn.iter().flat_map(|&row| target.rows.row(row)).copied().collect();
    let sample = Target { rows: Rows::new(&values, target.rows.n_columns()), weights: None };
    let means = mean_over_target(sample, sample.rows, kernel, (Stage::TargetEnergy, observer))?;
    let others = (n_rows - 1) as f64;
    let projections = sample.rows.iter().zip(&means);
    let mut projections: Vec<f64> =
        projections.map(|(row, mean)| (mean * n_rows as f64 - kernel.evaluate(row, row)) / others).collect();
    let mut known = 0.0;
    if let Some((features, mean)) = features {
        known = product(mean, mean);
        let of_rows = features.map(kernel, sample.rows, |_, features| features.to_vec());
        let total = |at: usize| of_rows.iter().map(|features| features[at]).sum::<f64>();
        let total: Vec<f64> = (0..features.n_features()).map(total).collect();
        for (projection, features) in projections.iter_mut().zip(&of_rows) {
            *projection -= (product(&features[..], &total) - product(&features[..], features)) / others;
        }
    }
    let value = projections.iter().sum::<f64>() / n_rows as f64;
    let variance = projections.iter().map(|projection| (projection - value).powi(2)).sum::<f64>() / others;
    Ok(Energy { value: known + value, standard_error: Some(2.0 * (variance / n_rows as f64).sqrt()) })
}

/// Target rows drawn with replacement, in proportion to their weights.
pub(crate) fn draw<T>(target: Target<'_, T>, n_rows: usize, seed: u64) -> Vec<usize> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let n_target = target.rows.n_rows();
    let Some(weights) = target.weights else {
        return (0..n_rows).map(|_| generator.random_range(0..n_target)).collect();
    };
    let cumulative: Vec<f64> = weights
        .iter()
        .scan(0.0, |total, weight| {
            *total += weight;
            Some(*total)
        })
        .collect();
    // The total is 1 up to rounding; drawing below the computed total always hits a row.
    let total = cumulative[n_target - 1];
    let below = |point: f64| cumulative.partition_point(|sum| *sum <= point).min(n_target - 1);
    (0..n_rows).map(|_| below(generator.random_range(0.0..1.0) * total)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Gaussian;
    use crate::observe::Unobserved;

    fn energy(weights: Option<&[f64]>, asked: TargetEnergy) -> Energy {
        let values: Vec<f64> = (0..300).map(|i| (f64::from(i) * 0.7).sin() * 2.0).collect();
        let target = Target { rows: Rows::new(&values, 1), weights };
        let kernel = Gaussian::new(0.8).unwrap();
        target_energy(target, None, &kernel, (asked, Precision::Double), &mut Unobserved).unwrap().unwrap()
    }

    #[test]
    fn an_estimate_is_within_its_standard_error_of_the_exact_value() {
        let weights: Vec<f64> = (1..=300).map(|i| f64::from(i) / 45150.0).collect();
        for weights in [None, Some(&weights[..])] {
            let exact = energy(weights, TargetEnergy::Exact);
            // Over 40 seeds the mean error must be small and about two thirds of the errors below one standard error.
            let mut within = 0;
            let mut bias = 0.0;
            for seed in 0..40 {
                let estimate = energy(weights, TargetEnergy::Sample { n_rows: 120, seed });
                let error = estimate.value - exact.value;
                bias += error / 40.0;
                within += usize::from(error.abs() < estimate.standard_error.unwrap());
            }
            assert!((18..=36).contains(&within), "{within} of 40");
            assert!(bias.abs() < 0.01, "{bias}");
        }
    }

    #[test]
    fn rows_without_weight_are_never_drawn() {
        let weights = [0.0, 0.5, 0.0, 0.5, 0.0];
        let target = Target { rows: Rows::new(&[0.0; 5], 1), weights: Some(&weights) };
        assert!(draw(target, 200, 3).iter().all(|row| [1, 3].contains(row)));
    }
}
