//! The rows of an Arrow IPC stream: a sequence of messages, each with its length before it.

use std::io::{BufRead, Read};

use super::ArrowResult;
use super::message::{MARKER, check, implausible, parse};

/// Returns the total number of rows.
pub(crate) fn count_rows(mut stream: impl BufRead) -> ArrowResult<u64> {
    let (mut metadata, mut body, mut n_rows) = (Vec::new(), Vec::new(), 0_u64);
    while let Some(length) = message_len(&mut stream)? {
        read_piece(&mut stream, length, &mut metadata)?;
        let message = parse(&metadata)?;
        let body_len = u64::try_from(message.bodyLength()).map_err(|_| implausible("a body has a negative length"))?;
        read_piece(&mut stream, body_len, &mut body)?;
        let rows = check(&message, body_len, |at| first_8(&body, at))?;
        n_rows = n_rows.checked_add(rows).ok_or_else(|| implausible("there are too many rows"))?;
    }
    Ok(n_rows)
}

/// Returns the length of the next message, or `None` at the end, which may be marked.
fn message_len(stream: &mut impl BufRead) -> ArrowResult<Option<u64>> {
    if stream.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    if length == MARKER {
        stream.read_exact(&mut length)?;
    }
    let length =
        u64::try_from(i32::from_le_bytes(length)).map_err(|_| implausible("a message has a negative length"))?;
    Ok(Some(length).filter(|length| *length > 0))
}

/// Reads `length` bytes into `piece`, which grows with the data.
fn read_piece(stream: &mut impl Read, length: u64, piece: &mut Vec<u8>) -> ArrowResult<()> {
    piece.clear();
    let n = stream.take(length).read_to_end(piece)? as u64;
    if n < length { Err(implausible("the stream ends within a message")) } else { Ok(()) }
}

fn first_8(body: &[u8], at: u64) -> ArrowResult<[u8; 8]> {
    let rest = usize::try_from(at).ok().and_then(|at| body.get(at..));
    rest.and_then(|rest| rest.first_chunk().copied()).ok_or_else(|| implausible("a buffer ends too early"))
}
