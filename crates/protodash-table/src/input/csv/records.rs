//! Splits text into records and fields, and keeps track of lines.

use std::io::{self, Read};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// The maximum length of a record; only an unclosed quote makes a longer one.
pub(crate) const RECORD_LIMIT: usize = 1 << 28;

/// Reads records one after another into reused buffers.
pub(crate) struct Records<R> {
    from: R,
    reader: Reader,
    delimiter: u8,
    input: Vec<u8>,
    /// The part of `input` that has been read but not yet split.
    pending: std::ops::Range<usize>,
    /// Line breaks between records, which are skipped before the splitter sees them.
    skipped_lines: u64,
    fields: Vec<u8>,
    ends: Vec<usize>,
}

/// The result of [`Records::next`].
pub(crate) enum Next<'a> {
    Record(Record<'a>),
    /// The record that begins in this line is longer than [`RECORD_LIMIT`].
    TooLong(u64),
    /// The input ends inside a quoted field of the record that begins in this line.
    Unclosed(u64),
    End,
}

/// One record: its fields without quotes, and its lines.
pub(crate) struct Record<'a> {
    /// The line in which it begins, counted from 1.
    pub(crate) line: u64,
    /// The number of lines it spans.
    pub(crate) n_lines: u64,
    bytes: &'a [u8],
    ends: &'a [usize],
}

impl<'a> Record<'a> {
    /// Returns the number of fields.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the bytes of all fields, concatenated.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the fields, trimmed.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (bytes, mut start) = (self.bytes, 0);
        self.ends.iter().map(move |&end| {
            let field = &bytes[start..end];
            start = end;
            field.trim_ascii()
        })
    }
}

impl<R: Read> Records<R> {
    pub(crate) fn new(from: R, delimiter: u8) -> Records<R> {
        Records {
            from,
            reader: ReaderBuilder::new().delimiter(delimiter).build(),
            delimiter,
            input: vec![0; 1 << 16],
            pending: 0..0,
            skipped_lines: 0,
            fields: vec![0; 1 << 10],
            ends: vec![0; 64],
        }
    }

    /// Returns the next record, skipping blank lines.
    pub(crate) fn next(&mut self) -> io::Result<Next<'_>> {
        self.skip_blank_lines()?;
        let line = self.reader.line() + self.skipped_lines;
        let (mut n_bytes, mut n_fields, mut last) = (0, 0, None);
        loop {
            if self.pending.is_empty() {
                self.refill()?;
            }
            // A line break ends the last record, unless it is inside a quoted field.
            let ends_here = self.pending.is_empty() && last.is_some();
            let input = if ends_here { b"\n" } else { &self.input[self.pending.clone()] };
            let (result, read, written, ended) =
                self.reader.read_record(input, &mut self.fields[n_bytes..], &mut self.ends[n_fields..]);
            n_bytes += written;
            n_fields += ended;
            if !ends_here {
                last = input[..read].last().copied().or(last);
                self.pending.start += read;
            }
            match result {
                ReadRecordResult::InputEmpty if ends_here => return Ok(Next::Unclosed(line)),
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull if n_bytes >= RECORD_LIMIT => return Ok(Next::TooLong(line)),
                ReadRecordResult::OutputFull => self.fields.resize(2 * n_bytes, 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * n_fields, 0),
                ReadRecordResult::End => return Ok(Next::End),
                ReadRecordResult::Record => {
                    // A line break at its end does not start another line of the record.
                    let n_breaks = self.reader.line() + self.skipped_lines - line;
                    let n_lines = n_breaks + u64::from(last != Some(b'\n') && !ends_here);
                    let (bytes, ends) = (&self.fields[..n_bytes], &self.ends[..n_fields]);
                    return Ok(Next::Record(Record { line, n_lines, bytes, ends }));
                }
            }
        }
    }

    /// Skips blank lines, so that the next byte is the first of a record.
    fn skip_blank_lines(&mut self) -> io::Result<()> {
        loop {
            if self.pending.is_empty() {
                self.refill()?;
            }
            let input = &self.input[self.pending.clone()];
            let is_blank = |byte: u8| (byte == b' ' || byte == b'\t') && byte != self.delimiter;
            let visible = input.iter().position(|&byte| !is_blank(byte));
            match visible.map(|at| (at, input[at])) {
                Some((at, byte @ (b'\n' | b'\r'))) => {
                    self.skipped_lines += u64::from(byte == b'\n');
                    self.pending.start += at + 1;
                }
                // Spaces at the end of the buffer may belong to a blank line or a record, so read more.
                None if !input.is_empty() && self.read_more()? => {}
                _ => return Ok(()),
            }
        }
    }

    /// Reads the next piece of input into an empty buffer.
    fn refill(&mut self) -> io::Result<()> {
        self.pending = 0..0;
        self.read_more().map(|_| ())
    }

    /// Appends input to what is pending and returns whether there was any.
    fn read_more(&mut self) -> io::Result<bool> {
        self.input.copy_within(self.pending.clone(), 0);
        self.pending = 0..self.pending.len();
        if self.pending.end == self.input.len() {
            self.input.resize(2 * self.input.len(), 0);
        }
        loop {
            match self.from.read(&mut self.input[self.pending.end..]) {
                Ok(n) => {
                    self.pending.end += n;
                    return Ok(n > 0);
                }
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(cause),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each record as its line, the lines it spans, and its fields.
    fn split(text: &str) -> Vec<(u64, u64, Vec<String>)> {
        let mut records = Records::new(text.as_bytes(), b',');
        let mut all = Vec::new();
        while let Next::Record(record) = records.next().unwrap() {
            let fields = record.fields().map(|field| String::from_utf8(field.to_vec()).unwrap()).collect();
            all.push((record.line, record.n_lines, fields));
        }
        all
    }

    fn record(line: u64, n_lines: u64, fields: &[&str]) -> (u64, u64, Vec<String>) {
        (line, n_lines, fields.iter().map(|field| (*field).to_owned()).collect())
    }

    #[test]
    fn lines_are_counted_through_quotes_and_blank_lines() {
        let expected = vec![
            record(1, 1, &["a", "b"]),
            record(2, 3, &["x\ny", "2"]),
            record(7, 1, &["z", ""]),
            record(8, 1, &["", "9"]),
        ];
        assert_eq!(split("a,b\n\"x\ny\n\", 2 \n\n  \nz,\n ,9"), expected);
        assert_eq!(split("a,b\r\n\"x\ny\n\",2\r\n\r\n  \r\nz,\r\n,9\r\n"), expected);
    }

    #[test]
    fn an_unclosed_quote_is_not_a_record() {
        for text in ["a,x\n1,\"b\n2,c\n", "a,x\n1,\"b\n2,c", "a,x\n\"", "a,x\n1,\"b\"\"", "a,x\n1,\"b\"\"\n"] {
            let mut records = Records::new(text.as_bytes(), b',');
            assert!(matches!(records.next().unwrap(), Next::Record(_)), "{text:?}");
            assert!(matches!(records.next().unwrap(), Next::Unclosed(2)), "{text:?}");
        }
    }

    #[test]
    fn the_last_record_needs_no_line_break() {
        let last = |fields: &[&str]| vec![record(1, 1, &["a", "b"]), record(2, 1, fields)];
        assert_eq!(split("a,b\n1,\"x\""), last(&["1", "x"]));
        assert_eq!(split("a,b\n1,5\" pipe"), last(&["1", "5\" pipe"]));
        assert_eq!(split("a,b\n1,"), last(&["1", ""]));
    }

    #[test]
    fn fields_may_be_longer_than_every_buffer() {
        let long = "q".repeat(300_000);
        let many = vec!["1"; 500].join(",");
        let records = split(&format!("{long},b\n{many}\n{}\n5", " ".repeat(200_000)));
        assert_eq!(records[0], record(1, 1, &[&long, "b"]));
        assert_eq!(records[1].2.len(), 500);
        assert_eq!(records[2], record(4, 1, &["5"]));
    }

    #[test]
    fn no_input_gives_no_records() {
        assert!(split("").is_empty());
        assert!(split("\n\r\n  \n").is_empty());
    }
}
