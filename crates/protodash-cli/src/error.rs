//! The one error of the command: what was wrong, where, and what to try.

use std::io;
use std::path::{Path, PathBuf};

use protodash_terminal::{Exit, UserError};
use thiserror::Error;

/// Why the command could not do what it was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum Failure {
    /// The call is wrong whatever the files hold.
    #[error("{message}")]
    Call {
        /// What was given and what is allowed.
        message: String,
        /// What to try.
        hint: String,
    },

    /// A condition in the call cannot be understood.
    #[error("{flag}: {cause}")]
    Condition {
        /// The flag it was given with.
        flag: &'static str,
        /// What is wrong with it; it has no cause of its own.
        cause: Box<protodash_table::Error>,
    },

    /// A file cannot be read or turned into a matrix.
    #[error(transparent)]
    Table(Box<protodash_table::Error>),

    /// The core refused the data or the parameters.
    #[error("{}: {}", path.display(), core_message(cause))]
    Core {
        /// The file that it speaks of.
        path: PathBuf,
        /// What the core said, in rows of the file.
        cause: protodash::Error,
    },

    /// A file does not hold a kernel matrix.
    #[error("{}: {message}", path.display())]
    KernelMatrix {
        /// The file.
        path: PathBuf,
        /// What was found where.
        message: String,
        /// What to try.
        hint: &'static str,
    },

    /// The classes do not fit the rows or what was asked of them.
    #[error("{}: {message}", path.display())]
    Labels {
        /// The file.
        path: PathBuf,
        /// What was found, and what is allowed.
        message: String,
        /// What to try.
        hint: &'static str,
    },

    /// A file is not a result that can be used, or not by itself.
    #[error("{}: {message}", path.display())]
    NotAResult {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
        /// What to try.
        hint: &'static str,
    },

    /// A result and the data do not belong together.
    #[error("{}: {message}", path.display())]
    OtherData {
        /// The result.
        path: PathBuf,
        /// What differs.
        message: String,
    },

    /// Several tables together are not what the flags say.
    #[error("{message}")]
    Tables {
        /// What was given and what is there.
        message: String,
        /// What to try.
        hint: &'static str,
    },

    /// The output cannot be written.
    #[error("{}: cannot be written", path.display())]
    Write {
        /// The file as given.
        path: PathBuf,
        /// Why.
        #[source]
        cause: WriteError,
    },

    /// The standard output cannot be written to, and not because its reader has left.
    #[error("cannot write to the standard output")]
    Stdout {
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },

    /// Nobody reads the output any more, which is no mistake of anybody's.
    #[error("the reader of the output has left")]
    ReaderLeft,

    /// The threads cannot be started.
    #[error("cannot start the threads")]
    Threads {
        /// What the operating system said.
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

/// What can keep a file from being written.
#[derive(Debug, Error)]
pub(crate) enum WriteError {
    /// The operating system refuses.
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
    /// The page cannot be made.
    #[error(transparent)]
    Page(#[from] protodash_report::Error),
}

impl Failure {
    /// A wrong call, with what to try.
    pub(crate) fn call(message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::Call { message: message.into(), hint: hint.into() }
    }

    /// What the core said of the data in `path`.
    pub(crate) fn core(path: &Path, cause: protodash::Error) -> Failure {
        match cause {
            protodash::Error::Cancelled => Failure::Interrupted,
            cause => Failure::Core { path: path.to_owned(), cause },
        }
    }

    /// A failed write to the standard output.
    pub(crate) fn stdout(cause: io::Error) -> Failure {
        match cause.kind() {
            io::ErrorKind::BrokenPipe => Failure::ReaderLeft,
            _ => Failure::Stdout { cause },
        }
    }
}

impl UserError for Failure {
    fn exit(&self) -> Exit {
        match self {
            Failure::Call { .. } | Failure::Condition { .. } => Exit::Call,
            Failure::ReaderLeft => Exit::Success,
            Failure::Interrupted => Exit::Interrupted,
            _ => Exit::Run,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Failure::Call { hint, .. } => Some(hint.clone()),
            Failure::Condition { cause, .. } | Failure::Table(cause) => cause.hint(),
            Failure::Core { cause, .. } => core_hint(cause),
            Failure::KernelMatrix { hint, .. }
            | Failure::Labels { hint, .. }
            | Failure::NotAResult { hint, .. }
            | Failure::Tables { hint, .. } => Some((*hint).to_owned()),
            Failure::OtherData { .. } => {
                Some("give the files that the selection was made from, or make the selection again".into())
            }
            Failure::Write { cause: WriteError::Io(cause), .. } => match cause.kind() {
                io::ErrorKind::IsADirectory => Some("give the name of a file".into()),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                    Some("make the folder first, or give another one".into())
                }
                io::ErrorKind::PermissionDenied => Some("give a folder that you may write to".into()),
                io::ErrorKind::StorageFull => Some("make room, or give a folder on another disk".into()),
                _ => None,
            },
            Failure::Threads { .. } => Some("give a smaller number with --threads".into()),
            _ => None,
        }
    }
}

/// What the core said, with rows and columns of matrices counted from 1 as in the other messages about files.
fn core_message(cause: &protodash::Error) -> String {
    use protodash::Error;
    match cause {
        Error::NotSymmetric { row, column, value, mirrored } => {
            let (row, column) = (row + 1, column + 1);
            format!(
                "the kernel matrix is not symmetric: row {row}, column {column} has {value}, but row {column}, \
                 column {row} has {mirrored} (counted from 1)"
            )
        }
        Error::DifferentColumns { target, available } => format!(
            "the kernel matrix of the target has {target} columns and that of the source has {available} rows; there \
             must be a column for each source row"
        ),
        other => other.to_string(),
    }
}

fn core_hint(cause: &protodash::Error) -> Option<String> {
    use protodash::Error;
    Some(match cause {
        Error::TooManyPrototypes { available, .. } => format!("give -m {available} or fewer"),
        Error::NumberOfMedoidsNeeded => "give a number with -m, or another --method".into(),
        Error::FewerPrototypesThanClasses { classes, .. } => {
            format!("give -m {classes} or more, or leave --per-label out")
        }
        Error::OutOfRange { name: "the number of folds", .. } => {
            "there are too few rows to hold some of them out; give --bandwidth median or a number".into()
        }
        Error::UnreachableNumber { below, above, .. } => {
            let numbers: Vec<String> = below.iter().chain([above]).map(|number| format!("-m {number}")).collect();
            format!("give {}, or another --method", numbers.join(" or "))
        }
        Error::NoDistance { .. } => "give --bandwidth 1: when all rows are equal, every width does the same".into(),
        Error::OutOfRange { name: "bandwidth", .. } => {
            "the rows are too far apart or too close together; write the values in another unit, or give --scale standard"
                .into()
        }
        Error::KernelNotFinite { .. } => {
            "the values are too large for this kernel; give --scale standard or another --kernel".into()
        }
        Error::NotSquare { .. } => {
            "with --kernel precomputed SOURCE has a row and a column for each row of the data; without that flag it is \
             the data itself"
                .into()
        }
        Error::NotSymmetric { .. }
        | Error::NotPositiveSemidefinite { .. }
        | Error::NegativeDiagonal { .. }
        | Error::NegativeSchurComplement { .. } => {
            "a kernel matrix holds similarities, such as exp(-distance^2), not distances".into()
        }
        Error::DifferentColumns { .. } => {
            "the matrix given with --target has a row for each target row and a column for each source row".into()
        }
        _ => return None,
    })
}
