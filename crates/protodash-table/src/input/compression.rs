//! Decompression of gzip, xz and zstd, recognised by their first bytes, never by the file name.

use std::io::{self, BufReader, Read};

use flate2::Crc;
use flate2::bufread::{DeflateDecoder, MultiGzDecoder};
use lzma_rust2::XzReader;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Xz,
    Zstd,
    /// A member of a zip archive: whether it is deflated, and the checksum of its content.
    ZipMember {
        deflated: bool,
        crc32: u32,
    },
}

/// The length of the longest magic number.
pub(crate) const MAGIC_LEN: usize = 6;

impl Compression {
    /// Returns the compression whose magic number `head` begins with.
    pub(crate) fn detect(head: &[u8]) -> Compression {
        if head.starts_with(&[0x1f, 0x8b]) {
            Compression::Gzip
        } else if head.starts_with(b"\xfd7zXZ\0") {
            Compression::Xz
        } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            Compression::Zstd
        } else {
            Compression::None
        }
    }

    /// Returns a reader of the unpacked bytes of `packed`; files of several gzip, xz or zstd members are read as one.
    pub(crate) fn unpack(self, packed: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        let unpacked: Box<dyn Read + Send> = match self {
            Compression::None => return Ok(Box::new(packed)),
            Compression::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(packed))),
            Compression::Xz => Box::new(XzReader::new(BufReader::new(packed), true)),
            Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(packed)?),
            Compression::ZipMember { deflated: false, crc32 } => Box::new(ChecksumReader::new(packed, crc32)),
            Compression::ZipMember { deflated: true, crc32 } => {
                Box::new(ChecksumReader::new(DeflateDecoder::new(BufReader::new(packed)), crc32))
            }
        };
        Ok(Box::new(Unpacked(unpacked)))
    }

    /// Returns the name for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Compression::None => "plain",
            Compression::Gzip => "gzip",
            Compression::Xz => "xz",
            Compression::Zstd => "zstd",
            Compression::ZipMember { .. } => "zip",
        }
    }
}

/// A reader that marks its errors as decompression errors, to distinguish them from those of the decoder that uses it.
struct Unpacked(Box<dyn Read + Send>);

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|cause| match cause.kind() {
            io::ErrorKind::Interrupted => cause,
            _ if cause.raw_os_error().is_some() => cause,
            kind => io::Error::new(kind, UnpackError(cause)),
        })
    }
}

/// An error of a decompressor.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) struct UnpackError(pub(crate) io::Error);

/// A reader that checks the checksum at the end.
struct ChecksumReader<R> {
    from: R,
    crc: Crc,
    expected: u32,
}

impl<R> ChecksumReader<R> {
    fn new(from: R, expected: u32) -> ChecksumReader<R> {
        ChecksumReader { from, crc: Crc::new(), expected }
    }
}

impl<R: Read> Read for ChecksumReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(buffer)?;
        self.crc.update(&buffer[..n]);
        if n == 0 && !buffer.is_empty() && self.crc.sum() != self.expected {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum does not match"));
        }
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_checksum_is_detected_at_the_end() {
        let mut text = String::new();
        // 0xcbf43926 is the standard check value of CRC-32, that of "123456789".
        let read = |crc32, text: &mut String| {
            let zip = Compression::ZipMember { deflated: false, crc32 };
            zip.unpack(&b"123456789"[..]).unwrap().read_to_string(text).map_err(|cause| cause.to_string())
        };
        assert_eq!(read(0xcbf4_3926, &mut text), Ok(9));
        assert_eq!(read(0xcbf4_3927, &mut text), Err("the checksum does not match".into()));
    }

    #[test]
    fn magic_numbers() {
        assert_eq!(Compression::detect(b"\x1f\x8b\x08"), Compression::Gzip);
        assert_eq!(Compression::detect(b"\xfd7zXZ\0\0"), Compression::Xz);
        assert_eq!(Compression::detect(b"\x28\xb5\x2f\xfd"), Compression::Zstd);
        assert_eq!(Compression::detect(b"a,b\n"), Compression::None);
        assert_eq!(Compression::detect(b""), Compression::None);
    }
}
