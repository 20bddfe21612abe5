//! Arrow IPC: files, also called Feather 2, and streams.
//!
//! Arrow's readers trust the lengths in a file and may try to allocate exabytes. A first pass over the messages, needed
//! anyway to count the rows, checks these lengths before the readers see them.

mod file;
mod message;
mod stream;

use std::io::BufReader;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::ArrowError;

use super::arrow_types::Conversion;
use super::converted::Converted;
use super::origin::{FileBytes, FileOrigin};
use super::{Batches, Format, Head, OpenedTable, ReadOptions, TableReader};
use crate::Result;

type ArrowResult<T> = std::result::Result<T, ArrowError>;

/// The magic number at the beginning and end of a file; a stream has none.
const MAGIC: &[u8] = b"ARROW1";

/// An Arrow IPC file or stream whose columns are known.
struct Ipc {
    origin: Arc<FileOrigin>,
    /// The unpacked file; `None` for a stream, which is read sequentially.
    file: Option<FileBytes>,
    conversion: Conversion,
}

/// Returns the Arrow file or stream `origin`, which begins with `head`.
///
/// Of a file, only the footer and the headers of its batches are read; a stream is read completely. A compressed file, but
/// not a compressed stream, is unpacked to a temporary file.
pub(crate) fn open(origin: Arc<FileOrigin>, head: &Head, options: &ReadOptions) -> Result<OpenedTable> {
    let (file, schema, n_rows) = if head.bytes.starts_with(MAGIC) {
        let bytes = origin.unpacked()?;
        let (schema, n_rows) = origin.decode(Format::ArrowIpc, || {
            let n_rows = file::count_rows(&bytes)?;
            Ok::<_, ArrowError>((FileReader::try_new(bytes.cursor(), None)?.schema(), n_rows))
        })?;
        (Some(bytes), schema, n_rows)
    } else {
        let (count, read) = (BufReader::new(origin.reader()?), BufReader::new(origin.reader()?));
        let (schema, n_rows) = origin.decode(Format::ArrowIpc, || {
            let n_rows = stream::count_rows(count)?;
            Ok::<_, ArrowError>((StreamReader::try_new(read, None)?.schema(), n_rows))
        })?;
        (None, schema, n_rows)
    };
    let (conversion, layout) = Conversion::new(origin.path(), Format::ArrowIpc, &schema, n_rows, options, |at| {
        let mut reader = reader(&origin, file.as_ref(), vec![at])?;
        let origin = origin.clone();
        let next = move || origin.decode(Format::ArrowIpc, || reader.next().transpose()).transpose();
        Ok(Box::new(std::iter::from_fn(next).map(|batch| Ok(batch?.column(0).clone()))))
    })?;
    Ok(OpenedTable { layout, table: Box::new(Ipc { origin, file, conversion }) })
}

impl TableReader for Ipc {
    fn batches(&self) -> Result<Batches> {
        let (kept, origin) = (&self.conversion.kept, self.origin.clone());
        // The projection leaves only the kept columns, in the order of the file.
        let conversion = Conversion { kept: (0..kept.len()).collect(), ..self.conversion.clone() };
        let reader = reader(&origin, self.file.as_ref(), kept.clone())?;
        Ok(Batches::new(Converted::new(reader, origin, Format::ArrowIpc, conversion)))
    }
}

/// The batches of a file or a stream.
type IpcBatches = Box<dyn Iterator<Item = ArrowResult<RecordBatch>> + Send>;

/// Returns a reader of some columns of the file, if there is one, or of the stream `origin`.
fn reader(origin: &FileOrigin, file: Option<&FileBytes>, columns: Vec<usize>) -> Result<IpcBatches> {
    match file {
        Some(bytes) => {
            let open = || FileReader::try_new(bytes.cursor(), Some(columns));
            Ok(Box::new(origin.decode(Format::ArrowIpc, open)?))
        }
        None => {
            let stream = BufReader::new(origin.reader()?);
            let open = || StreamReader::try_new(stream, Some(columns));
            Ok(Box::new(origin.decode(Format::ArrowIpc, open)?))
        }
    }
}
