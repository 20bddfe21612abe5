//! ProtoGreedy, Algorithm 1 of the paper, without its quadratic program for every candidate.

use crate::error::Result;
use crate::kernel::Kernel;
use crate::rows::Scalar;
use crate::search::{Leader, Rank, Trial};

/// Bounds and gains are compared up to this part of themselves, since both are rounded.
pub(super) const ROUNDING: f64 = 1e-12;
/// Candidates asked for at first; more are asked for only if all of these had to be tried.
const FIRST_LOOK: usize = 4;

/// The candidate with the largest gain, as a trial; `None` if none gains.
///
/// # Formula
///
/// ```text
/// gain(j) ≤ gⱼ² / (2 sⱼ)
/// ```
///
/// where gⱼ is the gradient at the optimum of the set and sⱼ the Schur complement of j against all of it: for any
/// feasible v, l(v) − l(ζ) = gᵀ(v − ζ) − ½(v − ζ)ᵀK(v − ζ), the gradient is 0 on positive weights and at most 0 on the
/// others, and the quadratic form is at least sⱼvⱼ². (Under Σw = 1 read g − λ for g: λ drops out of the sum over
/// v − ζ.) Candidates are tried in the order of this bound, and the search ends when the next bound is no larger than
/// the best gain found: usually after one.
pub(crate) fn choose<T: Scalar, K: Kernel<T> + ?Sized>(leader: &mut Leader<'_, T, K>) -> Result<Option<Trial<T>>> {
    let rank = if leader.len() == 0 { leader.first_rank() } else { Rank::Bound };
    let mut best: Option<Trial<T>> = None;
    let (mut tried, mut limit) = (0, FIRST_LOOK);
    loop {
        let ranked = leader.propose(rank, limit);
        for candidate in &ranked[tried.min(ranked.len())..] {
            let gain = best.as_ref().map(|best| best.optimum.objective - leader.objective());
            if gain.is_some_and(|gain| candidate.score <= gain + ROUNDING * gain.abs()) {
                return Ok(best);
            }
            // Refusing a row shortens the next ranking by one, so only trials count as tried.
            let Some(trial) = leader.try_row(candidate.source_index) else { continue };
            tried += 1;
            let raised = trial.optimum.objective - leader.objective();
            if gain.is_none_or(|gain| raised > gain + ROUNDING * gain.abs()) {
                best = Some(trial);
            }
        }
        if ranked.len() < limit {
            return Ok(best);
        }
        limit *= 4;
    }
}
