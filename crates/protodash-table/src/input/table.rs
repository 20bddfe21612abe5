//! What the readers of all formats have in common.

use super::layout::TableLayout;
use super::origin::FileOrigin;
use super::{Batches, Format, RowPlace};
use crate::Result;

/// What the reader of a format gives back.
pub(crate) struct OpenedTable {
    pub(crate) layout: TableLayout,
    pub(crate) table: Box<dyn TableReader>,
}

/// A file of one format, ready to be read again and again.
pub(crate) trait TableReader: Send + Sync {
    /// Returns the rows from the first on, typed as the layout says.
    fn batches(&self) -> Result<Batches>;

    /// Returns where `row`, counted from 0, stands.
    fn place(&self, row: u64) -> RowPlace {
        RowPlace::Row(row)
    }
}

/// The first unpacked bytes of a file.
pub(crate) struct Head {
    pub(crate) bytes: Vec<u8>,
    /// Whether there are no others.
    pub(crate) is_all: bool,
}

impl Head {
    pub(crate) fn of(origin: &FileOrigin) -> Result<Head> {
        let bytes = origin.head(Format::HEAD_LEN)?;
        Ok(Head { is_all: bytes.len() < Format::HEAD_LEN, bytes })
    }
}
