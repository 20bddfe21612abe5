//! An open file, which can be read any number of times and by several readers at once.
//!
//! Each reader has its own position, so two passes can run at the same time, and the file stays the same even if its name
//! is reused in between. What cannot be read twice (a pipe) or at random (a compressed Parquet file) is copied to an
//! anonymous temporary file, which disappears with the process.

use std::error::Error as StdError;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Format;
use super::compression::{Compression, MAGIC_LEN, UnpackError};
use super::shield::shield;
use crate::{Error, Result};

/// An open file, or a member of an archive, and its compression.
#[derive(Debug)]
pub(crate) struct FileOrigin {
    path: PathBuf,
    bytes: FileBytes,
    compression: Compression,
    /// The unpacked length, if it is known without unpacking.
    unpacked_length: Option<u64>,
}

impl FileOrigin {
    /// Returns the open file `file`, which messages call `path`; a pipe is first copied to a temporary file, of at most
    /// `pipe_limit` bytes.
    pub(crate) fn open(file: &Path, path: &Path, pipe_limit: u64) -> Result<FileOrigin> {
        let fail = |cause| Error::from_io(path, cause);
        let file = File::open(file).map_err(fail)?;
        let metadata = file.metadata().map_err(fail)?;
        if metadata.is_dir() {
            return Err(Error::IsDirectory { path: path.to_owned() });
        }
        let bytes = if metadata.is_file() {
            FileBytes { file: Arc::new(file), start: 0, length: metadata.len() }
        } else {
            // One byte more than allowed shows that there is more.
            let bytes = spool(path, &mut file.take(pipe_limit.saturating_add(1)), fail)?;
            if bytes.length > pipe_limit {
                return Err(Error::PipeTooLong { path: path.to_owned(), limit: pipe_limit });
            }
            bytes
        };
        let mut head = [0; MAGIC_LEN];
        let n = read_up_to(&mut bytes.cursor(), &mut head).map_err(fail)?;
        let compression = Compression::detect(&head[..n]);
        let unpacked_length = (compression == Compression::None).then_some(bytes.length);
        Ok(FileOrigin { path: path.to_owned(), bytes, compression, unpacked_length })
    }

    /// Returns a member of the archive at `path`, given its bytes, compression and unpacked length.
    pub(crate) fn member(path: &Path, bytes: FileBytes, compression: Compression, unpacked_length: u64) -> FileOrigin {
        FileOrigin { path: path.to_owned(), bytes, compression, unpacked_length: Some(unpacked_length) }
    }

    /// Returns the path as given.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a reader of the unpacked content from its beginning.
    pub(crate) fn reader(&self) -> Result<Box<dyn Read + Send>> {
        self.compression.unpack(self.bytes.cursor()).map_err(|cause| self.error(cause))
    }

    /// Returns the first `n` unpacked bytes, fewer if the content is shorter.
    pub(crate) fn head(&self, n: usize) -> Result<Vec<u8>> {
        let mut head = vec![0; n];
        let filled = read_up_to(&mut self.reader()?, &mut head).map_err(|cause| self.error(cause))?;
        head.truncate(filled);
        Ok(head)
    }

    /// Returns the unpacked content for random access: the file itself, or a temporary file if it is compressed.
    pub(crate) fn unpacked(&self) -> Result<FileBytes> {
        match self.compression {
            Compression::None | Compression::ZipMember { deflated: false, .. } => Ok(self.bytes.clone()),
            _ => spool(&self.path, &mut self.reader()?, |cause| self.error(cause)),
        }
    }

    /// Returns the unpacked length, if it is known without unpacking.
    pub(crate) fn unpacked_length(&self) -> Option<u64> {
        self.unpacked_length
    }

    /// Returns the error of this crate for a failure while reading from [`FileOrigin::reader`].
    pub(crate) fn error(&self, cause: io::Error) -> Error {
        match cause.downcast::<UnpackError>() {
            Ok(UnpackError(cause)) => self.unpack_error(cause),
            Err(cause) => Error::from_io(&self.path, cause),
        }
    }

    /// Returns the error of this crate for a failure of a decoder of `format` over [`FileOrigin::reader`].
    ///
    /// If the decoder only passes on a read or decompression error, that error is returned.
    pub(crate) fn decode_error(&self, format: Format, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        let cause = cause.into();
        let mut link: Option<&(dyn StdError + 'static)> = Some(cause.as_ref());
        while let Some(error) = link {
            if let Some(io) = error.downcast_ref::<io::Error>() {
                let unpacking = io.get_ref().and_then(|inner| inner.downcast_ref::<UnpackError>());
                if let Some(UnpackError(inner)) = unpacking {
                    return self.unpack_error(io::Error::new(inner.kind(), inner.to_string()));
                }
                if let Some(code) = io.raw_os_error() {
                    return Error::from_io(&self.path, io::Error::from_raw_os_error(code));
                }
            }
            link = error.source();
        }
        Error::Damaged { path: self.path.clone(), format, cause }
    }

    /// Returns the result of a decoder of `format`; both its errors and its panics become errors of this crate.
    pub(crate) fn decode<T, E>(&self, format: Format, decode: impl FnOnce() -> std::result::Result<T, E>) -> Result<T>
    where
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        match shield(decode) {
            Ok(result) => result.map_err(|cause| self.decode_error(format, cause)),
            Err(panic) => Err(self.decode_error(format, panic)),
        }
    }

    fn unpack_error(&self, cause: io::Error) -> Error {
        let (path, compression) = (self.path.clone(), self.compression.name());
        match cause.kind() {
            io::ErrorKind::UnexpectedEof => Error::TruncatedCompression { path, compression },
            _ => Error::DamagedCompression { path, compression, cause },
        }
    }
}

/// A range of a file, for random access.
#[derive(Clone, Debug)]
pub(crate) struct FileBytes {
    file: Arc<File>,
    start: u64,
    length: u64,
}

impl FileBytes {
    /// Returns the number of bytes.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Returns the `length` bytes from `start` on, or fewer at the end.
    pub(crate) fn window(&self, start: u64, length: u64) -> FileBytes {
        let start = start.min(self.length);
        let length = length.min(self.length - start);
        FileBytes { file: self.file.clone(), start: self.start + start, length }
    }

    /// Returns a reader with its own position, at the first byte.
    pub(crate) fn cursor(&self) -> Cursor {
        self.cursor_at(0)
    }

    /// Returns a reader with its own position, at byte `position`.
    pub(crate) fn cursor_at(&self, position: u64) -> Cursor {
        Cursor { bytes: self.clone(), position }
    }
}

/// A reader of [`FileBytes`].
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    bytes: FileBytes,
    position: u64,
}

impl Read for Cursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.bytes.length.saturating_sub(self.position);
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let n = read_at(&self.bytes.file, &mut buffer[..wanted], self.bytes.start + self.position)?;
        self.position += n as u64;
        Ok(n)
    }
}

impl Seek for Cursor {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
            SeekFrom::End(offset) => self.bytes.length.checked_add_signed(offset),
        };
        self.position = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, position)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, position)
}

/// Copies all of `from` to an anonymous temporary file.
///
/// Read and write errors are kept apart: a truncated gzip file is the user's problem, a full disk is not.
fn spool(path: &Path, from: &mut dyn Read, read_error: impl Fn(io::Error) -> Error) -> Result<FileBytes> {
    let spool_error = |cause| Error::Spool { path: path.to_owned(), directory: std::env::temp_dir(), cause };
    let mut file = tempfile::tempfile().map_err(spool_error)?;
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        let n = read_up_to(from, &mut buffer).map_err(&read_error)?;
        if n == 0 {
            return Ok(FileBytes { file: Arc::new(file), start: 0, length });
        }
        io::Write::write_all(&mut file, &buffer[..n]).map_err(spool_error)?;
        length += n as u64;
    }
}

/// Fills `buffer` as far as possible and returns the number of bytes read.
pub(crate) fn read_up_to(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
    Ok(filled)
}
