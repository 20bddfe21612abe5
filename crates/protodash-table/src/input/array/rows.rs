//! The rows of an array in batches: streamed if rows are contiguous, else gathered.

use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::ArrayHeader;
use crate::input::Format;
use crate::input::layout::rows_per_batch;
use crate::input::origin::{FileBytes, FileOrigin};
use crate::{Error, Result};

/// Contiguous rows (C order), read sequentially.
pub(crate) struct StreamedRows {
    origin: Arc<FileOrigin>,
    format: Format,
    reader: Box<dyn Read + Send>,
    header: ArrayHeader,
    schema: SchemaRef,
    buffer: Vec<u8>,
    n_left: u64,
    n_bytes_read: u64,
}

impl StreamedRows {
    /// Returns the rows of `origin`, whose header is skipped.
    pub(crate) fn open(
        origin: Arc<FileOrigin>,
        format: Format,
        header: ArrayHeader,
        schema: SchemaRef,
    ) -> Result<StreamedRows> {
        let mut reader = origin.reader()?;
        let skipped = io::copy(&mut reader.by_ref().take(header.data_start), &mut io::sink());
        let n_bytes_read = skipped.map_err(|cause| origin.error(cause))?;
        let n_left = header.shape.first().copied().unwrap_or_default();
        Ok(StreamedRows { origin, format, reader, header, schema, buffer: Vec::new(), n_left, n_bytes_read })
    }

    fn next_batch(&mut self) -> Result<RecordBatch> {
        let (n_columns, size) = (self.schema.fields().len(), self.header.element.size());
        let row_len = size * n_columns;
        let n = self.n_left.min(rows_per_batch(row_len / 8) as u64);
        let wanted = n * row_len as u64;
        // The buffer grows with the data, so that a damaged header cannot cause a huge allocation.
        self.buffer.clear();
        let filled = self.reader.by_ref().take(wanted).read_to_end(&mut self.buffer);
        let filled = filled.map_err(|cause| self.origin.error(cause))? as u64;
        self.n_bytes_read += filled;
        if filled < wanted {
            return Err(self.truncated());
        }
        self.n_left -= n;
        if self.n_left == 0 {
            self.finish()?;
        }
        let (element, order) = (self.header.element, self.header.order);
        let columns = (0..n_columns).map(|at| element.column(order, &self.buffer[at * size..], row_len)).collect();
        RecordBatch::try_new(self.schema.clone(), columns).map_err(|cause| Error::arrow(self.origin.path(), cause))
    }

    /// Reads to the end, because a compressed file has its checksum there.
    fn finish(&mut self) -> Result<()> {
        io::copy(&mut self.reader, &mut io::sink()).map(|_| ()).map_err(|cause| self.origin.error(cause))
    }

    fn truncated(&self) -> Error {
        let expected = self.header.file_len().unwrap_or(u64::MAX);
        Error::Truncated {
            path: self.origin.path().to_owned(),
            format: self.format,
            found: self.n_bytes_read,
            expected,
        }
    }
}

impl Iterator for StreamedRows {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        (self.n_left > 0).then(|| self.next_batch())
    }
}

/// Rows whose elements are scattered (Fortran order), gathered column by column.
pub(crate) struct GatheredRows {
    origin: Arc<FileOrigin>,
    bytes: FileBytes,
    header: ArrayHeader,
    schema: SchemaRef,
    n_rows: u64,
    next_row: u64,
}

impl GatheredRows {
    pub(crate) fn new(
        origin: Arc<FileOrigin>,
        bytes: FileBytes,
        header: ArrayHeader,
        schema: SchemaRef,
    ) -> GatheredRows {
        let n_rows = header.shape.first().copied().unwrap_or_default();
        GatheredRows { origin, bytes, header, schema, n_rows, next_row: 0 }
    }

    fn next_batch(&mut self) -> Result<RecordBatch> {
        let n_columns = self.schema.fields().len();
        let (element, order) = (self.header.element, self.header.order);
        let size = element.size() as u64;
        let n = (self.n_rows - self.next_row).min(rows_per_batch(n_columns * element.size() / 8) as u64);
        let mut buffer = vec![0; (n * size) as usize];
        let mut columns = Vec::with_capacity(n_columns);
        for at in 0..n_columns {
            let first = stored_position(at as u64, &self.header.shape[1..]) * self.n_rows + self.next_row;
            let mut cursor = self.bytes.cursor_at(self.header.data_start + first * size);
            cursor.read_exact(&mut buffer).map_err(|cause| Error::from_io(self.origin.path(), cause))?;
            columns.push(element.column(order, &buffer, size as usize));
        }
        self.next_row += n;
        RecordBatch::try_new(self.schema.clone(), columns).map_err(|cause| Error::arrow(self.origin.path(), cause))
    }
}

impl Iterator for GatheredRows {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        (self.next_row < self.n_rows).then(|| self.next_batch())
    }
}

/// Returns the stored column that is column `at` of the flattened row.
///
/// Flattening varies the last of the `inner` dimensions fastest, Fortran order the first.
fn stored_position(at: u64, inner: &[u64]) -> u64 {
    let mut rest = at;
    let (mut position, mut stride) = (0, inner.iter().product::<u64>());
    for &n in inner.iter().rev() {
        stride /= n;
        position += rest % n * stride;
        rest /= n;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fortran_order_varies_the_first_dimension_fastest() {
        // A row of shape (2, 3) is flattened as 00 01 02 10 11 12 and stored as 00 10 01 11 02 12.
        let positions: Vec<u64> = (0..6).map(|at| stored_position(at, &[2, 3])).collect();
        assert_eq!(positions, [0, 2, 4, 1, 3, 5]);
        assert_eq!((0..3).map(|at| stored_position(at, &[3])).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
