//! Picks rows of a file by number while streaming it.

use arrow_array::{RecordBatch, UInt64Array};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;

use super::Input;
use crate::{Error, Result};

/// Returns the rows `indices` of `input`, in that order, with repetitions.
pub(crate) fn pick(input: &Input, indices: &[u64]) -> Result<RecordBatch> {
    if let Some(&row) = indices.iter().find(|&&row| row >= input.n_rows()) {
        return Err(Error::RowOutOfRange { path: input.path().to_owned(), row, n_rows: input.n_rows() });
    }
    let mut wanted = indices.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    let found = collect(input, &wanted)?;
    // A row has the same position among the wanted and the found rows.
    let order = indices.iter().map(|row| wanted.partition_point(|other| other < row) as u64);
    take_record_batch(&found, &UInt64Array::from_iter_values(order)).map_err(|cause| Error::arrow(input.path(), cause))
}

/// Returns the rows `wanted`, which ascend, reading the file up to the last of them.
fn collect(input: &Input, wanted: &[u64]) -> Result<RecordBatch> {
    let mut pieces = Vec::new();
    let (mut start, mut left) = (0, wanted);
    let mut batches = input.batches()?;
    while !left.is_empty() {
        let Some(batch) = batches.next().transpose()? else { break };
        let end = start + batch.num_rows() as u64;
        let (here, later) = left.split_at(left.partition_point(|&row| row < end));
        if !here.is_empty() {
            let local = UInt64Array::from_iter_values(here.iter().map(|row| row - start));
            pieces.push(take_record_batch(&batch, &local).map_err(|cause| Error::arrow(input.path(), cause))?);
        }
        (start, left) = (end, later);
    }
    concat_batches(input.schema(), &pieces).map_err(|cause| Error::arrow(input.path(), cause))
}
