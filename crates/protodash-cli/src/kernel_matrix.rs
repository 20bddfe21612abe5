//! Reads a kernel matrix from a file, which must hold numbers only.

use arrow_array::{Array, RecordBatch};
use ndarray::{Array2, s};
use protodash_table::{ColumnKind, Input, TableColumn, to_f64};

use crate::error::Failure;
use crate::progress::Progress;

/// All cells of a file as one matrix, in at most `memory` bytes.
pub(crate) fn read_kernel_matrix(input: &Input, memory: u64, progress: &mut Progress) -> Result<Array2<f64>, Failure> {
    let (n_rows, n_columns) = (input.n_rows(), input.columns().len());
    check_columns(input)?;
    let needed = n_rows.saturating_mul(8).saturating_mul(n_columns as u64);
    if needed > memory {
        let message = format!(
            "a kernel matrix of {n_rows} rows and {n_columns} columns needs {needed} bytes; --memory allows {memory}"
        );
        return Err(refused(input, message, "increase --memory"));
    }
    let mut matrix = Array2::zeros((n_rows as usize, n_columns));
    let mut start = 0;
    for batch in input.batches()? {
        if progress.reading(start as u64, n_rows).is_break() {
            return Err(Failure::Interrupted);
        }
        let batch = batch?;
        let end = start + batch.num_rows();
        copy(input, &batch, start, matrix.slice_mut(s![start..end, ..]))?;
        start = end;
    }
    Ok(matrix)
}

/// Returns an error if a column is not numeric, for example because of a header line.
fn check_columns(input: &Input) -> Result<(), Failure> {
    for TableColumn { name, kind } in input.columns() {
        let found = match kind {
            ColumnKind::Number => continue,
            ColumnKind::Mixed { row, value, .. } => {
                format!("{}, column {name:?}: found text {value:?}", input.place(*row))
            }
            ColumnKind::Boolean => format!("column {name:?} holds true/false values"),
            ColumnKind::Text => format!("column {name:?} holds text"),
        };
        let message = format!("{found}; a kernel matrix must hold numbers only");
        return Err(refused(input, message, "remove the header line and the row names, if there are any"));
    }
    Ok(())
}

fn copy(
    input: &Input,
    batch: &RecordBatch,
    start: usize,
    mut matrix: ndarray::ArrayViewMut2<'_, f64>,
) -> Result<(), Failure> {
    let columns = batch.columns().iter().zip(matrix.columns_mut());
    for ((column, mut cells), TableColumn { name, .. }) in columns.zip(input.columns()) {
        let numbers = to_f64(column);
        for (row, cell) in cells.iter_mut().enumerate() {
            *cell = if numbers.is_null(row) { f64::NAN } else { numbers.value(row) };
            if !cell.is_finite() {
                let found = if cell.is_nan() { "a missing value".to_owned() } else { cell.to_string() };
                let place = input.place((start + row) as u64);
                let message = format!("{place}, column {name:?}: found {found}; kernel values must be finite numbers");
                return Err(refused(input, message, "every pair of rows needs a kernel value"));
            }
        }
    }
    Ok(())
}

fn refused(input: &Input, message: String, hint: &'static str) -> Failure {
    Failure::KernelMatrix { path: input.path().to_owned(), message, hint }
}
