//! Tables in memory, as record batches.

use std::path::{Path, PathBuf};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::Schema;

use super::arrow_types::Conversion;
use super::layout::rows_per_batch;
use super::{Batches, Format, OpenedTable, ReadOptions, TableReader};
use crate::Result;

/// Record batches whose columns are known.
struct MemoryTable {
    path: PathBuf,
    batches: Vec<RecordBatch>,
    conversion: Conversion,
}

/// Returns the table in `batches`; messages call it `path`.
pub(super) fn open(
    path: &Path,
    schema: &Schema,
    batches: Vec<RecordBatch>,
    options: &ReadOptions,
) -> Result<OpenedTable> {
    let n_rows = batches.iter().map(|batch| batch.num_rows() as u64).sum();
    let column =
        |at: usize| batches.iter().map(|batch| Ok(batch.column(at).clone())).collect::<Vec<Result<ArrayRef>>>();
    let (conversion, layout) =
        Conversion::new(path, Format::Memory, schema, n_rows, options, |at| Ok(Box::new(column(at).into_iter())))?;
    Ok(OpenedTable { layout, table: Box::new(MemoryTable { path: path.to_owned(), batches, conversion }) })
}

impl TableReader for MemoryTable {
    /// Returns the rows, converted piece by piece; cloning a batch is cheap because it shares its columns.
    fn batches(&self) -> Result<Batches> {
        let (path, conversion) = (self.path.clone(), self.conversion.clone());
        let length = rows_per_batch(conversion.n_columns());
        let pieces = self.batches.clone().into_iter().flat_map(move |batch| pieces(&batch, length));
        let mut start = 0;
        Ok(Batches::new(pieces.map(move |piece| {
            let converted = conversion.apply(&path, start, &piece);
            start += piece.num_rows() as u64;
            converted
        })))
    }
}

/// Returns the batch in pieces of at most `length` rows.
fn pieces(batch: &RecordBatch, length: usize) -> Vec<RecordBatch> {
    let n_rows = batch.num_rows();
    (0..n_rows).step_by(length).map(|start| batch.slice(start, length.min(n_rows - start))).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::Int64Array;

    use crate::{Error, Input, RowPlace};

    use super::*;

    fn numbers(from: i64, to: i64) -> RecordBatch {
        let column: ArrayRef = Arc::new(Int64Array::from_iter_values(from..to));
        RecordBatch::try_from_iter([("x", column)]).unwrap()
    }

    #[test]
    fn several_batches_are_concatenated_and_long_ones_split() {
        let batches = vec![numbers(0, 20_000), numbers(0, 0), numbers(20_000, 20_003)];
        let input = Input::from_batches("table", batches[0].schema(), batches).unwrap();
        let lengths: Vec<usize> = input.batches().unwrap().map(|batch| batch.unwrap().num_rows()).collect();
        assert_eq!(lengths, [8192, 8192, 3616, 3]);
        let picked = input.rows(&[20_002, 8192, 0]).unwrap();
        assert_eq!(picked.column(0).as_ref(), &Int64Array::from(vec![20_002, 8192, 0]));
        assert_eq!(input.place(8192), RowPlace::Row(8192));
    }

    #[test]
    fn no_rows_are_an_error_that_names_the_table() {
        let empty = numbers(0, 0);
        let error = Input::from_batches("source", empty.schema(), vec![empty]).unwrap_err();
        assert!(matches!(error, Error::NoRows { .. }));
        assert!(error.to_string().starts_with("source: "), "{error}");
    }
}
