//! Notes on columns that dominate which rows are similar: by their scale, or by a few extreme values.
//!
//! The measure is independent of kernels: the mean squared distance between two rows is twice the sum of the columns'
//! variances.

use super::EncodeJob;
use super::encoder::Encoder;
use super::learn::{FeatureSummary, Learnt};
use super::plan::FeatureColumn;
use super::roles::{Categories, Scaling};
use super::scale::NumberSummary;
use super::suspects::FEW_ROWS;
use crate::advice::{Hint, HintPart, Note, Setting};
use crate::hint;
use crate::names::Listed;

/// The share of the total variance above which a column dominates.
const DOMINANT_SHARE: f64 = 0.5;

/// The share of the total variance above which several columns dominate together.
const SHARE_OF_SEVERAL: f64 = 0.9;

/// The ratio to the next largest variance that each must also exceed; of two columns, one always has half of the total.
const DOMINANT_RATIO: f64 = 4.0;

/// Standard deviations between the mean and the farthest value of a heavy-tailed column; an exponential distribution
/// reaches 15 in a million rows.
const FAR: f64 = 20.0;

/// Returns a note on the column or columns that dominate, or else one on columns with heavy tails; none for tables of few rows.
pub(super) fn notes(job: &EncodeJob<'_>, learnt: &Learnt, encoders: &[Encoder]) -> impl Iterator<Item = Note> {
    let has_many_rows = learnt.n_rows.source > FEW_ROWS;
    let dominating = if has_many_rows { dominating(job, learnt, encoders) } else { None };
    let heavy = if has_many_rows && dominating.is_none() { heavy_tails(job, learnt) } else { None };
    dominating.into_iter().chain(heavy)
}

fn dominating(job: &EncodeJob<'_>, learnt: &Learnt, encoders: &[Encoder]) -> Option<Note> {
    // Standardised columns all have variance 1, and ranks 1/12.
    let can_dominate =
        |column: &FeatureColumn| matches!(column.scale, Scaling::None | Scaling::MinMax | Scaling::Robust);
    if !job.plan.features.iter().any(can_dominate) || job.roles.categories == Categories::Codes {
        return None;
    }
    let columns = job.plan.features.iter().zip(learnt.columns.iter().zip(encoders));
    let mut groups: Vec<ColumnGroup<'_>> = Vec::new();
    for (column, (summary, by)) in columns {
        let is_number = matches!(summary, FeatureSummary::Numbers(_));
        let group = ColumnGroup { column, is_number, variance: variance(summary, by), n_elements: 1 };
        match groups.last_mut() {
            // The elements of a list are one column, unless there is no other.
            Some(last) if last.column.list.is_some() && last.column.list == column.list && !is_one_list(job) => {
                last.variance += group.variance;
                last.n_elements += 1;
            }
            _ => groups.push(group),
        }
    }
    let (places, share) = dominating_columns(&groups.iter().map(|group| group.variance).collect::<Vec<_>>())?;
    // A list of many numbers outweighs a number by its length, which no scale changes.
    let others = groups.iter().enumerate().filter(|(other, _)| !places.contains(other));
    let largest_other = others.map(|(_, group)| group.variance).fold(0.0, f64::max);
    let dwarfs = |group: &ColumnGroup<'_>| {
        group.is_number && group.variance / f64::from(group.n_elements) > DOMINANT_RATIO * largest_other
    };
    if !places.iter().all(|at| dwarfs(&groups[*at])) {
        return None;
    }
    let name = |at: &usize| {
        let column = groups[*at].column;
        column.list.as_ref().filter(|_| !is_one_list(job)).unwrap_or(&column.name).clone()
    };
    let names: Vec<String> = places.iter().map(name).collect();
    Some(share_note(&names, share).with_hint(scaling_hint(groups[places[0]].column.scale, names)))
}

/// A column, or the elements of a column of lists, with the variance in the matrix.
struct ColumnGroup<'a> {
    column: &'a FeatureColumn,
    is_number: bool,
    variance: f64,
    /// Number of features.
    n_elements: u32,
}

/// Returns whether all features are elements of one column of lists.
fn is_one_list(job: &EncodeJob<'_>) -> bool {
    let list = &job.plan.features[0].list;
    list.is_some() && job.plan.features.iter().all(|column| column.list == *list)
}

/// Returns a note on the column that makes up most of the squared distances between rows, or on several that dwarf the rest.
///
/// `columns` are names and variances. The note has no hint, since there may be no setting that scales them.
///
/// # Examples
///
/// ```
/// use protodash_table::dominance_note;
///
/// let columns = |income: f64| [("age".to_owned(), 100.0), ("height".to_owned(), 60.0), ("income".to_owned(), income)];
/// let note = dominance_note(&columns(2e6)).unwrap();
/// let text = "column \"income\" makes up over 99.99 % of the squared distances between rows";
/// assert_eq!(note.render(|_| None), text);
/// assert_eq!(dominance_note(&columns(200.0)), None);
/// ```
#[must_use]
pub fn dominance_note(columns: &[(String, f64)]) -> Option<Note> {
    let variances: Vec<f64> = columns.iter().map(|(_, variance)| *variance).collect();
    let (places, share) = dominating_columns(&variances)?;
    Some(share_note(&places.iter().map(|at| columns[*at].0.clone()).collect::<Vec<_>>(), share))
}

fn share_note(names: &[String], share: f64) -> Note {
    let share = percent(share);
    Note::new(match names {
        [name] => format!("column {name:?} makes up {share} of the squared distances between rows"),
        names => {
            format!("{} columns make up {share} of the squared distances between rows: {}", names.len(), Listed(names))
        }
    })
}

/// Returns the columns that dominate, in order, and their share of all variance: one, or at most half of all, so that the
/// median column is not among them.
fn dominating_columns(variances: &[f64]) -> Option<(Vec<usize>, f64)> {
    let mut order: Vec<usize> = (0..variances.len()).collect();
    order.sort_by(|a, b| variances[*b].total_cmp(&variances[*a]));
    let total: f64 = variances.iter().sum();
    let most = (variances.len() / 2).max(1).min(variances.len().saturating_sub(1));
    (1..=most).find_map(|n_first| {
        let (first, next) = (&order[..n_first], variances[order[n_first]]);
        let share = first.iter().map(|at| variances[*at]).sum::<f64>() / total;
        let least_share = if n_first == 1 { DOMINANT_SHARE } else { SHARE_OF_SEVERAL };
        let dominate = next > 0.0 && share > least_share && variances[first[n_first - 1]] > DOMINANT_RATIO * next;
        dominate.then(|| {
            let mut places = first.to_vec();
            places.sort_unstable();
            (places, share)
        })
    })
}

/// Returns the variance of a column in the matrix, summed over its features.
fn variance(summary: &FeatureSummary, encoder: &Encoder) -> f64 {
    match (summary, encoder) {
        (FeatureSummary::Numbers(numbers), Encoder::Number { scaler, .. }) => scaler.variance(numbers),
        (FeatureSummary::Levels(levels), _) => levels.variance(),
        _ => 0.0,
    }
}

fn scaling_hint(scale: Scaling, names: Vec<String>) -> Hint {
    let others = match scale {
        Scaling::None => vec![Scaling::Standard, Scaling::Rank],
        _ => vec![Scaling::Rank],
    };
    let mut options: Vec<Vec<HintPart>> =
        others.into_iter().map(|other| vec!["use ".into(), Setting::Scale(Some(other)).into()]).collect();
    let it = if names.len() == 1 { "it" } else { "them" };
    options.push(vec![format!("exclude {it} with ").into(), Setting::Drop(names).into()]);
    Hint::new(options)
}

fn heavy_tails(job: &EncodeJob<'_>, learnt: &Learnt) -> Option<Note> {
    let columns = job.plan.features.iter().zip(&learnt.columns);
    let columns = columns.filter(|(column, _)| matches!(column.scale, Scaling::Standard | Scaling::MinMax));
    let heavy: Vec<String> = columns
        .filter(|(_, summary)| matches!(summary, FeatureSummary::Numbers(numbers) if has_heavy_tail(numbers)))
        .map(|(column, _)| column.name.clone())
        .collect();
    let text = match heavy.as_slice() {
        [] => return None,
        [name] => format!("column {name:?} has values more than {FAR} standard deviations from its mean"),
        names => format!(
            "{} columns have values more than {FAR} standard deviations from their mean: {}",
            names.len(),
            Listed(names)
        ),
    };
    Some(Note::new(text).with_hint(hint!(
        ["use ", Setting::Scale(Some(Scaling::Rank)), " to compare ranks"],
        [Setting::Scale(Some(Scaling::Robust)), " to scale by quartiles"],
    )))
}

/// Returns whether some value is far from the mean; never in a column of two values, which is a rare flag.
fn has_heavy_tail(numbers: &NumberSummary) -> bool {
    let source = &numbers.source;
    let mean = source.mean();
    let farthest = (source.max - mean).max(mean - source.min);
    // The variance of two values is exactly the product of their distances from the mean.
    let of_two_values = (source.max - mean) * (mean - source.min);
    let variance = source.deviation().powi(2);
    farthest > FAR * source.deviation() && variance < 0.999 * of_two_values
}

fn percent(share: f64) -> String {
    match share {
        share if share > 0.9999 => "over 99.99 %".to_owned(),
        share if share > 0.99 => format!("{:.2} %", 100.0 * share),
        share => format!("{:.0} %", 100.0 * share),
    }
}
