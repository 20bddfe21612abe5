//! Decides what to compute in f64, so that the best candidate is certain.

use super::certainty::MeanPrecision;
use super::race::FEW_ROWS;
use super::survey::ScoreTie;
use crate::error::Result;
use crate::kernel_mean::Precision;
use crate::observe::{Observer, check_cancelled};
use crate::rows::Scalar;
use crate::search::candidates::Candidates;
use crate::search::protocol::{ColumnStorage, DescribedRow, ShardOrder, ShardQuestion};
use crate::search::prototypes::PrototypeSet;
use crate::search::rank::Rank;

/// Once more than one in this many rows would be corrected one by one, all kernel means are computed in f64.
const ROWS_PER_CORRECTION: usize = 16;
/// With more contenders than this at one step, columns in f32 are recomputed in f64.
const MAX_CONTENDERS: usize = 256;
/// The limit where every contender would take a quadratic programme.
const MAX_TRIALS: usize = 8;

impl<T: Scalar> Candidates<'_, T> {
    /// The candidate with the largest score, the first in the source if several are equal; `None` if no row raises the
    /// objective.
    pub(crate) fn best(
        &mut self,
        rank: Rank,
        prototypes: &PrototypeSet,
        observer: &mut dyn Observer,
    ) -> Result<Option<usize>> {
        self.shards.correct_postponed()?;
        let tie = self.certainty.tie(prototypes);
        self.settle_leaders(&self.certainty.ranking(rank, prototypes), tie, observer)?;
        loop {
            let ranking = self.certainty.ranking(rank, prototypes);
            let survey = self.shards.survey(&ranking, tie)?;
            let is_settled = survey.contenders.len() == 1 && survey.lower_bound.is_some();
            if is_settled || survey.contenders.is_empty() || self.certainty.is_exact() {
                return Ok(survey.contenders.first().map(|row| row.source_index));
            }
            let raced = self.race(survey, (ranking.clone(), tie), (prototypes.len(), &mut *observer))?;
            let Some(survey) = raced else { continue };
            if self.certainty.columns_are_f32() && survey.contenders.len() > MAX_CONTENDERS {
                self.store_columns_in_double(prototypes, observer)?;
                continue;
            }
            self.correct_means(&survey.approximate_rows(), observer)?;
            let rows = survey.rows();
            let scores = self.shards.exact_scores(&ranking, prototypes.weights(), &rows)?;
            return Ok(survey.first_best(&scores));
        }
    }

    /// Computes kernel means in f64 until the candidate with the largest score has an exact one, and columns if otherwise
    /// too many candidates would have to be tried.
    ///
    /// The scores of other candidates may stay upper bounds.
    pub(crate) fn settle(&mut self, rank: Rank, prototypes: &PrototypeSet, observer: &mut dyn Observer) -> Result<()> {
        self.shards.correct_postponed()?;
        self.certainty.update(prototypes);
        self.settle_leaders(&self.certainty.ranking(rank, prototypes), ScoreTie::Exact, observer)?;
        while !self.certainty.is_exact() {
            self.certainty.update(prototypes);
            let ranking = self.certainty.ranking(rank, prototypes);
            let survey = self.shards.survey(&ranking, ScoreTie::Exact)?;
            let raced = self.race(survey, (ranking, ScoreTie::Exact), (prototypes.len(), &mut *observer))?;
            let Some(survey) = raced else { continue };
            if self.certainty.columns_are_f32() && survey.contenders.len() > MAX_TRIALS {
                self.store_columns_in_double(prototypes, observer)?;
                continue;
            }
            let approximate_rows = survey.approximate_rows();
            // A single contender is corrected when it is tried.
            if survey.contenders.len() <= 1 || approximate_rows.is_empty() {
                return Ok(());
            }
            self.correct_means(&approximate_rows, observer)?;
        }
        Ok(())
    }

    /// The question that [`best`](Self::best) or [`settle`](Self::settle) asks first, if any.
    pub(crate) fn first_question(&self, rank: Rank, prototypes: &PrototypeSet) -> Option<ShardQuestion<T>> {
        let tie = match rank {
            Rank::GainBound if self.certainty.is_exact() => return None,
            Rank::GainBound => ScoreTie::Exact,
            _ => self.certainty.tie(prototypes),
        };
        let ranking = self.certainty.ranking(rank, prototypes);
        Some(match self.certainty.is_racing() {
            true => ShardQuestion::Leaders { ranking, tie, limit: FEW_ROWS },
            false => ShardQuestion::Survey { ranking, tie },
        })
    }

    /// Everything needed to admit a row, with its kernel mean in f64.
    ///
    /// If the target is the source, the mean is the sum of the row's kernel column, which the shards cache for the
    /// admission. A mean that was not exact is always computed like this, even if it was corrected before together with
    /// others. Which ones were depends on the precision of the columns and so on their memory, but the weights must not
    /// depend on that, not even in the last bit.
    pub(crate) fn describe(&mut self, source_index: usize) -> Result<DescribedRow<T>> {
        let mut described = self.shards.describe(source_index)?;
        if let Some(mean) = self.shards.postponed(source_index) {
            (described.kernel_mean, described.mean_is_approximate) = (mean, false);
        }
        let MeanPrecision::Approximate { column_divisor } = self.certainty.given_means else {
            return Ok(described);
        };
        let mean = match self.certainty.described_means.get(&source_index) {
            Some(mean) => *mean,
            None => match column_divisor {
                Some(divisor) => self.shards.column_total(source_index, &described.row)? / divisor + self.shift,
                None => self.shards.means(&[source_index])?[0],
            },
        };
        self.certainty.described_means.insert(source_index, mean);
        if described.mean_is_approximate || described.kernel_mean != mean {
            self.certainty.n_corrected += usize::from(described.mean_is_approximate);
            (described.kernel_mean, described.mean_is_approximate) = (mean, false);
            self.shards.correct_with_admission(source_index, mean)?;
        }
        Ok(described)
    }

    /// Computes the kernel means of these rows in f64, or those of all rows once that is cheaper.
    pub(super) fn correct_means(&mut self, rows: &[usize], observer: &mut dyn Observer) -> Result<()> {
        if self.certainty.means == MeanPrecision::Exact {
            return Ok(());
        }
        let all_are_cheaper = match &mut self.certainty.race {
            Some(race) if !self.certainty.race_ended => !race.spend_on_means(rows.len()),
            _ => self.certainty.n_corrected + rows.len() > self.certainty.memory.n_source / ROWS_PER_CORRECTION,
        };
        if all_are_cheaper {
            return self.correct_all_means(observer);
        }
        let means = self.shards.means(rows)?;
        self.certainty.n_corrected += rows.len();
        self.shards.correct(&rows.iter().copied().zip(means).collect::<Vec<_>>())
    }

    /// Computes the kernel means of all rows: instead of upper bounds in the precision of the data, otherwise in f64.
    pub(super) fn correct_all_means(&mut self, observer: &mut dyn Observer) -> Result<()> {
        let precision = if self.certainty.is_racing() { Precision::of_data::<T>() } else { Precision::Double };
        self.shards.tell_all(&ShardOrder::CorrectAll(precision), observer)?;
        self.certainty.race_ended = true;
        match precision {
            Precision::Double => self.certainty.means = MeanPrecision::Exact,
            // What the race made exact says nothing about how many corrections are still to come.
            Precision::Single => self.certainty.n_corrected = 0,
        }
        if let Some(race) = &mut self.certainty.race {
            race.spent += race.for_all;
        }
        Ok(())
    }

    /// Stops storing the columns if one more would not fit.
    pub(crate) fn make_room(&mut self, n_prototypes: usize, observer: &mut dyn Observer) -> Result<()> {
        match self.certainty.columns {
            ColumnStorage::In(precision) if !self.certainty.memory.fits(n_prototypes + 1, precision) => {
                self.store_columns(ColumnStorage::Recompute, n_prototypes, observer)
            }
            _ => Ok(()),
        }
    }

    /// Recomputes the columns in f64, or stops storing them if they do not fit.
    fn store_columns_in_double(&mut self, prototypes: &PrototypeSet, observer: &mut dyn Observer) -> Result<()> {
        let fits = self.certainty.memory.fits(prototypes.len() + 1, Precision::Double);
        let storage = if fits { ColumnStorage::In(Precision::Double) } else { ColumnStorage::Recompute };
        self.store_columns(storage, prototypes.len(), observer)?;
        self.shards.tell_all(&ShardOrder::Rebuild, observer).map(|_| ())
    }

    fn store_columns(
        &mut self,
        storage: ColumnStorage,
        n_prototypes: usize,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        self.certainty.columns = storage;
        self.shards.tell_all(&ShardOrder::StoreColumns(storage), observer)?;
        match storage {
            ColumnStorage::Recompute => {
                check_cancelled(observer.on_columns_dropped(n_prototypes, self.certainty.memory.bytes))
            }
            ColumnStorage::In(_) => Ok(()),
        }
    }
}
