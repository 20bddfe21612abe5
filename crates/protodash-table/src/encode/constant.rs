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
            let is_zeroed = job.scale != Scale::None && source.n == 0;
            let is_one_value = source.together(target).is_constant();
            let is_marked = job.roles.missing == Missing::Category && (1..n_rows).contains(&summary.missing().total());
            (is_zeroed || is_one_value) && !is_marked
        }
        Summary::Levels(levels) => levels.n_levels() <= 1,
    }
}

/// Returns sentences on the columns that are constant in the source: what scaling makes of them.
pub(super) fn notes(job: &Job<'_>, learnt: &Learnt) -> impl Iterator<Item = String> {
    let constant = |also_in_target: bool| -> Vec<String> {
        let is_meant = |summary: &Summary| match summary {
            Summary::Numbers { source, target } if source.is_constant() => {
                (source.n == 0 || source.together(target).is_constant()) == also_in_target
            }
            _ => false,
        };
        let columns = job.plan.features.iter().zip(&learnt.columns);
        columns.filter(|(_, summary)| is_meant(summary)).map(|(column, _)| column.name.clone()).collect()
    };
    let zeroed = sentence(&constant(true), "constant in the source and became 0");
    let differing = sentence(
        &constant(false),
        "constant in the source but not in the target, and scaled by the spread of both together",
    );
    [zeroed, differing].into_iter().flatten().filter(|_| job.scale != Scale::None)
}

/// Says something of columns, if there are any.
fn sentence(columns: &[String], what: &str) -> Option<String> {
    match columns.len() {
        0 => None,
        1 => Some(format!("column {} is {what}", Listed(columns))),
        n => Some(format!("{n} columns are {what}: {}", Listed(columns))),
    }
}
