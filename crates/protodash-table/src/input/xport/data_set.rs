//! The data sets of a SAS transport file: variables, offset and number of observations.
//!
//! A file consists of records of 80 bytes. Observations are contiguous, and the last record is padded with spaces; then
//! comes the header of the next data set, or the end.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use encoding_rs::WINDOWS_1252;
use sas_xport::sas::SasVariableType;
use sas_xport::sas::xport::{XportReader, XportSchema, XportVariable};

use crate::input::Format;
use crate::input::origin::{FileOrigin, read_up_to};
use crate::{Error, Result};

/// The length of a record.
const RECORD_LEN: usize = 80;

/// The length of the library's header, before the first data set.
const LIBRARY_LEN: u64 = 3 * RECORD_LEN as u64;

/// One data set.
pub(crate) struct XportDataSet {
    pub(crate) name: String,
    pub(crate) variables: Vec<Variable>,
    /// Where its observations begin.
    pub(crate) start: u64,
    pub(crate) n_rows: u64,
}

/// One variable, which is a column.
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) is_text: bool,
    /// Its number of bytes in each observation.
    pub(crate) length: usize,
}

impl XportDataSet {
    /// Returns the length of an observation in bytes.
    pub(crate) fn row_len(&self) -> usize {
        self.variables.iter().map(|variable| variable.length).sum()
    }
}

/// Returns all data sets of the file.
pub(crate) fn all(origin: &FileOrigin) -> Result<Vec<XportDataSet>> {
    let mut data_sets = Vec::new();
    let mut next = Some(LIBRARY_LEN);
    while let Some(start) = next {
        let Some((schema, data_start)) = read_headers(origin, start)? else { break };
        let mut data_set = describe(origin, &schema, data_start)?;
        let extent = measure(origin, &data_set)?;
        data_set.n_rows = schema.record_count().map_or(extent.n_rows, |stated| stated.min(extent.n_rows));
        next = extent.next_header;
        data_sets.push(data_set);
    }
    Ok(data_sets)
}

/// Returns the headers of the data set that begins at byte `start`, and where they end; `None` if there is none.
fn read_headers(origin: &FileOrigin, start: u64) -> Result<Option<(XportSchema, u64)>> {
    // The crate expects the library header before that of a data set.
    let library = origin.reader()?.take(LIBRARY_LEN);
    let n_read = Arc::new(AtomicU64::new(0));
    let reader = BufReader::new(library.chain(skip(origin, start)?));
    let mut options = XportReader::options();
    options.add_fallback_encoding(WINDOWS_1252);
    let counting = CountingReader { from: reader, n_read: n_read.clone() };
    let data_set = origin.decode(Format::Xpt, || options.from_reader(counting).and_then(XportReader::next_dataset))?;
    let end = start - LIBRARY_LEN + n_read.load(Ordering::Relaxed);
    Ok(data_set.map(|data_set| (data_set.schema().clone(), end)))
}

/// Returns a reader of `origin` from byte `start` on.
pub(crate) fn skip(origin: &FileOrigin, start: u64) -> Result<Box<dyn Read + Send>> {
    let mut reader = origin.reader()?;
    io::copy(&mut reader.by_ref().take(start), &mut io::sink()).map_err(|cause| origin.error(cause))?;
    Ok(reader)
}

fn describe(origin: &FileOrigin, schema: &XportSchema, start: u64) -> Result<XportDataSet> {
    let variable = |variable: &XportVariable| Variable {
        name: variable.full_name().trim().to_owned(),
        is_text: matches!(variable.value_type(), SasVariableType::Character),
        length: usize::from(variable.value_length()),
    };
    let variables: Vec<Variable> = schema.variables().iter().map(variable).collect();
    for Variable { name, is_text, length } in &variables {
        if *length == 0 || (!is_text && *length > 8) {
            return Err(damaged(origin, format!("the variable {name:?} has a length of {length} bytes")));
        }
    }
    if variables.is_empty() {
        return Err(damaged(origin, "a data set has no variables".into()));
    }
    Ok(XportDataSet { name: schema.dataset_name().trim().to_owned(), variables, start, n_rows: 0 })
}

/// The extent of the observations of a data set.
struct Extent {
    n_rows: u64,
    next_header: Option<u64>,
}

/// Reads up to the next header or the end and returns the extent.
fn measure(origin: &FileOrigin, data_set: &XportDataSet) -> Result<Extent> {
    let mut reader = BufReader::with_capacity(1 << 16, skip(origin, data_set.start)?);
    let mut counter = RowCounter { row_len: data_set.row_len(), row: Vec::new(), n_rows: 0, n_visible_rows: 0 };
    let (mut record, mut length) = ([0; RECORD_LEN], 0);
    loop {
        let n = read_up_to(&mut reader, &mut record).map_err(|cause| origin.error(cause))?;
        let at_header = is_member_header(&record[..n]) && is_blank(&counter.row);
        if n == 0 || at_header {
            let n_rows = counter.finish(length).map_err(|problem| damaged(origin, problem))?;
            return Ok(Extent { n_rows, next_header: at_header.then_some(data_set.start + length) });
        }
        counter.add(&record[..n]);
        length += n as u64;
    }
}

/// Splits records into observations and counts them.
struct RowCounter {
    row_len: usize,
    /// The incomplete observation.
    row: Vec<u8>,
    n_rows: u64,
    /// The number of observations up to the last that is not blank.
    n_visible_rows: u64,
}

impl RowCounter {
    fn add(&mut self, mut record: &[u8]) {
        while !record.is_empty() {
            let n = record.len().min(self.row_len - self.row.len());
            self.row.extend_from_slice(&record[..n]);
            record = &record[n..];
            if self.row.len() == self.row_len {
                self.n_rows += 1;
                self.n_visible_rows = if is_blank(&self.row) { self.n_visible_rows } else { self.n_rows };
                self.row.clear();
            }
        }
    }

    /// Returns the number of observations in `length` bytes.
    ///
    /// Trailing spaces are padding if they fit one record. Numbers are never written as spaces, so this is ambiguous only for
    /// data sets without numbers.
    fn finish(&self, length: u64) -> std::result::Result<u64, String> {
        if !is_blank(&self.row) {
            return Err(format!("the file ends within observation {}", self.n_rows + 1));
        }
        let beyond_padding = length.saturating_sub(RECORD_LEN as u64 - 1).div_ceil(self.row_len as u64);
        Ok(self.n_visible_rows.max(beyond_padding.min(self.n_rows)))
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == b' ')
}

fn is_member_header(record: &[u8]) -> bool {
    record.starts_with(b"HEADER RECORD*******MEMBER  HEADER RECORD!!!!!!!")
        || record.starts_with(b"HEADER RECORD*******MEMBV8  HEADER RECORD!!!!!!!")
}

fn damaged(origin: &FileOrigin, problem: String) -> Error {
    Error::Damaged { path: origin.path().to_owned(), format: Format::Xpt, cause: problem.into() }
}

/// A reader that counts the bytes taken from it.
struct CountingReader<R> {
    from: R,
    n_read: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(buffer)?;
        self.n_read.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for CountingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.from.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.n_read.fetch_add(n as u64, Ordering::Relaxed);
        self.from.consume(n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(row_len: usize, bytes: &[u8]) -> std::result::Result<u64, String> {
        let mut counter = RowCounter { row_len, row: Vec::new(), n_rows: 0, n_visible_rows: 0 };
        bytes.chunks(RECORD_LEN).for_each(|record| counter.add(record));
        counter.finish(bytes.len() as u64)
    }

    #[test]
    fn padding_is_not_counted() {
        let filled = |rows: &[u8]| [rows, &vec![b' '; rows.len().next_multiple_of(RECORD_LEN) - rows.len()]].concat();
        assert_eq!(count(8, &filled(b"11111111")), Ok(1));
        // Zeros are numbers, not padding.
        assert_eq!(count(8, &filled(&[0; 24])), Ok(3));
        assert_eq!(count(100, &filled(&[1; 300])), Ok(3));
        assert_eq!(count(8, &[b'1'; 80]), Ok(10));
        // More spaces than padding can have are observations.
        assert_eq!(count(8, &[b' '; 160]), Ok(11));
        assert_eq!(count(8, &[]), Ok(0));
    }

    #[test]
    fn truncated_files_state_the_observation() {
        assert_eq!(count(8, b"1111111122"), Err("the file ends within observation 2".into()));
        assert_eq!(count(100, &[1; 160]), Err("the file ends within observation 2".into()));
    }
}
