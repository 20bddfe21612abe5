//! The kernel mean: the mean similarity of each source row to the target, in blocks, never as an n × n matrix.
//!
//! The order of additions does not depend on the number of threads, so results are bit-identical for any number of them.
//! The work comes in rounds; after each the observer is called.

mod approximate;
mod block;
mod cancelled;
mod collapse;
mod cross;
mod fused;
mod parts;
mod precision;
mod racing;
mod separable;
mod sparse;
mod symmetric;

pub(crate) mod column;

pub use precision::{KernelMean, Precision, kernel_mean_in};

pub(crate) use approximate::ApproximateMeans;
pub(crate) use block::ErrorBound;
pub(crate) use cancelled::zero_if_cancelled;
pub(crate) use column::{column, fold_columns};
pub(crate) use parts::{MeanPart, mean_of_parts, mean_part, n_mean_parts};
pub(crate) use racing::{
    FAILURE, LandmarkFeatures, MergedTarget, PackedRow, RACED_AT_A_TIME, Race, RaceTarget, Workload, full_workload,
    pair_work, race_pays, race_workload,
};

use ndarray::ArrayRef2;

use self::block::{EvaluatedPairs, PairSums};
use self::collapse::Collapsed;
use self::sparse::SparsePairs;
use crate::error::{Error, Result, Role};
use crate::kernel::{Kernel, loop_formula};
use crate::observe::{Observer, Stage};
use crate::rows::{Rows, Scalar, same_rows};
use crate::simd::InstructionSet;

/// The rows to be represented, with normalised weights if they are weighted.
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
pub fn kernel_mean<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &dyn Kernel<T>,
) -> Result<Vec<f64>> {
    kernel_mean_in(Precision::Double, target, source, kernel).map(|mean| mean.means)
}

/// Kernel mean of each source row in f64; half the work if target and source are the same rows.
pub(crate) fn mean_over_target<T: Scalar>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    watch: (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    T::mean_by(target, source, kernel, (InstructionSet::best(), Precision::Double), watch).map(|(means, _)| means)
}

/// The kernel mean in a given precision, with a bound on the error.
pub(crate) fn mean_in<T: Scalar>(
    precision: Precision,
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    watch: (Stage, &mut dyn Observer),
) -> Result<(Vec<f64>, ErrorBound)> {
    T::mean_by(target, source, kernel, (InstructionSet::best(), precision), watch)
}

/// The kernel mean with a given instruction set and precision.
pub(crate) fn mean_by<T: Scalar>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    arithmetic: (InstructionSet, Precision),
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<(Vec<f64>, ErrorBound)> {
    let (sums, error) = match separable_sums(target, source, kernel, (stage, &mut *observer))? {
        Some(sums) => (sums, ErrorBound::default()),
        None => sums_of_pairs(target, source, kernel, arithmetic, (stage, observer))?,
    };
    Ok((averaged(sums, target), error))
}

/// Σᵢ pᵢ k(xᵢ, yⱼ) for each source row; p is 1 where there are no weights. `None` if the kernel needs pairs.
fn separable_sums<T: Scalar>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    watch: (Stage, &mut dyn Observer),
) -> Result<Option<Vec<f64>>> {
    match (loop_formula(kernel), kernel.sparse()) {
        (Some(formula), _) => separable::sums(formula, target, source, watch),
        (None, Some(kernel)) => sparse::sums_without_pairs(kernel, target, source, watch),
        (None, None) => Ok(None),
    }
}

/// Whether the mean of this kernel over the target takes pairs.
fn needs_pairs<T: Scalar>(kernel: &dyn Kernel<T>, target: Target<'_, T>) -> bool {
    let (n_target, n_columns) = (target.rows.n_rows(), target.rows.n_columns());
    !loop_formula(kernel).is_some_and(|formula| separable::needs_no_pairs(formula, n_target, n_columns))
}

/// The means, given the sums.
fn averaged<T: Scalar>(mut sums: Vec<f64>, target: Target<'_, T>) -> Vec<f64> {
    if target.weights.is_none() {
        // Dividing once at the end keeps sums of whole numbers exact, and therefore ties.
        let n_target = target.rows.n_rows() as f64;
        sums.iter_mut().for_each(|sum| *sum /= n_target);
    }
    sums
}

/// Σᵢ pᵢ k(xᵢ, yⱼ) for each source row, each distinct row evaluated once; p is 1 where there are no weights.
fn sums_of_pairs<T: Scalar>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    arithmetic: (InstructionSet, Precision),
    watch: (Stage, &mut dyn Observer),
) -> Result<(Vec<f64>, ErrorBound)> {
    let (computed, collapsed) =
        collapsed_pairs(target, source, |target, other| sums_of_all_pairs(target, other, kernel, arithmetic, watch));
    let (sums, error) = computed?;
    Ok((if let Some(collapsed) = collapsed { collapsed.expand(&sums) } else { sums }, error))
}

/// Calls `compute` with the distinct rows of the target, and with those of the source if it is not the target. Returns what
/// expands sums of distinct source rows, unless these are all rows.
fn collapsed_pairs<T: Scalar, R>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    compute: impl FnOnce(Target<'_, T>, Option<Rows<'_, T>>) -> R,
) -> (R, Option<Collapsed<T>>) {
    let is_source = same_rows(target.rows, source);
    let collapsed_target = Collapsed::of(target.rows);
    let collapsed_source = if is_source { None } else { Collapsed::of(source) };
    let counts = collapsed_target.as_ref().map(|collapsed| collapsed.weights(target));
    let target = match (&collapsed_target, &counts) {
        (Some(collapsed), Some(counts)) => Target { rows: collapsed.rows(), weights: Some(counts) },
        _ => target,
    };
    let source = collapsed_source.as_ref().map_or(source, Collapsed::rows);
    let computed = compute(target, (!is_source).then_some(source));
    (computed, if is_source { collapsed_target } else { collapsed_source })
}

/// Sums over all pairs; `other` is the source if it is not the target.
pub(crate) fn sums_of_all_pairs<T: Scalar>(
    target: Target<'_, T>,
    other: Option<Rows<'_, T>>,
    kernel: &dyn Kernel<T>,
    arithmetic: (InstructionSet, Precision),
    watch: (Stage, &mut dyn Observer),
) -> Result<(Vec<f64>, ErrorBound)> {
    let pair_sums = loops_of(target, other, kernel, arithmetic);
    let (n_target, n_columns) = (target.rows.n_rows(), target.rows.n_columns());
    let sums = match other {
        None => symmetric::sums(&*pair_sums, (n_target, n_columns), watch)?,
        Some(source) => cross::sums(&*pair_sums, (n_target, source.n_rows(), n_columns), watch)?,
    };
    Ok((sums, pair_sums.error()))
}

/// The loops over pairs of blocks.
fn loops_of<'a, T: Scalar>(
    target: Target<'a, T>,
    other: Option<Rows<'a, T>>,
    kernel: &'a dyn Kernel<T>,
    arithmetic: (InstructionSet, Precision),
) -> Box<dyn PairSums + 'a> {
    let source = other.unwrap_or(target.rows);
    let fused = loop_formula(kernel).and_then(|formula| fused::pair_sums(formula, target, other, arithmetic));
    let sparse = kernel.sparse().and_then(|kernel| SparsePairs::new(kernel, target, source));
    match (fused, sparse) {
        (Some(fused), _) => fused,
        (None, Some(sparse)) => Box::new(sparse),
        (None, None) => Box::new(EvaluatedPairs { kernel, target, source }),
    }
}

/// The sizes that the work of a kernel mean depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PairShape {
    pub(crate) n_target: usize,
    pub(crate) n_source: usize,
    pub(crate) n_columns: usize,
    /// Whether the target is the source.
    pub(crate) is_source: bool,
}

impl PairShape {
    /// The sizes of these rows.
    pub(crate) fn of<T: Scalar>(target: Rows<'_, T>, source: Rows<'_, T>) -> Self {
        PairShape {
            n_target: target.n_rows(),
            n_source: source.n_rows(),
            n_columns: target.n_columns(),
            is_source: same_rows(target, source),
        }
    }
}

/// Number of kernel values that the full mean needs if no rows repeat.
pub(crate) fn n_pairs<T: Scalar>(kernel: &dyn Kernel<T>, shape: PairShape) -> u64 {
    let (n_target, n_source) = (shape.n_target as u64, shape.n_source as u64);
    match loop_formula(kernel) {
        Some(formula) if separable::needs_no_pairs(formula, shape.n_target, shape.n_columns) => 0,
        None if kernel.sparse().is_some_and(sparse::needs_no_pairs) => 0,
        _ if shape.is_source => n_target * (n_target + 1) / 2,
        _ => n_target * n_source,
    }
}

/// The means, unless one of them is not finite.
pub(crate) fn finite_means(means: Vec<f64>) -> Result<Vec<f64>> {
    check_finite(&means)?;
    Ok(means)
}

/// An error if one of the means is not finite.
pub(crate) fn check_finite(means: &[f64]) -> Result<()> {
    match means.iter().position(|mean| !mean.is_finite()) {
        None => Ok(()),
        Some(row) => Err(Error::KernelNotFinite { role: Role::Source, row, value: means[row].to_string() }),
    }
}

/// The target's energy, given its kernel mean under itself.
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
