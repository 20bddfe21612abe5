//! MMD² where it is far smaller than its terms, and bounds on the errors of what a selection reports.
//!
//! MMD² = ‖μ‖² − 2 l(w) is a difference. Under Σw = 1 its terms depend on the origin and it does not: rows far from the origin,
//! or a mean near it, leave no significant digits.

use crate::centred::has_small_values;
use crate::kernel::{BuiltInKernel, Kernel};
use crate::kernel_mean::Target;
use crate::params::{Method, Params, Weights};
use crate::rows::{Rows, Scalar, length};
use crate::selection::{Energy, Path};

/// Rounding error of an objective, as a fraction of the size of its terms.
const ROUNDING: f64 = 1e-14;

/// Errors below this fraction of ‖μ‖² leave the digits that are shown.
const CANCELLED: f64 = 1e-9;

/// A share explained is unknown if its error may exceed this fraction of it, or of 1.
const UNKNOWN: f64 = 1e-2;

/// Bounds on the errors of a selection's figures that are larger than the last digits of f64: from f32, and from terms that
/// cancel. Standard errors of estimates are separate.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, select};
///
/// let rows = array![[0.0_f32], [0.3], [5.0]];
/// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(2))?;
/// let bounds = selection.error_bounds;
/// assert_eq!(bounds.objective, 0.0); // as in f64
/// assert!(bounds.target_energy > 0.0 && bounds.target_energy < 1e-5);
/// assert_eq!(bounds.mmd2(), bounds.target_energy);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FigureErrors {
    /// Of the objective at every size; 0 unless large terms cancel.
    pub objective: f64,
    /// Of ‖μ‖²; 0 if it was computed in f64.
    pub target_energy: f64,
}

impl FigureErrors {
    /// Of MMD².
    ///
    /// # Examples
    ///
    /// ```
    /// let bounds = protodash::FigureErrors { objective: 0.25, target_energy: 0.5 };
    /// assert_eq!(bounds.mmd2(), 1.0); // 0.5 + 2 · 0.25
    /// ```
    pub fn mmd2(&self) -> f64 {
        self.target_energy + 2.0 * self.objective
    }

    /// Of the share explained, given that share and ‖μ‖².
    ///
    /// # Examples
    ///
    /// ```
    /// let bounds = protodash::FigureErrors { objective: 0.25, target_energy: 1.0 };
    /// assert_eq!(bounds.explained(0.5, 2.0), 1.0); // (2 · 0.25 + 0.5 · 1) / (2 − 1)
    /// ```
    pub fn explained(&self, explained: f64, energy: f64) -> f64 {
        let least = (energy - self.target_energy).max(0.0);
        let error = 2.0 * self.objective + explained.abs() * self.target_energy;
        if error == 0.0 { 0.0 } else { error / least }
    }

    /// Whether a share explained is nothing but what is left of terms that cancel: then it is unknown.
    ///
    /// # Examples
    ///
    /// ```
    /// let bounds = protodash::FigureErrors { objective: 1e-14, target_energy: 0.0 };
    /// assert!(bounds.swamp(0.5, 1e-13) && !bounds.swamp(0.5, 1.0));
    /// ```
    pub fn swamp(&self, explained: f64, energy: f64) -> bool {
        let error = if self.objective > 0.0 { self.mmd2() } else { 0.0 };
        error > UNKNOWN * energy * explained.abs().max(1.0)
    }
}

/// The target's energy with what its comparison to a path takes.
pub(crate) struct TargetFigures {
    pub(crate) energy: Option<Energy>,
    /// MMD² at every size, where it is not computed as a difference; else empty.
    pub(crate) mmd2: Vec<f64>,
    /// Error bounds at every size.
    pub(crate) errors: Vec<FigureErrors>,
    /// Error bounds without prototypes.
    pub(crate) error_of_none: FigureErrors,
}

impl TargetFigures {
    /// The figures of a path, given the energy and its error bound; replaces objectives that are more exact as ½(‖μ‖² − MMD²).
    pub(crate) fn of<T: Scalar>(
        path: &mut Path,
        (target, source): (Target<'_, T>, Rows<'_, T>),
        kernel: &dyn Kernel<T>,
        params: &Params,
        (energy, energy_error): (Option<Energy>, f64),
    ) -> Self {
        let error_of_none = FigureErrors { objective: 0.0, target_energy: energy_error };
        let errors = vec![error_of_none; path.source_indices.len()];
        let figures = TargetFigures { energy, mmd2: Vec::new(), errors, error_of_none };
        if !sums_to_one(params) || path.source_indices.is_empty() || has_small_values(kernel) {
            return figures;
        }
        if !matches!(kernel.built_in(), Some(BuiltInKernel::Linear(_))) {
            let value = energy.map_or(0.0, |energy| energy.value);
            let matters = |error: &FigureErrors| error.mmd2() > CANCELLED * value;
            let cancelled = cancelled(path, (target, source), kernel).into_iter();
            let errors = cancelled.map(|error| if matters(&error) { error } else { error_of_none }).collect();
            return TargetFigures { errors, ..figures };
        }
        let LinearFigures { length, mmd2, terms } = linear(path, target, source);
        // A mean that is only rounding has been set to 0.
        let is_zero = energy.is_some_and(|energy| energy.value == 0.0);
        let length = if is_zero { 0.0 } else { length };
        for ((objective, mmd2), terms) in path.objective.iter_mut().zip(&mmd2).zip(terms) {
            if CANCELLED * terms > length + mmd2 {
                *objective = 0.5 * (length - mmd2);
            }
        }
        let energy = energy.map(|energy| if is_zero { energy } else { Energy { value: length, standard_error: None } });
        TargetFigures { energy, mmd2, ..figures }
    }
}

/// Whether the rule makes the weights sum to 1.
fn sums_to_one(params: &Params) -> bool {
    match params.weights {
        Weights::Convex | Weights::Equal | Weights::Shares => true,
        Weights::Own => matches!(params.method, Method::L2c | Method::KMedoids | Method::KMeans),
        Weights::Nonnegative => false,
    }
}

/// Error bounds of the objective at every size and of ‖μ‖², from the size of their terms: (Σⱼ wⱼ √Kⱼⱼ)² and the same of the
/// target.
fn cancelled<T: Scalar>(
    path: &Path,
    (target, source): (Target<'_, T>, Rows<'_, T>),
    kernel: &dyn Kernel<T>,
) -> Vec<FigureErrors> {
    let length = |row: &[T]| kernel.evaluate(row, row).max(0.0).sqrt();
    let lengths: Vec<f64> = path.source_indices.iter().map(|row| length(source.row(*row))).collect();
    let product =
        |weights: &[f64], lengths: &[f64]| weights.iter().zip(lengths).map(|(w, length)| w * length).sum::<f64>();
    let objectives: Vec<f64> = path.weights.iter().map(|weights| product(weights, &lengths)).collect();
    let lengths: Vec<f64> = target.rows.iter().map(length).collect();
    let energy = match target.weights {
        Some(weights) => product(weights, &lengths),
        None => lengths.iter().sum::<f64>() / lengths.len() as f64,
    };
    let at =
        |terms: f64| FigureErrors { objective: ROUNDING * terms * terms, target_energy: ROUNDING * energy * energy };
    objectives.into_iter().map(at).collect()
}

/// ‖μ‖², and for every size MMD² and the size of the terms of wᵀKw, under the linear kernel.
struct LinearFigures {
    length: f64,
    mmd2: Vec<f64>,
    terms: Vec<f64>,
}

/// ‖μ‖² and MMD² at every size under the linear kernel, whose features are the values themselves.
///
/// # Formula
///
/// ```text
/// MMD² = ‖Σⱼ wⱼ (zⱼ − r) − Σᵢ pᵢ (xᵢ − r)‖²        for any r, if Σw = Σp = 1
/// ```
///
/// with the first prototype as r: all terms are differences of values, as exact as these. Costs d numbers for each target row
/// and for each prototype of each size.
fn linear<T: Scalar>(path: &Path, target: Target<'_, T>, source: Rows<'_, T>) -> LinearFigures {
    let origin: Vec<f64> = source.row(path.source_indices[0]).iter().map(|value| value.to_f64()).collect();
    let (mean, from_origin) = (mean_minus(target, &vec![0.0; origin.len()]), mean_minus(target, &origin));
    let chosen = path.source_indices.iter().map(|row| source.row(*row));
    let chosen: Vec<Vec<f64>> =
        chosen.map(|row| row.iter().zip(&origin).map(|(x, r)| x.to_f64() - r).collect()).collect();
    let mmd2 = |weights: &Vec<f64>| {
        let mut residual: Vec<f64> = from_origin.iter().map(|mean| -mean).collect();
        for (row, weight) in chosen.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            residual.iter_mut().zip(row).for_each(|(sum, x)| *sum += weight * x);
        }
        squared(&residual)
    };
    let lengths: Vec<f64> = path.source_indices.iter().map(|row| length(source.row(*row))).collect();
    let terms = |weights: &Vec<f64>| weights.iter().zip(&lengths).map(|(weight, length)| weight * length).sum::<f64>();
    LinearFigures {
        length: squared(&mean),
        mmd2: path.weights.iter().map(mmd2).collect(),
        terms: path.weights.iter().map(terms).map(|terms| terms * terms).collect(),
    }
}

/// The mean row of the target minus an origin, in sums that keep what each addition rounds off.
fn mean_minus<T: Scalar>(target: Target<'_, T>, origin: &[f64]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); origin.len()];
    for (index, row) in target.rows.iter().enumerate() {
        let weight = target.weights.map_or(1.0, |weights| weights[index]);
        for ((sum, x), origin) in sums.iter_mut().zip(row).zip(origin) {
            *sum = added(*sum, weight * (x.to_f64() - origin));
        }
    }
    let total = if target.weights.is_some() { 1.0 } else { target.rows.n_rows() as f64 };
    sums.into_iter().map(|(sum, rest)| (sum + rest) / total).collect()
}

/// A sum and its rounding errors with one more value, by Knuth's two-sum.
fn added((sum, rest): (f64, f64), value: f64) -> (f64, f64) {
    let total = sum + value;
    let part = total - sum;
    (total, rest + ((sum - (total - part)) + (value - part)))
}

fn squared(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_what_additions_round_off() {
        let values = [1.0, 1e100, 1.0, -1e100];
        let (sum, rest) = values.into_iter().fold((0.0, 0.0), added);
        assert_eq!(sum + rest, 2.0);
        let rows = [0.1, 0.2, -0.3 + 1e-9];
        let target = Target { rows: Rows::new(&rows, 1), weights: None };
        assert!((mean_minus(target, &[0.0])[0] * 3.0 / 1e-9 - 1.0).abs() < 1e-7); // the values themselves are rounded
    }

    #[test]
    fn the_discrepancy_does_not_depend_on_the_origin() {
        // Half of 0 and half of 4 is 2, and the target's mean is 1: MMD² = 1. Of the first alone: 1, by chance.
        for origin in [0.0, 1e6, 1e15] {
            let (target, source) = ([origin - 1.0, origin + 3.0], [origin, origin + 4.0]);
            let path = Path {
                source_indices: vec![0, 1],
                weights: vec![vec![1.0], vec![0.5, 0.5]],
                objective: vec![0.0; 2],
                ..Path::default()
            };
            let (target, source) = (Target { rows: Rows::new(&target, 1), weights: None }, Rows::new(&source, 1));
            let LinearFigures { length, mmd2, .. } = linear(&path, target, source);
            assert_eq!((length, &mmd2[..]), ((origin + 1.0) * (origin + 1.0), &[1.0, 1.0][..]));
        }
    }

    #[test]
    fn a_share_of_cancelled_terms_is_unknown() {
        let bounds = FigureErrors { objective: 1e-14, target_energy: 0.0 };
        assert!(!bounds.swamp(0.5, 1.0) && bounds.swamp(0.5, 1e-13));
        assert!(!bounds.swamp(-100.0, 1e-13)); // known to one part in five hundred
    }
}
