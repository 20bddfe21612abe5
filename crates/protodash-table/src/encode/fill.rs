//! The second pass: writes batches into the matrix, and collects ids, labels and weights.

use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch};
use ndarray::Array2;

use super::cells::{Texts, numbers};
use super::companions::Companions;
use super::encoder::{Encoder, Encoding, Positions};
use super::matrix::{Encoded, Matrix};
use super::normalize::{self, normalize};
use super::plan::SideColumns;
use super::roles::Roles;
use super::scale::Scaler;
use super::selected::{RowProgress, for_each_selected};
use super::size::MatrixPrecision;
use super::{EncodeJob, Part};
use crate::input::Input;
use crate::{Error, Result};

/// Returns the encoded rows of `part`, of which there are `n_rows`.
pub(super) fn fill(
    job: &EncodeJob<'_>,
    part: Part<'_>,
    side: &SideColumns,
    n_rows: u64,
    encoding: &Encoding,
    progress: &mut RowProgress<'_>,
) -> Result<Encoded> {
    // The memory check ensures that rows times features fit a usize.
    let shape = (n_rows as usize, encoding.features.len());
    match job.precision {
        MatrixPrecision::Single => {
            fill_matrix((part, side), Array2::<f32>::zeros(shape), job.roles, encoding, Matrix::F32, progress)
        }
        MatrixPrecision::Double => {
            fill_matrix((part, side), Array2::<f64>::zeros(shape), job.roles, encoding, Matrix::F64, progress)
        }
    }
}

/// A number of the matrix.
pub(super) trait MatrixElement: Copy {
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
}

impl MatrixElement for f32 {
    fn from_f64(value: f64) -> f32 {
        value as f32
    }

    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl MatrixElement for f64 {
    fn from_f64(value: f64) -> f64 {
        value
    }

    fn to_f64(self) -> f64 {
        self
    }
}

fn fill_matrix<T: MatrixElement>(
    (part, side): (Part<'_>, &SideColumns),
    mut matrix: Array2<T>,
    roles: &Roles,
    encoding: &Encoding,
    wrap: fn(Array2<T>) -> Matrix,
    progress: &mut RowProgress<'_>,
) -> Result<Encoded> {
    let n_features = encoding.features.len();
    let mut free = matrix.as_slice_mut().unwrap_or_default();
    let mut companions = Companions::new(part.input, side);
    let mut n_zero = 0;
    for_each_selected(part, &side.columns(), progress, |selected| {
        let columns = prepare(encoding, &selected.batch).map_err(|row| changed(part.input, selected.rows.get(row)))?;
        let rows = free.split_off_mut(..selected.rows.len() * n_features);
        let rows = rows.ok_or_else(|| changed(part.input, selected.rows.first()))?;
        write(&columns, n_features, rows);
        if roles.normalize {
            n_zero += normalize(rows, n_features);
        }
        companions.add(part.input, selected)
    })?;
    if !free.is_empty() {
        return Err(changed(part.input, companions.row_numbers.last()));
    }
    let mut encoded = companions.finish(part.input, wrap(matrix), &encoding.features)?;
    encoded.notes.extend(normalize::note(n_zero));
    Ok(encoded)
}

/// Returns the error for a file that changed after the first pass.
fn changed(input: &Input, row: Option<&u64>) -> Error {
    Error::Changed { path: input.path().to_owned(), place: input.place(row.copied().unwrap_or(0)) }
}

/// A column of a batch, converted and ready to be written.
enum PreparedColumn<'a> {
    Numbers { at: usize, cells: Float64Array, scaler: &'a Scaler, fill: f64, marks_missing: bool },
    OneHot { at: usize, positions: Vec<usize> },
    Code { at: usize, positions: Vec<usize> },
}

/// Converts the columns of a batch; fails with the row of a level that the first pass did not see.
fn prepare<'a>(encoding: &'a Encoding, batch: &RecordBatch) -> std::result::Result<Vec<PreparedColumn<'a>>, usize> {
    let columns = encoding.encoders.iter().zip(batch.columns()).map(|(encoder, array)| {
        Ok(match encoder {
            Encoder::Number { at, scaler, fill, marks_missing } => PreparedColumn::Numbers {
                at: *at,
                cells: numbers(array),
                scaler,
                fill: *fill,
                marks_missing: *marks_missing,
            },
            Encoder::OneHot { at, positions } => {
                PreparedColumn::OneHot { at: *at, positions: find_positions(positions, array)? }
            }
            Encoder::Code { at, positions } => {
                PreparedColumn::Code { at: *at, positions: find_positions(positions, array)? }
            }
        })
    });
    columns.collect()
}

fn find_positions(positions: &Positions, array: &ArrayRef) -> std::result::Result<Vec<usize>, usize> {
    Texts::new(array).iter().enumerate().map(|(row, cell)| positions.of(cell).ok_or(row)).collect()
}

/// Rows written at a time. Columns are written one after the other into a row-major matrix, so few rows at a time keep the
/// part being written in the cache.
const TILE: usize = 64;

/// Writes the columns of a batch to `matrix`, rows of `n_features` numbers that are still 0.
fn write<T: MatrixElement>(columns: &[PreparedColumn<'_>], n_features: usize, matrix: &mut [T]) {
    for (tile, first) in matrix.chunks_mut(TILE * n_features).zip((0..).step_by(TILE)) {
        for column in columns {
            write_rows(column, first, tile.chunks_exact_mut(n_features));
        }
    }
}

/// Writes a column to `rows`, of which the first is row `first` of the batch.
fn write_rows<'a, T: MatrixElement + 'a>(
    column: &PreparedColumn<'_>,
    first: usize,
    rows: impl Iterator<Item = &'a mut [T]>,
) {
    let one = T::from_f64(1.0);
    match column {
        PreparedColumn::Numbers { at, cells, scaler, fill, marks_missing } => {
            for (row, from) in rows.zip(first..) {
                let is_missing = cells.is_null(from);
                row[*at] = T::from_f64(if is_missing { *fill } else { scaler.apply(cells.value(from)) });
                if *marks_missing && is_missing {
                    row[*at + 1] = one;
                }
            }
        }
        PreparedColumn::OneHot { at, positions } => {
            rows.zip(&positions[first..]).for_each(|(row, position)| row[*at + position] = one);
        }
        PreparedColumn::Code { at, positions } => {
            rows.zip(&positions[first..]).for_each(|(row, position)| row[*at] = T::from_f64(*position as f64));
        }
    }
}
