//! NumPy `.npy` files: the header gives element type, order and shape as a Python dictionary.

use std::sync::Arc;

use super::array::{self, ArrayHeader};
use super::npy_header::{HeaderError, parse};
use super::origin::FileOrigin;
use super::{Format, Head, OpenedTable};
use crate::{Error, Result};

/// The longest header: NumPy itself refuses to read more than 10,000 bytes.
pub(crate) const HEADER_LIMIT: usize = Format::HEAD_LEN;

/// Returns the `.npy` file `origin`, which begins with `head`; `format` tells whether it came out of an archive.
pub(crate) fn open(origin: Arc<FileOrigin>, head: &Head, format: Format) -> Result<OpenedTable> {
    let header = read_header(&origin, head, format)?;
    array::open(origin, format, header)
}

/// Returns the header at the beginning of `origin`.
pub(crate) fn read_header(origin: &FileOrigin, head: &Head, format: Format) -> Result<ArrayHeader> {
    let path = || origin.path().to_owned();
    parse(&head.bytes).map_err(|error| match error {
        HeaderError::Short { expected } if head.is_all => {
            Error::Truncated { path: path(), format, found: head.bytes.len() as u64, expected }
        }
        HeaderError::Short { expected } => Error::NpyHeader {
            path: path(),
            problem: format!("it is {expected} bytes long, at most {HEADER_LIMIT} are allowed"),
        },
        HeaderError::Invalid(problem) => Error::NpyHeader { path: path(), problem },
        HeaderError::Type(descr) => Error::NpyType { path: path(), descr },
    })
}
