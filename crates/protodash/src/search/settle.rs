//! The best candidate for sure, where kernel means or columns are known in f32 only.
//!
//! What f32 leaves open is a small interval for each gradient and each Schur complement. Usually only one candidate reaches the largest lower end,
//! and then nothing needs to be known better; where there are more, those are computed from the data in f64. The rows
//! chosen, and with them the weights, are the same as if everything had been in f64.

use rayon::prelude::*;

use super::columns::ROWS_PER_PASS;
use super::leader::{Kept, Leader};
use super::propose::{Survey, Tie};
use super::rank::Rank;
use super::shard::{Chosen, Shard};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::kernel_mean::{Precision, column};
use crate::observe::Observer;
use crate::rows::Scalar;

/// Past this part of the source in f64 one by one, all kernel means are computed again in f64.
const FEW_CORRECTED: usize = 16;
/// Past so many rows in doubt at one step, columns in f32 are computed again in f64.
const FEW_IN_DOUBT: usize = 256;
/// Past so many that a quadratic programme would have to be solved for, the same.
const FEW_TO_TRY: usize = 8;

impl<T: Scalar, K: Kernel<T> + ?Sized> Leader<'_, T, K> {
    /// The candidate with the largest score, of equal ones the first of the source; `None` if none would rise.
    pub(crate) fn best(&mut self, rank: Rank, observer: &mut dyn Observer) -> Result<Option<usize>> {
        let tie = if self.len() == 0 { Tie::Part(TIE) } else { Tie::Difference(self.gradient_rounding()) };
        loop {
            let Survey { surely, contenders } = self.survey(rank, tie);
            let in_single = self.columns == Kept::In(Precision::Single);
            let settled = contenders.len() == 1 && surely.is_some();
            if settled || contenders.is_empty() || (self.candidates.rough.is_none() && !in_single) {
                return Ok(contenders.first().map(|ranked| ranked.source_index));
            }
            if in_single && contenders.len() > FEW_IN_DOUBT {
                self.keep_columns_in_double(observer)?;
                continue;
            }
            let contenders: Vec<usize> = contenders.iter().map(|ranked| ranked.source_index).collect();
            self.correct_means(&contenders, observer)?;
            return Ok(self.best_of(rank, &contenders, tie));
        }
    }

    /// Computes kernel means in f64 until the candidate with the largest score is one of those, and columns if the scores
    /// would leave too many in doubt.
    ///
    /// Whatever is left in f32, a score is never too small.
    pub(crate) fn settle(&mut self, rank: Rank, observer: &mut dyn Observer) -> Result<()> {
        loop {
            let in_single = self.columns == Kept::In(Precision::Single);
            if self.candidates.rough.is_none() && !in_single {
                return Ok(());
            }
            self.amplified.follow(&self.basis);
            let contenders = self.survey(rank, Tie::Difference(0.0)).contenders;
            if in_single && contenders.len() > FEW_TO_TRY {
                self.keep_columns_in_double(observer)?;
                continue;
            }
            let contenders: Vec<usize> = contenders.iter().map(|ranked| ranked.source_index).collect();
            // A lone one is made exact when it is tried.
            if contenders.len() <= 1 || !contenders.iter().any(|&row| self.is_rough(row)) {
                return Ok(());
            }
            self.correct_means(&contenders, observer)?;
        }
    }

    /// The candidates of all shards that may be the best.
    fn survey(&self, rank: Rank, tie: Tie) -> Survey {
        let view = self.view(rank);
        let surveys: Vec<Survey> = self.shards.par_iter().map(|shard| shard.survey(&view, tie)).collect();
        let surely = surveys.iter().filter_map(|survey| survey.surely).reduce(f64::max);
        let floor = surely.map_or(f64::NEG_INFINITY, |score| score - tie.at(score));
        let contenders = surveys.into_iter().flat_map(|survey| survey.contenders);
        Survey { surely, contenders: contenders.filter(|ranked| ranked.score >= floor).collect() }
    }

    /// The first of the rows whose exact score is the largest, ties allowed for.
    fn best_of(&self, rank: Rank, rows: &[usize], tie: Tie) -> Option<usize> {
        let (view, chosen, weights) = (self.view(rank), self.chosen(), &self.optimum.weights);
        let score = |&row: &usize| {
            let shard = &self.shards[row / self.candidates.rows_per_shard];
            shard.exact_score(&view, chosen, weights, row).unwrap_or(f64::NEG_INFINITY)
        };
        let scores: Vec<f64> = rows.par_iter().map(score).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let first = scores.iter().position(|score| *score > f64::NEG_INFINITY && *score >= best - tie.at(best));
        first.map(|place| rows[place])
    }

    fn is_rough(&self, source_index: usize) -> bool {
        let shard = &self.shards[source_index / self.candidates.rows_per_shard];
        shard.is_rough(source_index).unwrap_or(false)
    }

    /// Computes the kernel means of these rows in f64 that were not yet; of all rows, when that becomes cheaper.
    fn correct_means(&mut self, rows: &[usize], observer: &mut dyn Observer) -> Result<()> {
        let Some(rough) = self.candidates.rough else { return Ok(()) };
        let (kernel, source, shift) = (self.candidates.kernel, self.candidates.rows, self.candidates.shift);
        let rows: Vec<usize> = rows.iter().copied().filter(|&row| self.is_rough(row)).collect();
        if self.n_corrected + rows.len() > source.n_rows() / FEW_CORRECTED {
            let means = rough.all_means(kernel, source, observer)?;
            means.into_iter().enumerate().for_each(|(row, mean)| self.correct_mean(row, mean + shift));
            self.candidates.rough = None;
            return Ok(());
        }
        let values: Vec<&[T]> = rows.iter().map(|&row| source.row(row)).collect();
        let means = rough.means_of(kernel, &values);
        rows.iter().zip(means).for_each(|(&row, mean)| self.correct_mean(row, mean + shift));
        Ok(())
    }

    fn correct_mean(&mut self, source_index: usize, mean: f64) {
        self.n_corrected += 1;
        self.shards[source_index / self.candidates.rows_per_shard].correct_mean(source_index, mean);
    }

    /// Computes the kernel mean of a row that is about to be tried in f64, unless it was.
    ///
    /// Where the target is the source it is the sum of the row's kernel column, which is kept for the row's admission.
    pub(super) fn make_exact(&mut self, source_index: usize) {
        let Some(rough) = self.candidates.rough.filter(|_| self.is_rough(source_index)) else { return };
        let (kernel, source, shift) = (self.candidates.kernel, self.candidates.rows, self.candidates.shift);
        let row = source.row(source_index);
        if !rough.is_source {
            let mean = rough.means_of(kernel, &[row])[0];
            return self.correct_mean(source_index, mean + shift);
        }
        self.known_column.source_index = Some(source_index);
        self.known_column.values.resize(source.n_rows(), 0.0);
        let chunks = self.known_column.values.par_chunks_mut(ROWS_PER_PASS).enumerate();
        let sums: Vec<f64> = chunks
            .map(|(chunk, values)| {
                let start = chunk * ROWS_PER_PASS;
                let rows = start..start + values.len();
                column(kernel, source.slice(rows.clone()), row, values);
                let sum = rough.weighted_sum(rows, values);
                values.iter_mut().for_each(|value| *value += shift);
                sum
            })
            .collect();
        self.correct_mean(source_index, rough.mean_of_sum(sums.iter().sum()) + shift);
    }

    /// Computes the columns again in f64, or gives them up if the memory does not hold that.
    fn keep_columns_in_double(&mut self, observer: &mut dyn Observer) -> Result<()> {
        if !self.fits(self.len() + 1, Precision::Double) {
            self.drop_columns(observer)?;
        } else {
            self.columns = Kept::In(Precision::Double);
            self.shards.iter_mut().for_each(|shard| shard.keep_columns_in(Precision::Double));
        }
        let chosen = Chosen { rows: &self.prototype_rows, basis: &self.basis, coordinates: &self.coordinates };
        self.shards.par_iter_mut().for_each(|shard: &mut Shard<'_, T, K>| shard.rebuild(chosen));
        Ok(())
    }
}

/// Scores at the first step that differ by less than this part are taken for equal.
const TIE: f64 = 1e-12;
