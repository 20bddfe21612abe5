//! Whether the rest of a race is expected to cost more than all means together.
//!
//! A row is out of contention once the distance of its upper bound from its estimate, its *slack*, is below the distance of its
//! estimate from the best gradient. Most estimates are far below the best gradient, so that this distance is about the best
//! gradient itself, which decreases from step to step about as a power of the number of prototypes. Before the first steps tell
//! that power, a slack as large as the best gradient counts as enough. The slacks of all rows tell how many draws they need until
//! then. This is a guess, and decides nothing but the cost.

use super::certainty::Certainty;
use crate::error::Result;
use crate::rows::Scalar;
use crate::search::candidates::Candidates;
use crate::search::local::LocalShard;
use crate::search::rank::{Rank, Ranking};

/// Steps before the first guess of how the best gradient decreases.
const FIRST_STEPS: usize = 4;
/// The slack that takes most rows out of contention, as a part of the best gradient.
const SLACK: f64 = 0.6;
/// Powers by which the best gradient decreases.
const EXPONENTS: std::ops::RangeInclusive<f64> = 0.25..=1.5;
/// Rows that become exact at every step, and what a pair of them costs.
const EXACT_PER_STEP: f64 = 16.0 * 3.0;

/// What the guesses so far were made from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RaceOutlook {
    /// The number of prototypes at the last look, and the best gradient.
    last: Option<(usize, f64)>,
}

impl RaceOutlook {
    /// The slack that is expected to be small enough at the end, at the times of a guess.
    fn look(&mut self, (n_prototypes, gradient): (usize, f64), goal: usize) -> Option<f64> {
        let Some((before, larger)) = self.last.filter(|_| n_prototypes > 0) else {
            self.last = (n_prototypes > 0).then_some((n_prototypes, gradient));
            return Some(gradient);
        };
        if n_prototypes < FIRST_STEPS.max(2 * before) {
            return None;
        }
        self.last = Some((n_prototypes, gradient));
        let steps = |from: usize, to: usize| (to as f64 / from as f64).ln();
        let exponent = (larger / gradient).ln() / steps(before, n_prototypes);
        let exponent = exponent.clamp(*EXPONENTS.start(), *EXPONENTS.end());
        Some(SLACK * gradient * (-exponent * steps(n_prototypes, goal.max(n_prototypes))).exp())
    }
}

impl Certainty {
    /// What is left of the race beside draws, in kernel values of all means.
    fn exact_left(&self, n_prototypes: usize, per_mean: u64) -> f64 {
        self.memory.n_prototypes.saturating_sub(n_prototypes) as f64 * EXACT_PER_STEP * per_mean as f64
    }
}

impl<T: Scalar> Candidates<'_, T> {
    /// Whether all means together are expected to be cheaper than the rest of the race, which may end early.
    pub(super) fn all_are_cheaper(
        &mut self,
        ranking: &Ranking,
        best: Option<f64>,
        n_prototypes: usize,
    ) -> Result<bool> {
        let race = self.certainty.race.and_then(|race| Some((race, race.draw_cost?)));
        let gradient = match (ranking.rank, best.filter(|best| *best > 0.0 && best.is_finite())) {
            (Rank::Gradient, Some(gradient)) => gradient,
            // No gradient is larger where k(x, x) = 1.
            (Rank::GainBound, Some(gain)) => (2.0 * gain).sqrt(),
            _ => return Ok(false),
        };
        let Some((race, draw_cost)) = race else { return Ok(false) };
        let goal = self.certainty.memory.n_prototypes;
        let Some(slack) = self.certainty.outlook.look((n_prototypes, gradient), goal) else { return Ok(false) };
        let draws = self.shards.draws_left(slack)?;
        Ok(draws * draw_cost + self.certainty.exact_left(n_prototypes, race.per_mean) > race.for_all as f64)
    }
}

impl<T: Scalar> LocalShard<'_, T> {
    /// *Draws left*: what the race takes until no upper bound is farther from its estimate than this.
    pub(in crate::search) fn draws_left(&self, slack: f64) -> f64 {
        let Some(race) = self.data.approximate.and_then(|approximate| approximate.race) else { return 0.0 };
        let of_block = |block: usize| -> f64 {
            let block = &self.blocks[block];
            let Some(raced) = &block.means.race else { return 0.0 };
            let open = (0..raced.slack.len()).filter(|row| block.is_open(*row) && block.means.is_approximate(*row));
            let of_row = |row: usize| {
                let state = self.raced[block.first - self.data.first + row].unpack();
                race.draws_left(&state, raced.unit * f64::from(raced.slack[row]) / slack)
            };
            open.map(of_row).sum()
        };
        crate::parallel::map(0..self.blocks.len(), of_block).into_iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_gradient_is_expected_to_decrease_as_it_did() {
        let mut outlook = RaceOutlook::default();
        assert_eq!(outlook.look((0, 0.9), 64), Some(0.9));
        assert_eq!(outlook.look((1, 0.4), 64), Some(0.4));
        assert_eq!(outlook.look((2, 0.3), 64), None);
        // Half as large at four times the prototypes: a power of 1/2.
        assert!((outlook.look((4, 0.2), 64).unwrap() - SLACK * 0.05).abs() < 1e-15);
        assert_eq!(outlook.look((7, 0.2), 64), None);
        // Not smaller: at least a power of 1/4.
        assert!((outlook.look((8, 0.2), 128).unwrap() - SLACK * 0.1).abs() < 1e-15);
    }
}
