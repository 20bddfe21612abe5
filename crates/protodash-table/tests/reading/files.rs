//! Sample files for the tests of the readers, their compression, and the cells of a batch.

#![allow(clippy::print_stderr)] // skipped tests are reported on stderr

use std::io::Write;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_cast::display::array_value_to_string;
use arrow_schema::ArrowError;
use protodash_table::{Input, ReadOptions, Result};

/// Returns the path of a small file in the repository.
pub(crate) fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/formats").join(name)
}

/// Returns a path of real data, or `None` after printing that it is skipped.
///
/// # Panics
///
/// If there is none although the tests run in CI, where nothing may be skipped.
pub(crate) fn real_data(what: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("PROTODASH_DATA").map_or_else(beside, PathBuf::from);
    let found = folder.join(what);
    if found.exists() {
        return Some(found);
    }
    assert!(std::env::var_os("CI").is_none(), "{} not found", found.display());
    eprintln!("skipped: {} not found", found.display());
    None
}

/// Writes `bytes` to a file called `name` in `directory`.
pub(crate) fn write(directory: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = directory.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Opens a file with the default options.
pub(crate) fn open(path: &Path) -> Result<Input> {
    Input::open(path, &ReadOptions::default())
}

/// Returns `bytes` in each compression, with its extension.
pub(crate) fn packed(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    vec![("", bytes.to_vec()), (".gz", gzip(bytes)), (".xz", xz(bytes)), (".zst", zstd::encode_all(bytes, 3).unwrap())]
}

/// Returns `bytes` compressed with gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns `bytes` compressed with xz.
pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(3);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns all rows of `input` as text, missing cells as `-`.
pub(crate) fn cells(input: &Input) -> Vec<Vec<String>> {
    input.batches().unwrap().flat_map(|batch| batch_cells(&batch.unwrap()).unwrap()).collect()
}

/// Returns the rows of `batch` as text, missing cells as `-`.
pub(crate) fn batch_cells(batch: &RecordBatch) -> std::result::Result<Vec<Vec<String>>, ArrowError> {
    let cell = |row: usize| {
        move |column: &arrow_array::ArrayRef| match column.is_null(row) {
            true => Ok("-".to_owned()),
            false => array_value_to_string(column, row),
        }
    };
    (0..batch.num_rows()).map(|row| batch.columns().iter().map(cell(row)).collect()).collect()
}

/// Returns the names of the columns.
pub(crate) fn names(input: &Input) -> Vec<&str> {
    input.columns().iter().map(|column| column.name.as_str()).collect()
}
