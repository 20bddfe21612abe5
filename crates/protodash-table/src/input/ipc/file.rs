//! The rows of an Arrow IPC file: its footer lists the blocks, each a message with its body.

use std::io::Read;

use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Block, root_as_footer};
use arrow_schema::ArrowError;

use super::ArrowResult;
use super::message::{MARKER, check, implausible, parse};
use crate::input::origin::FileBytes;

/// The bytes after the footer: its length and the magic number.
const TRAILER_LEN: usize = 10;

/// Returns the total number of rows, after checking that every block is within the file.
pub(crate) fn count_rows(bytes: &FileBytes) -> ArrowResult<u64> {
    let cut_off = || implausible("the file has no footer");
    let footer_end = bytes.length().checked_sub(TRAILER_LEN as u64).ok_or_else(cut_off)?;
    let mut trailer = [0; TRAILER_LEN];
    bytes.cursor_at(footer_end).read_exact(&mut trailer)?;
    let footer_len = read_footer_length(trailer)?;
    let footer_start = footer_end.checked_sub(footer_len as u64).ok_or_else(cut_off)?;
    let footer = read_piece(bytes, footer_start, footer_len)?;
    let footer = root_as_footer(&footer).map_err(|cause| ArrowError::IpcError(cause.to_string()))?;
    let dictionaries = footer.dictionaries();
    let batches = footer.recordBatches();
    let mut n_rows = 0_u64;
    for block in dictionaries.iter().flatten().chain(batches.iter().flatten()) {
        let rows = check_block(bytes, block, footer_start)?;
        n_rows = n_rows.checked_add(rows).ok_or_else(|| implausible("there are too many rows"))?;
    }
    Ok(n_rows)
}

/// Returns the number of rows of the message in `block`, which must end before `end`.
fn check_block(bytes: &FileBytes, block: &Block, end: u64) -> ArrowResult<u64> {
    let start = u64::try_from(block.offset()).ok();
    // The marker and the length of the message come first.
    let metadata_len = usize::try_from(block.metaDataLength()).ok().filter(|length| *length >= 8);
    let body_len = u64::try_from(block.bodyLength()).ok();
    let (Some(start), Some(metadata_len), Some(body_len)) = (start, metadata_len, body_len) else {
        return Err(implausible("a block has an impossible length"));
    };
    let body_start = start.checked_add(metadata_len as u64);
    let block_end = body_start.and_then(|body_start| body_start.checked_add(body_len));
    let (Some(body_start), Some(..)) = (body_start, block_end.filter(|block_end| *block_end <= end)) else {
        return Err(implausible("a block ends after the end of the file"));
    };
    let metadata = read_piece(bytes, start, metadata_len)?;
    let skip = if metadata.starts_with(&MARKER) { 8 } else { 4 };
    check(&parse(&metadata[skip..])?, body_len, |at| {
        let mut first = [0; 8];
        bytes.cursor_at(body_start + at).read_exact(&mut first)?;
        Ok(first)
    })
}

fn read_piece(bytes: &FileBytes, start: u64, length: usize) -> ArrowResult<Vec<u8>> {
    let mut piece = vec![0; length];
    bytes.cursor_at(start).read_exact(&mut piece)?;
    Ok(piece)
}
