//! How each column is written to the matrix, from the summary of the first pass.

use std::collections::HashMap;

use super::EncodeJob;
use super::constant::{self, check_constant};
use super::dominance;
use super::learn::{FeatureSummary, Learnt};
use super::levels::LevelCounts;
use super::matrix::{CategoryLevel, ColumnScale, Feature};
use super::missing::{self, check_missing, fill_value};
use super::plan::FeatureColumn;
use super::problem::EncodeProblem;
use super::roles::{Categories, MissingRule, Scaling};
use super::scale::{NumberSummary, Scaler};
use super::suspects::{self, FEW_ROWS};
use crate::advice::Note;

type Result<T> = std::result::Result<T, EncodeProblem>;

/// How the table is written.
#[derive(Debug)]
pub(super) struct Encoding {
    /// One encoder for each feature column of the plan.
    pub(super) encoders: Vec<Encoder>,
    /// The columns of the matrix.
    pub(super) features: Vec<Feature>,
    /// Notes on the encoding.
    pub(super) notes: Vec<Note>,
}

/// How a column is written, and where.
#[derive(Debug)]
pub(super) enum Encoder {
    /// A number in column `at` and, if `marks_missing`, whether it is missing in the next column.
    Number { at: usize, scaler: Scaler, fill: f64, marks_missing: bool },
    /// A 1 in the column `at` plus the position of the level.
    OneHot { at: usize, positions: Positions },
    /// The position of the level in column `at`.
    Code { at: usize, positions: Positions },
}

/// The position of each level among the levels of its column.
#[derive(Debug)]
pub(super) struct Positions {
    values: HashMap<String, usize>,
    missing: Option<usize>,
}

impl Positions {
    /// Returns the position of a cell's level; `None` if the first pass did not see that level.
    pub(super) fn of(&self, cell: Option<&str>) -> Option<usize> {
        match cell {
            Some(value) => self.values.get(value).copied(),
            None => self.missing,
        }
    }
}

impl Encoding {
    /// Returns how to write the table, after checking that it can be written.
    pub(super) fn new(job: &EncodeJob<'_>, learnt: &Learnt) -> Result<Encoding> {
        check_distinct(job, learnt)?;
        check_missing(job, learnt)?;
        check_constant(job, learnt)?;
        let mut encoding = Encoding { encoders: Vec::new(), features: Vec::new(), notes: Vec::new() };
        for (column, summary) in job.plan.features.iter().zip(&learnt.columns) {
            match summary {
                FeatureSummary::Numbers(numbers) => encoding.add_numbers(job, column, numbers)?,
                FeatureSummary::Levels(levels) => encoding.add_levels(job, column, levels),
            }
        }
        if job.roles.normalize {
            // A number divided by the length of its row is no longer in the units of its column.
            for feature in &mut encoding.features {
                (feature.unit, feature.is_date) = (Some(ColumnScale::IDENTITY), false);
            }
        }
        encoding.notes.extend(missing::note(job, learnt));
        encoding.notes.extend(constant::notes(job, learnt));
        encoding.notes.extend(suspects::notes(job, learnt));
        encoding.notes.extend(dominance::notes(job, learnt, &encoding.encoders));
        Ok(encoding)
    }

    fn add_numbers(&mut self, job: &EncodeJob<'_>, column: &FeatureColumn, numbers: &NumberSummary) -> Result<()> {
        let NumberSummary { source, target, .. } = numbers;
        let has_missing = source.n_missing + target.n_missing > 0;
        let fill = if has_missing { fill_value(job.roles.missing, source) } else { Some(0.0) };
        let fill =
            fill.ok_or_else(|| EncodeProblem::NoMean { path: job.source_path(), column: column.name.clone() })?;
        let scaler = find_scaler(job, column.scale, numbers).filter(|_| fill.is_finite());
        let scaler = scaler.ok_or_else(|| out_of_range(job, column, numbers))?;
        let marks_missing = has_missing && job.roles.missing == MissingRule::Category;
        let at = self.features.len();
        let (unit, is_date) = (scaler.unit(), numbers.is_date);
        self.features.push(Feature { unit, is_date, ..Feature::new(&column.name, None) });
        self.features.extend(marks_missing.then(|| Feature::new(&column.name, Some(CategoryLevel::Missing))));
        let fill = scaler.apply(fill);
        self.encoders.push(Encoder::Number { at, scaler, fill, marks_missing });
        Ok(())
    }

    fn add_levels(&mut self, job: &EncodeJob<'_>, column: &FeatureColumn, levels: &LevelCounts) {
        let at = self.features.len();
        let values = levels.in_order();
        let missing = (levels.missing.total() > 0).then_some(values.len());
        let all = values.iter().cloned().map(CategoryLevel::Value).chain(missing.map(|_| CategoryLevel::Missing));
        let features: Vec<_> = match job.roles.categories {
            Categories::Codes => vec![Feature::new(&column.name, None)],
            Categories::OneHot => all.map(|level| Feature::new(&column.name, Some(level))).collect(),
        };
        self.features.extend(features);
        let positions = Positions { values: values.into_iter().zip(0..).collect(), missing };
        self.encoders.push(match job.roles.categories {
            Categories::Codes => Encoder::Code { at, positions },
            Categories::OneHot => Encoder::OneHot { at, positions },
        });
        let single = job.roles.single_target_rows;
        self.notes.extend(levels.one_sided_note(&column.name, single).filter(|_| job.target.is_some()));
    }
}

/// Returns how a column is scaled; `None` if the matrix cannot represent one of its scaled numbers.
fn find_scaler(job: &EncodeJob<'_>, scale: Scaling, numbers: &NumberSummary) -> Option<Scaler> {
    let scaler = Scaler::new(scale, numbers)?;
    let ends =
        [&numbers.source, &numbers.target].into_iter().filter(|numbers| numbers.n > 0).flat_map(|n| [n.min, n.max]);
    ends.map(|end| scaler.apply(end).abs()).all(|end| end <= job.precision.max()).then_some(scaler)
}

fn out_of_range(job: &EncodeJob<'_>, column: &FeatureColumn, numbers: &NumberSummary) -> EncodeProblem {
    let NumberSummary { source, target, .. } = numbers;
    let (min, max) = (source.min.min(target.min), source.max.max(target.max));
    EncodeProblem::ScaleRange { path: job.source_path(), column: column.name.clone(), min, max }
}

/// Checks that no text column has a unique value in each row, and so names the rows instead of describing them.
fn check_distinct(job: &EncodeJob<'_>, learnt: &Learnt) -> Result<()> {
    for (column, summary) in job.plan.features.iter().zip(&learnt.columns) {
        let FeatureSummary::Levels(levels) = summary else { continue };
        let n_values = levels.values.source.max(levels.values.target);
        if !column.is_listed && n_values > FEW_ROWS && levels.are_all_distinct() {
            let no_date = levels.first_word.clone().filter(|_| levels.mostly_dates().is_some()).map(Box::new);
            let local_date = levels.local_dates().map(|(_, first)| first.into());
            let (path, column) = (job.source_path(), column.name.clone());
            return Err(EncodeProblem::AllDistinct { path, column, n_values, no_date, local_date });
        }
    }
    Ok(())
}
