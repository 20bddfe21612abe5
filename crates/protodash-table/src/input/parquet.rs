//! Parquet files, read by the `parquet` crate row group by row group.

use std::io::{BufReader, Read};
use std::sync::Arc;

use bytes::Bytes as Buffer;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};

use super::arrow_types::Conversion;
use super::converted::Converted;
use super::layout::rows_per_batch;
use super::origin::{Cursor, FileBytes, FileOrigin};
use super::{Batches, Format, OpenedTable, ReadOptions, TableReader};
use crate::Result;

/// A Parquet file whose footer is known.
struct Parquet {
    origin: Arc<FileOrigin>,
    bytes: FileBytes,
    metadata: ArrowReaderMetadata,
    conversion: Conversion,
}

/// Returns the Parquet file `origin`; if it is compressed, it is unpacked to a temporary file, because its footer comes last.
pub(crate) fn open(origin: Arc<FileOrigin>, options: &ReadOptions) -> Result<OpenedTable> {
    let bytes = origin.unpacked()?;
    let load = || ArrowReaderMetadata::load(&bytes, ArrowReaderOptions::new());
    let metadata = origin.decode(Format::Parquet, load)?;
    let n_rows = u64::try_from(metadata.metadata().file_metadata().num_rows()).unwrap_or_default();
    let (conversion, layout) =
        Conversion::new(origin.path(), Format::Parquet, metadata.schema(), n_rows, options, |at| {
            let mut reader = reader(&origin, &bytes, &metadata, &[at], ROWS_PER_PROBE)?;
            let origin = origin.clone();
            let next = move || origin.decode(Format::Parquet, || reader.next().transpose()).transpose();
            Ok(Box::new(std::iter::from_fn(next).map(|batch| Ok(batch?.column(0).clone()))))
        })?;
    Ok(OpenedTable { layout, table: Box::new(Parquet { origin, bytes, metadata, conversion }) })
}

/// The rows read at a time to find the length of lists.
const ROWS_PER_PROBE: usize = 64;

/// Returns a reader of some columns, which yields `n_rows` rows at a time.
fn reader(
    origin: &FileOrigin,
    bytes: &FileBytes,
    metadata: &ArrowReaderMetadata,
    columns: &[usize],
    n_rows: usize,
) -> Result<ParquetRecordBatchReader> {
    origin.decode(Format::Parquet, || {
        let mask = ProjectionMask::roots(metadata.parquet_schema(), columns.iter().copied());
        ParquetRecordBatchReaderBuilder::new_with_metadata(bytes.clone(), metadata.clone())
            .with_projection(mask)
            .with_batch_size(n_rows)
            .build()
    })
}

impl TableReader for Parquet {
    fn batches(&self) -> Result<Batches> {
        let kept = &self.conversion.kept;
        let n_rows = rows_per_batch(self.conversion.n_columns());
        let reader = reader(&self.origin, &self.bytes, &self.metadata, kept, n_rows)?;
        // The projection has left only the kept columns, in the order of the file.
        let conversion = Conversion { kept: (0..kept.len()).collect(), ..self.conversion.clone() };
        Ok(Batches::new(Converted::new(reader, self.origin.clone(), Format::Parquet, conversion)))
    }
}

impl Length for FileBytes {
    fn len(&self) -> u64 {
        self.length()
    }
}

impl ChunkReader for FileBytes {
    type T = BufReader<Cursor>;

    fn get_read(&self, start: u64) -> ParquetResult<BufReader<Cursor>> {
        Ok(BufReader::new(self.cursor_at(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Buffer> {
        // A damaged footer may ask for more than the file, or the memory, can hold.
        if (length as u64) > self.length().saturating_sub(start) {
            return Err(ParquetError::EOF(format!("{length} bytes wanted at {start}, the file has {}", self.length())));
        }
        let mut buffer = vec![0; length];
        self.cursor_at(start).read_exact(&mut buffer)?;
        Ok(buffer.into())
    }
}
