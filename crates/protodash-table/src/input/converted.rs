//! Converts the batches of Arrow's readers to the types that this crate yields.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::Format;
use super::arrow_types::Conversion;
use super::layout::rows_per_batch;
use super::origin::FileOrigin;
use crate::Result;

/// Converts the batches of `reader` and splits long ones.
pub(crate) struct Converted<I> {
    reader: I,
    origin: Arc<FileOrigin>,
    format: Format,
    conversion: Conversion,
    /// The rest of the reader's last batch, not yet returned.
    rest: Option<RecordBatch>,
    n_rows: u64,
}

impl<I> Converted<I> {
    /// Returns the batches of `reader`, which decodes `format`.
    pub(crate) fn new(reader: I, origin: Arc<FileOrigin>, format: Format, conversion: Conversion) -> Converted<I> {
        Converted { reader, origin, format, conversion, rest: None, n_rows: 0 }
    }

    /// Returns the next rows of the last batch.
    fn cut(&mut self) -> Option<Result<RecordBatch>> {
        let rest = self.rest.take()?;
        let n = rest.num_rows().min(rows_per_batch(self.conversion.n_columns()));
        if n < rest.num_rows() {
            self.rest = Some(rest.slice(n, rest.num_rows() - n));
        }
        let converted = self.conversion.apply(self.origin.path(), self.n_rows, &rest.slice(0, n));
        self.n_rows += n as u64;
        Some(converted)
    }
}

impl<I: Iterator<Item = std::result::Result<RecordBatch, ArrowError>>> Iterator for Converted<I> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        while self.rest.is_none() {
            match self.origin.decode(self.format, || self.reader.next().transpose()) {
                Ok(batch) => self.rest = Some(batch?).filter(|batch| batch.num_rows() > 0),
                Err(error) => return Some(Err(error)),
            }
        }
        self.cut()
    }
}
