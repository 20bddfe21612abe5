//! The interface of the readers of all formats.

use std::path::Path;

use arrow_schema::SchemaRef;

use super::layout::TableLayout;
use super::origin::FileOrigin;
use super::sparse::SparseReader;
use super::{Batches, Format, RowPlace};
use crate::Result;

/// An opened file: its layout and its reader.
pub(crate) struct OpenedTable {
    pub(crate) layout: TableLayout,
    pub(crate) table: Box<dyn TableReader>,
}

/// A file that can be read repeatedly.
pub(crate) trait TableReader: Send + Sync {
    /// Returns all rows, with the types of the layout.
    fn batches(&self) -> Result<Batches>;

    /// Returns the place of `row`, counted from 0.
    fn place(&self, row: u64) -> RowPlace {
        RowPlace::Row(row)
    }

    /// Makes the batches have the types of `schema`, which has the same columns; returns whether that is possible.
    ///
    /// Readers that infer types can use others; the batches of all other readers have to be cast.
    fn yield_types_of(&mut self, _schema: &SchemaRef) -> bool {
        false
    }

    /// Returns the separator of a CSV file.
    fn delimiter(&self) -> Option<u8> {
        None
    }

    /// Returns the reader of sparse rows, if the file holds such.
    fn sparse(&self) -> Option<&dyn SparseReader> {
        None
    }

    /// Returns the file that holds `row` and the row's number in it, if the table is in several files.
    fn part_of(&self, _row: u64) -> Option<(&Path, u64)> {
        None
    }
}

/// The first unpacked bytes of a file.
pub(crate) struct Head {
    pub(crate) bytes: Vec<u8>,
    /// Whether this is the whole file.
    pub(crate) is_all: bool,
}

impl Head {
    pub(crate) fn of(origin: &FileOrigin) -> Result<Head> {
        let bytes = origin.head(Format::HEAD_LEN)?;
        Ok(Head { is_all: bytes.len() < Format::HEAD_LEN, bytes })
    }
}
