//! The lines of a text file with one record in each, without blank ones.

use std::io::{BufRead, BufReader, Read};

use super::origin::FileOrigin;
use crate::{Error, Result};

/// The maximum length of a line, so that a file without line breaks is not read into memory.
const LINE_LIMIT: usize = 1 << 28;

/// Reads line by line into one buffer.
pub(crate) struct TextLineReader<R> {
    reader: BufReader<R>,
    buffer: Vec<u8>,
    line: u64,
}

impl<R: Read> TextLineReader<R> {
    pub(crate) fn new(text: R) -> TextLineReader<R> {
        TextLineReader { reader: BufReader::with_capacity(1 << 16, text), buffer: Vec::new(), line: 0 }
    }

    /// Returns the number and the content of the next line that is not blank, or `None` at the end.
    ///
    /// # Errors
    ///
    /// If `origin` cannot be read, or [`Error::RecordTooLong`].
    pub(crate) fn next(&mut self, origin: &FileOrigin) -> Result<Option<(u64, &[u8])>> {
        loop {
            self.buffer.clear();
            let limited = (&mut self.reader).take(LINE_LIMIT as u64 + 1).read_until(b'\n', &mut self.buffer);
            if limited.map_err(|cause| origin.error(cause))? == 0 {
                return Ok(None);
            }
            self.line += 1;
            if self.buffer.len() > LINE_LIMIT {
                return Err(Error::RecordTooLong {
                    path: origin.path().to_owned(),
                    line: self.line,
                    limit: LINE_LIMIT,
                });
            }
            if !self.buffer.trim_ascii_end().is_empty() {
                return Ok(Some((self.line, self.buffer.trim_ascii_end())));
            }
        }
    }
}
