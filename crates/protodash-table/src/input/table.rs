//! What the readers of all formats have in common.

use super::layout::Layout;
use super::origin::Origin;
use super::{Batches, Format, Place};
use crate::Result;

/// What the reader of a format gives back.
pub(crate) struct Opened {
    pub(crate) layout: Layout,
    pub(crate) table: Box<dyn Table>,
}

/// A file of one format, ready to be read again and again.
pub(crate) trait Table: Send + Sync {
    /// Returns the rows from the first on, typed as the layout says.
    fn batches(&self) -> Result<Batches>;

    /// Returns where `row`, counted from 0, stands.
    fn place(&self, row: u64) -> Place {
        Place::Row(row)
    }
}

/// The first unpacked bytes of a file.
pub(crate) struct Head {
    pub(crate) bytes: Vec<u8>,
    /// Whether there are no others.
    pub(crate) is_all: bool,
}

impl Head {
    pub(crate) fn of(origin: &Origin) -> Result<Head> {
        let bytes = origin.head(Format::HEAD_LEN)?;
        Ok(Head { is_all: bytes.len() < Format::HEAD_LEN, bytes })
    }
}
