//! Notes on columns that are probably not intended as the features that they became.

use std::collections::HashSet;

use super::EncodeJob;
use super::learn::{FeatureSummary, Learnt};
use super::levels::LevelCounts;
use super::plan::FeatureColumn;
use super::roles::Categories;
use super::scale::NumberSummary;
use crate::advice::{Hint, Note, Setting};
use crate::hint;
use crate::input::{ColumnKind, Input, TableColumn};
use crate::names::Listed;

/// In a table of this few rows, a column without repeated values may still be a feature.
pub(super) const FEW_ROWS: u64 = 20;

/// A text column of more categories than this is more likely to hold codes or names.
const MANY_LEVELS: usize = 100;

/// The maximum number of levels of a label.
const MAX_CLASSES: usize = 50;

/// Returns a note on each column that looks like an id, a label or a list of codes, and on columns that were skipped.
pub(super) fn notes(job: &EncodeJob<'_>, learnt: &Learnt) -> Vec<Note> {
    let mut notes: Vec<Note> = skipped(job).into_iter().collect();
    let columns = job.plan.features.iter().zip(&learnt.columns);
    notes.extend(columns.clone().filter_map(|(column, summary)| match summary {
        FeatureSummary::Numbers(numbers) => id_note(column, numbers),
        FeatureSummary::Levels(levels) => levels_note(job, column, levels),
    }));
    let labels: Vec<&FeatureColumn> =
        columns.filter(|(column, summary)| is_label(job, learnt, column, summary)).map(|(column, _)| column).collect();
    let is_asked = chooses_features(job) && learnt.n_rows.source > FEW_ROWS;
    notes.extend(labels.first().filter(|_| is_asked).map(|column| label_note(&column.name)));
    notes
}

/// Returns whether columns became features without being named, while there is no label.
fn chooses_features(job: &EncodeJob<'_>) -> bool {
    job.roles.columns.is_none() && job.roles.label.is_none()
}

/// Returns whether the integers of a numeric column are worth counting, and whether its name suggests classes.
pub(super) fn counts_integers(column: &FeatureColumn, input: &Input, are_named: bool) -> Option<bool> {
    let is_meant = are_named || input.is_array() || column.list.is_some();
    (!is_meant).then(|| is_called_label(&column.name))
}

fn skipped(job: &EncodeJob<'_>) -> Option<Note> {
    if job.roles.columns.is_some() {
        return None;
    }
    let inputs = [Some(job.source.input), job.target.map(|target| target.input)];
    let mut unread: Vec<_> = inputs.into_iter().flatten().flat_map(Input::unread).collect();
    unread.retain(|column| !job.roles.drop.contains(&column.name));
    let mut seen = HashSet::new();
    unread.retain(|column| seen.insert(&column.name));
    let names: Vec<String> = unread.iter().map(|column| column.name.clone()).collect();
    let text = match names.as_slice() {
        [] => return None,
        [name] => format!("skipped column {name:?}, which is of type {}", unread[0].data_type),
        names => format!("skipped {} columns of lists, objects or other types: {}", names.len(), Listed(names)),
    };
    let (its, it) = if names.len() == 1 { ("its", "it") } else { ("their", "them") };
    let allowed = "only numbers, lists of numbers of one length (Parquet, Arrow, data frames), text, true/false and dates can be features";
    let hint = hint!(
        [format!("{allowed}; write each of {its} parts as a column")],
        [format!("exclude {it} with "), Setting::Drop(names)],
    );
    Some(Note::new(text).with_hint(hint))
}

fn id_note(column: &FeatureColumn, numbers: &NumberSummary) -> Option<Note> {
    let integers = numbers.integers.as_ref()?;
    // Few values may all differ by chance.
    (numbers.source.n > FEW_ROWS && integers.are_distinct()).then(|| {
        let name = &column.name;
        let text = format!(
            "integer column {name:?} has only distinct values, so it looks like an id but is used as a \
                     feature"
        );
        Note::new(text).with_hint(hint!(
            ["use ", Setting::Id(Some(name.clone())), " if it names the rows"],
            ["exclude it with ", Setting::Drop(vec![name.clone()])],
        ))
    })
}

fn levels_note(job: &EncodeJob<'_>, column: &FeatureColumn, levels: &LevelCounts) -> Option<Note> {
    dates_note(column, levels)
        .or_else(|| local_dates_note(column, levels))
        .or_else(|| many_levels_note(job, column, levels))
}

/// Returns a note on a column that would be dates if it were not for a few values.
fn dates_note(column: &FeatureColumn, levels: &LevelCounts) -> Option<Note> {
    let (n_dates, n_words) = levels.mostly_dates().filter(|_| !column.is_listed)?;
    let ((value, place), name) = (levels.first_word.as_ref()?, &column.name);
    let (others, those) = match n_words {
        1 => (format!("{value:?} in {place} is not a date"), "it"),
        _ => (format!("{n_words} other values are not, the first {value:?} in {place}"), "them"),
    };
    let text = format!("column {name:?} has {n_dates} dates, but {others}, so each date became a category");
    Some(Note::new(text).with_hint(hint!(
        [format!("correct {those} or leave {those} empty, so that dates become numbers")],
        ["exclude the column with ", Setting::Drop(vec![name.clone()])],
        ["confirm categories with ", Setting::Categorical(vec![name.clone()])],
    )))
}

/// Returns a note on a column of dates in another form than ISO 8601, however few they are.
fn local_dates_note(column: &FeatureColumn, levels: &LevelCounts) -> Option<Note> {
    let ((n_dates, first), name) = (levels.local_dates().filter(|_| !column.is_listed)?, &column.name);
    let (dates, are, each) = if n_dates == 1 { ("date", "is", "which") } else { ("dates", "are", "each of which") };
    let text = format!(
        "column {name:?} has {n_dates} {dates} that {are} not written as in 2024-01-31 but as in {first:?}, {each} became a \
         category"
    );
    Some(Note::new(text).with_hint(hint!(
        ["write dates as 2024-01-31, which are numbers"],
        ["exclude the column with ", Setting::Drop(vec![name.clone()])],
        ["confirm categories with ", Setting::Categorical(vec![name.clone()])],
    )))
}

fn many_levels_note(job: &EncodeJob<'_>, column: &FeatureColumn, levels: &LevelCounts) -> Option<Note> {
    let n_levels = levels.n_levels();
    let is_meant = column.is_listed || job.roles.categories == Categories::Codes;
    (n_levels > MANY_LEVELS && !is_meant).then(|| {
        let name = &column.name;
        let text = format!("text column {name:?} has {n_levels} categories, each of which became a feature");
        Note::new(text).with_hint(codes_hint(name))
    })
}

fn codes_hint(name: &str) -> Hint {
    hint!(
        ["use ", Setting::Id(Some(name.to_owned())), " if it names the rows"],
        ["exclude it with ", Setting::Drop(vec![name.to_owned()])],
        ["write dates as 2024-01-31, which are numbers"],
    )
}

fn label_note(name: &str) -> Note {
    let text = format!("column {name:?} looks like a label but is used as a feature");
    Note::new(text).with_hint(hint!(
        ["use ", Setting::Label(Some(name.to_owned())), " if it holds the class of each row"],
        ["exclude it with ", Setting::Drop(vec![name.to_owned()])],
    ))
}

/// Returns whether a column looks like a label: by its name, or because it is the last column and the only one of text.
fn is_label(job: &EncodeJob<'_>, learnt: &Learnt, column: &FeatureColumn, summary: &FeatureSummary) -> bool {
    if column.is_listed || job.source.input.is_array() {
        return false;
    }
    match summary {
        FeatureSummary::Numbers(numbers) => numbers.integers.as_ref().is_some_and(|integers| integers.are_classes()),
        FeatureSummary::Levels(levels) => {
            let n_levels = levels.n_levels();
            let is_repeated = (levels.values.total() as usize) > n_levels;
            let has_classes = is_repeated && (2..=MAX_CLASSES).contains(&n_levels) && levels.local_dates().is_none();
            has_classes && (is_called_label(&column.name) || is_last_and_only_text(job, learnt, column))
        }
    }
}

fn is_last_and_only_text(job: &EncodeJob<'_>, learnt: &Learnt, column: &FeatureColumn) -> bool {
    const SEVERAL: usize = 3;
    let is_text = |last: &TableColumn| last.name == column.name && last.kind == ColumnKind::Text;
    let is_categorical = |summary: &&FeatureSummary| matches!(summary, FeatureSummary::Levels(_));
    job.source.input.columns().last().is_some_and(is_text)
        && learnt.columns.len() > SEVERAL
        && learnt.columns.iter().filter(is_categorical).count() == 1
}

/// Returns whether a column's name is a common name for labels.
fn is_called_label(name: &str) -> bool {
    // Not "y", which is as often a coordinate.
    const NAMES: [&str; 7] = ["label", "class", "target", "species", "outcome", "diagnosis", "response"];
    let name = name.to_lowercase();
    let last = name.rsplit(['_', ' ', '.', '-']).next().unwrap_or(&name);
    NAMES.contains(&name.as_str()) || NAMES[..3].contains(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_labels() {
        for name in ["label", "Class", "true_label", "Species", "the target"] {
            assert!(is_called_label(name), "{name}");
        }
        for name in ["salary", "classic", "x_y", "y", "year", "target_date", "first class seats"] {
            assert!(!is_called_label(name), "{name}");
        }
    }
}
