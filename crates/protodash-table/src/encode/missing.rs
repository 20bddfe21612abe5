//! The rules for missing values: which are an error, what takes their place, and what the user is told.

use super::Part;
use super::learn::{Learnt, Summary};
use super::levels::Tally;
use super::plan::Plan;
use super::problem::EncodeProblem;
use super::roles::Missing;
use super::scale::Numbers;

type Result<T> = std::result::Result<T, EncodeProblem>;

/// Checks that `rule` can deal with the values that are missing in the source and in the target.
pub(super) fn check_missing(
    rule: Missing,
    source: Part<'_>,
    target: Option<Part<'_>>,
    plan: &Plan,
    learnt: &Learnt,
) -> Result<()> {
    let check = |part: Part<'_>, count: fn(Tally) -> u64| match rule {
        Missing::Error => check_none(part, plan, learnt, count),
        Missing::Category => Ok(()),
        Missing::Mean | Missing::Zero => check_levels(rule, part, plan, learnt, count),
    };
    check(source, |tally| tally.source)?;
    target.map_or(Ok(()), |target| check(target, |tally| tally.target))
}

/// Checks that nothing is missing at all.
fn check_none(part: Part<'_>, plan: &Plan, learnt: &Learnt, count: fn(Tally) -> u64) -> Result<()> {
    let counts = plan.features.iter().zip(&learnt.columns).map(|(column, summary)| (column, count(summary.missing())));
    let columns: Vec<_> = counts.filter(|(_, n)| *n > 0).map(|(column, n)| (column.name.clone(), n)).collect();
    if columns.is_empty() {
        return Ok(());
    }
    let (path, n_rows) = (part.input.path().to_owned(), count(learnt.n_rows));
    Err(EncodeProblem::MissingValues { path, columns, n_rows })
}

/// Checks that nothing is missing where a number cannot take its place.
fn check_levels(rule: Missing, part: Part<'_>, plan: &Plan, learnt: &Learnt, count: fn(Tally) -> u64) -> Result<()> {
    for (column, summary) in plan.features.iter().zip(&learnt.columns) {
        let n_missing = count(summary.missing());
        if n_missing > 0 && matches!(summary, Summary::Levels(_)) {
            let (path, column) = (part.input.path().to_owned(), column.name.clone());
            return Err(EncodeProblem::MissingLevels { path, column, n_missing, rule });
        }
    }
    Ok(())
}

/// Returns the number that takes the place of a missing one, in the column's own unit; `None` if there is no such.
pub(super) fn fill_value(rule: Missing, source: &Numbers) -> Option<f64> {
    match rule {
        Missing::Error | Missing::Zero => Some(0.0),
        // A column without any value says nothing but that it has none, and the feature for that is not this one.
        Missing::Category if source.n == 0 => Some(0.0),
        Missing::Category | Missing::Mean => (source.n > 0).then_some(source.mean),
    }
}

/// Returns a sentence on the values that were missing, if any were.
pub(super) fn note(rule: Missing, plan: &Plan, learnt: &Learnt) -> Option<String> {
    let counts = plan.features.iter().zip(&learnt.columns).map(|(column, summary)| (column, summary.missing().total()));
    let lacking: Vec<_> = counts.filter(|(_, n)| *n > 0).collect();
    let became = match rule {
        Missing::Error => return None,
        Missing::Category => "became a level of their own",
        Missing::Mean => "became the mean of the source",
        Missing::Zero => "became 0",
    };
    let n_missing: u64 = lacking.iter().map(|(_, n)| n).sum();
    let values = if n_missing == 1 { "missing value" } else { "missing values" };
    match lacking.as_slice() {
        [] => None,
        [(column, _)] => Some(format!("{n_missing} {values} in column {:?} {became}", column.name)),
        several => Some(format!("{n_missing} {values} in {} columns {became}", several.len())),
    }
}
