//! The shard of this process: its rows are in blocks, which the threads of the pool process in parallel.

mod basis_copy;
mod block;
mod check;
mod columns;
mod means;
mod panels;
mod propose;

pub(crate) mod diagonal;

pub(super) use block::CandidateBlock;
pub(super) use columns::ROWS_PER_PASS;
pub(super) use means::RacedMeans;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use self::basis_copy::BasisCopy;
use self::block::{BlockRows, EarlierColumns, NewColumn};
use self::means::BlockMeans;
use self::panels::{Term, paired, terms};
use super::precision::{CachedColumn, CandidateSurvey, MeanPrecision};
use super::protocol::{
    Admission, AdmissionReport, ColumnStorage, Shard, ShardAnswer, ShardOrder, ShardQuestion, ShardReply, ShardSummary,
};
use super::rank::{RankedRow, Ranking};
use crate::constraints::RowConstraints;
use crate::distinct::{hash, mixed};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::kernel_mean::{ApproximateMeans, PackedRow};
use crate::observe::Observer;
use crate::parallel;
use crate::rows::{Rows, Scalar};

/// The data of a shard in this process.
#[derive(Clone)]
pub(crate) struct ShardData<'a, T: Scalar> {
    pub(crate) kernel: &'a dyn Kernel<T>,
    /// The shard's rows.
    pub(crate) rows: Rows<'a, T>,
    /// The source row of the first of them.
    pub(crate) first: usize,
    /// Their kernel means; empty in a race, which knows upper bounds.
    pub(crate) kernel_mean: &'a [f64],
    /// How to compute kernel means in f64; `None` if they are exact.
    pub(crate) approximate: Option<ApproximateMeans<'a, T>>,
    /// False for rows that are equal to an earlier row of the source, in this shard or in another. Empty once it is open.
    pub(crate) is_candidate: Vec<bool>,
    /// Quotas and costs of all source rows, if there are any.
    pub(crate) constraints: Option<&'a RowConstraints>,
    pub(crate) rows_per_block: usize,
}

impl<T: Scalar> ShardData<'_, T> {
    /// The data of some of the rows, counted from the first of these.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        ShardData {
            rows: self.rows.slice(range.clone()),
            first: self.first + range.start,
            kernel_mean: self.kernel_mean.get(range.clone()).unwrap_or_default(),
            is_candidate: self.is_candidate[range].to_vec(),
            ..*self
        }
    }

    /// A hash of rows, kernel means and candidates: the same for a leader and a worker that have the same data, kernel and
    /// parameters, and compute with the same instructions.
    pub(crate) fn fingerprint(&self) -> u64 {
        let of_row = |row: usize| {
            let mean = self.kernel_mean.get(row).map_or(0, |mean| mean.to_bits());
            mixed(mixed(hash(self.rows.row(row)), mean), u64::from(self.is_candidate[row]))
        };
        parallel::map(0..self.rows.n_rows(), of_row).into_iter().fold(self.first as u64, mixed)
    }
}

/// A shard whose rows are in the memory of this process.
pub(crate) struct LocalShard<'a, T: Scalar> {
    pub(super) data: ShardData<'a, T>,
    pub(super) shift: f64,
    /// What is known about the mean of each row from a race; empty without a race.
    pub(super) raced: Vec<PackedRow>,
    /// Empty until the shard is open.
    pub(super) blocks: Vec<CandidateBlock<'a, T>>,
    basis: BasisCopy<T>,
    /// Rows that are not candidates until the next admission.
    refused: Vec<usize>,
    /// A cache: questions may fill it, admissions may use it.
    pub(super) cached_column: Mutex<CachedColumn>,
    next_sequence: u64,
    last_answer: ShardAnswer<T>,
}

impl<T: Scalar> Shard<T> for LocalShard<'_, T> {
    fn source_range(&self) -> Range<usize> {
        self.data.first..self.data.first + self.data.rows.n_rows()
    }

    fn ask(&self, after: u64, question: &ShardQuestion<T>) -> Result<ShardReply<T>> {
        let is_behind = after > self.next_sequence;
        Ok(if is_behind { ShardReply::Behind(self.next_sequence) } else { ShardReply::Done(self.answer(question)) })
    }

    fn tell(&mut self, sequence: u64, order: &ShardOrder<T>, observer: &mut dyn Observer) -> Result<ShardReply<T>> {
        if sequence > self.next_sequence {
            return Ok(ShardReply::Behind(self.next_sequence));
        }
        if sequence == self.next_sequence {
            self.last_answer = self.carry_out(order, observer)?;
            self.next_sequence += 1;
        }
        Ok(ShardReply::Done(self.last_answer.clone()))
    }
}

impl<'a, T: Scalar> LocalShard<'a, T> {
    /// A shard that waits for its first order.
    pub(crate) fn new(data: ShardData<'a, T>) -> Self {
        LocalShard {
            data,
            shift: 0.0,
            raced: Vec::new(),
            blocks: Vec::new(),
            basis: BasisCopy::default(),
            refused: Vec::new(),
            cached_column: Mutex::default(),
            next_sequence: 0,
            last_answer: ShardAnswer::Done,
        }
    }

    /// Forgets the search.
    pub(in crate::search) fn reset(&mut self) {
        *self = LocalShard::new(self.data.clone());
    }

    fn answer(&self, question: &ShardQuestion<T>) -> ShardAnswer<T> {
        let blocks = &self.blocks;
        match question {
            ShardQuestion::Survey { ranking, tie } => {
                let bound = self.raced_bound(ranking, *tie);
                let surveys = parallel::map(0..blocks.len(), |block| blocks[block].survey(ranking, *tie, bound));
                ShardAnswer::Survey(CandidateSurvey::merged(surveys, ranking.tolerance))
            }
            ShardQuestion::Leaders { ranking, tie, limit } => {
                let bound = self.raced_bound(ranking, *tie);
                let ranked =
                    parallel::map(0..blocks.len(), |block| blocks[block].leaders(ranking, *tie, bound, *limit));
                ShardAnswer::Ranked(RankedRow::best(ranked.concat(), *limit))
            }
            ShardQuestion::Propose { ranking, limit } => ShardAnswer::Ranked(self.proposed(ranking, *limit)),
            ShardQuestion::AtLeast { ranking, score } => {
                let rows = parallel::map(0..blocks.len(), |block| blocks[block].at_least(ranking, &self.basis, *score));
                ShardAnswer::Rows(rows.concat())
            }
            ShardQuestion::Raced { ranking, score } => {
                let rows = parallel::map(0..blocks.len(), |block| {
                    let block = &blocks[block];
                    let mut rows = block.at_least(ranking, &self.basis, *score);
                    rows.retain(|row| block.local(*row).is_some_and(|row| block.means.is_approximate(row)));
                    rows
                });
                ShardAnswer::Rows(rows.concat())
            }
            ShardQuestion::DrawsLeft { slack } => ShardAnswer::Numbers(vec![self.draws_left(*slack)]),
            ShardQuestion::Describe(source_index) => self.described(*source_index),
            ShardQuestion::DescribeBest(ranking) => match &self.proposed(ranking, 1)[..] {
                [best, ..] => self.described(best.source_index),
                [] => ShardAnswer::Done,
            },
            ShardQuestion::ExactScores { ranking, weights, rows } => {
                let score = |place: usize| {
                    let (block, row) = self.locate(rows[place]);
                    block.exact_score(ranking, &self.basis, weights, row).unwrap_or(f64::NEG_INFINITY)
                };
                ShardAnswer::Numbers(parallel::map(0..rows.len(), score))
            }
            ShardQuestion::Means(rows) => ShardAnswer::Numbers(self.exact_means(rows)),
            ShardQuestion::Column { source_index, row } => {
                ShardAnswer::ColumnSums(self.column_sums(*source_index, row))
            }
        }
    }

    fn proposed(&self, ranking: &Ranking, limit: usize) -> Vec<RankedRow> {
        let blocks = &self.blocks;
        let ranked = parallel::map(0..blocks.len(), |block| blocks[block].propose(ranking, &self.basis, limit));
        RankedRow::best(ranked.concat(), limit)
    }

    fn described(&self, source_index: usize) -> ShardAnswer<T> {
        let (block, row) = self.locate(source_index);
        ShardAnswer::Described(block.describe(&self.basis, row))
    }

    fn carry_out(&mut self, order: &ShardOrder<T>, observer: &mut dyn Observer) -> Result<ShardAnswer<T>> {
        match order {
            ShardOrder::Open { shift, columns, keeps_schur } => {
                return Ok(ShardAnswer::Opened(self.open(*shift, (*columns, *keeps_schur))?));
            }
            ShardOrder::Admit(admission) => return Ok(ShardAnswer::Admitted(self.admit(admission))),
            ShardOrder::Correct(means) => means.iter().for_each(|(row, mean)| self.correct_mean(*row, *mean)),
            ShardOrder::Refine { rows, floor } => {
                return Ok(ShardAnswer::Refined(self.refine(rows, floor, observer)?));
            }
            ShardOrder::CorrectAll(precision) => self.correct_all_means(*precision, observer)?,
            ShardOrder::Refuse(source_index) => {
                self.set_candidate(*source_index, false);
                self.refused.push(*source_index);
            }
            ShardOrder::LimitCosts(limits) => {
                let refused = std::mem::take(&mut self.refused);
                refused.into_iter().for_each(|row| self.set_candidate(row, true));
                parallel::map_mut(&mut self.blocks, |block| block.limit_costs(limits));
            }
            ShardOrder::StoreColumns(columns) => {
                self.restore_means();
                self.blocks.iter_mut().for_each(|block| block.store_columns(*columns));
            }
            ShardOrder::Rebuild => self.rebuild(),
            ShardOrder::Expel { source_index, position, factor } => {
                self.restore_means();
                match factor {
                    None => {
                        let rotations = self.basis.remove(*position);
                        let n_left = self.basis.len();
                        parallel::map_mut(&mut self.blocks, |block| block.expel(&rotations, n_left));
                    }
                    Some(factor) => {
                        self.basis.replace(*position, factor);
                        self.rebuild();
                    }
                }
                self.set_candidate(*source_index, true);
            }
        }
        Ok(ShardAnswer::Done)
    }

    fn open(&mut self, shift: f64, columns: (ColumnStorage, bool)) -> Result<ShardSummary> {
        let ShardData { kernel, rows, first, kernel_mean, approximate, rows_per_block, constraints, .. } = self.data;
        let is_candidate = std::mem::take(&mut self.data.is_candidate);
        self.shift = shift;
        let race = approximate.and_then(|approximate| approximate.race);
        let start = race.map(|race| race.start(self.source_range())).transpose()?;
        let n_blocks = rows.n_rows().div_ceil(rows_per_block);
        let block = |block: usize| {
            let range = block * rows_per_block..rows.n_rows().min((block + 1) * rows_per_block);
            let means = &start.as_ref().map_or(kernel_mean, |start| &start.upper_bounds[..])[range.clone()];
            let shifted: Vec<f64> = means.iter().map(|mean| mean + shift).collect();
            let raced = race.zip(start.as_ref()).map(|(race, start)| RacedMeans {
                slack: start.slack[range.clone()].to_vec(),
                unit: race.slack_unit(),
                exact: Vec::new(),
            });
            let is_rounded = approximate.is_some() && raced.is_none();
            let rows = BlockRows {
                rows: rows.slice(range.clone()),
                first: first + range.start,
                means: BlockMeans {
                    values: match (&raced, shift == 0.0) {
                        (Some(_), _) => Cow::Borrowed(&[]),
                        (None, true) => Cow::Borrowed(&kernel_mean[range.clone()]),
                        (None, false) => Cow::Owned(shifted.clone()),
                    },
                    error: approximate.map_or_else(Default::default, |approximate| approximate.error),
                    is_approximate: vec![true; if is_rounded { range.len() } else { 0 }],
                    largest: shifted.iter().fold(0.0, |largest: f64, mean| largest.max(mean.abs())),
                    race: raced,
                },
                gradient: shifted,
                is_candidate: is_candidate[range].to_vec(),
                constraints,
            };
            CandidateBlock::new((kernel, shift), rows, columns)
        };
        self.blocks = parallel::map(0..n_blocks, block);
        self.raced = start.map_or_else(Vec::new, |start| start.rows);
        Ok(ShardSummary {
            scale: self.blocks.iter().map(CandidateBlock::scale).fold(0.0, f64::max),
            bad_diagonal: self.blocks.iter().find_map(CandidateBlock::bad_diagonal),
            means: MeanPrecision::of(approximate.as_ref()),
            race: self.race_pairs(),
        })
    }

    fn admit(&mut self, admission: &Admission<T>) -> AdmissionReport<T> {
        let Admission { source_index, row, factor_row, coordinates, .. } = admission;
        let here = self.source_range();
        let corrections = admission.corrections.iter().filter(|(row, _)| here.contains(row));
        corrections.for_each(|(row, mean)| self.correct_mean(*row, *mean));
        let position = self.basis.len();
        let changes = self.basis.changes_to(coordinates);
        self.basis.push(row.clone(), factor_row);
        self.basis.set_coordinates(coordinates);
        let reduced = terms(factor_row.entries[..position].iter().copied());
        let changes: Vec<Term> = changes.into_iter().filter(|change| change.0 < position).collect();
        let both = if changes.is_empty() { Vec::new() } else { paired(&reduced, &changes) };
        let column = self.cached_column.get_mut().unwrap_or_else(PoisonError::into_inner);
        let new = NewColumn {
            source_index: *source_index,
            row,
            earlier: if changes.is_empty() {
                EarlierColumns::FromColumn(&reduced)
            } else {
                EarlierColumns::FromColumnAndGradient(&both)
            },
            last: factor_row.entries[position],
            is_pivot: factor_row.is_pivot,
            coordinate: coordinates[position],
            n_columns_to_come: admission.n_columns_to_come,
            similarities: column.of(*source_index),
        };
        let (refused, basis, start) = (std::mem::take(&mut self.refused), &self.basis, self.data.first);
        let indefinite = parallel::map_mut(&mut self.blocks, |block| {
            refused.iter().for_each(|row| block.set_candidate(*row, true));
            block.admit(&new, basis, start);
            block.indefinite(admission.schur_tolerance)
        });
        let indefinite = indefinite.into_iter().reduce(Option::or).flatten();
        let answers = admission.then.iter().map(|question| self.answer(question)).collect();
        AdmissionReport { indefinite, answers }
    }

    fn rebuild(&mut self) {
        self.restore_means();
        let (basis, start) = (&self.basis, self.data.first);
        parallel::map_mut(&mut self.blocks, |block| block.rebuild(basis, start));
    }

    fn set_candidate(&mut self, source_index: usize, is_candidate: bool) {
        self.blocks.iter_mut().for_each(|block| block.set_candidate(source_index, is_candidate));
    }

    /// The block of a source row, and the row's position there.
    pub(super) fn locate(&self, source_index: usize) -> (&CandidateBlock<'a, T>, usize) {
        let row = source_index - self.data.first;
        (&self.blocks[row / self.data.rows_per_block], row % self.data.rows_per_block)
    }
}
