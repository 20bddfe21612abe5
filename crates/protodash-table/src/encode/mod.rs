//! Turns tables into matrices: selects features, encodes categories, scales numbers and handles missing values.
//!
//! There are two passes over each file: the first collects levels, means and counts, the second writes into the matrix.
//! Memory holds the matrix, one batch and the levels, never the table itself.

mod cells;
mod column;
mod companions;
mod constant;
mod dominance;
mod encoder;
mod equal_rows;
mod exact_sum;
mod fill;
mod hint;
mod integers;
mod keyed;
mod keyed_columns;
mod learn;
mod levels;
mod matrix;
mod missing;
mod normalize;
mod plan;
mod problem;
mod ranks;
mod roles;
mod sample;
mod scale;
mod selected;
mod size;
mod sparse;
mod suspects;

use std::ops::ControlFlow;
use std::path::PathBuf;

pub use column::column_texts;
pub use dominance::dominance_note;
use encoder::Encoding;
pub use equal_rows::equal_rows;
use fill::fill;
pub use keyed::{AlignedTable, AlignedTables, KeyRule, Keyed, keys_of};
pub use keyed_columns::KeyedColumns;
use learn::learn;
pub use matrix::{CategoryLevel, ColumnScale, Encoded, Feature, Matrix};
pub use normalize::normalize_sparse;
use plan::{ColumnPlan, SideColumns};
pub use problem::{EncodeProblem, NotDates};
pub use ranks::RankScale;
pub use roles::{Categories, MissingRule, Roles, Scaling};
pub use sample::{draw_rows, sample_rows};
use selected::RowProgress;
use size::{MatrixPrecision, check_memory};
use sparse::encode_sparse;

use crate::Result;
use crate::condition::Condition;
use crate::input::Input;

/// A table, or a part of it given by a condition or row numbers.
///
/// # Examples
///
/// ```
/// use protodash_table::{Condition, Input, Part, ReadOptions};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("people.csv");
/// std::fs::write(&path, "age,member\n20,true\n30,false\n")?;
/// let people = Input::open(&path, &ReadOptions::default())?;
/// let adults = Condition::parse("age >= 18")?;
/// let part = Part { input: &people, condition: Some(&adults), rows: None };
/// assert_eq!(part.input.n_rows(), 2);
/// assert!(Part::from(&people).condition.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The file.
    pub input: &'a Input,
    /// The condition on rows; `None` means all.
    pub condition: Option<&'a Condition>,
    /// The rows to which the condition applies, ascending; `None` means all.
    pub rows: Option<&'a [u64]>,
}

impl<'a> From<&'a Input> for Part<'a> {
    /// Returns all rows of `input`.
    fn from(input: &'a Input) -> Part<'a> {
        Part { input, condition: None, rows: None }
    }
}

/// Returns the source, and the target if it is not the same rows, as matrices with the same features.
///
/// Scaling is determined by the source and applied to both; levels are those of either side, with a note on levels that
/// only one side has. If the target is absent, or is the same [`Input`] under an equal condition, the second part of the
/// result is `None` and the source serves as both; target weights are then on the source. `progress` is called after
/// every batch with the number of rows done and the total over both passes; [`ControlFlow::Break`] ends the call with
/// [`EncodeProblem::Stopped`].
///
/// Sparse rows stay sparse and have no features; the column `label` of their files is the label unless another is.
///
/// # Cost
///
/// Two passes over each file, and the memory of the matrices, which is checked against [`Roles::memory`] before it is
/// allocated.
///
/// # Errors
///
/// [`Error::Encode`](crate::Error::Encode) for problems with roles, columns and values,
/// [`Error::Condition`](crate::Error::Condition) for conditions that do not fit the table, and every error of reading the
/// files.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use ndarray::array;
/// use protodash_table::{Condition, Input, Matrix, Part, ReadOptions, Roles, Scaling, encode};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("visits.csv");
/// std::fs::write(&path, "kind,pages\nnew,1\nold,2\nold,4\n")?;
/// let visits = Input::open(&path, &ReadOptions::default())?;
///
/// // One file, two conditions: old visits represent the new ones.
/// let (old, new) = (Condition::parse("kind = 'old'")?, Condition::parse("kind = 'new'")?);
/// let mut roles = Roles::default();
/// roles.drop = vec!["kind".into()];
/// roles.scale = Some(Scaling::MinMax);
/// let (source, target) = encode(
///     Part { condition: Some(&old), ..Part::from(&visits) },
///     Some(Part { condition: Some(&new), ..Part::from(&visits) }),
///     &roles,
///     &mut |_done, _total| ControlFlow::Continue(()),
/// )?;
/// assert_eq!(source.matrix, Matrix::F64(array![[0.0], [1.0]]));
/// assert_eq!(source.rows.table_rows(), [1, 2]);
/// assert_eq!(target.unwrap().matrix, Matrix::F64(array![[-0.5]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn encode(
    source: Part<'_>,
    target: Option<Part<'_>>,
    roles: &Roles,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(Encoded, Option<Encoded>)> {
    let target = target.filter(|target| !are_same_rows(source, *target));
    let n_rows = source.input.n_rows() + target.map_or(0, |target| target.input.n_rows());
    let mut progress = RowProgress::new(2 * n_rows, progress);
    if source.input.is_sparse() || target.is_some_and(|target| target.input.is_sparse()) {
        return encode_sparse(source, target, roles, &mut progress);
    }
    let job = EncodeJob::new(source, target, roles)?;

    let learnt = learn(&job, &mut progress)?;
    let precision = job.precision.given_dates(&learnt);
    let job = EncodeJob { precision, ..job };
    check_memory(&job, &learnt)?;
    let encoding = Encoding::new(&job, &learnt)?;

    let mut encoded_source = fill(&job, source, &job.plan.source, learnt.n_rows.source, &encoding, &mut progress)?;
    let encoded_target = match job.target_side() {
        Some((part, side)) => Some(fill(&job, part, side, learnt.n_rows.target, &encoding, &mut progress)?),
        None => None,
    };
    encoded_source.notes.extend(encoding.notes);
    Ok((encoded_source, encoded_target))
}

/// What to encode, and how.
struct EncodeJob<'a> {
    source: Part<'a>,
    /// The target, if it is not the same rows as the source.
    target: Option<Part<'a>>,
    roles: &'a Roles,
    plan: ColumnPlan,
    precision: MatrixPrecision,
}

impl<'a> EncodeJob<'a> {
    fn new(source: Part<'a>, target: Option<Part<'a>>, roles: &'a Roles) -> Result<EncodeJob<'a>> {
        let plan = ColumnPlan::new(source, target, roles)?;
        let precision = MatrixPrecision::of(source, target, &plan, roles);
        Ok(EncodeJob { source, target, roles, plan, precision })
    }

    /// Returns the target and its columns, if there is one.
    fn target_side(&self) -> Option<(Part<'a>, &SideColumns)> {
        self.target.zip(self.plan.target.as_ref())
    }

    /// Returns the name of the source's file, to be kept by an error.
    fn source_path(&self) -> PathBuf {
        self.source.input.path().to_owned()
    }
}

fn are_same_rows(source: Part<'_>, target: Part<'_>) -> bool {
    std::ptr::eq(source.input, target.input) && source.condition == target.condition && source.rows == target.rows
}
