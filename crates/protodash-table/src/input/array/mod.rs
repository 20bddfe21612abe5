//! Arrays of NumPy and IDX files, as rows with columns `x0`, `x1`, ….
//!
//! A one-dimensional array is one column. More than two dimensions are flattened in C order; of three dimensions, the last
//! two are the height and width of an image.

mod element;
mod rows;

use std::path::Path;
use std::sync::Arc;

use arrow_schema::{Field, SchemaRef};

pub(crate) use self::element::{ArrayElement, ByteOrder};
use self::rows::{GatheredRows, StreamedRows};
use super::layout::TableLayout;
use super::origin::{FileBytes, FileOrigin};
use super::{Batches, Format, OpenedTable, TableColumn, TableReader};
use crate::hint;
use crate::{Error, Note, Result};

/// The maximum number of columns; a header with more is damaged, or its array is transposed.
pub(crate) const MAX_COLUMNS: usize = 1 << 20;

/// The header of an array file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArrayHeader {
    pub(crate) element: ArrayElement,
    pub(crate) order: ByteOrder,
    /// Whether the first dimension varies fastest (Fortran order) instead of the last (C order).
    pub(crate) first_fastest: bool,
    pub(crate) shape: Vec<u64>,
    /// The offset of the elements in bytes.
    pub(crate) data_start: u64,
}

impl ArrayHeader {
    /// Returns the number of rows and of columns, or `None` unless there are 1 to [`MAX_COLUMNS`] columns.
    fn dimensions(&self) -> Option<(u64, usize)> {
        let (n_rows, inner) = self.shape.split_first()?;
        let n_columns = inner.iter().try_fold(1_u64, |product, &n| product.checked_mul(n))?;
        let n_columns = usize::try_from(n_columns).ok().filter(|n| (1..=MAX_COLUMNS).contains(n))?;
        Some((*n_rows, n_columns))
    }

    /// Returns the length that the file should have, or `None` if it overflows.
    fn file_len(&self) -> Option<u64> {
        let n_elements = self.shape.iter().try_fold(1_u64, |product, &n| product.checked_mul(n))?;
        n_elements.checked_mul(self.element.size() as u64)?.checked_add(self.data_start)
    }

    fn image_shape(&self) -> Option<[usize; 2]> {
        match self.shape[..] {
            [_, height, width] => Some([usize::try_from(height).ok()?, usize::try_from(width).ok()?]),
            _ => None,
        }
    }
}

/// An array file whose header is known.
struct ArrayTable {
    origin: Arc<FileOrigin>,
    format: Format,
    header: ArrayHeader,
    schema: SchemaRef,
    /// The unpacked bytes, if rows are not contiguous.
    scattered: Option<FileBytes>,
}

/// Returns the array in `origin` that `header` describes.
///
/// An array in Fortran order inside a compressed file is unpacked to a temporary file.
pub(crate) fn open(origin: Arc<FileOrigin>, format: Format, header: ArrayHeader) -> Result<OpenedTable> {
    let path = origin.path();
    let shape_error = || Error::ArrayShape { path: path.to_owned(), shape: header.shape.clone(), limit: MAX_COLUMNS };
    let (n_rows, n_columns) = header.dimensions().ok_or_else(shape_error)?;
    let expected = header.file_len().ok_or_else(shape_error)?;
    check_length(path, format, origin.unpacked_length(), expected)?;
    let (kind, data_type) = header.element.yielded();
    let column = |at| TableColumn { name: format!("x{at}"), kind: kind.clone() };
    let columns: Vec<TableColumn> = (0..n_columns).map(column).collect();
    let fields = columns.iter().map(|column| Field::new(&column.name, data_type.clone(), true)).collect();
    let mut layout = TableLayout::new(path, format, fields, columns, n_rows)?;
    layout.image_shape = header.image_shape();
    layout.notes.extend(origin.unpacked_length().filter(|found| *found > expected).map(|found| {
        Note::new(format!("ignored {} bytes after the array", found - expected))
            .with_hint(hint!(["if they are more arrays, save each to its own file"]))
    }));
    let scattered = if header.first_fastest && n_columns > 1 { Some(origin.unpacked()?) } else { None };
    check_length(path, format, scattered.as_ref().map(FileBytes::length), expected)?;
    let schema = layout.schema.clone();
    Ok(OpenedTable { layout, table: Box::new(ArrayTable { origin, format, header, schema, scattered }) })
}

fn check_length(path: &Path, format: Format, found: Option<u64>, expected: u64) -> Result<()> {
    match found.filter(|found| *found < expected) {
        Some(found) => Err(Error::Truncated { path: path.to_owned(), format, found, expected }),
        None => Ok(()),
    }
}

impl TableReader for ArrayTable {
    fn batches(&self) -> Result<Batches> {
        let (origin, header, schema) = (self.origin.clone(), self.header.clone(), self.schema.clone());
        Ok(match &self.scattered {
            Some(bytes) => Batches::new(GatheredRows::new(origin, bytes.clone(), header, schema)),
            None => Batches::new(StreamedRows::open(origin, self.format, header, schema)?),
        })
    }
}
