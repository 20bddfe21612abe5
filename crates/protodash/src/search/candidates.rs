//! The candidates as the leader sees them: the shards that own the rows, and error bounds of what these compute.

use super::precision::{Certainty, ColumnMemory};
use super::protocol::{Admission, ColumnStorage, ShardOrder, ShardQuestion};
use super::prototypes::PrototypeSet;
use super::rank::{Rank, RankedRow};
use super::shards::Shards;
use crate::diagonal::check_own_similarity;
use crate::error::Result;
use crate::observe::Unobserved;
use crate::rows::Scalar;

/// Number of candidates requested first when they are tried in the order of their bounds.
pub(crate) const FIRST_PROPOSALS: usize = 4;

/// The source rows that may become prototypes.
pub(crate) struct Candidates<'a, T> {
    pub(super) shards: Shards<'a, T>,
    pub(super) certainty: Certainty,
    pub(super) shift: f64,
}

impl<'a, T: Scalar> Candidates<'a, T> {
    /// Opens the shards.
    pub(super) fn open(
        mut shards: Shards<'a, T>,
        shift: f64,
        (columns, keeps_schur): (ColumnStorage, bool),
        memory: ColumnMemory,
        tolerance: f64,
    ) -> Result<Self> {
        let summaries = shards.open(&ShardOrder::Open { shift, columns, keeps_schur })?;
        if let Some((row, value)) = summaries.iter().find_map(|summary| summary.bad_diagonal) {
            check_own_similarity(row, value)?;
        }
        Ok(Candidates { shards, certainty: Certainty::new(&summaries, columns, memory, tolerance), shift })
    }

    /// The best candidates by `rank`, best first, by upper bounds on their scores.
    pub(super) fn propose(&mut self, rank: Rank, prototypes: &PrototypeSet, limit: usize) -> Result<Vec<RankedRow>> {
        self.shards.correct_postponed()?;
        self.shards.propose(&self.certainty.ranking(rank, prototypes), limit)
    }

    /// All candidates whose score may be at least this, in source order.
    pub(super) fn at_least(&mut self, rank: Rank, prototypes: &PrototypeSet, score: f64) -> Result<Vec<usize>> {
        self.shards.correct_postponed()?;
        self.shards.at_least(&self.certainty.ranking(rank, prototypes), score)
    }

    /// Opens the rows whose cost is within the limit of their group, and closes all others.
    pub(super) fn limit_costs(&mut self, limits: Vec<f64>) -> Result<()> {
        self.shards.tell_all(&ShardOrder::LimitCosts(limits), &mut Unobserved).map(|_| ())
    }

    /// Tells the shards about the newest prototype. `next` is how candidates will be ranked at the next step.
    pub(super) fn admit(&mut self, row: Vec<T>, prototypes: &PrototypeSet, next: Option<Rank>) -> Result<()> {
        let n_prototypes = prototypes.len();
        let then = next.map_or_else(Vec::new, |rank| self.next_questions(rank, prototypes));
        let corrections = self.shards.take_postponed();
        self.shards.admit(Admission {
            source_index: prototypes.source_indices()[n_prototypes - 1],
            row,
            corrections,
            factor_row: prototypes.newest_factor_row(),
            coordinates: prototypes.coordinates.clone(),
            n_columns_to_come: self.certainty.memory.n_to_come(n_prototypes - 1, self.certainty.columns),
            schur_tolerance: self.certainty.schur_tolerance(prototypes),
            then,
        })
    }

    /// The questions that a step that ranks by `rank` starts with.
    fn next_questions(&mut self, rank: Rank, prototypes: &PrototypeSet) -> Vec<ShardQuestion<T>> {
        if rank == Rank::GainBound {
            self.certainty.update(prototypes);
        }
        let mut questions: Vec<_> = self.first_question(rank, prototypes).into_iter().collect();
        if rank == Rank::GainBound {
            let ranking = self.certainty.ranking(rank, prototypes);
            questions.push(ShardQuestion::Propose { ranking, limit: FIRST_PROPOSALS });
        }
        if self.shards.are_remote() {
            // Some shard's best row is most often the next prototype.
            questions.push(ShardQuestion::DescribeBest(self.certainty.ranking(rank, prototypes)));
        }
        questions
    }
}
