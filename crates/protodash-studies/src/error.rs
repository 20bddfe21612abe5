//! The one error of the studies.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// What can end a study early.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_studies::Error::Stopped.to_string(), "the study was stopped; finished trials are kept");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file of the data cannot be read.
    #[error(transparent)]
    Table(#[from] protodash_table::Error),

    /// A file of the data is not what the study expects.
    #[error("{}: {message}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// What it has, and what is needed.
        message: String,
    },

    /// A setting of the study cannot be.
    #[error("{name} is {given}; it must be {allowed}")]
    Setting {
        /// Which.
        name: &'static str,
        /// What was given.
        given: usize,
        /// What may be given.
        allowed: &'static str,
    },

    /// The core refused something.
    #[error(transparent)]
    Core(protodash::Error),

    /// The folder holds trials that were made in another way.
    #[error("{} holds trials of another protocol: {differences}", path.display())]
    OtherProtocol {
        /// The journal.
        path: PathBuf,
        /// What is there, and what was asked for.
        differences: String,
    },

    /// The folder holds trials that were made of other files.
    #[error("{} holds trials of other data, by the sizes of files: {differences}", path.display())]
    OtherData {
        /// The journal.
        path: PathBuf,
        /// The files that differ, with their sizes in bytes there and here.
        differences: String,
    },

    /// The journal cannot be understood.
    #[error("{}: line {line} is not a finished trial: {message}", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },

    /// A file cannot be written or read.
    #[error("{}: cannot be written", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },

    /// A picture of the page cannot be made.
    #[error(transparent)]
    Page(#[from] protodash_report::Error),

    /// The threads cannot be started.
    #[error("cannot start the threads")]
    Threads(#[source] rayon::ThreadPoolBuildError),

    /// Whoever watches wants no more.
    #[error("the study was stopped; finished trials are kept")]
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
