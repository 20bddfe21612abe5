//! Columns that are the same in every row: they cannot tell rows apart, and scaling turns them into zeros.

use super::Job;
use super::learn::{Learnt, Summary};
use super::problem::EncodeProblem;
use super::roles::{Missing, Scale};
use crate::names::Listed;

/// Checks that at least one column will differ between at least two rows, if there are two.
pub(super) fn check_constant(job: &Job<'_>, learnt: &Learnt) -> Result<(), EncodeProblem> {
    let n_rows = learnt.n_rows.total();
    // A single row has no other that it could be told from.
    if n_rows <= 1 || !learnt.columns.iter().all(|summary| is_constant(job, summary, n_rows)) {
        return Ok(());
    }
    Err(EncodeProblem::AllConstant { path: job.source_path(), n_columns: learnt.columns.len() })
}

/// Returns whether a column will be the same in every row of source and target.
fn is_constant(job: &Job<'_>, summary: &Summary, n_rows: u64) -> bool {
    match summary {
        Summary::Numbers { source, target } => {
            let is_zeroed = job.scale != Scale::None && source.is_constant();
            let is_one_value = source.min.min(target.min) >= source.max.max(target.max);
            let is_marked = job.roles.missing == Missing::Category && (1..n_rows).contains(&summary.missing().total());
            (is_zeroed || is_one_value) && !is_marked
        }
        Summary::Levels(levels) => levels.n_levels() <= 1,
    }
}

/// Returns a sentence on the columns that scaling turns into zeros, if there are any.
pub(super) fn note(job: &Job<'_>, learnt: &Learnt) -> Option<String> {
    if job.scale == Scale::None {
        return None;
    }
    let columns = job.plan.features.iter().zip(&learnt.columns);
    let zeroed: Vec<String> = columns
        .filter(|(_, summary)| matches!(summary, Summary::Numbers { source, .. } if source.is_constant()))
        .map(|(column, _)| column.name.clone())
        .collect();
    match zeroed.len() {
        0 => None,
        1 => Some(format!("column {} is constant in the source and became 0", Listed(&zeroed))),
        n => Some(format!("{n} columns are constant in the source and became 0: {}", Listed(&zeroed))),
    }
}
