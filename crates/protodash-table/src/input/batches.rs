//! The rows of a file in batches, up to the first error.

use std::fmt;
use std::path::PathBuf;

use arrow_array::RecordBatch;

use super::RowPlace;
use crate::{Error, Result};

/// The rows of a file, batch by batch; see [`Input::batches`](crate::Input::batches).
///
/// # Examples
///
/// ```
/// # use protodash_table::{Input, ReadOptions};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("a.csv");
/// std::fs::write(&path, "x\n1\n2\n")?;
/// let mut batches = Input::open(&path, &ReadOptions::default())?.batches()?;
/// assert_eq!(batches.next().unwrap()?.num_rows(), 2);
/// assert!(batches.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Batches(Box<dyn Iterator<Item = Result<RecordBatch>> + Send>);

impl Batches {
    pub(crate) fn new(rows: impl Iterator<Item = Result<RecordBatch>> + Send + 'static) -> Batches {
        Batches(Box::new(rows))
    }

    /// Returns the batches up to the first error; a number of rows other than `n_rows` is an error.
    pub(crate) fn counted(self, path: PathBuf, n_rows: u64) -> Batches {
        Batches::new(CountedBatches { rows: self.0, path, expected: n_rows, seen: 0, failed: false })
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        self.0.next()
    }
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Batches").finish_non_exhaustive()
    }
}

/// Passes batches on up to the first error, and checks that the number of rows has not changed since the file was opened.
struct CountedBatches {
    rows: Box<dyn Iterator<Item = Result<RecordBatch>> + Send>,
    path: PathBuf,
    expected: u64,
    seen: u64,
    failed: bool,
}

impl Iterator for CountedBatches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        if self.failed {
            return None;
        }
        let batch = self.rows.next();
        self.seen += batch.as_ref().and_then(|batch| batch.as_ref().ok()).map_or(0, RecordBatch::num_rows) as u64;
        let ended_early = batch.is_none() && self.seen < self.expected;
        let changed = ended_early || self.seen > self.expected;
        self.failed = changed || matches!(batch, Some(Err(_)));
        let error = || Error::Changed { path: self.path.clone(), place: RowPlace::Row(self.seen.min(self.expected)) };
        if changed { Some(Err(error())) } else { batch }
    }
}
