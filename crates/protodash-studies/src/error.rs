//! Errors of the studies.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a study ended early.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_studies::Error::Stopped.to_string(), "the study was stopped; finished units are kept");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A data file cannot be read.
    #[error(transparent)]
    Table(#[from] protodash_table::Error),

    /// A data file is missing or not what the study expects.
    #[error("{}: {message}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// What was found and what is needed.
        message: String,
    },

    /// A setting is out of range.
    #[error("{name} is {given}; it must be {allowed}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// The value given.
        given: usize,
        /// The values allowed.
        allowed: &'static str,
    },

    /// The core reported an error.
    #[error(transparent)]
    Core(protodash::Error),

    /// The folder belongs to a run with other settings.
    #[error("{} belongs to a run with other settings: {differences}", path.display())]
    OtherProtocol {
        /// The journal.
        path: PathBuf,
        /// The differences between the journal and this run.
        differences: String,
    },

    /// The folder belongs to a run on other files.
    #[error("{} belongs to a run on other data files (sizes differ): {differences}", path.display())]
    OtherData {
        /// The journal.
        path: PathBuf,
        /// The files that differ, with both sizes in bytes.
        differences: String,
    },

    /// A line of the journal cannot be parsed.
    #[error("{}: line {line} is not a finished unit: {message}", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with the line.
        message: String,
    },

    /// An output file cannot be written.
    #[error("{}: cannot be written", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        cause: io::Error,
    },

    /// An image of the report cannot be drawn.
    #[error(transparent)]
    Page(#[from] protodash_report::Error),

    /// The threads cannot be started.
    #[error("cannot start the threads")]
    Threads(#[source] rayon::ThreadPoolBuildError),

    /// The observer stopped the study.
    #[error("the study was stopped; finished units are kept")]
    Stopped,
}

impl From<protodash::Error> for Error {
    fn from(cause: protodash::Error) -> Error {
        match cause {
            protodash::Error::Cancelled => Error::Stopped,
            cause => Error::Core(cause),
        }
    }
}

/// A result of this crate.
///
/// # Examples
///
/// ```
/// let stopped: protodash_studies::Result<()> = Err(protodash_studies::Error::Stopped);
/// assert!(stopped.is_err());
/// ```
pub type Result<T> = std::result::Result<T, Error>;
