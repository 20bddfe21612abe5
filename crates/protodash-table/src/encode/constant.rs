//! Constant columns, which cannot distinguish rows and become 0 when scaled.

use super::EncodeJob;
use super::learn::{FeatureSummary, Learnt};
use super::plan::FeatureColumn;
use super::problem::EncodeProblem;
use super::roles::{MissingRule, Scaling};
use super::scale::NumberSummary;
use crate::advice::Note;
use crate::names::Listed;

/// Checks that at least one column differs between at least two rows, if there are two.
pub(super) fn check_constant(job: &EncodeJob<'_>, learnt: &Learnt) -> Result<(), EncodeProblem> {
    let n_rows = learnt.n_rows.total();
    // A single row need not differ from others.
    let mut columns = job.plan.features.iter().zip(&learnt.columns);
    if n_rows <= 1 || !columns.all(|(column, summary)| is_constant(job, column, summary, n_rows)) {
        return Ok(());
    }
    Err(EncodeProblem::AllConstant { path: job.source_path(), n_columns: learnt.columns.len() })
}

/// Returns whether a column is the same in every row of source and target.
fn is_constant(job: &EncodeJob<'_>, column: &FeatureColumn, summary: &FeatureSummary, n_rows: u64) -> bool {
    match summary {
        FeatureSummary::Numbers(NumberSummary { source, target, .. }) => {
            let is_zeroed = column.scale != Scaling::None && source.n == 0;
            let is_one_value = source.together(target).is_constant();
            let is_marked =
                job.roles.missing == MissingRule::Category && (1..n_rows).contains(&summary.missing().total());
            (is_zeroed || is_one_value) && !is_marked
        }
        FeatureSummary::Levels(levels) => levels.n_levels() <= 1,
    }
}

/// Returns notes on how columns that are constant in the source are scaled.
pub(super) fn notes(job: &EncodeJob<'_>, learnt: &Learnt) -> impl Iterator<Item = Note> {
    let constant = |wanted: Constant| -> Vec<String> {
        let is_meant = |summary: &FeatureSummary| match summary {
            FeatureSummary::Numbers(NumberSummary { source, target, .. }) if source.is_constant() => {
                let found = match () {
                    () if source.n == 0 || source.together(target).is_constant() => Constant::Everywhere,
                    () if target.is_constant() => Constant::WithTwoValues,
                    () => Constant::InSource,
                };
                found == wanted
            }
            _ => false,
        };
        let columns = job.plan.features.iter().zip(&learnt.columns);
        let scaled = columns.filter(|(column, _)| column.scale != Scaling::None);
        scaled.filter(|(_, summary)| is_meant(summary)).map(|(column, _)| column.name.clone()).collect()
    };
    let ignored = about(&constant(Constant::Everywhere)).map(|columns| format!("ignored {columns}"));
    let scaled = |wanted: Constant, why: &str| {
        about(&constant(wanted))
            .map(|columns| format!("scaled {columns} by the spread of source and target, since {why}"))
    };
    let varying = scaled(Constant::InSource, "only the target varies");
    let differing = scaled(Constant::WithTwoValues, "source and target have one value each, but not the same");
    [ignored, varying, differing].into_iter().flatten().map(Note::new)
}

/// Where a column that is constant in the source has this value.
#[derive(Clone, Copy, PartialEq)]
enum Constant {
    /// In the target too.
    Everywhere,
    /// The target has another value, in all of its rows.
    WithTwoValues,
    /// The target has several values.
    InSource,
}

/// Returns what to call these constant columns, if there are any.
fn about(columns: &[String]) -> Option<String> {
    match columns.len() {
        0 => None,
        1 => Some(format!("constant column {}", Listed(columns))),
        n => Some(format!("{n} constant columns: {}", Listed(columns))),
    }
}
