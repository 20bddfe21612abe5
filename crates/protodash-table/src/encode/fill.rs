//! The second pass: batches straight into the matrix, ids, labels and weights along with it.

use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch};
use ndarray::Array2;

use super::cells::{Texts, numbers};
use super::companions::Companions;
use super::encoder::{Encoder, Encoding, Positions};
use super::matrix::{Encoded, Matrix};
use super::plan::Side;
use super::scale::Scaler;
use super::selected::{Progress, for_each_selected};
use super::size::Precision;
use super::{Job, Part};
use crate::input::Input;
use crate::{Error, Result};

/// Returns the encoded rows of `part`, of which there are `n_rows`.
pub(super) fn fill(
    job: &Job<'_>,
    part: Part<'_>,
    side: &Side,
    n_rows: u64,
    encoding: &Encoding,
    progress: &mut Progress<'_>,
) -> Result<Encoded> {
    // The memory check has made sure that rows times features fit an address.
    let shape = (n_rows as usize, encoding.features.len());
    match job.precision {
        Precision::Single => fill_matrix(part, side, Array2::<f32>::zeros(shape), encoding, Matrix::F32, progress),
        Precision::Double => fill_matrix(part, side, Array2::<f64>::zeros(shape), encoding, Matrix::F64, progress),
    }
}

/// A number of the matrix.
trait Element: Copy {
    fn from_f64(value: f64) -> Self;
}

impl Element for f32 {
    fn from_f64(value: f64) -> f32 {
        value as f32
    }
}

impl Element for f64 {
    fn from_f64(value: f64) -> f64 {
        value
    }
}

fn fill_matrix<T: Element>(
    part: Part<'_>,
    side: &Side,
    mut matrix: Array2<T>,
    encoding: &Encoding,
    wrap: fn(Array2<T>) -> Matrix,
    progress: &mut Progress<'_>,
) -> Result<Encoded> {
    let n_features = encoding.features.len();
    let mut free = matrix.as_slice_mut().unwrap_or_default();
    let mut companions = Companions::new(part.input, side);
    for_each_selected(part, &side.columns(), progress, |selected| {
        let columns = prepare(encoding, &selected.batch).map_err(|row| changed(part.input, selected.rows.get(row)))?;
        let rows = free.split_off_mut(..selected.rows.len() * n_features);
        write(&columns, n_features, rows.ok_or_else(|| changed(part.input, selected.rows.first()))?);
        companions.add(part.input, selected)
    })?;
    if !free.is_empty() {
        return Err(changed(part.input, companions.row_numbers.last()));
    }
    companions.finish(part.input, wrap(matrix), encoding)
}

/// Returns the error for a file that is not what it was in the first pass.
fn changed(input: &Input, row: Option<&u64>) -> Error {
    Error::Changed { path: input.path().to_owned(), place: input.place(row.copied().unwrap_or(0)) }
}

/// A column of a batch, converted once and ready to be written.
enum Prepared {
    Numbers { at: usize, cells: Float64Array, scaler: Scaler, fill: f64, marks_missing: bool },
    OneHot { at: usize, positions: Vec<usize> },
    Code { at: usize, positions: Vec<usize> },
}

/// Converts the columns of a batch; fails with the row of a level that was not there in the first pass.
fn prepare(encoding: &Encoding, batch: &RecordBatch) -> std::result::Result<Vec<Prepared>, usize> {
    let columns = encoding.encoders.iter().zip(batch.columns()).map(|(encoder, array)| {
        Ok(match *encoder {
            Encoder::Number { at, scaler, fill, marks_missing } => {
                Prepared::Numbers { at, cells: numbers(array), scaler, fill, marks_missing }
            }
            Encoder::OneHot { at, ref positions } => {
                Prepared::OneHot { at, positions: find_positions(positions, array)? }
            }
            Encoder::Code { at, ref positions } => Prepared::Code { at, positions: find_positions(positions, array)? },
        })
    });
    columns.collect()
}

fn find_positions(positions: &Positions, array: &ArrayRef) -> std::result::Result<Vec<usize>, usize> {
    Texts::new(array).iter().enumerate().map(|(row, cell)| positions.of(cell).ok_or(row)).collect()
}

/// Rows written at a time: as many as keep the touched part of a wide matrix in the cache, since the columns come one
/// after the other and the matrix is stored row by row.
const TILE: usize = 64;

/// Writes the columns of a batch to `matrix`, rows of `n_features` numbers that are still 0.
fn write<T: Element>(columns: &[Prepared], n_features: usize, matrix: &mut [T]) {
    for (tile, first) in matrix.chunks_mut(TILE * n_features).zip((0..).step_by(TILE)) {
        for column in columns {
            write_rows(column, first, tile.chunks_exact_mut(n_features));
        }
    }
}

/// Writes a column to `rows`, of which the first is row `first` of the batch.
fn write_rows<'a, T: Element + 'a>(column: &Prepared, first: usize, rows: impl Iterator<Item = &'a mut [T]>) {
    let one = T::from_f64(1.0);
    match column {
        Prepared::Numbers { at, cells, scaler, fill, marks_missing } => {
            for (row, from) in rows.zip(first..) {
                let is_missing = cells.is_null(from);
                row[*at] = T::from_f64(if is_missing { *fill } else { scaler.apply(cells.value(from)) });
                if *marks_missing && is_missing {
                    row[*at + 1] = one;
                }
            }
        }
        Prepared::OneHot { at, positions } => {
            rows.zip(&positions[first..]).for_each(|(row, position)| row[*at + position] = one);
        }
        Prepared::Code { at, positions } => {
            rows.zip(&positions[first..]).for_each(|(row, position)| row[*at] = T::from_f64(*position as f64));
        }
    }
}
