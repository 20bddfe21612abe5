//! Whether a message from another process fits the state of the shard.
//!
//! A leader of this version sends nothing else. A damaged message, or one of another program, must not make a worker panic.

use super::LocalShard;
use crate::rows::Scalar;
use crate::search::protocol::{Admission, FactorRow, ShardOrder, ShardQuestion};
use crate::search::rank::Ranking;

/// What is wrong with a message.
type Checked = std::result::Result<(), String>;

impl<T: Scalar> LocalShard<'_, T> {
    /// Number of orders carried out.
    pub(in crate::search) fn n_orders(&self) -> u64 {
        self.next_sequence
    }

    /// Checks a question.
    pub(in crate::search) fn check_question(&self, question: &ShardQuestion<T>) -> Checked {
        if self.blocks.is_empty() {
            return Err("a question before the search is open".to_owned());
        }
        self.check_asked(question, self.basis.len())
    }

    /// Checks the next order.
    pub(in crate::search) fn check_order(&self, order: &ShardOrder<T>) -> Checked {
        let is_open = !self.blocks.is_empty();
        match order {
            ShardOrder::Open { .. } if is_open => Err("the search is open already".to_owned()),
            ShardOrder::Open { .. } => Ok(()),
            _ if !is_open => Err("an order before the search is open".to_owned()),
            ShardOrder::Admit(admission) => self.check_admission(admission),
            ShardOrder::Correct(means) => means.iter().try_for_each(|(row, _)| self.check_row(*row)),
            ShardOrder::Refine { rows, floor } => {
                rows.iter().try_for_each(|row| self.check_row(*row))?;
                self.check_ranking(&floor.ranking, self.basis.len())
            }
            ShardOrder::Refuse(row) => self.check_row(*row),
            ShardOrder::LimitCosts(_) => Err("workers have no quotas and no costs".to_owned()),
            ShardOrder::CorrectAll(_) | ShardOrder::StoreColumns(_) | ShardOrder::Rebuild => Ok(()),
            ShardOrder::Expel { position, factor, .. } => {
                let n_prototypes = self.basis.len();
                if *position >= n_prototypes {
                    return Err(format!("prototype {position} of {n_prototypes} is to be removed"));
                }
                match factor {
                    None if self.basis.is_independent() => self.check_columns(),
                    None => Err("a dependent basis is to be reduced".to_owned()),
                    Some(factor) => {
                        check_length("a factor", factor.len(), n_prototypes - 1)?;
                        factor.iter().enumerate().try_for_each(|(row, entries)| check_factor_row(entries, row))
                    }
                }
            }
        }
    }

    fn check_asked(&self, question: &ShardQuestion<T>, n_prototypes: usize) -> Checked {
        match question {
            ShardQuestion::Survey { ranking, .. }
            | ShardQuestion::AtLeast { ranking, .. }
            | ShardQuestion::Raced { ranking, .. } => self.check_ranking(ranking, n_prototypes),
            ShardQuestion::Leaders { ranking, limit, .. } | ShardQuestion::Propose { ranking, limit } => {
                if *limit == 0 {
                    return Err("the best 0 rows are asked for".to_owned());
                }
                self.check_ranking(ranking, n_prototypes)
            }
            ShardQuestion::Describe(row) => self.check_row(*row),
            ShardQuestion::DescribeBest(ranking) => self.check_ranking(ranking, n_prototypes),
            ShardQuestion::ExactScores { ranking, rows, .. } => {
                rows.iter().try_for_each(|row| self.check_row(*row))?;
                self.check_ranking(ranking, n_prototypes)
            }
            ShardQuestion::Means(rows) => rows.iter().try_for_each(|row| self.check_row(*row)),
            ShardQuestion::Column { row, .. } => self.check_values(row),
            ShardQuestion::DrawsLeft { .. } => Ok(()),
        }
    }

    fn check_admission(&self, admission: &Admission<T>) -> Checked {
        let n_prototypes = self.basis.len();
        self.check_values(&admission.row)?;
        check_factor_row(&admission.factor_row, n_prototypes)?;
        check_length("v", admission.coordinates.len(), n_prototypes + 1)?;
        self.check_columns()?;
        admission.then.iter().try_for_each(|question| self.check_asked(question, n_prototypes + 1))
    }

    fn check_ranking(&self, ranking: &Ranking, n_prototypes: usize) -> Checked {
        let Some(without) = &ranking.without else { return Ok(()) };
        check_length("v", without.coordinates.len(), n_prototypes)?;
        without.lost_direction.iter().try_for_each(|lost| check_length("a direction", lost.len(), n_prototypes))?;
        self.check_columns()
    }

    /// Columns that were dropped have to be rebuilt before they are used.
    fn check_columns(&self) -> Checked {
        let n_prototypes = self.basis.len();
        match self.blocks.iter().find_map(|block| block.columns.len()) {
            Some(n_columns) if n_columns != n_prototypes => Err("the columns have to be rebuilt first".to_owned()),
            _ => Ok(()),
        }
    }

    fn check_row(&self, source_index: usize) -> Checked {
        let end = self.data.first + self.data.rows.n_rows();
        if (self.data.first..end).contains(&source_index) {
            return Ok(());
        }
        Err(format!("source row {source_index} is not one of {} to {}", self.data.first, end - 1))
    }

    fn check_values(&self, row: &[T]) -> Checked {
        check_length("a row", row.len(), self.data.rows.n_columns())
    }
}

fn check_factor_row(row: &FactorRow, position: usize) -> Checked {
    check_length("a row of the factor", row.entries.len(), position + 1)?;
    match row.entries.last() {
        Some(last) if *last > 0.0 => Ok(()),
        _ => Err("the diagonal of the factor is not positive".to_owned()),
    }
}

fn check_length(what: &str, given: usize, expected: usize) -> Checked {
    if given == expected { Ok(()) } else { Err(format!("{what} has {given} values, expected {expected}")) }
}
