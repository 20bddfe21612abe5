//! An open file, which can be read any number of times and by several readers at once.
//!
//! Each reader has its own position, so two passes can run at the same time, and the file stays the same even if its name
//! is reused in between. A part of a table is reopened for each pass, since a process can only have so many files open; it
//! is an error if it has changed. What cannot be read twice (a pipe) or at random (a compressed Parquet file) is copied to
//! an anonymous temporary file, which disappears with the process and takes at most half of the free space.

use std::error::Error as StdError;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::Format;
use super::compression::{Compression, MAGIC_LEN, UnpackError};
use super::free_space::free_space;
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
        if !metadata.is_file() {
            return FileOrigin::piped(path, &mut { file }, pipe_limit);
        }
        FileOrigin::new(path, FileBytes::whole(StoredFile::Open(file), metadata.len()))
    }

    /// Returns the file at `path`, one of many that a table consists of: it is open only while it is read.
    pub(crate) fn open_part(file: &Path, path: &Path) -> Result<FileOrigin> {
        let metadata = file.metadata().map_err(|cause| Error::from_io(path, cause))?;
        let stored = StoredFile::Named { path: file.to_owned(), stamp: FileStamp::of(&metadata) };
        FileOrigin::new(path, FileBytes::whole(stored, metadata.len()))
    }

    /// Returns the content of `pipe`, which messages call `path`, up to `pipe_limit` bytes.
    pub(crate) fn piped(path: &Path, pipe: &mut dyn Read, pipe_limit: u64) -> Result<FileOrigin> {
        let room = SpoolRoom::measured();
        let limit = room.bytes.min(pipe_limit);
        match spool(path, pipe, limit, |cause| Error::from_io(path, cause))? {
            Some(bytes) => FileOrigin::new(path, bytes),
            None => {
                let disk = (room.bytes < pipe_limit).then_some(room.directory);
                Err(Error::PipeTooLong { path: path.to_owned(), limit, disk })
            }
        }
    }

    fn new(path: &Path, bytes: FileBytes) -> Result<FileOrigin> {
        let mut head = [0; MAGIC_LEN];
        let n = read_up_to(&mut bytes.cursor(), &mut head).map_err(|cause| Error::from_io(path, cause))?;
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
            _ => {
                let SpoolRoom { directory, bytes: limit } = SpoolRoom::measured();
                let unpacked = spool(&self.path, &mut self.reader()?, limit, |cause| self.error(cause))?;
                unpacked.ok_or_else(|| Error::UnpackedTooLong { path: self.path.clone(), limit, directory })
            }
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

/// A file that can be read again.
#[derive(Debug)]
enum StoredFile {
    /// An open file.
    Open(File),
    /// A file to be reopened for each pass.
    Named { path: PathBuf, stamp: FileStamp },
}

/// Detects whether a file has changed.
#[derive(Debug, PartialEq, Eq)]
struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl FileStamp {
    fn of(metadata: &Metadata) -> FileStamp {
        FileStamp { length: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl StoredFile {
    /// Reopens a file that is not kept open; `None` if it is.
    fn reopen(&self) -> io::Result<Option<Arc<File>>> {
        let StoredFile::Named { path, stamp } = self else { return Ok(None) };
        let file = File::open(path)?;
        if FileStamp::of(&file.metadata()?) != *stamp {
            return Err(io::Error::other("the file has changed since it was opened"));
        }
        Ok(Some(Arc::new(file)))
    }
}

/// A range of a file, for random access.
#[derive(Clone, Debug)]
pub(crate) struct FileBytes {
    file: Arc<StoredFile>,
    start: u64,
    length: u64,
}

impl FileBytes {
    fn whole(file: StoredFile, length: u64) -> FileBytes {
        FileBytes { file: Arc::new(file), start: 0, length }
    }

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
        Cursor { bytes: self.clone(), position, opened: None }
    }
}

/// A reader of [`FileBytes`].
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    bytes: FileBytes,
    position: u64,
    /// The file, if it had to be reopened.
    opened: Option<Arc<File>>,
}

impl Cursor {
    /// Returns the file, reopened if necessary.
    fn file(&mut self) -> io::Result<&File> {
        if self.opened.is_none() {
            self.opened = self.bytes.file.reopen()?;
        }
        match (&*self.bytes.file, &self.opened) {
            (StoredFile::Open(file), _) => Ok(file),
            (StoredFile::Named { .. }, Some(file)) => Ok(file),
            (StoredFile::Named { .. }, None) => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Read for Cursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.bytes.length.saturating_sub(self.position);
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let start = self.bytes.start + self.position;
        let n = read_at(self.file()?, &mut buffer[..wanted], start)?;
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

/// The directory for temporary files, and how many bytes they may take.
struct SpoolRoom {
    directory: PathBuf,
    /// Half of the free space: an endless pipe must not fill the disk, whatever the memory limit is.
    bytes: u64,
}

impl SpoolRoom {
    fn measured() -> SpoolRoom {
        let directory = std::env::temp_dir();
        SpoolRoom { bytes: free_space(&directory).map_or(u64::MAX, |free| free / 2), directory }
    }
}

/// Copies all of `from` to an anonymous temporary file; `None` if that is more than `limit` bytes.
///
/// Read and write errors are distinguished: a truncated gzip file is the user's problem, a full disk is not.
fn spool(
    path: &Path,
    from: &mut dyn Read,
    limit: u64,
    read_error: impl Fn(io::Error) -> Error,
) -> Result<Option<FileBytes>> {
    let spool_error = |cause| Error::Spool { path: path.to_owned(), directory: std::env::temp_dir(), cause };
    let mut file = tempfile::tempfile().map_err(spool_error)?;
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        let n = read_up_to(from, &mut buffer).map_err(&read_error)?;
        if n == 0 {
            return Ok(Some(FileBytes::whole(StoredFile::Open(file), length)));
        }
        length += n as u64;
        if length > limit {
            return Ok(None);
        }
        io::Write::write_all(&mut file, &buffer[..n]).map_err(spool_error)?;
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
