//! Which upper bounds on kernel means to tighten, and when to compute the means exactly instead.

use std::ops::ControlFlow;

use super::certainty::{Certainty, MeanPrecision};
use super::survey::CandidateSurvey;
use crate::error::Result;
use crate::kernel_mean::FAILURE;
use crate::observe::{Observer, Stage};
use crate::rows::Scalar;
use crate::search::candidates::Candidates;
use crate::search::local::LocalShard;
use crate::search::protocol::{RaceCost, RacePairs};
use crate::search::prototypes::PrototypeSet;
use crate::search::rank::Rank;

/// Number of leading rows computed exactly at the start of each step; so are contenders once this few are left.
const FEW_ROWS: usize = 8;
/// A race gives up when it has spent more than one in this many of all pairs.
const PAIRS_PER_RACED_PAIR: u64 = 4;

/// Reports the progress of the search instead of that of the race, which is only part of a step.
struct StepProgress<'a> {
    observer: &'a mut dyn Observer,
    n_prototypes: usize,
    goal: usize,
}

impl Observer for StepProgress<'_> {
    fn on_progress(&mut self, _: Stage, _: u64, _: u64) -> ControlFlow<()> {
        self.observer.on_progress(Stage::Search, self.n_prototypes as u64, self.goal as u64)
    }
}

/// The cost and the confidence of a race.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RaceRecord {
    /// Number of kernel values.
    pub(crate) n_pairs: u64,
    /// Number of source rows with an exact mean at the end.
    pub(crate) n_exact: usize,
    /// Probability that all upper bounds held.
    pub(crate) confidence: f64,
}

impl Certainty {
    /// See [`Ranking::tolerance`](crate::search::rank::Ranking::tolerance).
    pub(in crate::search) fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// The record of the race, if there was one.
    pub(in crate::search) fn race_record(&self) -> Option<RaceRecord> {
        let n_exact = if self.means == MeanPrecision::Exact { self.memory.n_source } else { self.n_corrected };
        self.race.map(|race| RaceRecord { n_pairs: race.spent, n_exact, confidence: 1.0 - FAILURE })
    }
}

impl RacePairs {
    /// Counts the cost of some exact means; `false`, without counting, if it would exceed the limit.
    pub(super) fn spend_on_means(&mut self, n_rows: usize) -> bool {
        let spent = self.spent + n_rows as u64 * self.per_mean;
        let fits = spent <= self.limit;
        if fits {
            self.spent = spent;
        }
        fits
    }

    /// Whether the limit is exceeded.
    fn is_over(&self) -> bool {
        self.spent > self.limit
    }
}

impl<T: Scalar> Candidates<'_, T> {
    /// Tightens the upper bounds of contenders, or makes them exact; `false` if there are none.
    ///
    /// The first time in a step, the rows with the largest estimates become exact: the best of them is a good lower bound.
    pub(super) fn race(
        &mut self,
        survey: &CandidateSurvey,
        leaders_are_exact: &mut bool,
        (n_prototypes, observer): (usize, &mut dyn Observer),
    ) -> Result<bool> {
        let raced = survey.raced_rows();
        if raced.is_empty() {
            return Ok(false);
        }
        if std::mem::replace(leaders_are_exact, true) {
            self.tighten(&raced, (n_prototypes, observer))?;
        } else {
            self.correct_means(&survey.leaders(FEW_ROWS), observer)?;
        }
        Ok(true)
    }

    /// Tightens upper bounds until no row with one may have this score, up to the tolerance.
    pub(in crate::search) fn race_above(
        &mut self,
        rank: Rank,
        prototypes: &PrototypeSet,
        score: f64,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        while self.certainty.race.is_some() && self.certainty.means != MeanPrecision::Exact {
            let ranking = self.certainty.ranking(rank, prototypes);
            let raced = self.shards.raced(&ranking, score / (1.0 - self.certainty.tolerance))?;
            if raced.is_empty() {
                return Ok(());
            }
            self.tighten(&raced, (prototypes.len(), observer))?;
        }
        Ok(())
    }

    /// Advances rows to the next level of the race, or makes them exact if they are few.
    fn tighten(&mut self, rows: &[usize], (n_prototypes, observer): (usize, &mut dyn Observer)) -> Result<()> {
        if rows.len() <= FEW_ROWS {
            return self.correct_means(rows, observer);
        }
        let goal = self.certainty.memory.n_prototypes;
        let mut progress = StepProgress { observer: &mut *observer, n_prototypes, goal };
        let RaceCost { n_pairs, n_exact } = self.shards.refine(rows, &mut progress)?;
        self.certainty.n_corrected += n_exact;
        let Some(race) = &mut self.certainty.race else { return Ok(()) };
        race.spent += n_pairs;
        if race.is_over() { self.correct_all_means(observer) } else { Ok(()) }
    }
}

impl<T: Scalar> LocalShard<'_, T> {
    /// *Refine*: the next level of the race for some rows; exact means after the last.
    pub(in crate::search) fn refine(&mut self, rows: &[usize], observer: &mut dyn Observer) -> Result<RaceCost> {
        let Some((approximate, race)) =
            self.data.approximate.and_then(|approximate| Some((approximate, approximate.race?)))
        else {
            return Ok(RaceCost::default());
        };
        let first = self.data.first;
        let (advancing, finished): (Vec<usize>, Vec<usize>) =
            rows.iter().partition(|row| race.can_refine(&self.raced[**row - first]));
        let mut states: Vec<_> = advancing.iter().map(|row| self.raced[row - first]).collect();
        let mut n_pairs = race.refine(&advancing, &mut states, observer)?;
        for (&source_index, state) in advancing.iter().zip(states) {
            self.raced[source_index - first] = state;
            let (mean, shift) = (race.mean(&state), self.shift);
            let block = self.block_mut(source_index);
            let Some(row) = block.local(source_index) else { continue };
            let estimate = mean.upper - mean.slack;
            // The bounds of all levels hold together, so the lowest holds.
            let upper = (mean.upper + shift).min(block.kernel_mean[row]);
            block.gradient[row] += upper - block.kernel_mean[row];
            block.kernel_mean.to_mut()[row] = upper;
            block.slack[row] = (upper - shift - estimate) as f32;
        }
        let means = self.exact_means(&finished);
        n_pairs += (finished.len() * approximate.target.rows.n_rows()) as u64;
        for (source_index, mean) in finished.iter().zip(&means) {
            self.correct_mean(*source_index, *mean);
        }
        Ok(RaceCost { n_pairs, n_exact: finished.len() })
    }

    /// What the race had spent before the search.
    pub(in crate::search) fn race_pairs(&self) -> Option<RacePairs> {
        let approximate = self.data.approximate?;
        let (n_target, n_source) = (approximate.target.rows.n_rows() as u64, approximate.race?.rows().len() as u64);
        let limit = n_target * n_source / PAIRS_PER_RACED_PAIR;
        let for_all = if approximate.is_source { n_target * (n_target + 1) / 2 } else { n_target * n_source };
        Some(RacePairs { spent: approximate.race?.n_pairs(), limit, per_mean: n_target, for_all })
    }
}
