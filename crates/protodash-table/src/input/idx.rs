//! The header of an IDX file, the format of MNIST: two zeros, element type, number of dimensions, dimensions.

use std::sync::Arc;

use super::array::{self, ArrayElement, ArrayHeader, ByteOrder};
use super::origin::FileOrigin;
use super::{Format, Head, OpenedTable};
use crate::{Error, Result};

/// Returns the IDX file `origin`, which begins with `head`.
pub(crate) fn open(origin: Arc<FileOrigin>, head: &Head) -> Result<OpenedTable> {
    let header = parse_header(&head.bytes).ok_or_else(|| Error::Truncated {
        path: origin.path().to_owned(),
        format: Format::Idx,
        found: head.bytes.len() as u64,
        expected: header_len(&head.bytes),
    })?;
    array::open(origin, Format::Idx, header)
}

/// Returns the header at the beginning of `bytes`, which [`Format::detect`] has recognised, or `None` if it is truncated.
fn parse_header(bytes: &[u8]) -> Option<ArrayHeader> {
    let element = match bytes.get(2)? {
        0x08 => ArrayElement::U8,
        0x09 => ArrayElement::I8,
        0x0b => ArrayElement::I16,
        0x0c => ArrayElement::I32,
        0x0d => ArrayElement::F32,
        _ => ArrayElement::F64,
    };
    let (dimensions, _) = bytes.get(4..header_len(bytes) as usize)?.as_chunks::<4>();
    let shape = dimensions.iter().map(|dimension| u64::from(u32::from_be_bytes(*dimension))).collect();
    Some(ArrayHeader { element, order: ByteOrder::Big, first_fastest: false, shape, data_start: header_len(bytes) })
}

fn header_len(bytes: &[u8]) -> u64 {
    4 + 4 * u64::from(bytes.get(3).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_mnist() {
        let header = parse_header(&[0, 0, 8, 3, 0, 0, 0xea, 0x60, 0, 0, 0, 28, 0, 0, 0, 28, 7, 7]).unwrap();
        assert_eq!((header.element, header.shape, header.data_start), (ArrayElement::U8, vec![60_000, 28, 28], 16));
        assert!(parse_header(&[0, 0, 8, 3, 0, 0, 0xea, 0x60]).is_none());
    }
}
