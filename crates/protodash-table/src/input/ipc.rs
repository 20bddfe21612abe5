//! Arrow IPC: files, also called Feather 2, and streams.
//!
//! Arrow's reader trusts the block list at the end of a file, so that list is checked here before it is used.

use std::io::{BufReader, Read};
use std::sync::Arc;

use arrow_ipc::reader::{FileReader, StreamReader, read_footer_length};
use arrow_ipc::{Block, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};

use super::arrow_types::Conversion;
use super::converted::Converted;
use super::origin::{Bytes, Origin};
use super::{Batches, Format, Head, Opened, Table};
use crate::Result;

type ArrowResult<T> = std::result::Result<T, ArrowError>;

/// The first bytes of a file, and its last; a stream has neither.
const MAGIC: &[u8] = b"ARROW1";

/// The bytes after the footer: its length and the magic number.
const TRAILER_LEN: u64 = 10;

/// An Arrow IPC file or stream whose columns are known.
struct Ipc {
    origin: Arc<Origin>,
    /// The unpacked file; `None` for a stream, which is read from front to back.
    file: Option<Bytes>,
    conversion: Conversion,
}

/// Returns the Arrow file or stream `origin`, which begins with `head`.
///
/// The rows of a file are counted from its footer, those of a stream by a first pass. A packed file, but not a packed
/// stream, is unpacked to a temporary file.
pub(crate) fn open(origin: Arc<Origin>, head: &Head) -> Result<Opened> {
    let fail = |cause| origin.decode_error(Format::ArrowIpc, cause);
    let (file, schema, n_rows) = if head.bytes.starts_with(MAGIC) {
        let bytes = origin.unpacked()?;
        let n_rows = count_file_rows(&bytes).map_err(fail)?;
        let schema = FileReader::try_new(bytes.cursor(), None).map_err(fail)?.schema();
        (Some(bytes), schema, n_rows)
    } else {
        let (schema, n_rows) = scan_stream(BufReader::new(origin.reader()?)).map_err(fail)?;
        (None, schema, n_rows)
    };
    let (conversion, layout) = Conversion::new(origin.path(), Format::ArrowIpc, &schema, n_rows)?;
    Ok(Opened { layout, table: Box::new(Ipc { origin, file, conversion }) })
}

impl Table for Ipc {
    fn batches(&self) -> Result<Batches> {
        let fail = |cause| self.origin.decode_error(Format::ArrowIpc, cause);
        let (kept, origin) = (&self.conversion.kept, self.origin.clone());
        // The projection leaves only the kept columns, in the order of the file.
        let conversion = Conversion { kept: (0..kept.len()).collect(), ..self.conversion.clone() };
        Ok(match &self.file {
            Some(bytes) => {
                let reader = FileReader::try_new(bytes.cursor(), Some(kept.clone())).map_err(fail)?;
                Batches::new(Converted::new(reader, origin, Format::ArrowIpc, conversion))
            }
            None => {
                let stream = BufReader::new(self.origin.reader()?);
                let reader = StreamReader::try_new(stream, Some(kept.clone())).map_err(fail)?;
                Batches::new(Converted::new(reader, origin, Format::ArrowIpc, conversion))
            }
        })
    }
}

/// Returns the schema of a stream and how many rows its batches have in all.
fn scan_stream(stream: impl Read) -> ArrowResult<(SchemaRef, u64)> {
    let mut reader = StreamReader::try_new(stream, None)?;
    let schema = reader.schema();
    let n_rows = reader.try_fold(0, |n_rows, batch| Ok::<u64, ArrowError>(n_rows + batch?.num_rows() as u64))?;
    Ok((schema, n_rows))
}

/// Returns how many rows the batches of a file have in all, after a check that every block lies within the file.
fn count_file_rows(bytes: &Bytes) -> ArrowResult<u64> {
    let footer_end = bytes.length().checked_sub(TRAILER_LEN).ok_or_else(cut_off)?;
    let mut trailer = [0; TRAILER_LEN as usize];
    bytes.cursor_at(footer_end).read_exact(&mut trailer)?;
    let footer_len = read_footer_length(trailer)?;
    let footer_start = footer_end.checked_sub(footer_len as u64).ok_or_else(cut_off)?;
    let footer = read_piece(bytes, footer_start, footer_len)?;
    let footer = root_as_footer(&footer).map_err(invalid)?;
    for block in footer.dictionaries().iter().flatten() {
        check_block(block, footer_start)?;
    }
    let mut n_rows = 0;
    for block in footer.recordBatches().iter().flatten() {
        n_rows += count_block_rows(bytes, block, check_block(block, footer_start)?)?;
    }
    Ok(n_rows)
}

/// Returns where `block` begins and how long its metadata are, if all of it lies before `end`.
fn check_block(block: &Block, end: u64) -> ArrowResult<(u64, usize)> {
    let start = u64::try_from(block.offset()).ok();
    let metadata_len = usize::try_from(block.metaDataLength()).ok().filter(|length| *length >= 8);
    let body_len = u64::try_from(block.bodyLength()).ok();
    match (start, metadata_len, body_len) {
        (Some(start), Some(metadata_len), Some(body_len)) => {
            let block_end = start.checked_add(metadata_len as u64).and_then(|at| at.checked_add(body_len));
            block_end.filter(|block_end| *block_end <= end).map(|_| (start, metadata_len)).ok_or_else(cut_off)
        }
        _ => Err(cut_off()),
    }
}

/// Returns how many rows the record batch in a checked block has, as its metadata say.
fn count_block_rows(bytes: &Bytes, block: &Block, (start, metadata_len): (u64, usize)) -> ArrowResult<u64> {
    let metadata = read_piece(bytes, start, metadata_len)?;
    // Since version 0.15 a marker comes before the length of the message.
    let skip = if metadata.starts_with(&[0xff; 4]) { 8 } else { 4 };
    let message = root_as_message(&metadata[skip..]).map_err(invalid)?;
    let batch = message.header_as_record_batch();
    let n_rows = batch.and_then(|batch| u64::try_from(batch.length()).ok());
    n_rows.ok_or_else(|| ArrowError::IpcError(format!("the block at byte {} is no record batch", block.offset())))
}

fn read_piece(bytes: &Bytes, start: u64, length: usize) -> ArrowResult<Vec<u8>> {
    let mut piece = vec![0; length];
    bytes.cursor_at(start).read_exact(&mut piece)?;
    Ok(piece)
}

fn cut_off() -> ArrowError {
    ArrowError::IpcError("a block ends after the end of the file".into())
}

fn invalid(cause: impl std::fmt::Display) -> ArrowError {
    ArrowError::IpcError(cause.to_string())
}
