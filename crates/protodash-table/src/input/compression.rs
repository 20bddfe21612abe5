//! Unpacking `.gz`, `.xz` and `.zst`, told apart by their first bytes, never by the name of the file.

use std::fmt;
use std::io::{self, BufReader, Read};
use std::path::Path;

use crate::Error;

/// How the bytes of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Xz,
    Zstd,
}

/// The longest magic number among the compressions.
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

    /// Returns a reader of the unpacked bytes of `packed`; files of several members are read as one.
    pub(crate) fn unpack(self, packed: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Compression::None => Box::new(packed),
            Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::new(packed))),
            Compression::Xz => Box::new(lzma_rust2::XzReader::new(BufReader::new(packed), true)),
            Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(packed)?),
        })
    }

    /// Returns the error of this crate for a failure while unpacking `path`.
    pub(crate) fn error(self, path: &Path, cause: io::Error) -> Error {
        let compression = self.name();
        match (self, cause.kind()) {
            (Compression::None, _) => Error::from_io(path, cause),
            (_, io::ErrorKind::UnexpectedEof) => Error::TruncatedCompression { path: path.to_owned(), compression },
            _ if cause.raw_os_error().is_some() => Error::from_io(path, cause),
            _ => Error::DamagedCompression { path: path.to_owned(), compression, cause },
        }
    }

    fn name(self) -> &'static str {
        match self {
            Compression::None => "plain",
            Compression::Gzip => "gzip",
            Compression::Xz => "xz",
            Compression::Zstd => "zstd",
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
