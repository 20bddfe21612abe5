//! One message of an Arrow IPC file or stream: its number of rows, and a check of its lengths.

use arrow_ipc::{Message, RecordBatch, root_as_message};
use arrow_schema::ArrowError;

use super::ArrowResult;

/// An upper bound on the compression ratio: zstd packs 128 KiB of equal bytes into 4.
const MAX_RATIO: i64 = 1 << 17;

/// The continuation marker before the length of a message, since version 0.15.
pub(crate) const MARKER: [u8; 4] = [0xff; 4];

/// Returns the message in `metadata`.
pub(crate) fn parse(metadata: &[u8]) -> ArrowResult<Message<'_>> {
    root_as_message(metadata).map_err(|cause| ArrowError::IpcError(cause.to_string()))
}

/// Returns the number of rows in `message`, after checking the lengths of its buffers.
///
/// `read` returns the 8 bytes at a position of the message's body.
pub(crate) fn check(
    message: &Message<'_>,
    body_len: u64,
    read: impl FnMut(u64) -> ArrowResult<[u8; 8]>,
) -> ArrowResult<u64> {
    if let Some(batch) = message.header_as_record_batch() {
        check_buffers(&batch, body_len, read)?;
        return u64::try_from(batch.length()).map_err(|_| implausible("a batch has fewer than 0 rows"));
    }
    if let Some(batch) = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data()) {
        check_buffers(&batch, body_len, read)?;
    }
    Ok(0)
}

fn check_buffers(
    batch: &RecordBatch<'_>,
    body_len: u64,
    mut read: impl FnMut(u64) -> ArrowResult<[u8; 8]>,
) -> ArrowResult<()> {
    let compressed = batch.compression().is_some();
    for buffer in batch.buffers().iter().flatten() {
        let (start, length) = (u64::try_from(buffer.offset()).ok(), u64::try_from(buffer.length()).ok());
        let end = start.zip(length).and_then(|(start, length)| start.checked_add(length));
        if end.is_none_or(|end| end > body_len) {
            return Err(implausible("a buffer ends after the end of its message"));
        }
        // A compressed buffer begins with its uncompressed length, or -1 if it is not compressed.
        if let (true, Some(start), 8..) = (compressed, start, buffer.length()) {
            let unpacked = i64::from_le_bytes(read(start)?);
            if unpacked < -1 || unpacked > buffer.length().saturating_mul(MAX_RATIO) {
                return Err(implausible("a buffer claims an impossible length"));
            }
        }
    }
    Ok(())
}

pub(crate) fn implausible(problem: &str) -> ArrowError {
    ArrowError::IpcError(problem.into())
}
