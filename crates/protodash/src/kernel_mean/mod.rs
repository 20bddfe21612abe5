//! The kernel mean: how similar each source row is to the target on average, in blocks, never as an n × n matrix.
//!
//! The order in which values are added does not depend on the number of threads, so that the sums are the same to the
//! last bit for any number of them. The work comes in rounds, after each of which the observer is asked.

mod block;
mod cross;
mod symmetric;

use ndarray::ArrayRef2;

use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, Unobserved};
use crate::rows::{Checked, Rows, Scalar, same_rows};

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
    let (target, source) = (Checked::new(target, Role::Target)?, Checked::new(source, Role::Source)?);
    let (target, source) = (target.rows(), source.rows());
    if target.n_columns() != source.n_columns() {
        return Err(Error::DifferentColumns { target: target.n_columns(), available: source.n_columns() });
    }
    let target = Target { rows: target, weights: None };
    let means = mean_over_target(target, source, kernel, (Stage::KernelMean, &mut Unobserved))?;
    finite_means(means)
}

/// The kernel mean of `source` under `target`; half the work if they are the same rows.
pub(crate) fn mean_over_target<T: Scalar, K: Kernel<T> + ?Sized>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &K,
    watch: (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    let mut sums = if same_rows(target.rows, source) {
        symmetric::sums(target, kernel, watch)?
    } else {
        cross::sums(target, source, kernel, watch)?
    };
    if target.weights.is_none() {
        // Dividing once at the end keeps sums of whole numbers exact, and with them ties.
        let n_target = target.rows.n_rows() as f64;
        sums.iter_mut().for_each(|sum| *sum /= n_target);
    }
    Ok(sums)
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
