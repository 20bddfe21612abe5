//! Which upper bounds on kernel means to tighten, and when to compute the means exactly instead.

use std::ops::ControlFlow;

use super::certainty::Certainty;
use super::survey::{CandidateSurvey, LowerBound, RaceFloor, ScoreTie};
use crate::error::Result;
use crate::kernel_mean::{FAILURE, RACED_AT_A_TIME, Race};
use crate::observe::{Observer, Stage};
use crate::parallel;
use crate::rows::Scalar;
use crate::search::candidates::Candidates;
use crate::search::local::{CandidateBlock, LocalShard};
use crate::search::protocol::{RaceCost, RacePairs};
use crate::search::prototypes::PrototypeSet;
use crate::search::rank::{Rank, Ranking};

/// Rows that are computed exactly at the start of each step, and rows left in contention that are no longer raced.
pub(super) const FEW_ROWS: usize = 8;
/// Levels that a row climbs before the leader looks at all rows again. A row's features are computed once for them.
const LEVELS_PER_ORDER: usize = 6;
/// A race that has spent more than one in so many of all pairs gives up.
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

    /// Whether there are upper bounds.
    pub(super) fn is_racing(&self) -> bool {
        self.race.is_some() && !self.race_ended
    }

    /// What the race took, if there was one.
    pub(in crate::search) fn race_record(&self) -> Option<RaceRecord> {
        let n_exact = if self.race_ended { self.memory.n_source } else { self.n_corrected };
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
    /// Makes the means of the rows with the largest estimates exact: the best of them is a strong lower bound.
    pub(super) fn settle_leaders(
        &mut self,
        ranking: &Ranking,
        tie: ScoreTie,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        if !self.certainty.is_racing() {
            return Ok(());
        }
        let leaders = self.shards.leaders(ranking, tie, FEW_ROWS)?;
        if leaders.is_empty() { Ok(()) } else { self.correct_means(&leaders, observer) }
    }

    /// Lowers upper bounds in contention, or makes them exact; returns the survey if there are none.
    pub(super) fn race(
        &mut self,
        survey: CandidateSurvey,
        (ranking, tie): (Ranking, ScoreTie),
        (n_prototypes, observer): (usize, &mut dyn Observer),
    ) -> Result<Option<CandidateSurvey>> {
        let raced = survey.raced_rows();
        if raced.is_empty() {
            return Ok(Some(survey));
        }
        let best = survey.lower_bound.map(|bound| bound.score);
        if self.all_are_cheaper(&ranking, best, n_prototypes)? {
            drop(survey);
            return self.correct_all_means(observer).map(|()| None);
        }
        let floor = RaceFloor { ranking, tie, bound: survey.lower_bound };
        // Many rows may contend, and a race takes time: so keep only their indices.
        drop(survey);
        self.lower(raced, floor, (n_prototypes, observer))?;
        Ok(None)
    }

    /// Tightens upper bounds until no row with one may have this score, up to the tolerance.
    pub(in crate::search) fn race_above(
        &mut self,
        rank: Rank,
        prototypes: &PrototypeSet,
        score: f64,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        while self.certainty.is_racing() {
            let ranking = self.certainty.ranking(rank, prototypes);
            let raced = self.shards.raced(&ranking, score / (1.0 - self.certainty.tolerance))?;
            if raced.is_empty() {
                return Ok(());
            }
            let floor = RaceFloor { ranking, tie: ScoreTie::Exact, bound: Some(LowerBound { score, tie: 0.0 }) };
            self.lower(raced, floor, (prototypes.len(), observer))?;
        }
        Ok(())
    }

    /// Takes rows to further levels of the race; a few become exact.
    fn lower(
        &mut self,
        rows: Vec<usize>,
        floor: RaceFloor,
        (n_prototypes, observer): (usize, &mut dyn Observer),
    ) -> Result<()> {
        if rows.len() <= FEW_ROWS {
            return self.correct_means(&rows, observer);
        }
        let goal = self.certainty.memory.n_prototypes;
        let mut progress = StepProgress { observer: &mut *observer, n_prototypes, goal };
        let RaceCost { n_pairs, n_exact } = self.shards.refine(rows, floor, &mut progress)?;
        self.certainty.n_corrected += n_exact;
        let Some(race) = &mut self.certainty.race else { return Ok(()) };
        race.spent += n_pairs;
        if race.is_over() { self.correct_all_means(observer) } else { Ok(()) }
    }
}

impl<T: Scalar> LocalShard<'_, T> {
    /// *Refine*: a few levels of the race for some rows, while they reach the floor; exact means after the last level.
    ///
    /// How far a row goes does not depend on the other rows, and so not on the shards.
    pub(in crate::search) fn refine(
        &mut self,
        rows: &[usize],
        floor: &RaceFloor,
        observer: &mut dyn Observer,
    ) -> Result<RaceCost> {
        let Some((approximate, race)) =
            self.data.approximate.and_then(|approximate| Some((approximate, approximate.race?)))
        else {
            return Ok(RaceCost::default());
        };
        let first = self.data.first;
        let (mut n_pairs, mut finished) = (0, Vec::new());
        for some in rows.chunks(RACED_AT_A_TIME) {
            let (advancing, done): (Vec<usize>, Vec<usize>) =
                some.iter().partition(|row| race.can_refine(&self.raced[**row - first].unpack()));
            if !advancing.is_empty() {
                n_pairs += self.climb(race, &advancing, floor, observer)?;
            }
            finished.extend(done);
        }
        let means = self.exact_means(&finished);
        n_pairs += (finished.len() * approximate.target.rows.n_rows()) as u64;
        for (source_index, mean) in finished.iter().zip(&means) {
            self.correct_mean(*source_index, *mean);
        }
        Ok(RaceCost { n_pairs, n_exact: finished.len() })
    }

    /// A few levels for some rows; returns the number of kernel values.
    fn climb(
        &mut self,
        race: &Race<'_, T>,
        rows: &[usize],
        floor: &RaceFloor,
        observer: &mut dyn Observer,
    ) -> Result<u64> {
        let first = self.data.first;
        let anchored = race.anchored(rows);
        let mut n_pairs = (anchored.n_computed() * race.n_landmarks()) as u64;
        let mut states: Vec<_> = rows.iter().map(|row| self.raced[row - first].unpack()).collect();
        let slack: Vec<f32> = rows.iter().map(|row| self.slack(*row)).collect();
        let mut upper = race.kept_bounds(&anchored, &states, &slack);
        let mut places: Vec<usize> = (0..rows.len()).collect();
        for _ in 0..LEVELS_PER_ORDER {
            n_pairs += race.refine(&anchored, &places, &mut states, observer)?;
            let means = race.means(&anchored, &places, &states);
            let changes = places.iter().zip(means).map(|(place, mean)| {
                // All levels hold at once, so that the lowest upper bound does.
                let lower = mean.upper.min(upper[*place]);
                let change = lower - upper[*place];
                upper[*place] = lower;
                (rows[*place], change)
            });
            let changes: Vec<(usize, f64)> = changes.collect();
            self.in_blocks(&changes, &|block, row, change| block.shift_mean(row, *change));
            let reach = |at: usize| {
                let place = places[at];
                race.can_refine(&states[place]) && self.reaches_floor(rows[place], floor)
            };
            let reach = parallel::map(0..places.len(), reach);
            let mut reach = reach.into_iter();
            places.retain(|_| reach.next().unwrap_or(false));
        }
        let kept = race.kept(&anchored, &states, &upper);
        let changes = rows
            .iter()
            .zip(kept.iter().zip(upper))
            .map(|(row, (kept, upper))| (*row, (kept.upper - upper, kept.slack)));
        self.in_blocks(&changes.collect::<Vec<_>>(), &|block, row, (change, slack)| {
            block.shift_mean(row, *change);
            if let Some(race) = &mut block.means.race {
                race.slack[row] = *slack;
            }
        });
        rows.iter().zip(kept).for_each(|(row, kept)| self.raced[row - first] = kept.row);
        Ok(n_pairs)
    }

    /// Changes rows, which are in source order, in their blocks: several blocks at a time.
    fn in_blocks<C: Sync>(
        &mut self,
        changes: &[(usize, C)],
        change: &(dyn Fn(&mut CandidateBlock<'_, T>, usize, &C) + Sync),
    ) {
        let (first, rows_per_block) = (self.data.first, self.data.rows_per_block);
        let block_of = |row: usize| (row - first) / rows_per_block;
        debug_assert!(changes.is_sorted_by_key(|(row, _)| *row));
        let mut groups = changes.chunk_by(|a, b| block_of(a.0) == block_of(b.0)).peekable();
        let blocks = self.blocks.iter_mut().enumerate();
        let mut affected: Vec<_> = blocks
            .filter_map(|(at, block)| Some((block, groups.next_if(|group| block_of(group[0].0) == at)?)))
            .collect();
        parallel::map_mut(&mut affected, |(block, group)| {
            group.iter().for_each(|(row, with)| change(block, row - block.first, with));
        });
    }

    fn slack(&self, source_index: usize) -> f32 {
        let (block, row) = self.locate(source_index);
        block.means.race.as_ref().map_or(0.0, |race| race.slack[row])
    }

    fn reaches_floor(&self, source_index: usize, floor: &RaceFloor) -> bool {
        let (block, row) = self.locate(source_index);
        block.reaches(row, &floor.ranking, floor.tie, floor.bound)
    }

    /// What the race has spent before the search.
    pub(in crate::search) fn race_pairs(&self) -> Option<RacePairs> {
        let approximate = self.data.approximate?;
        let (n_target, n_source) = (approximate.target.rows.n_rows() as u64, approximate.race?.n_source() as u64);
        let limit = n_target * n_source / PAIRS_PER_RACED_PAIR;
        let for_all = if approximate.is_source { n_target * (n_target + 1) / 2 } else { n_target * n_source };
        let (race, n_columns) = (approximate.race?, self.data.rows.n_columns());
        let draw_cost = race.ends_early().then(|| race.draw_cost(n_columns));
        Some(RacePairs { spent: race.n_pairs(), limit, per_mean: n_target, for_all, draw_cost })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Gaussian;
    use crate::kernel_mean::{
        ApproximateMeans, ErrorBound, MergedTarget, Precision, RaceTarget, Target, mean_over_target,
    };
    use crate::observe::Unobserved;
    use crate::rows::Rows;
    use crate::search::local::ShardData;
    use crate::search::precision::survey::KnownMean;
    use crate::search::protocol::{ColumnStorage, Shard, ShardAnswer, ShardOrder, ShardQuestion};

    /// When f32 data end a race, upper bounds become means in f32 with an error bound, and exact means stay.
    #[test]
    fn all_means_after_a_race_are_in_the_precision_of_the_data() {
        let values: Vec<f32> = (0..3000_u32).map(|i| (i * i % 1013) as f32 / 300.0).collect();
        let rows = Rows::new(&values, 3);
        let kernel = Gaussian::new(0.4).unwrap();
        let target = Target { rows, weights: None };
        let merged = MergedTarget::of(target);
        let race_target = RaceTarget::new(target, &merged);
        let race = Race::new(&kernel, &race_target, rows, 1, &mut Unobserved).unwrap();
        let approximate = ApproximateMeans { target, is_source: true, error: ErrorBound::default(), race: Some(&race) };
        let (first, kernel_mean, constraints, rows_per_block) = (0, &[][..], None, 64);
        let (approximate, is_candidate) = (Some(approximate), vec![true; 1000]);
        let data = ShardData {
            kernel: &kernel,
            rows,
            first,
            kernel_mean,
            approximate,
            is_candidate,
            constraints,
            rows_per_block,
        };
        let mut shard = LocalShard::new(data);
        let columns = ColumnStorage::In(Precision::Single);
        let open = ShardOrder::Open { shift: 0.0, columns, keeps_schur: false };
        let exact = mean_over_target(target, rows, &kernel, (Stage::KernelMean, &mut Unobserved)).unwrap();
        let orders = [open, ShardOrder::Correct(vec![(7, exact[7])]), ShardOrder::CorrectAll(Precision::Single)];
        for (sequence, order) in orders.iter().enumerate() {
            shard.tell(sequence as u64, order, &mut Unobserved).unwrap();
        }
        let ranking = Ranking {
            rank: Rank::Gradient,
            multiplier: 0.0,
            schur_error: 0.0,
            column_error: 0.0,
            scale: 1.0,
            tolerance: 0.0,
            per_cost: false,
            without: None,
        };
        let mut n_rounded = 0;
        for (row, exact) in exact.iter().enumerate() {
            let (block, place) = shard.locate(row);
            let (mean, error) = (block.means.get(place), block.gradient_error(&ranking, place, 1.0));
            assert_eq!(block.means.is_approximate(place), row != 7);
            assert!((mean - exact).abs() <= error && error < 1e-5 && (block.gradient[place] - mean).abs() < 1e-15);
            n_rounded += usize::from(mean != *exact);
        }
        assert!(n_rounded > 500 && shard.draws_left(1e-9) == 0.0);
        let survey = shard.ask(3, &ShardQuestion::Survey { ranking, tie: ScoreTie::Exact }).unwrap();
        let crate::search::protocol::ShardReply::Done(ShardAnswer::Survey(survey)) = survey else {
            panic!("{survey:?}")
        };
        assert!(survey.contenders.iter().all(|row| row.source_index == 7 || row.mean == KnownMean::Rounded));
    }
}
