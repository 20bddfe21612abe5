//! Swap refinement, beyond the paper: exchanges of one prototype for one candidate until none gains.

use super::protogreedy::ROUNDING;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, go_on};
use crate::rows::Scalar;
use crate::search::Leader;

/// An exchange must raise the objective by more than this part of it; less is rounding, and could go on forever.
const SMALLEST_RISE: f64 = 1e-10;
/// Candidates asked for at first, as in ProtoGreedy.
const FIRST_LOOK: usize = 4;

/// Exchanges prototypes until no single exchange raises the objective.
///
/// Each prototype is taken out in turn and the best candidate put in its place, found with the bound of ProtoGreedy
/// against the set without it; the work ends when a whole round brought nothing. The objective never falls, and since
/// it rises by a fixed part with every exchange the rounds end.
pub(crate) fn refine<T: Scalar, K: Kernel<T> + ?Sized>(
    leader: &mut Leader<'_, T, K>,
    observer: &mut dyn Observer,
) -> Result<()> {
    let (mut position, mut unchanged) = (0, 0);
    while unchanged < leader.len() {
        go_on(observer.on_progress(Stage::Swap, unchanged as u64, leader.len() as u64))?;
        // The newcomer joins at the end, so that after an exchange the next prototype has moved into this place.
        if exchange_at(leader, position, observer)? {
            unchanged = 0;
        } else {
            unchanged += 1;
            position += 1;
        }
        position %= leader.len();
    }
    Ok(())
}

/// Puts the best candidate in the place of one prototype, if that raises the objective.
fn exchange_at<T: Scalar, K: Kernel<T> + ?Sized>(
    leader: &mut Leader<'_, T, K>,
    position: usize,
    observer: &mut dyn Observer,
) -> Result<bool> {
    let mut shorter = leader.without(position);
    let base = shorter.optimum.objective;
    let mut goal = leader.objective() + SMALLEST_RISE * leader.objective().abs();
    let mut best = None;
    let (mut tried, mut limit) = (0, FIRST_LOOK);
    'tried_enough: loop {
        let ranked = leader.propose_instead(&shorter, limit);
        for candidate in &ranked[tried.min(ranked.len())..] {
            if base + candidate.score <= goal + ROUNDING * goal.abs() {
                break 'tried_enough;
            }
            tried += 1;
            let objective = leader.objective_after_exchange(&mut shorter, candidate.source_index);
            if let Some(objective) = objective.filter(|objective| *objective > goal) {
                goal = objective;
                best = Some(candidate.source_index);
            }
        }
        if ranked.len() < limit {
            break;
        }
        limit *= 4;
    }
    match best {
        Some(source_index) => leader.exchange(shorter, source_index, observer).map(|()| true),
        None => Ok(false),
    }
}
