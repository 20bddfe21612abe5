//! All shards as seen by the leader: merges answers and numbers orders.

use std::panic::resume_unwind;
use std::sync::Arc;

use super::numbered::NumberedShard;
use super::precision::{CandidateSurvey, RaceFloor, ScoreTie};
use super::protocol::{
    Admission, AdmissionReport, ColumnSums, DescribedRow, RaceCost, Shard, ShardAnswer, ShardOrder, ShardQuestion,
    ShardSummary,
};
use super::rank::{RankedRow, Ranking};
use crate::error::{Error, Result};
use crate::observe::{Observer, Unobserved};
use crate::parallel;
use crate::rows::Scalar;

/// The shards of a source, in source order.
pub(crate) struct Shards<'a, T> {
    shards: Vec<NumberedShard<'a, T>>,
    /// Answers that came with the last admission, in the order of the shards. Any later order invalidates them.
    prefetched: Vec<(ShardQuestion<T>, Vec<ShardAnswer<T>>)>,
    /// Corrections that the next admission takes along, or else the next order that needs them.
    postponed: Vec<(usize, f64)>,
}

impl<'a, T: Scalar> Shards<'a, T> {
    pub(crate) fn new(shards: Vec<Box<dyn Shard<T> + 'a>>) -> Self {
        Shards {
            shards: shards.into_iter().map(NumberedShard::new).collect(),
            prefetched: Vec::new(),
            postponed: Vec::new(),
        }
    }

    /// Number of source rows.
    pub(super) fn n_source(&self) -> usize {
        self.shards.last().map_or(0, |shard| shard.range.end)
    }

    pub(super) fn open(&mut self, order: &ShardOrder<T>) -> Result<Vec<ShardSummary>> {
        let answers = self.tell_all(order, &mut Unobserved)?.into_iter();
        Ok(answers
            .map(|answer| if let ShardAnswer::Opened(summary) = answer { summary } else { mismatch(&answer) })
            .collect())
    }

    /// The candidates of all shards that may be the best.
    pub(super) fn survey(&self, ranking: &Ranking, tie: ScoreTie) -> Result<CandidateSurvey> {
        let answers = self.ask_all(&ShardQuestion::Survey { ranking: ranking.clone(), tie })?.into_iter();
        let surveys =
            answers.map(|answer| if let ShardAnswer::Survey(survey) = answer { survey } else { mismatch(&answer) });
        Ok(CandidateSurvey::merged(surveys.collect(), ranking.tolerance))
    }

    /// Of the candidates that may be the best, the rows with the largest estimates among those with upper bounds, in source order.
    pub(super) fn leaders(&self, ranking: &Ranking, tie: ScoreTie, limit: usize) -> Result<Vec<usize>> {
        let question = ShardQuestion::Leaders { ranking: ranking.clone(), tie, limit };
        let ranked = self.ask_all(&question)?.into_iter();
        let ranked =
            ranked.flat_map(|answer| if let ShardAnswer::Ranked(ranked) = answer { ranked } else { mismatch(&answer) });
        let best = RankedRow::best(ranked.collect(), limit);
        let mut rows: Vec<usize> = best.into_iter().map(|row| row.source_index).collect();
        rows.sort_unstable();
        Ok(rows)
    }

    /// The best candidates of all shards, best first.
    pub(super) fn propose(&self, ranking: &Ranking, limit: usize) -> Result<Vec<RankedRow>> {
        let answers = self.ask_all(&ShardQuestion::Propose { ranking: ranking.clone(), limit })?.into_iter();
        let ranked = answers
            .flat_map(|answer| if let ShardAnswer::Ranked(ranked) = answer { ranked } else { mismatch(&answer) });
        Ok(RankedRow::best(ranked.collect(), limit))
    }

    /// All candidates whose score may be at least this, in source order.
    pub(super) fn at_least(&self, ranking: &Ranking, score: f64) -> Result<Vec<usize>> {
        let answers = self.ask_all(&ShardQuestion::AtLeast { ranking: ranking.clone(), score })?.into_iter();
        let rows =
            answers.flat_map(|answer| if let ShardAnswer::Rows(rows) = answer { rows } else { mismatch(&answer) });
        Ok(rows.collect())
    }

    /// The candidates whose kernel means are upper bounds and whose score may be at least this, in source order.
    pub(super) fn raced(&self, ranking: &Ranking, score: f64) -> Result<Vec<usize>> {
        let answers = self.ask_all(&ShardQuestion::Raced { ranking: ranking.clone(), score })?.into_iter();
        let rows =
            answers.flat_map(|answer| if let ShardAnswer::Rows(rows) = answer { rows } else { mismatch(&answer) });
        Ok(rows.collect())
    }

    /// The kernel values that a race takes until no upper bound is farther from its estimate than this.
    pub(super) fn draws_left(&self, slack: f64) -> Result<f64> {
        let answers = self.ask_all(&ShardQuestion::DrawsLeft { slack })?.into_iter();
        Ok(answers
            .map(|answer| if let ShardAnswer::Numbers(draws) = answer { draws[0] } else { mismatch(&answer) })
            .sum())
    }

    pub(super) fn describe(&self, source_index: usize) -> Result<DescribedRow<T>> {
        let prefetched =
            self.prefetched.iter().filter(|(question, _)| matches!(question, ShardQuestion::DescribeBest(_)));
        for answer in prefetched.flat_map(|(_, answers)| answers) {
            match answer {
                ShardAnswer::Described(row) if row.source_index == source_index => return Ok(row.clone()),
                _ => {}
            }
        }
        let shard = &self.shards[self.owner(source_index)?];
        match shard.ask(&ShardQuestion::Describe(source_index))? {
            ShardAnswer::Described(row) => Ok(row),
            other => mismatch(&other),
        }
    }

    /// The exact scores of rows in source order.
    pub(super) fn exact_scores(&self, ranking: &Ranking, weights: &[f64], rows: &[usize]) -> Result<Vec<f64>> {
        let question = |rows| ShardQuestion::ExactScores { ranking: ranking.clone(), weights: weights.to_vec(), rows };
        self.ask_owners(rows, question)
    }

    /// The kernel means in f64 of rows in source order, with the shift.
    pub(super) fn means(&self, rows: &[usize]) -> Result<Vec<f64>> {
        self.ask_owners(rows, ShardQuestion::Means)
    }

    /// The sum of a row's kernel column over the whole source.
    pub(super) fn column_total(&self, source_index: usize, row: &[T]) -> Result<f64> {
        let answers = self.ask_all(&ShardQuestion::Column { source_index, row: row.to_vec() })?.into_iter();
        let parts: Vec<ColumnSums> = answers
            .map(|answer| if let ShardAnswer::ColumnSums(sums) = answer { sums } else { mismatch(&answer) })
            .collect();
        Ok(ColumnSums::total(&parts))
    }

    /// Replaces the kernel means of some rows, given in source order.
    pub(super) fn correct(&mut self, means: &[(usize, f64)]) -> Result<()> {
        self.correct_postponed()?;
        self.correct_now(means)
    }

    /// Replaces the kernel mean of a row that is probably admitted next, which saves remote shards a message.
    pub(super) fn correct_with_admission(&mut self, source_index: usize, mean: f64) -> Result<()> {
        if !self.are_remote() {
            return self.correct(&[(source_index, mean)]);
        }
        self.prefetched.clear();
        self.postponed.push((source_index, mean));
        Ok(())
    }

    /// Has postponed corrections made, without which answers to most questions are of no use.
    pub(super) fn correct_postponed(&mut self) -> Result<()> {
        let mut postponed = std::mem::take(&mut self.postponed);
        postponed.sort_by_key(|(row, _)| *row);
        if postponed.is_empty() { Ok(()) } else { self.correct_now(&postponed) }
    }

    /// The corrections that an admission takes along.
    pub(super) fn take_postponed(&mut self) -> Vec<(usize, f64)> {
        std::mem::take(&mut self.postponed)
    }

    /// The correction of a row that is postponed.
    pub(super) fn postponed(&self, source_index: usize) -> Option<f64> {
        self.postponed.iter().find(|(row, _)| *row == source_index).map(|(_, mean)| *mean)
    }

    fn correct_now(&mut self, means: &[(usize, f64)]) -> Result<()> {
        self.prefetched.clear();
        for shard in &mut self.shards {
            let here: Vec<_> = means.iter().filter(|(row, _)| shard.range.contains(row)).copied().collect();
            if !here.is_empty() {
                shard.tell(&ShardOrder::Correct(here), None, &mut Unobserved)?;
            }
        }
        Ok(())
    }

    /// Lowers the upper bounds of some rows, given in source order, while they reach the floor.
    pub(super) fn refine(
        &mut self,
        rows: Vec<usize>,
        floor: RaceFloor,
        observer: &mut dyn Observer,
    ) -> Result<RaceCost> {
        self.correct_postponed()?;
        self.prefetched.clear();
        let mut cost = RaceCost::default();
        let mut rest = rows;
        for shard in &mut self.shards {
            // A single shard gets the whole list without a copy.
            let later = rest.split_off(rest.partition_point(|row| *row < shard.range.end));
            let here = std::mem::replace(&mut rest, later);
            if here.is_empty() {
                continue;
            }
            match shard.tell(&ShardOrder::Refine { rows: here, floor: floor.clone() }, None, observer)? {
                ShardAnswer::Refined(more) => {
                    cost.n_pairs += more.n_pairs;
                    cost.n_exact += more.n_exact;
                }
                other => mismatch(&other),
            }
        }
        Ok(cost)
    }

    pub(super) fn refuse(&mut self, source_index: usize) -> Result<()> {
        self.prefetched.clear();
        let owner = self.owner(source_index)?;
        self.shards[owner].tell(&ShardOrder::Refuse(source_index), None, &mut Unobserved).map(|_| ())
    }

    /// Admits a prototype and keeps the answers to the questions that went with it.
    pub(super) fn admit(&mut self, admission: Admission<T>) -> Result<()> {
        let order = ShardOrder::Admit(admission);
        let reports: Vec<AdmissionReport<T>> = self
            .tell_all(&order, &mut Unobserved)?
            .into_iter()
            .map(|answer| if let ShardAnswer::Admitted(report) = answer { report } else { mismatch(&answer) })
            .collect();
        if let Some((row, value)) = reports.iter().find_map(|report| report.indefinite) {
            return Err(Error::NegativeSchurComplement { row, value });
        }
        let ShardOrder::Admit(Admission { then, .. }) = order else { return Ok(()) };
        let mut of_shards: Vec<_> = reports.into_iter().map(|report| report.answers.into_iter()).collect();
        self.prefetched = then
            .into_iter()
            .map(|question| (question, of_shards.iter_mut().filter_map(Iterator::next).collect()))
            .collect();
        Ok(())
    }

    /// Gives an order to every shard.
    pub(super) fn tell_all(
        &mut self,
        order: &ShardOrder<T>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<ShardAnswer<T>>> {
        self.correct_postponed()?;
        self.prefetched.clear();
        let is_remote = self.are_remote();
        let logged = is_remote.then(|| Arc::new(order.for_log()));
        let tell = |shard: &mut NumberedShard<'a, T>| shard.tell(order, logged.as_ref(), &mut Unobserved);
        match (&mut self.shards[..], order) {
            ([shard], _) => shard.tell(order, logged.as_ref(), observer).map(|answer| vec![answer]),
            (shards, _) if is_remote => wait_for_all(shards.iter_mut().map(|shard| || tell(shard)).collect()),
            // Only one shard at a time can report progress.
            (shards, ShardOrder::CorrectAll(_)) => {
                shards.iter_mut().map(|shard| shard.tell(order, None, observer)).collect()
            }
            (shards, _) => parallel::map_mut(shards, tell).into_iter().collect(),
        }
    }

    /// The answers of all shards, in source order.
    fn ask_all(&self, question: &ShardQuestion<T>) -> Result<Vec<ShardAnswer<T>>> {
        if let Some((_, answers)) = self.prefetched.iter().find(|(prefetched, _)| prefetched == question) {
            return Ok(answers.clone());
        }
        self.of_each(|shard| shard.ask(question))
    }

    /// One number for each of these rows, which are in source order, from the shards that own them.
    fn ask_owners(&self, rows: &[usize], question: impl Fn(Vec<usize>) -> ShardQuestion<T> + Sync) -> Result<Vec<f64>> {
        let answers = self.of_each(|shard| {
            let here: Vec<usize> = rows.iter().filter(|row| shard.range.contains(row)).copied().collect();
            if here.is_empty() {
                return Ok(Vec::new());
            }
            match shard.ask(&question(here))? {
                ShardAnswer::Numbers(numbers) => Ok(numbers),
                other => mismatch(&other),
            }
        });
        Ok(answers?.concat())
    }

    /// A value from each shard, in source order.
    fn of_each<R: Send>(&self, value: impl Fn(&NumberedShard<'a, T>) -> Result<R> + Sync) -> Result<Vec<R>> {
        match &self.shards[..] {
            [shard] => value(shard).map(|value| vec![value]),
            shards if self.are_remote() => wait_for_all(shards.iter().map(|shard| || value(shard)).collect()),
            shards => parallel::map(0..shards.len(), |shard| value(&shards[shard])).into_iter().collect(),
        }
    }

    pub(super) fn are_remote(&self) -> bool {
        self.shards.iter().any(|shard| shard.is_remote)
    }

    fn owner(&self, source_index: usize) -> Result<usize> {
        let owner = self.shards.partition_point(|shard| shard.range.end <= source_index);
        let rows = self.n_source();
        if owner < self.shards.len() { Ok(owner) } else { Err(Error::NotThisSource { source_index, rows }) }
    }
}

/// The results of tasks that wait for other processes, on a thread each: waiting threads must not keep those of the pool
/// from working, which may be the ones that they wait for.
pub(super) fn wait_for_all<R: Send>(tasks: Vec<impl FnOnce() -> Result<R> + Send>) -> Result<Vec<R>> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = tasks.into_iter().map(|task| scope.spawn(task)).collect();
        let joined = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        // All are joined before the first error counts.
        joined.collect::<Vec<_>>().into_iter().collect()
    })
}

/// A shard that answers a different question violates the protocol.
fn mismatch<T: Scalar>(answer: &ShardAnswer<T>) -> ! {
    unreachable!("a shard gave an answer of the wrong kind: {answer:?}")
}
