//! The first pass: counts the selected rows and summarises each feature.

use arrow_array::{Array, ArrayRef};

use super::cells::{Texts, numbers};
use super::integers::IntegerCensus;
use super::levels::{LevelCounts, SideCounts, TableRole};
use super::plan::{FeatureColumn, FeatureKind, SideColumns};
use super::problem::EncodeProblem;
use super::roles::MissingRule;
use super::scale::NumberSummary;
use super::selected::{RowProgress, SelectedRows, for_each_selected};
use super::size::check_memory;
use super::suspects::counts_integers;
use super::{EncodeJob, Part};
use crate::Result;

/// The result of the first pass.
#[derive(Debug)]
pub(super) struct Learnt {
    /// One summary for each feature of the plan.
    pub(super) columns: Vec<FeatureSummary>,
    /// The number of selected rows.
    pub(super) n_rows: SideCounts,
    /// The first missing value of the source.
    pub(super) first_missing_in_source: Option<MissingCell>,
    /// The first missing value of the target.
    pub(super) first_missing_in_target: Option<MissingCell>,
}

/// The position of a missing value, ordered by row, then by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MissingCell {
    /// The row of the file, counted from 0.
    pub(super) row: u64,
    /// The position of the feature in the plan.
    pub(super) feature: usize,
}

/// The summary of a feature.
#[derive(Debug)]
pub(super) enum FeatureSummary {
    /// Numbers in the source and in the target.
    Numbers(NumberSummary),
    /// Levels of both sides.
    Levels(LevelCounts),
}

impl FeatureSummary {
    fn new(job: &EncodeJob<'_>, column: &FeatureColumn) -> FeatureSummary {
        match column.kind {
            FeatureKind::Number => {
                let may_be_classes = counts_integers(column, job.source.input, job.roles.columns.is_some());
                let integers = may_be_classes.map(IntegerCensus::new);
                FeatureSummary::Numbers(NumberSummary { integers, ..NumberSummary::default() })
            }
            FeatureKind::Categorical => FeatureSummary::Levels(LevelCounts::default()),
        }
    }

    /// Returns the number of missing values on each side.
    pub(super) fn missing(&self) -> SideCounts {
        match self {
            FeatureSummary::Numbers(NumberSummary { source, target, .. }) => {
                SideCounts { source: source.n_missing, target: target.n_missing }
            }
            FeatureSummary::Levels(levels) => levels.missing,
        }
    }
}

/// Reads both parts once.
pub(super) fn learn(job: &EncodeJob<'_>, progress: &mut RowProgress<'_>) -> Result<Learnt> {
    let columns = job.plan.features.iter().map(|feature| FeatureSummary::new(job, feature)).collect();
    let learnt =
        Learnt { columns, n_rows: SideCounts::default(), first_missing_in_source: None, first_missing_in_target: None };
    let mut pass = Pass { job, learnt };
    pass.read(TableRole::Source, job.source, &job.plan.source, progress)?;
    if let Some((part, side)) = job.target_side() {
        pass.read(TableRole::Target, part, side, progress)?;
    }
    Ok(with_dates(job, pass.learnt))
}

/// Returns `learnt` with columns of dates as numbers; whether all values are dates is known only at the end.
fn with_dates(job: &EncodeJob<'_>, learnt: Learnt) -> Learnt {
    let columns = learnt.columns.into_iter().zip(&job.plan.features).map(|(summary, column)| match summary {
        FeatureSummary::Levels(levels) if !column.is_listed && levels.are_dates() => {
            FeatureSummary::Numbers(NumberSummary::of_dates(&levels, job.roles.missing, column.scale))
        }
        other => other,
    });
    Learnt { columns: columns.collect(), ..learnt }
}

struct Pass<'a> {
    job: &'a EncodeJob<'a>,
    learnt: Learnt,
}

impl Pass<'_> {
    fn read(
        &mut self,
        from: TableRole,
        part: Part<'_>,
        side: &SideColumns,
        progress: &mut RowProgress<'_>,
    ) -> Result<()> {
        for_each_selected(part, &side.columns(), progress, |selected| {
            *self.learnt.n_rows.of(from) += selected.rows.len() as u64;
            for feature in 0..self.job.plan.features.len() {
                self.add(feature, from, part, selected)?;
            }
            self.note_missing(from, selected);
            // Checked after each batch, so that a column with a level for every row fails before it fills the memory.
            Ok(check_memory(self.job, &self.learnt)?)
        })?;
        match part.condition {
            Some(condition) if *self.learnt.n_rows.of(from) == 0 => Err(EncodeProblem::NoRowsLeft {
                path: part.input.path().to_owned(),
                n_rows: part.input.n_rows(),
                condition: condition.to_string(),
            }
            .into()),
            _ => Ok(()),
        }
    }

    /// Records the first missing value of a side; it is only needed for an error, so this need not be fast.
    fn note_missing(&mut self, from: TableRole, selected: &SelectedRows) {
        let has_gaps = self.learnt.columns.iter().any(|column| *column.missing().of(from) > 0);
        let first = match from {
            TableRole::Source => &mut self.learnt.first_missing_in_source,
            TableRole::Target => &mut self.learnt.first_missing_in_target,
        };
        if has_gaps && first.is_none() {
            *first = first_missing(selected, self.learnt.columns.len());
        }
    }

    fn add(&mut self, feature: usize, from: TableRole, part: Part<'_>, selected: &SelectedRows) -> Result<()> {
        let array = selected.batch.column(feature);
        let column = &self.job.plan.features[feature];
        let summary = match &mut self.learnt.columns[feature] {
            FeatureSummary::Numbers(summary) => summary,
            FeatureSummary::Levels(levels) => {
                levels.add(from, &Texts::new(array), |row| part.input.place(selected.rows[row]));
                let has_values = *levels.values.of(from) > 0;
                return if has_values { self.check_kinds(column, from) } else { Ok(()) };
            }
        };
        let (values, n_missing) = finite_numbers(array, self.job.roles.missing).map_err(|(row, value)| {
            let (path, place) = (part.input.path().to_owned(), part.input.place(selected.rows[row]));
            EncodeProblem::NotFinite { path, place, column: column.name.clone(), value: value.to_string() }
        })?;
        summary.add(from, &values, n_missing, column.scale);
        Ok(())
    }

    /// Checks that the values of a column are of the same kind on both sides.
    fn check_kinds(&self, column: &FeatureColumn, from: TableRole) -> Result<()> {
        let Some(target) = self.job.target.filter(|_| column.numbers_only_in == Some(from)) else { return Ok(()) };
        let (numbers, words) = match from {
            TableRole::Source => (self.job.source, target),
            TableRole::Target => (target, self.job.source),
        };
        Err(EncodeProblem::DifferentKinds {
            column: column.name.clone(),
            numbers_path: numbers.input.path().to_owned(),
            words_path: words.input.path().to_owned(),
        }
        .into())
    }
}

fn first_missing(selected: &SelectedRows, n_features: usize) -> Option<MissingCell> {
    let gap = |feature: usize| {
        let row = Texts::new(selected.batch.column(feature)).iter().position(|cell| cell.is_none())?;
        Some(MissingCell { row: selected.rows[row], feature })
    };
    (0..n_features).filter_map(gap).min()
}

/// Returns the numbers of a batch of a column and how many are missing; fails with row and value of the first infinite one.
fn finite_numbers(array: &ArrayRef, rule: MissingRule) -> std::result::Result<(Vec<f64>, u64), (usize, f64)> {
    let cells = numbers(array);
    let n_missing = cells.null_count();
    let values: Vec<f64> = match rule {
        _ if n_missing == 0 => cells.values().to_vec(),
        MissingRule::Zero => cells.iter().map(|cell| cell.unwrap_or(0.0)).collect(),
        _ => cells.iter().flatten().collect(),
    };
    if values.iter().any(|value| value.is_infinite()) {
        let infinite = cells.iter().enumerate().find_map(|(row, cell)| Some((row, cell.filter(|v| v.is_infinite())?)));
        return Err(infinite.unwrap_or_default());
    }
    Ok((values, n_missing as u64))
}
