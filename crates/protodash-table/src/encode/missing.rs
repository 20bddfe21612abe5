//! Missing values: when they are an error, what replaces them, and the note about it.

use super::learn::{FeatureSummary, Learnt, MissingCell};
use super::levels::SideCounts;
use super::plan::FeatureColumn;
use super::problem::EncodeProblem;
use super::roles::MissingRule;
use super::scale::ColumnMoments;
use super::{EncodeJob, Part};
use crate::advice::Note;
use crate::numbers::counted;

type Result<T> = std::result::Result<T, EncodeProblem>;

/// Checks that the rule applies to the missing values of source and target.
pub(super) fn check_missing(job: &EncodeJob<'_>, learnt: &Learnt) -> Result<()> {
    let check = |part: Part<'_>, first: Option<MissingCell>, count: fn(SideCounts) -> u64| match job.roles.missing {
        MissingRule::Error => first.map_or(Ok(()), |first| Err(missing_values(job, part, learnt, first, count))),
        MissingRule::Category => Ok(()),
        MissingRule::Mean | MissingRule::Zero => check_levels(job, part, learnt, count),
    };
    check(job.source, learnt.first_missing_in_source, |tally| tally.source)?;
    job.target.map_or(Ok(()), |target| check(target, learnt.first_missing_in_target, |tally| tally.target))
}

/// Returns the feature columns with missing values, each with their number according to `count`.
fn with_missing<'a>(
    job: &'a EncodeJob<'_>,
    learnt: &'a Learnt,
    count: fn(SideCounts) -> u64,
) -> impl Iterator<Item = (&'a FeatureColumn, &'a FeatureSummary, u64)> {
    let columns = job.plan.features.iter().zip(&learnt.columns);
    columns.map(move |(column, summary)| (column, summary, count(summary.missing()))).filter(|(_, _, n)| *n > 0)
}

/// Returns the error for missing values, the first of which is at `first`.
fn missing_values(
    job: &EncodeJob<'_>,
    part: Part<'_>,
    learnt: &Learnt,
    first: MissingCell,
    count: fn(SideCounts) -> u64,
) -> EncodeProblem {
    EncodeProblem::MissingValues {
        path: part.input.path().to_owned(),
        columns: with_missing(job, learnt, count).map(|(column, _, n)| (column.name.clone(), n)).collect(),
        // The rule applies to both sides.
        has_categorical: with_missing(job, learnt, SideCounts::total)
            .any(|(_, summary, _)| matches!(summary, FeatureSummary::Levels(_))),
        n_rows: count(learnt.n_rows),
        first_place: part.input.place(first.row),
        first_column: job.plan.features[first.feature].name.clone(),
    }
}

/// Checks that no categorical column has missing values.
fn check_levels(job: &EncodeJob<'_>, part: Part<'_>, learnt: &Learnt, count: fn(SideCounts) -> u64) -> Result<()> {
    match with_missing(job, learnt, count).find(|(_, summary, _)| matches!(summary, FeatureSummary::Levels(_))) {
        None => Ok(()),
        Some((column, _, n_missing)) => {
            let (path, column) = (part.input.path().to_owned(), column.name.clone());
            Err(EncodeProblem::MissingLevels { path, column, n_missing, rule: job.roles.missing })
        }
    }
}

/// Returns the number that replaces missing values, before scaling; `None` if there is no mean.
pub(super) fn fill_value(rule: MissingRule, source: &ColumnMoments) -> Option<f64> {
    match rule {
        MissingRule::Error | MissingRule::Zero => Some(0.0),
        // A column without values has no mean; its "missing" feature carries the information.
        MissingRule::Category if source.n == 0 => Some(0.0),
        MissingRule::Category | MissingRule::Mean => (source.n > 0).then(|| source.mean()),
    }
}

/// Returns a note on what was done about missing values, if there were any.
pub(super) fn note(job: &EncodeJob<'_>, learnt: &Learnt) -> Option<Note> {
    let (treated, result) = match job.roles.missing {
        MissingRule::Error => return None,
        MissingRule::Category => ("treated", "as a separate \"missing\" category"),
        MissingRule::Mean => ("replaced", "by the mean of the source"),
        MissingRule::Zero => ("replaced", "by 0"),
    };
    let with_missing: Vec<_> = with_missing(job, learnt, SideCounts::total).collect();
    let n_missing: u64 = with_missing.iter().map(|(_, _, n)| n).sum();
    let values = counted(n_missing, "missing value");
    let columns = match with_missing.as_slice() {
        [] => return None,
        [(column, _, _)] => format!("column {:?}", column.name),
        several => format!("{} columns", several.len()),
    };
    Some(Note::new(format!("{treated} {values} in {columns} {result}")))
}
