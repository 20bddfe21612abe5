//! NumPy `.npz` archives: zip files of `.npy` members, of which one is read, or all if they are a sparse matrix of SciPy.
//!
//! The `zip` crate reads the archive's directory. Members are then streamed from the file, and inflated if necessary.

use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use zip::{CompressionMethod, ZipArchive};

use super::compression::Compression;
use super::origin::{Cursor, FileBytes, FileOrigin};
use super::part::choose;
use super::sparse::{is_scipy, open_scipy};
use super::{Format, Head, OpenedTable, npy};
use crate::{Error, Result};

type Archive = ZipArchive<BufReader<Cursor>>;

/// Returns the array `wanted` of the archive `origin`, or without a name its only one or the sparse matrix that it holds.
///
/// An archive that is itself compressed is unpacked to a temporary file, because its directory comes last.
pub(crate) fn open(origin: &FileOrigin, wanted: Option<&String>) -> Result<(Format, OpenedTable)> {
    let bytes = origin.unpacked()?;
    let mut archive = origin.decode(Format::Npz, || Archive::new(BufReader::new(bytes.cursor())))?;
    let arrays = arrays(&archive);
    if arrays.is_empty() {
        let found = "a zip archive without .npy arrays";
        return Err(Error::UnknownFormat { path: origin.path().to_owned(), found });
    }
    if wanted.is_none() && is_scipy(arrays.iter().map(|(_, name)| name.as_str())) {
        let mut find = |wanted: &str| {
            let found = arrays.iter().find(|(_, name)| name == wanted);
            found.map(|(at, _)| member(origin.path(), &bytes, &mut archive, *at).map(Arc::new)).transpose()
        };
        return Ok((Format::ScipyNpz, open_scipy(origin.path(), &mut find)?));
    }
    let names = arrays.iter().map(|(_, name)| name.clone()).collect();
    let chosen = choose(origin.path(), "arrays", names, wanted)?;
    let member = Arc::new(member(origin.path(), &bytes, &mut archive, arrays[chosen].0)?);
    let head = Head::of(&member)?;
    if !head.bytes.starts_with(b"\x93NUMPY") {
        return Err(damaged(origin.path(), format!("the array {:?} is no .npy file", arrays[chosen].1)));
    }
    Ok((Format::Npz, npy::open(member, &head, Format::Npz)?))
}

/// Returns position and name of each array in the archive.
fn arrays(archive: &Archive) -> Vec<(usize, String)> {
    let names = archive.file_names_raw().map(|name| String::from_utf8_lossy(name).into_owned()).enumerate();
    names.filter_map(|(at, name)| name.strip_suffix(".npy").map(|name| (at, name.to_owned()))).collect()
}

/// Returns the member at `index`, for reading.
fn member(path: &Path, bytes: &FileBytes, archive: &mut Archive, index: usize) -> Result<FileOrigin> {
    let member = archive.by_index_raw(index).map_err(|cause| damaged(path, cause))?;
    if member.encrypted() {
        return Err(damaged(path, "the array is encrypted"));
    }
    let deflated = match member.compression() {
        CompressionMethod::Stored => false,
        CompressionMethod::Deflated => true,
        other => return Err(damaged(path, format!("the array is compressed with {other}, only deflate is supported"))),
    };
    let start = member.data_start().ok_or_else(|| damaged(path, "the array has no data"))?;
    let packed = bytes.window(start, member.compressed_size());
    if packed.length() < member.compressed_size() {
        return Err(damaged(path, "the array extends beyond the end of the file"));
    }
    let compression = Compression::ZipMember { deflated, crc32: member.crc32() };
    Ok(FileOrigin::member(path, packed, compression, member.size()))
}

fn damaged(path: &Path, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Damaged { path: path.to_owned(), format: Format::Npz, cause: cause.into() }
}
