//! The error of the command: what is wrong, where, and what to try.

use std::io;
use std::path::{Path, PathBuf};

use protodash_report::core_hint;
use protodash_terminal::{Exit, UserError};
use thiserror::Error;

use crate::settings::flag;

/// Why the command failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum Failure {
    /// The command line is wrong, whatever the files contain.
    #[error("{message}")]
    Call {
        /// What was given and what is allowed.
        message: String,
        /// What to try.
        hint: String,
    },

    /// A condition on the command line is invalid.
    #[error("{flag}: {cause}")]
    Condition {
        /// The flag it was given with.
        flag: &'static str,
        /// What is wrong with it.
        cause: Box<protodash_table::Error>,
    },

    /// A file cannot be read or turned into a matrix.
    #[error(transparent)]
    Table(Box<protodash_table::Error>),

    /// The core rejected the data or the parameters.
    #[error("{}: {}", path.display(), core_message(cause))]
    Core {
        /// The file concerned.
        path: PathBuf,
        /// The error of the core, with row numbers of the file.
        cause: protodash::Error,
    },

    /// A file does not contain a kernel matrix.
    #[error("{}: {message}", path.display())]
    KernelMatrix {
        /// The file.
        path: PathBuf,
        /// What was found, and where.
        message: String,
        /// What to try.
        hint: &'static str,
    },

    /// The class labels do not match the rows or the flags.
    #[error("{}: {message}", path.display())]
    Labels {
        /// The file.
        path: PathBuf,
        /// What was found, and what is allowed.
        message: String,
        /// What to try.
        hint: &'static str,
    },

    /// A row that a flag names is not in the data.
    #[error("{message}")]
    Rows {
        /// Which row, and which there are.
        message: String,
        /// What to try.
        hint: String,
    },

    /// A file is not a usable result.
    #[error("{}: {message}", path.display())]
    NotAResult {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
        /// What to try.
        hint: &'static str,
    },

    /// A result was given where data are expected.
    #[error("{}: this is a protodash result, not data", path.display())]
    NotData {
        /// The file.
        path: PathBuf,
        /// Whether it is a result of `protodash explain`, which has no prototypes to criticize.
        is_explanation: bool,
    },

    /// A result was made from different data.
    #[error("{}: {message}", path.display())]
    OtherData {
        /// The result.
        path: PathBuf,
        /// What differs.
        message: String,
    },

    /// The tables do not match the flags.
    #[error("{message}")]
    Tables {
        /// What was expected and what was found.
        message: String,
        /// What to try.
        hint: &'static str,
    },

    /// The output cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file as given.
        path: PathBuf,
        /// Why.
        #[source]
        cause: WriteError,
    },

    /// Writing to standard output failed, other than with a broken pipe.
    #[error("cannot write to standard output")]
    Stdout {
        /// The error of the operating system.
        #[source]
        cause: io::Error,
    },

    /// The reader of standard output has closed it, which is not an error.
    #[error("broken pipe")]
    BrokenPipe,

    /// The threads cannot be started.
    #[error("cannot start the threads")]
    Threads {
        /// The error of the operating system.
        #[source]
        cause: rayon::ThreadPoolBuildError,
    },

    /// Ctrl-C.
    #[error("interrupted: nothing was written")]
    Interrupted,
}

impl From<protodash_table::Error> for Failure {
    fn from(cause: protodash_table::Error) -> Failure {
        Failure::Table(Box::new(cause))
    }
}

/// Why a file cannot be written.
#[derive(Debug, Error)]
pub(crate) enum WriteError {
    /// The operating system reports an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The rows cannot be written as CSV.
    #[error(transparent)]
    Csv(#[from] arrow_schema::ArrowError),
    /// The rows cannot be written as Parquet.
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The result cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The report cannot be created.
    #[error(transparent)]
    Page(#[from] protodash_report::Error),
}

impl Failure {
    /// Returns the failure for a wrong command line, with a hint.
    pub(crate) fn call(message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::Call { message: message.into(), hint: hint.into() }
    }

    /// Returns the failure for an error of the core about the data in `path`.
    pub(crate) fn core(path: &Path, cause: protodash::Error) -> Failure {
        match cause {
            protodash::Error::Cancelled => Failure::Interrupted,
            cause => Failure::Core { path: path.to_owned(), cause },
        }
    }

    /// Returns the failure for a failed write to standard output.
    pub(crate) fn stdout(cause: io::Error) -> Failure {
        match cause.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::Stdout { cause },
        }
    }
}

impl UserError for Failure {
    fn exit(&self) -> Exit {
        match self {
            Failure::Call { .. } | Failure::Condition { .. } => Exit::Call,
            Failure::BrokenPipe => Exit::Success,
            Failure::Interrupted => Exit::Interrupted,
            _ => Exit::Run,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Failure::Call { hint, .. } | Failure::Rows { hint, .. } => Some(hint.clone()),
            Failure::Condition { cause, .. } | Failure::Table(cause) => cause.hint()?.render(flag),
            Failure::Core { cause, .. } => core_hint(cause)?.render(flag),
            Failure::KernelMatrix { hint, .. }
            | Failure::Labels { hint, .. }
            | Failure::NotAResult { hint, .. }
            | Failure::Tables { hint, .. } => Some((*hint).to_owned()),
            Failure::NotData { path, is_explanation: true } => Some(format!(
                "use the original data file; `protodash report {} -o report.html` shows the result",
                path.display()
            )),
            Failure::NotData { path, .. } => {
                let path = path.display();
                Some(format!(
                    "use the original data file; `protodash report {path} -o report.html` shows the result, and \
                     `protodash criticize {path} SOURCE` finds the rows it represents worst"
                ))
            }
            Failure::OtherData { .. } => Some("use the original files, or run the selection again".into()),
            Failure::Write { cause: WriteError::Io(cause), .. } => match cause.kind() {
                io::ErrorKind::IsADirectory | io::ErrorKind::InvalidInput => Some("specify a file name".into()),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                    Some("create the folder first, or use another one".into())
                }
                io::ErrorKind::PermissionDenied => Some("use a folder with write permission".into()),
                io::ErrorKind::StorageFull => Some("free some space, or write to another disk".into()),
                _ => None,
            },
            Failure::Threads { .. } => Some("use fewer --threads".into()),
            _ => None,
        }
    }
}

/// The core's message; if it names rows, it says that they are counted from 0.
fn core_message(cause: &protodash::Error) -> String {
    use protodash::{Error, MatrixProblem};
    match cause {
        Error::NotFinite { .. }
        | Error::KernelNotFinite { .. }
        | Error::KernelMatrix {
            problem: MatrixProblem::NotFinite { .. } | MatrixProblem::NotSymmetric { .. }, ..
        }
        | Error::NegativeDiagonal { .. }
        | Error::NegativeSchurComplement { .. } => format!("{cause} (rows are counted from 0)"),
        // The path before the message names the table.
        Error::NothingToRepresent { .. } => Error::NOTHING_TO_REPRESENT.into(),
        other => other.to_string(),
    }
}
