//! The kernel mean: how similar each source row is to the target on average, in blocks, never as an n × n matrix.
//!
//! The order in which values are added does not depend on the number of threads, so that the sums are the same to the
//! last bit for any number of them. The work comes in rounds, after each of which the observer is asked.

mod block;
mod cancelled;
mod collapse;
mod cross;
mod fused;
mod precision;
mod rough;
mod separable;
mod symmetric;

pub(crate) mod column;

pub use precision::{KernelMean, Precision, kernel_mean_in};

pub(crate) use block::ErrorBound;
pub(crate) use cancelled::zero_if_cancelled;
pub(crate) use column::{column, fold_columns};
pub(crate) use rough::Rough;

use ndarray::ArrayRef2;

use self::block::General;
use self::collapse::Collapsed;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage};
use crate::rows::{Rows, Scalar, same_rows};
use crate::simd::Level;

/// Rows to be represented, with normalised weights if they differ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'a, T> {
    pub(crate) rows: Rows<'a, T>,
    pub(crate) weights: Option<&'a [f64]>,
}

/// The mean similarity of each source row to the target.
///
/// # Formula
///
/// ```text
/// μⱼ = (1/n₁) Σᵢ k(xᵢ, yⱼ)
/// ```
///
/// with xᵢ the n₁ target rows and yⱼ the source rows (section II of the paper). Costs n₁ · n₂ kernel values, half of
/// them when target and source are the same rows, and O(n₂) memory.
///
/// # Errors
///
/// If a matrix is empty or not finite, if their columns differ in number, or if a mean is not finite.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Linear, kernel_mean};
///
/// let (target, source) = (array![[1.0], [3.0]], array![[1.0], [-1.0]]);
/// assert_eq!(kernel_mean(&target, &source, &Linear)?, [2.0, -2.0]);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn kernel_mean<T: Scalar, K: Kernel<T> + ?Sized>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &K,
) -> Result<Vec<f64>> {
    kernel_mean_in(Precision::Double, target, source, kernel).map(|mean| mean.means)
}

/// The kernel mean of `source` under `target`; half the work if they are the same rows.
pub(crate) fn mean_over_target<T: Scalar, K: Kernel<T> + ?Sized>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &K,
    watch: (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    mean_by(target, source, kernel, (Level::best(), Precision::Double), watch).map(|(means, _)| means)
}

/// The same in given numbers, with a bound on the error.
pub(crate) fn mean_in<T: Scalar, K: Kernel<T> + ?Sized>(
    precision: Precision,
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &K,
    watch: (Stage, &mut dyn Observer),
) -> Result<(Vec<f64>, ErrorBound)> {
    mean_by(target, source, kernel, (Level::best(), precision), watch)
}

/// The same with given instructions besides.
fn mean_by<T: Scalar, K: Kernel<T> + ?Sized>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &K,
    arithmetic: (Level, Precision),
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<(Vec<f64>, ErrorBound)> {
    let (mut sums, error) = match separable::sums(kernel.form(), target, source, (stage, &mut *observer))? {
        Some(sums) => (sums, ErrorBound::default()),
        None => sums_of_pairs(target, source, kernel, arithmetic, (stage, observer))?,
    };
    if target.weights.is_none() {
        // Dividing once at the end keeps sums of whole numbers exact, and with them ties.
        let n_target = target.rows.n_rows() as f64;
        sums.iter_mut().for_each(|sum| *sum /= n_target);
    }
    Ok((sums, error))
}

/// Σᵢ pᵢ k(xᵢ, yⱼ) for each source row, p being 1 where there are no weights, from pairs of different rows.
fn sums_of_pairs<T: Scalar, K: Kernel<T> + ?Sized>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &K,
    arithmetic: (Level, Precision),
    watch: (Stage, &mut dyn Observer),
) -> Result<(Vec<f64>, ErrorBound)> {
    let is_source = same_rows(target.rows, source);
    let few_targets = Collapsed::of(target.rows);
    let few_sources = if is_source { None } else { Collapsed::of(source) };
    let counts = few_targets.as_ref().map(|few| few.weights(target));
    let target = match (&few_targets, &counts) {
        (Some(few), Some(counts)) => Target { rows: few.rows(), weights: Some(counts) },
        _ => target,
    };
    let source = few_sources.as_ref().map_or(source, Collapsed::rows);
    let other = (!is_source).then_some(source);
    let (sums, error) = sums_of_all_pairs(target, other, kernel, arithmetic, watch)?;
    let few = if is_source { few_targets } else { few_sources };
    Ok((if let Some(few) = few { few.spread(&sums) } else { sums }, error))
}

/// The same, whether rows repeat or not; `other` is the source if it is not the target.
fn sums_of_all_pairs<T: Scalar, K: Kernel<T> + ?Sized>(
    target: Target<'_, T>,
    other: Option<Rows<'_, T>>,
    kernel: &K,
    arithmetic: (Level, Precision),
    watch: (Stage, &mut dyn Observer),
) -> Result<(Vec<f64>, ErrorBound)> {
    let source = other.unwrap_or(target.rows);
    let pair_sums = fused::pair_sums(kernel.form(), target, other, arithmetic)
        .unwrap_or_else(|| Box::new(General { kernel, target, source }));
    let (n_target, n_columns) = (target.rows.n_rows(), target.rows.n_columns());
    let sums = match other {
        None => symmetric::sums(&*pair_sums, (n_target, n_columns), watch)?,
        Some(source) => cross::sums(&*pair_sums, (n_target, source.n_rows(), n_columns), watch)?,
    };
    Ok((sums, pair_sums.error()))
}

/// The means, unless one of them is not finite.
pub(crate) fn finite_means(means: Vec<f64>) -> Result<Vec<f64>> {
    match means.iter().position(|mean| !mean.is_finite()) {
        None => Ok(means),
        Some(row) => Err(Error::KernelNotFinite { role: Role::Source, row, value: means[row].to_string() }),
    }
}

/// The target's own energy, given its kernel mean under itself.
///
/// # Formula
///
/// ```text
/// ‖μ‖² = Σᵢ pᵢ μᵢ
/// ```
pub(crate) fn energy_of<T>(target: Target<'_, T>, own_mean: &[f64]) -> f64 {
    match target.weights {
        None => own_mean.iter().sum::<f64>() / own_mean.len() as f64,
        Some(weights) => weights.iter().zip(own_mean).map(|(weight, mean)| weight * mean).sum(),
    }
}

#[cfg(test)]
mod tests;
