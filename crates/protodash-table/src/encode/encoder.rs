//! What the first pass learnt, turned into how each column is written to the matrix.

use std::collections::HashMap;

use super::Part;
use super::learn::{Learnt, Summary};
use super::levels::Levels;
use super::matrix::{Feature, Level};
use super::missing::{check_missing, fill_value, note};
use super::plan::{FeatureColumn, Plan};
use super::problem::EncodeProblem;
use super::roles::{Categories, Missing, Roles, Scale};
use super::scale::{Numbers, Scaler};
use crate::names::Listed;

type Result<T> = std::result::Result<T, EncodeProblem>;

/// How the whole table is written.
#[derive(Debug)]
pub(super) struct Encoding {
    /// One encoder for each feature column of the plan.
    pub(super) encoders: Vec<Encoder>,
    /// What the columns of the matrix are.
    pub(super) features: Vec<Feature>,
    /// What the user should be told.
    pub(super) notes: Vec<String>,
}

/// How a column is written, and where.
#[derive(Debug)]
pub(super) enum Encoder {
    /// A number in column `at`, and if `marks_missing` whether it was missing in the next.
    Number { at: usize, scaler: Scaler, fill: f64, marks_missing: bool },
    /// A 1 in column `at` plus the position of the level.
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
    /// Returns the position of a cell's level; `None` if no such level was there in the first pass.
    pub(super) fn of(&self, cell: Option<&str>) -> Option<usize> {
        match cell {
            Some(value) => self.values.get(value).copied(),
            None => self.missing,
        }
    }
}

impl Encoding {
    /// Returns how to write what was learnt, after checking that it can and should be written.
    pub(super) fn new(
        source: Part<'_>,
        target: Option<Part<'_>>,
        plan: &Plan,
        learnt: &Learnt,
        roles: &Roles,
    ) -> Result<Encoding> {
        check_distinct(source, plan, learnt)?;
        check_missing(roles.missing, source, target, plan, learnt)?;
        let scale = roles.scale.unwrap_or(if source.input.is_array() { Scale::None } else { Scale::Standard });
        check_constant(source, scale, learnt)?;
        let mut encoding = Encoding { encoders: Vec::new(), features: Vec::new(), notes: Vec::new() };
        for (column, summary) in plan.features.iter().zip(&learnt.columns) {
            match summary {
                Summary::Numbers { source: numbers, .. } => {
                    let marks_missing = roles.missing == Missing::Category && summary.missing().total() > 0;
                    let fill =
                        if summary.missing().total() > 0 { fill_value(roles.missing, numbers) } else { Some(0.0) };
                    encoding.add_number(source, column, scale, numbers, fill, marks_missing)?;
                }
                Summary::Levels(levels) => encoding.add_levels(column, levels, roles.categories, target.is_some()),
            }
        }
        encoding.notes.extend(note(roles.missing, plan, learnt));
        encoding.notes.extend(constant_note(scale, plan, learnt));
        Ok(encoding)
    }

    fn add_number(
        &mut self,
        source: Part<'_>,
        column: &FeatureColumn,
        scale: Scale,
        numbers: &Numbers,
        fill: Option<f64>,
        marks_missing: bool,
    ) -> Result<()> {
        let (path, name) = (|| source.input.path().to_owned(), &column.name);
        let fill = fill.ok_or_else(|| EncodeProblem::NoMean { path: path(), column: name.clone() })?;
        let scaler = Scaler::new(scale, numbers).filter(|_| fill.is_finite()).ok_or_else(|| {
            EncodeProblem::ScaleRange { path: path(), column: name.clone(), min: numbers.min, max: numbers.max }
        })?;
        let at = self.features.len();
        self.features.push(Feature::new(name, None));
        if marks_missing {
            self.features.push(Feature::new(name, Some(Level::Missing)));
        }
        self.encoders.push(Encoder::Number { at, scaler, fill: scaler.apply(fill), marks_missing });
        Ok(())
    }

    fn add_levels(&mut self, column: &FeatureColumn, levels: &Levels, categories: Categories, has_target: bool) {
        let at = self.features.len();
        let values = levels.in_order();
        let missing = (levels.missing.total() > 0).then_some(values.len());
        match categories {
            Categories::Codes => self.features.push(Feature::new(&column.name, None)),
            Categories::OneHot => {
                let all = values.iter().cloned().map(Level::Value).chain(missing.map(|_| Level::Missing));
                self.features.extend(all.map(|level| Feature::new(&column.name, Some(level))));
            }
        }
        let positions = Positions { values: values.into_iter().zip(0..).collect(), missing };
        self.encoders.push(match categories {
            Categories::Codes => Encoder::Code { at, positions },
            Categories::OneHot => Encoder::OneHot { at, positions },
        });
        self.notes.extend(levels.one_sided_note(&column.name).filter(|_| has_target));
    }
}

/// A table of that few rows may well have a text column without repetition that is a feature all the same.
const FEW: u64 = 20;

/// Checks that no text column names the rows instead of describing them.
fn check_distinct(source: Part<'_>, plan: &Plan, learnt: &Learnt) -> Result<()> {
    for (column, summary) in plan.features.iter().zip(&learnt.columns) {
        let Summary::Levels(levels) = summary else { continue };
        let n_values = levels.values.source.max(levels.values.target);
        if !column.is_listed && n_values > FEW && levels.are_all_distinct() {
            let (path, column) = (source.input.path().to_owned(), column.name.clone());
            return Err(EncodeProblem::AllDistinct { path, column, n_values });
        }
    }
    Ok(())
}

/// Checks that at least one column will differ between at least two rows.
fn check_constant(source: Part<'_>, scale: Scale, learnt: &Learnt) -> Result<()> {
    if !learnt.columns.iter().all(|summary| is_constant(scale, summary, learnt.n_rows.total())) {
        return Ok(());
    }
    Err(EncodeProblem::AllConstant { path: source.input.path().to_owned(), n_columns: learnt.columns.len() })
}

/// Returns whether a column will be the same in every row of source and target.
fn is_constant(scale: Scale, summary: &Summary, n_rows: u64) -> bool {
    match summary {
        Summary::Numbers { source, target } => {
            let n_missing = summary.missing().total();
            let is_zeroed = scale != Scale::None && source.is_constant();
            let is_one_value = source.min.min(target.min) >= source.max.max(target.max);
            (is_zeroed || is_one_value) && (n_missing == 0 || n_missing == n_rows)
        }
        Summary::Levels(levels) => levels.n_levels() <= 1,
    }
}

/// Returns a sentence on the columns that scaling turns into zeros, if there are any.
fn constant_note(scale: Scale, plan: &Plan, learnt: &Learnt) -> Option<String> {
    let columns = plan.features.iter().zip(&learnt.columns);
    let zeroed: Vec<String> = columns
        .filter(|(_, summary)| matches!(summary, Summary::Numbers { source, .. } if source.is_constant()))
        .map(|(column, _)| column.name.clone())
        .collect();
    match zeroed.len() {
        _ if scale == Scale::None => None,
        0 => None,
        1 => Some(format!("column {} is constant in the source and became 0", Listed(&zeroed))),
        n => Some(format!("{n} columns are constant in the source and became 0: {}", Listed(&zeroed))),
    }
}
