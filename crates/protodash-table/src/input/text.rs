//! Text encodings: UTF-8 with or without a byte order mark, UTF-16 with one, and otherwise Windows-1252.
//!
//! UTF-16 is converted to UTF-8 while reading. Windows-1252, a superset of printable Latin-1, agrees with UTF-8 on all
//! separators, quotes and line breaks, so only the cells are converted.

use std::borrow::Cow;
use std::io::{self, Chain, Cursor, Read};
use std::ops::Range;

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::origin::read_up_to;

/// The encoding of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextEncoding {
    Utf8,
    Windows1252,
}

impl TextEncoding {
    /// Returns `bytes` as text, or `None` if they are not valid UTF-8 but should be.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self {
            TextEncoding::Utf8 => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
            TextEncoding::Windows1252 => Some(WINDOWS_1252.decode_without_bom_handling(bytes).0),
        }
    }
}

/// Returns a reader of `bytes` without the byte order mark, converted to UTF-8 if the mark is that of UTF-16.
pub(crate) fn text_reader(mut bytes: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut mark = [0; 3];
    let n = read_up_to(&mut bytes, &mut mark)?;
    let rest = |skip: usize| Cursor::new(mark[skip.min(n)..n].to_vec()).chain(bytes);
    Ok(match mark[..n] {
        [0xef, 0xbb, 0xbf] => Box::new(rest(3)),
        [0xff, 0xfe, ..] => Box::new(Utf16::new(rest(2), UTF_16LE)),
        [0xfe, 0xff, ..] => Box::new(Utf16::new(rest(2), UTF_16BE)),
        _ => Box::new(rest(0)),
    })
}

type Rest = Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

/// Converts UTF-16 to UTF-8; invalid UTF-16 becomes the replacement character.
struct Utf16 {
    from: Rest,
    decoder: Decoder,
    raw: Vec<u8>,
    /// The decoded text, and the part of it that has not been returned yet.
    text: Vec<u8>,
    pending: Range<usize>,
    /// Whether the decoder is finished and must not be called again.
    finished: bool,
}

impl Utf16 {
    fn new(from: Rest, encoding: &'static encoding_rs::Encoding) -> Utf16 {
        let decoder = encoding.new_decoder_without_bom_handling();
        let (raw, text) = (vec![0; 1 << 13], Vec::with_capacity(1 << 14));
        Utf16 { from, decoder, raw, text, pending: 0..0, finished: false }
    }

    /// Decodes the next piece.
    fn refill(&mut self) -> io::Result<()> {
        let n = read_up_to(&mut self.from, &mut self.raw)?;
        self.finished = n < self.raw.len();
        let room = self.decoder.max_utf8_buffer_length(n).unwrap_or(4 * self.raw.len());
        self.text.resize(room, 0);
        let (_, _, written, _) = self.decoder.decode_to_utf8(&self.raw[..n], &mut self.text, self.finished);
        self.pending = 0..written;
        Ok(())
    }
}

impl Read for Utf16 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.pending.is_empty() && !self.finished {
            self.refill()?;
        }
        let n = buffer.len().min(self.pending.len());
        buffer[..n].copy_from_slice(&self.text[self.pending.start..self.pending.start + n]);
        self.pending.start += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> String {
        let mut text = String::new();
        let bytes: Box<dyn Read + Send> = Box::new(Cursor::new(bytes.to_vec()));
        text_reader(bytes).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn byte_order_marks_are_dropped() {
        assert_eq!(read(b"\xef\xbb\xbfa,b"), "a,b");
        assert_eq!(read(b"a"), "a");
        assert_eq!(read(b""), "");
    }

    #[test]
    fn utf_16_of_both_orders_becomes_utf_8() {
        // 30,000 characters cross the decoder's buffer of 8,192 bytes several times.
        let text = "grün 🦀\n".repeat(4_000);
        let little: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&little), text);
        assert_eq!(read(&big), text);
        assert_eq!(read(&[0xff, 0xfe]), "");
    }

    #[test]
    fn windows_1252_covers_latin_1_and_the_euro() {
        assert_eq!(TextEncoding::Windows1252.decode(b"caf\xe9 \x80").unwrap(), "café €");
        assert_eq!(TextEncoding::Utf8.decode(b"caf\xe9"), None);
    }
}
