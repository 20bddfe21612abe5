//! Sparse matrices as `scipy.sparse.save_npz` writes them: by rows (CSR) or by columns (CSC).
//!
//! ```text
//! format   b'csr' or b'csc'        shape    number of rows and columns
//! indptr   where the values of each row (CSC: column) start, and where the last ends
//! indices  the column (CSC: row) of each value        data     the values
//! ```

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, SchemaRef};

use super::csr::bytes_of;
use super::{FEATURES, RowVisitor, SparseReader, SparseWidth, StoredValue, as_text};
use crate::cell::{to_f64, widened};
use crate::input::array::ArrayElement;
use crate::input::layout::{TableLayout, rows_per_batch};
use crate::input::npy::read_header;
use crate::input::origin::FileOrigin;
use crate::input::{Batches, ColumnKind, Format, Head, OpenedTable, TableColumn, TableReader, array};
use crate::{Error, Result};

/// The longest text of the array `format`, in bytes.
const FORMAT_LIMIT: u64 = 64;
/// The largest number of rows without a value; if rows are not listed, a shape with more is damaged.
const MAX_EMPTY_ROWS: u64 = 1 << 27;
/// The largest number of columns.
const MAX_COLUMNS: u64 = u32::MAX as u64;

/// Returns whether an archive with arrays of these names is a sparse matrix, of whichever layout.
pub(crate) fn is_scipy<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    names.filter(|name| ["format", "shape", "data"].contains(name)).count() == 3
}

/// Returns the sparse matrix in the archive at `path`, whose members `member` returns by name.
pub(crate) fn open(
    path: &Path,
    member: &mut dyn FnMut(&str) -> Result<Option<Arc<FileOrigin>>>,
) -> Result<OpenedTable> {
    let mut array = |name: &'static str| -> Result<NpyMember> {
        let missing = || damaged(path, format!("the array {name:?} is missing"));
        NpyMember::open(member(name)?.ok_or_else(missing)?)
    };
    let by_rows = match array("format")?.text()?.as_str() {
        "csr" => true,
        "csc" => false,
        other => return Err(Error::SparseLayout { path: path.to_owned(), found: other.to_owned() }),
    };
    let shape = array("shape")?.integers()?;
    let &[n_rows, n_columns] = &shape[..] else {
        return Err(damaged(path, format!("its shape has {} dimensions instead of 2", shape.len())));
    };
    if n_columns == 0 || n_columns > MAX_COLUMNS {
        return Err(damaged(path, format!("it has {n_columns} columns; allowed are 1 to {MAX_COLUMNS}")));
    }
    let arrays = ScipyArrays { indptr: array("indptr")?, indices: array("indices")?, data: array("data")? };
    let n_starts = if by_rows { n_rows } else { n_columns }.saturating_add(1);
    if arrays.indptr.length() != n_starts {
        let found = arrays.indptr.length();
        return Err(damaged(path, format!("indptr has {found} elements; the shape needs {n_starts}")));
    }
    if arrays.indices.length() != arrays.data.length() {
        let (indices, data) = (arrays.indices.length(), arrays.data.length());
        return Err(damaged(path, format!("there are {indices} indices but {data} values")));
    }
    if !by_rows && n_rows > MAX_EMPTY_ROWS.saturating_add(arrays.data.length()) {
        let n_values = arrays.data.length();
        return Err(damaged(path, format!("it has {n_rows} rows but only {n_values} values")));
    }
    let features = TableColumn { name: FEATURES.to_owned(), kind: ColumnKind::Text };
    let field = Field::new(FEATURES, DataType::Utf8, true);
    let layout = TableLayout::new(path, Format::ScipyNpz, vec![field], vec![features], n_rows)?;
    let table = ScipyTable { schema: layout.schema.clone(), arrays, by_rows, n_rows, n_columns: n_columns as usize };
    Ok(OpenedTable { layout, table: Box::new(table) })
}

fn damaged(path: &Path, cause: String) -> Error {
    Error::Damaged { path: path.to_owned(), format: Format::ScipyNpz, cause: cause.into() }
}

/// A sparse matrix of SciPy.
struct ScipyTable {
    schema: SchemaRef,
    arrays: ScipyArrays,
    by_rows: bool,
    n_rows: u64,
    n_columns: usize,
}

/// The arrays of a matrix.
struct ScipyArrays {
    indptr: NpyMember,
    indices: NpyMember,
    data: NpyMember,
}

impl TableReader for ScipyTable {
    fn batches(&self) -> Result<Batches> {
        let rows = LoadedRows::read(self)?;
        let (schema, path, mut next) = (self.schema.clone(), self.path().to_owned(), 0);
        let n_rows = self.n_rows as usize;
        let batch = move || {
            let batch = next..n_rows.min(next + rows_per_batch(1));
            next = batch.end;
            (!batch.is_empty()).then(|| {
                let mut values = Vec::new();
                let texts = batch.map(|row| {
                    rows.row(row, &mut values).map(|()| as_text(&values)).map_err(|problem| damaged(&path, problem))
                });
                let texts: ArrayRef = Arc::new(texts.collect::<Result<StringArray>>()?);
                RecordBatch::try_new(schema.clone(), vec![texts]).map_err(|cause| Error::arrow(&path, cause))
            })
        };
        Ok(Batches::new(std::iter::from_fn(batch)))
    }

    fn sparse(&self) -> Option<&dyn SparseReader> {
        Some(self)
    }
}

impl SparseReader for ScipyTable {
    fn width(&self) -> SparseWidth {
        SparseWidth::Declared(self.n_columns)
    }

    fn n_bytes(&self) -> u64 {
        // By columns, the rows are a copy.
        let copies = if self.by_rows { 1 } else { 2 };
        bytes_of(self.n_rows, self.arrays.data.length()).saturating_mul(copies)
    }

    fn for_each_row(&self, visit: RowVisitor<'_>) -> Result<()> {
        let rows = LoadedRows::read(self)?;
        let mut values = Vec::new();
        for row in 0..self.n_rows {
            rows.row(row as usize, &mut values).map_err(|problem| damaged(self.path(), problem))?;
            visit(row, &values)?;
        }
        Ok(())
    }
}

impl ScipyTable {
    fn path(&self) -> &Path {
        self.arrays.data.origin.path()
    }
}

/// The arrays of a matrix by rows, checked.
struct LoadedRows {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl LoadedRows {
    fn read(table: &ScipyTable) -> Result<LoadedRows> {
        let problem = |problem: String| damaged(table.path(), problem);
        let values = table.arrays.data.floats()?;
        let starts = starts(&table.arrays.indptr.integers()?, values.len()).map_err(problem)?;
        let indices = table.arrays.indices.integers()?;
        let (what, n) = if table.by_rows { ("columns", table.n_columns as u64) } else { ("rows", table.n_rows) };
        if let Some(index) = indices.iter().find(|index| **index >= n) {
            return Err(problem(format!("it has the index {index} but only {n} {what}")));
        }
        if table.by_rows {
            let columns = indices.into_iter().map(|index| index as u32).collect();
            return Ok(LoadedRows { starts, columns, values });
        }
        Ok(LoadedRows::transposed(table.n_rows as usize, &starts, &indices, &values))
    }

    /// Returns the rows of a matrix by columns.
    fn transposed(n_rows: usize, starts: &[usize], rows: &[u64], values: &[f64]) -> LoadedRows {
        let mut ends = vec![0; n_rows + 1];
        rows.iter().for_each(|row| ends[*row as usize + 1] += 1);
        (1..=n_rows).for_each(|row| ends[row] += ends[row - 1]);
        let row_starts = ends.clone();
        let (mut columns, mut sorted) = (vec![0; values.len()], vec![0.0; values.len()]);
        for (column, ends_of_column) in starts.windows(2).enumerate() {
            for at in ends_of_column[0]..ends_of_column[1] {
                let place = &mut ends[rows[at] as usize];
                (columns[*place], sorted[*place]) = (column as u32, values[at]);
                *place += 1;
            }
        }
        LoadedRows { starts: row_starts, columns, values: sorted }
    }

    /// Reads a row; values that share a place are added, as SciPy does.
    fn row(&self, row: usize, values: &mut Vec<StoredValue>) -> std::result::Result<(), String> {
        let stored = self.starts[row]..self.starts[row + 1];
        values.clear();
        values.extend(self.columns[stored.clone()].iter().copied().zip(self.values[stored].iter().copied()));
        if !values.is_sorted_by_key(|(column, _)| *column) {
            // Stable, so that the values of one place are added in the order of the file.
            values.sort_by_key(|(column, _)| *column);
        }
        values.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            earlier.1 += if is_same { later.1 } else { 0.0 };
            is_same
        });
        if let Some((column, value)) = values.iter().find(|(_, value)| !value.is_finite()) {
            return Err(format!("row {row}, column {column} (both counted from 0) is {value}; values must be finite"));
        }
        values.retain(|(_, value)| *value != 0.0);
        Ok(())
    }
}

/// Returns row pointers as positions among `n_values` values.
fn starts(indptr: &[u64], n_values: usize) -> std::result::Result<Vec<usize>, String> {
    match (indptr.first(), indptr.last()) {
        (Some(0), Some(last)) if *last == n_values as u64 => {}
        (Some(0), Some(last)) => return Err(format!("indptr ends with {last} but there are {n_values} values")),
        _ => return Err("indptr does not begin with 0".to_owned()),
    }
    if !indptr.is_sorted() {
        return Err("indptr decreases".to_owned());
    }
    Ok(indptr.iter().map(|start| *start as usize).collect())
}

/// An array of the archive.
struct NpyMember {
    origin: Arc<FileOrigin>,
    header: array::ArrayHeader,
}

impl NpyMember {
    fn open(origin: Arc<FileOrigin>) -> Result<NpyMember> {
        let header = read_header(&origin, &Head::of(&origin)?, Format::ScipyNpz)?;
        Ok(NpyMember { origin, header })
    }

    /// Returns the number of elements.
    fn length(&self) -> u64 {
        self.header.shape.iter().fold(1, |length, n| length.saturating_mul(*n))
    }

    /// Returns the one text in the array.
    fn text(&self) -> Result<String> {
        let damaged = || damaged(self.origin.path(), "the array \"format\" is not one text".to_owned());
        let mut bytes = Vec::new();
        let read = self.origin.reader()?.take(self.header.data_start + FORMAT_LIMIT).read_to_end(&mut bytes);
        read.map_err(|cause| self.origin.error(cause))?;
        let bytes = bytes.get(self.header.data_start as usize..).unwrap_or_default();
        let is_text = matches!(self.header.element, ArrayElement::Bytes(_) | ArrayElement::Utf32(_));
        let size = self.header.element.size();
        if !is_text || self.length() != 1 || bytes.len() < size {
            return Err(damaged());
        }
        let text = self.header.element.column(self.header.order, &bytes[..size], size);
        let text = text.as_string_opt::<i32>().filter(|text| text.is_valid(0)).ok_or_else(damaged)?;
        Ok(text.value(0).to_owned())
    }

    /// Returns the elements as whole numbers.
    fn integers(&self) -> Result<Vec<u64>> {
        let mut integers = Vec::new();
        self.for_each_batch(|cells| {
            if !cells.data_type().is_integer() {
                return Err("an index is not a whole number".to_owned());
            }
            // Of numbers with a sign, negative ones become larger than any index.
            let wide = match cells.data_type().is_signed_integer() {
                true => widened(cells, &DataType::Int64),
                false => widened(cells, &DataType::UInt64),
            };
            match wide.as_primitive_opt::<UInt64Type>() {
                Some(cells) => integers.extend(cells.values()),
                None => {
                    let cells = wide.as_primitive::<Int64Type>();
                    integers.extend(cells.values().iter().map(|index| u64::try_from(*index).unwrap_or(u64::MAX)));
                }
            }
            Ok(())
        })?;
        Ok(integers)
    }

    /// Returns the elements as numbers.
    fn floats(&self) -> Result<Vec<f64>> {
        let mut floats = Vec::new();
        self.for_each_batch(|cells| {
            if !cells.data_type().is_numeric() {
                return Err("its values are not numbers".to_owned());
            }
            let numbers: Float64Array = to_f64(cells);
            floats.extend(numbers.values());
            Ok(())
        })?;
        Ok(floats)
    }

    /// Calls `visit` with the elements of an array of one dimension, some at a time.
    fn for_each_batch(&self, mut visit: impl FnMut(&ArrayRef) -> std::result::Result<(), String>) -> Result<()> {
        let problem = |problem: String| damaged(self.origin.path(), problem);
        match self.header.shape[..] {
            [0] => return Ok(()),
            [_] => {}
            _ => return Err(problem(format!("an array has {} dimensions instead of 1", self.header.shape.len()))),
        }
        let opened = array::open(self.origin.clone(), Format::ScipyNpz, self.header.clone())?;
        for batch in opened.table.batches()? {
            visit(batch?.column(0)).map_err(problem)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rows: &LoadedRows, row: usize) -> std::result::Result<Vec<StoredValue>, String> {
        let mut values = Vec::new();
        rows.row(row, &mut values).map(|()| values)
    }

    #[test]
    fn rows_by_columns_are_those_by_rows() {
        // [[1, 0, 2], [0, 0, 3]] by columns.
        let rows = LoadedRows::transposed(2, &[0, 1, 1, 3], &[0, 0, 1], &[1.0, 2.0, 3.0]);
        assert_eq!((read(&rows, 0).unwrap(), read(&rows, 1).unwrap()), (vec![(0, 1.0), (2, 2.0)], vec![(2, 3.0)]));
    }

    #[test]
    fn values_that_share_a_place_are_added_and_zeros_dropped() {
        let rows =
            |values: [f64; 4]| LoadedRows { starts: vec![0, 4], columns: vec![5, 1, 5, 1], values: values.to_vec() };
        assert_eq!(read(&rows([1.0, 2.0, 4.0, -2.0]), 0).unwrap(), [(5, 5.0)]);
        let problem = read(&rows([1.0, f64::NAN, 4.0, 0.0]), 0).unwrap_err();
        assert_eq!(problem, "row 0, column 1 (both counted from 0) is NaN; values must be finite");
    }

    #[test]
    fn row_pointers_are_checked() {
        assert_eq!(starts(&[0, 1, 3], 3), Ok(vec![0, 1, 3]));
        assert_eq!(starts(&[0, 1, 4], 3).unwrap_err(), "indptr ends with 4 but there are 3 values");
        assert_eq!(starts(&[0, 4, 3], 3).unwrap_err(), "indptr decreases");
        assert_eq!(starts(&[1, 3], 3).unwrap_err(), "indptr does not begin with 0");
    }
}
