//! One pass over the selected rows of a file, batch by batch.

use std::ops::{ControlFlow, Range};

use arrow_array::{Array, BooleanArray, RecordBatch};
use arrow_schema::ArrowError;
use arrow_select::filter::{filter_record_batch, prep_null_mask_filter};

use super::Part;
use super::problem::EncodeProblem;
use crate::condition::ConditionProblem;
use crate::input::{ColumnKind, Input};
use crate::{Error, Result};

/// Counts rows over all passes; the caller can stop between batches.
pub(super) struct RowProgress<'a> {
    done: u64,
    total: u64,
    report: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl<'a> RowProgress<'a> {
    /// Returns a count from 0 to `total`, passed to `report`.
    pub(super) fn new(total: u64, report: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> RowProgress<'a> {
        RowProgress { done: 0, total, report }
    }

    fn advance(&mut self, rows: u64) -> Result<()> {
        self.done += rows;
        match (self.report)(self.done, self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(EncodeProblem::Stopped.into()),
        }
    }
}

/// Some of the selected rows: the wanted columns, and the row numbers in the file.
pub(super) struct SelectedRows {
    /// The wanted columns, in that order.
    pub(super) batch: RecordBatch,
    /// The row of the file, counted from 0, for each row of the batch.
    pub(super) rows: Vec<u64>,
}

/// Calls `visit` with the selected rows of `part`, in order and restricted to `columns`.
pub(super) fn for_each_selected(
    part: Part<'_>,
    columns: &[usize],
    progress: &mut RowProgress<'_>,
    mut visit: impl FnMut(&SelectedRows) -> Result<()>,
) -> Result<()> {
    check_condition(part)?;
    let mut first_row = 0;
    for batch in part.input.batches()? {
        let batch = batch?;
        let n_rows = batch.num_rows() as u64;
        let selected = select(part, &batch, columns, first_row)?;
        if !selected.rows.is_empty() {
            visit(&selected)?;
        }
        first_row += n_rows;
        progress.advance(n_rows)?;
    }
    Ok(())
}

/// Checks that the condition uses no column that cannot be read.
fn check_condition(part: Part<'_>) -> Result<()> {
    let Some(condition) = part.condition else { return Ok(()) };
    for name in condition.columns() {
        if let Some(unread) = part.input.unread().iter().find(|unread| unread.name == name) {
            let (name, data_type) = (name.to_owned(), unread.data_type.clone());
            return Err(condition.error(ConditionProblem::ColumnType { name, data_type }).in_file(part.input.path()));
        }
    }
    Ok(())
}

fn select(part: Part<'_>, batch: &RecordBatch, columns: &[usize], first_row: u64) -> Result<SelectedRows> {
    let rows = first_row..first_row + batch.num_rows() as u64;
    let wanted = infallible(batch.project(columns));
    let mut mask = None;
    if let Some(condition) = part.condition {
        let holds = condition.evaluate(batch).map_err(|error| explained(error, part.input))?;
        mask = Some(if holds.null_count() > 0 { prep_null_mask_filter(&holds) } else { holds });
    }
    if let Some(named) = part.rows {
        mask = Some(among(named, rows.clone(), mask.as_ref()));
    }
    let Some(mask) = mask else { return Ok(SelectedRows { batch: wanted, rows: rows.collect() }) };
    let batch = infallible(filter_record_batch(&wanted, &mask));
    Ok(SelectedRows { batch, rows: rows.zip(mask.values()).filter_map(|(row, holds)| holds.then_some(row)).collect() })
}

/// Adds the file to an error of a condition, and the text that keeps a column from being numeric.
fn explained(error: Error, input: &Input) -> Error {
    let Error::Condition { condition, problem, .. } = error else { return error };
    let mixed = input.columns().iter().find_map(|column| match &column.kind {
        ColumnKind::Mixed { row, value, .. } if problem.refuses_text_of(&column.name) => Some((column, *row, value)),
        _ => None,
    });
    let problem = match mixed {
        None => problem,
        Some((column, row, value)) => {
            let (column, place, value) = (column.name.clone(), input.place(row), value.clone());
            Box::new(ConditionProblem::MixedColumn { problem, column, place, value })
        }
    };
    Error::Condition { path: Some(input.path().to_owned()), condition, problem }
}

/// Returns which of `rows` are in `named` and in the mask.
fn among(named: &[u64], rows: Range<u64>, mask: Option<&BooleanArray>) -> BooleanArray {
    let mut named = named[named.partition_point(|row| *row < rows.start)..].iter().peekable();
    let is_named = |(place, row): (usize, u64)| {
        let is_named = named.next_if_eq(&&row).is_some();
        is_named && mask.is_none_or(|mask| mask.value(place))
    };
    rows.enumerate().map(is_named).map(Some).collect()
}

/// Arrow cannot fail: columns come from the input's own list, and masks have one value per row.
fn infallible(outcome: std::result::Result<RecordBatch, ArrowError>) -> RecordBatch {
    outcome.expect("columns and mask fit the batch")
}
