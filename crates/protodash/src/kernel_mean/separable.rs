//! Kernels whose mean needs no pairs: one sum over the target, then one pass over the source.

mod levels;
mod quadratic;

use self::levels::ValueWeights;
use self::quadratic::TargetMoments;
use super::Target;
use super::block::Blocks;
use crate::error::Result;
use crate::kernel::{AnyCurve, LoopFormula};
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::rows::{Rows, Scalar, length};

/// Rows per partial sum. The last bits of results depend on it.
const ROWS_PER_PART: usize = 256;
/// Values read between two calls of the observer.
const VALUES_PER_ROUND: usize = 1 << 26;

/// Σᵢ pᵢ k(xᵢ, yⱼ) for each source row; p is 1 where there are no weights. `None` if the kernel needs pairs.
///
/// Costs O((n₁ + n₂) d): (Σᵢ pᵢ xᵢ)ᵀ yⱼ for the linear kernel, the same of normalised rows for the cosine, and for the
/// Hamming kernel the weight of the target rows that agree with yⱼ in each column. A polynomial of degree 2 costs
/// O((n₁ + n₂) d²), which is less than all pairs unless rows are long and few.
pub(super) fn sums<T: Scalar>(
    formula: LoopFormula,
    target: Target<'_, T>,
    source: Rows<'_, T>,
    watch: (Stage, &mut dyn Observer),
) -> Result<Option<Vec<f64>>> {
    let weight = |row: usize| target.weights.map_or(1.0, |weights| weights[row]);
    match formula {
        LoopFormula::Linear => {
            let total = weighted_sum(target.rows, weight);
            products(&total, source, |_| 1.0, watch).map(Some)
        }
        LoopFormula::Cosine => {
            let total = weighted_sum(target.rows, |row| weight(row) * inverse_length(target.rows.row(row)));
            products(&total, source, inverse_length, watch).map(Some)
        }
        LoopFormula::EqualValues => agreements(target, source, watch).map(Some),
        LoopFormula::Product { scale, offset, .. } => {
            match degree(formula, target.rows.n_rows(), target.rows.n_columns()) {
                Some(degree) => {
                    let (stage, observer) = watch;
                    check_cancelled(observer.on_progress(stage, 0, 2))?;
                    let moments = TargetMoments::of(target);
                    check_cancelled(observer.on_progress(stage, 1, 2))?;
                    Ok(Some(moments.sums(source, (degree, scale, offset))))
                }
                None => Ok(None),
            }
        }
        LoopFormula::SquaredDistance { .. } | LoopFormula::ManhattanDistance { .. } => Ok(None),
    }
}

/// Whether [`sums`] computes the mean of this kernel.
pub(super) fn needs_no_pairs(formula: LoopFormula, n_target: usize, n_columns: usize) -> bool {
    match formula {
        LoopFormula::Linear | LoopFormula::Cosine | LoopFormula::EqualValues => true,
        LoopFormula::Product { .. } => degree(formula, n_target, n_columns).is_some(),
        LoopFormula::SquaredDistance { .. } | LoopFormula::ManhattanDistance { .. } => false,
    }
}

/// The degree of a polynomial kernel if its mean is cheaper from the target's second moments than from all pairs.
fn degree(formula: LoopFormula, n_target: usize, n_columns: usize) -> Option<u32> {
    let LoopFormula::Product { curve: AnyCurve::Power(power), .. } = formula else { return None };
    Some(power.degree()).filter(|degree| *degree <= 2 && 4 * n_columns <= n_target)
}

/// 1/‖x‖, and 0 for a row of zeros.
fn inverse_length<T: Scalar>(row: &[T]) -> f64 {
    let length = length(row);
    if length > 0.0 { length.recip() } else { 0.0 }
}

/// Σᵢ fᵢ xᵢ, added in an order that depends only on the number of rows.
pub(super) fn weighted_sum<T: Scalar>(rows: Rows<'_, T>, factor: impl Fn(usize) -> f64 + Sync) -> Vec<f64> {
    let parts = Blocks { n_rows: rows.n_rows(), size: ROWS_PER_PART };
    let part = |part: usize| {
        let mut sums = vec![0.0; rows.n_columns()];
        for row in parts.get(part) {
            let factor = factor(row);
            sums.iter_mut().zip(rows.row(row)).for_each(|(sum, value)| *sum += factor * value.to_f64());
        }
        sums
    };
    let mut total = vec![0.0; rows.n_columns()];
    for part in parallel::map(0..parts.len(), part) {
        total.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    total
}

/// totalᵀ y · f(y) for each row y.
fn products<T: Scalar>(
    total: &[f64],
    source: Rows<'_, T>,
    factor: impl Fn(&[T]) -> f64 + Sync,
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    let mut sums = Vec::with_capacity(source.n_rows());
    let rounds = Blocks { n_rows: source.n_rows(), size: (VALUES_PER_ROUND / source.n_columns()).max(1) };
    let similarity = |row: usize| {
        let row = source.row(row);
        let values: f64 = total.iter().zip(row).map(|(total, value)| total * value.to_f64()).sum();
        values * factor(row)
    };
    for round in 0..rounds.len() {
        check_cancelled(observer.on_progress(stage, round as u64, rounds.len() as u64))?;
        sums.append(&mut parallel::map(rounds.get(round), similarity));
    }
    check_cancelled(observer.on_progress(stage, rounds.len() as u64, rounds.len() as u64))?;
    Ok(sums)
}

/// (1/d) Σ_c Σᵢ pᵢ [xᵢ_c = yⱼ_c] for each source row.
fn agreements<T: Scalar>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    let n_columns = source.n_columns();
    let mut sums = vec![0.0; source.n_rows()];
    for column in 0..n_columns {
        check_cancelled(observer.on_progress(stage, column as u64, n_columns as u64))?;
        let levels = ValueWeights::of(target, column);
        parallel::map_chunks(&mut sums, 1, |row, sum| sum[0] += levels.weight(source.row(row)[column].to_f64()));
    }
    check_cancelled(observer.on_progress(stage, n_columns as u64, n_columns as u64))?;
    // Dividing once at the end keeps counts exact, and therefore ties.
    sums.iter_mut().for_each(|sum| *sum /= n_columns as f64);
    Ok(sums)
}
