//! ProtoDash, Algorithm 2 of the paper.

use crate::error::Result;
use crate::rows::Scalar;
use crate::search::{GreedySearch, Rank};
use crate::selection::Stopped;

/// Adds the row with the largest gradient until the stopping rule is met.
///
/// ```text
/// L = ∅, ζ = 0, g = ∇l(0) = μ
/// while |L| < m and the objective rises by at least ε:
///     j₀ = argmax gⱼ over j ∉ L
///     L  = L ∪ {j₀}
///     ζ  = argmax l(w) over w ≥ 0 supported on L
///     g  = ∇l(ζ) = μ − Kζ
/// ```
///
/// This differs from the paper in two points. Like the authors' code, it takes the largest gain g²/(2K) at the first step,
/// which is a different and better row if the kernel's diagonal is not constant (linear, polynomial). And if no gradient
/// is positive, the set is optimal for every m and the search ends; the paper's loop would add rows of weight 0. Only rows
/// that a quota still needs are added in that case.
pub(crate) fn protodash<T: Scalar>(search: &mut GreedySearch<'_, T>) -> Result<Stopped> {
    while search.wants_more()? {
        let Some(candidate) = search.largest_gradient()? else { return search.fill_quotas() }; // j₀
        let Some(trial) = search.try_adding(candidate)? else { continue }; // ζ on L ∪ {j₀}, if it raises l at all
        if search.gains_too_little(&trial) {
            return Ok(Stopped::MinGain);
        }
        search.add(trial, Rank::Gradient)?; // L = L ∪ {j₀} and g = μ − Kζ
    }
    Ok(Stopped::NPrototypes)
}
