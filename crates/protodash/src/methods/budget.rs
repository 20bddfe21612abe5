//! The safeguard of greedy methods under a budget: the best single row that it allows.

use super::GreedyMethod;
use super::gains::largest_gain;
use crate::constraints::OpenPlaces;
use crate::error::Result;
use crate::observe::{Observer, Silent};
use crate::problem::StoppingRule;
use crate::rows::Scalar;
use crate::search::{GreedySearch, Rank, SearchSpace};
use crate::selection::Path;

/// Objectives that differ by less than this fraction are equal.
const ROUNDING: f64 = 1e-10;

/// The path, or that of a run whose first row gains most whatever it costs, if that one ends higher.
///
/// Greedy choices by gain per cost can be arbitrarily bad: a cheap row of little gain may leave too little for an
/// expensive one that explains nearly everything. The better of the greedy set and the best single row has a constant
/// factor of the optimum for submodular objectives (Khuller, Moss and Naor, 1999). Continuing from that row by gain per
/// cost is at least as good as the row alone, and meets the quotas too.
pub(super) fn no_lower_than_best_row<T: Scalar>(
    path: Path,
    (space, places): (SearchSpace<'_, T>, OpenPlaces),
    (fixed, stop): (&[usize], StoppingRule),
    (run, next): (GreedyMethod<T>, Rank),
    observer: &mut dyn Observer,
) -> Result<Path> {
    let mut silent = Silent(observer);
    let mut search = GreedySearch::new(space, stop, &mut silent)?;
    search.constrain(places)?;
    fixed.iter().try_for_each(|row| search.start_with(*row))?;
    let Some(best) = largest_gain(&mut search)? else { return Ok(path) };
    let is_same = path.source_indices.get(fixed.len()) == Some(&best.candidate.source_index);
    if is_same || search.gains_too_little(&best) {
        return Ok(path);
    }
    search.rank_per_cost(true);
    search.add(best, next)?;
    let stopped = run(&mut search)?;
    let other = search.into_path(stopped);
    let reached = |path: &Path| path.objective.last().copied().unwrap_or(0.0);
    // The same rows in another order differ by rounding.
    let rounding = ROUNDING * reached(&path).abs();
    Ok(if reached(&other) > reached(&path) + rounding { other } else { path })
}
