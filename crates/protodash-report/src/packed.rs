//! Compressed blocks inside a page: large pages stay small enough to be mailed.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Texts from this length on are compressed; shorter ones stay readable.
pub(crate) const PACKED_FROM: usize = 100_000;

/// Results from this length on are compressed: below, a program can read them without unpacking.
pub(crate) const RESULT_PACKED_FROM: usize = 1_000_000;

/// A text compressed with DEFLATE and written in base 64, which browsers unpack without a library.
pub(crate) fn packed(text: &str) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    STANDARD.encode(written.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::DeflateDecoder;
    use std::io::Read;

    #[test]
    fn what_is_packed_comes_back() {
        let text = "row 1, +0.3 sd; ".repeat(5000);
        let short = packed(&text);
        assert!(short.len() < text.len() / 50 && short.bytes().all(|byte| byte.is_ascii_graphic()));
        let mut back = String::new();
        DeflateDecoder::new(&STANDARD.decode(short).unwrap()[..]).read_to_string(&mut back).unwrap();
        assert_eq!(back, text);
    }
}
