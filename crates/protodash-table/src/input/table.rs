//! The interface of the readers of all formats.

use super::layout::TableLayout;
use super::origin::FileOrigin;
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
}

/// The first unpacked bytes of a file.
pub(crate) struct Head {
    pub(crate) bytes: Vec<u8>,
    /// Whether that is the whole file.
    pub(crate) is_all: bool,
}

impl Head {
    pub(crate) fn of(origin: &FileOrigin) -> Result<Head> {
        let bytes = origin.head(Format::HEAD_LEN)?;
        Ok(Head { is_all: bytes.len() < Format::HEAD_LEN, bytes })
    }
}
