//! The one error of this crate: what was found, where, and what is allowed.

mod hint;

use std::io;
use std::path::{Path, PathBuf};

use arrow_schema::ArrowError;

use crate::condition::ConditionProblem;
use crate::encode::EncodeProblem;
use crate::input::{Format, RowPlace, UnreadColumn};

/// Result of everything in this crate that can fail.
///
/// # Examples
///
/// ```
/// use protodash_table::{Error, Input, ReadOptions, Result};
///
/// fn count(path: &str) -> Result<u64> {
///     Ok(Input::open(path.as_ref(), &ReadOptions::default())?.n_rows())
/// }
/// assert!(matches!(count("no such file.csv"), Err(Error::NotFound { .. })));
/// ```
pub type Result<T> = std::result::Result<T, Error>;

/// What is wrong with a file, a condition, or the roles of columns.
///
/// The message (`Display`) says what was found, where, and what is allowed; [`Error::hint`] says what to try next.
/// Files are named as the caller named them. A row is given as a [`RowPlace`].
///
/// # Examples
///
/// ```
/// use protodash_table::{Input, ReadOptions};
///
/// let error = Input::open("missing.csv".as_ref(), &ReadOptions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "missing.csv: no such file");
/// let hint = error.hint().unwrap().render(|_setting| None);
/// assert_eq!(hint.unwrap(), "check the spelling, or give the whole path");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no file of that name.
    #[error("{}: no such file", path.display())]
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// The path names a directory.
    #[error("{}: is a directory, a file is expected", path.display())]
    IsDirectory {
        /// The path as given.
        path: PathBuf,
    },
    /// The operating system does not let this user read the file.
    #[error("{}: no permission to read it", path.display())]
    NoPermission {
        /// The path as given.
        path: PathBuf,
    },
    /// Reading failed for another reason.
    #[error("{}: cannot be read", path.display())]
    Read {
        /// The path as given.
        path: PathBuf,
        /// What the operating system or the decompressor said.
        #[source]
        cause: io::Error,
    },
    /// A temporary file, needed to read a compressed file out of order, could not be written.
    #[error("{}: cannot be unpacked to a temporary file in {}", path.display(), directory.display())]
    Spool {
        /// The path as given.
        path: PathBuf,
        /// Where the temporary file was to be.
        directory: PathBuf,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },
    /// The file has no content at all.
    #[error("{}: the file is empty", path.display())]
    Empty {
        /// The path as given.
        path: PathBuf,
    },
    /// The file has columns but not one row.
    #[error("{}: has {} but no data rows, at least 1 row is needed", path.display(), counted(*n_columns as u64, "column"))]
    NoRows {
        /// The path as given.
        path: PathBuf,
        /// The format.
        format: Format,
        /// How many columns it declares.
        n_columns: usize,
    },
    /// A line of a CSV file has more or fewer fields than the first.
    #[error("{}: line {line} has {} but line {first_line} has {expected}", path.display(), counted(*found as u64, "field"))]
    Ragged {
        /// The path as given.
        path: PathBuf,
        /// The line in which the record begins, counted from 1.
        line: u64,
        /// How many fields that record has.
        found: usize,
        /// The line of the first record.
        first_line: u64,
        /// How many fields the first record has.
        expected: usize,
        /// How many lines the record spans: more than 1 when a quoted field holds line breaks.
        n_lines: u64,
        /// The separator in use.
        delimiter: u8,
    },
    /// A separator was given that cannot separate.
    #[error("the separator {:?} cannot be used, allowed is any ASCII character but quote and line break", char::from(*delimiter))]
    Delimiter {
        /// The separator, as a byte.
        delimiter: u8,
    },
    /// A CSV record is longer than any sane one, most likely for want of a closing quotation mark.
    #[error("{}: the record that begins in line {line} is longer than {limit} bytes", path.display())]
    RecordTooLong {
        /// The path as given.
        path: PathBuf,
        /// The line in which the record begins, counted from 1.
        line: u64,
        /// The longest record allowed, in bytes.
        limit: usize,
    },
    /// A CSV file ends within a quotation.
    #[error("{}: a double quote in the record that begins in line {line} is never closed", path.display())]
    UnclosedQuote {
        /// The path as given.
        path: PathBuf,
        /// The line in which the record begins, counted from 1.
        line: u64,
    },
    /// Two columns have one name.
    #[error("{}: columns {first} and {second} are both called {name:?}, names must differ", path.display())]
    DuplicateColumn {
        /// The path as given.
        path: PathBuf,
        /// The name they share.
        name: String,
        /// Position of the first, counted from 1.
        first: usize,
        /// Position of the second, counted from 1.
        second: usize,
        /// The format, which decides what can be done about it.
        format: Format,
    },
    /// A compressed file ends before its compressed data do.
    #[error("{}: the {compression} data end too early", path.display())]
    TruncatedCompression {
        /// The path as given.
        path: PathBuf,
        /// `gzip`, `xz` or `zstd`.
        compression: &'static str,
    },
    /// Compressed data are damaged.
    #[error("{}: the {compression} data are damaged", path.display())]
    DamagedCompression {
        /// The path as given.
        path: PathBuf,
        /// `gzip`, `xz` or `zstd`.
        compression: &'static str,
        /// What the decompressor said.
        #[source]
        cause: io::Error,
    },
    /// The content is of no format that can be read.
    #[error("{}: {found}, allowed are {}", path.display(), Format::LIST)]
    UnknownFormat {
        /// The path as given.
        path: PathBuf,
        /// What the file looks like.
        found: &'static str,
    },
    /// A file of a known format is not as that format demands.
    #[error("{}: the {format} file is damaged", path.display())]
    Damaged {
        /// The path as given.
        path: PathBuf,
        /// The format.
        format: Format,
        /// What its reader said.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An array file is shorter than its header says.
    #[error("{}: the {format} file ends after {found} bytes, its header calls for {expected}", path.display())]
    Truncated {
        /// The path as given.
        path: PathBuf,
        /// The format.
        format: Format,
        /// How many bytes there are, unpacked.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// An array has no rows and columns, or too many columns.
    #[error("{}: the array has shape {}, allowed are at least 1 dimension and 1 to {limit} values a row", path.display(), shape_text(shape))]
    ArrayShape {
        /// The path as given.
        path: PathBuf,
        /// The dimensions of the array.
        shape: Vec<u64>,
        /// The most values a row may have.
        limit: usize,
    },
    /// The header of a `.npy` file is not what NumPy writes.
    #[error("{}: the .npy header is invalid: {problem}", path.display())]
    NpyHeader {
        /// The path as given.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The elements of a `.npy` array are of a type that is not read.
    #[error(
        "{}: the elements of the array are {descr}, allowed are booleans, integers, floats of 2, 4 or 8 bytes and text",
        path.display()
    )]
    NpyType {
        /// The path as given.
        path: PathBuf,
        /// The type as the header gives it.
        descr: String,
    },
    /// A file has several arrays or data sets and none was named.
    #[error("{}: holds {} {what}, one must be named: {}", path.display(), names.len(), names.join(", "))]
    ManyParts {
        /// The path as given.
        path: PathBuf,
        /// What the parts are: arrays or data sets.
        what: &'static str,
        /// Their names.
        names: Vec<String>,
    },
    /// A part was named that the file does not have.
    #[error("{}: {wanted:?} is not among its {what}: {}", path.display(), names.join(", "))]
    NoSuchPart {
        /// The path as given.
        path: PathBuf,
        /// What the parts are: arrays or data sets.
        what: &'static str,
        /// The name that was given.
        wanted: String,
        /// The names there are.
        names: Vec<String>,
    },
    /// A line of a JSON lines file is not one object.
    #[error("{}: line {line}, character {character}: {problem}", path.display())]
    Json {
        /// The path as given.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// The character in that line, counted from 1.
        character: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A cell holds a value that its column's type cannot take.
    #[error("{}: {place}, column {column:?}: found {value}, allowed are {allowed}", path.display())]
    OutOfRange {
        /// The path as given.
        path: PathBuf,
        /// The row.
        place: RowPlace,
        /// The column.
        column: String,
        /// The value.
        value: String,
        /// What the column may hold.
        allowed: &'static str,
    },
    /// No column of the file can be read.
    #[error("{}: no column can be read{}", path.display(), unread_text(unread))]
    NoColumns {
        /// The path as given.
        path: PathBuf,
        /// The columns that are there.
        unread: Vec<UnreadColumn>,
    },
    /// Arrow refused to build, convert or concatenate an array.
    #[error("{}: cannot be turned into arrays", path.display())]
    Arrow {
        /// The path as given.
        path: PathBuf,
        /// What Arrow said.
        #[source]
        cause: ArrowError,
    },
    /// The file does not have the wanted row.
    #[error("{}: there is no row {row} (counted from 0), the file has {n_rows} rows", path.display())]
    RowOutOfRange {
        /// The path as given.
        path: PathBuf,
        /// The row, counted from 0.
        row: u64,
        /// How many rows there are.
        n_rows: u64,
    },
    /// Rows of a table are not in ascending order.
    #[error("table row {row} follows row {previous}; rows must ascend")]
    RowOrder {
        /// The row, counted from 0.
        row: u64,
        /// The row before it.
        previous: u64,
    },
    /// There are more or fewer ids or labels than rows.
    #[error("there are {given} {what} for {n_rows} rows; there must be one for each")]
    RowNames {
        /// `ids` or `labels`.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many rows there are.
        n_rows: usize,
    },
    /// The file is no longer what it was when it was opened.
    #[error("{}: changed while it was being read, at {place}", path.display())]
    Changed {
        /// The path as given.
        path: PathBuf,
        /// Where the difference was noticed.
        place: RowPlace,
    },
    /// A condition is not one, or does not fit the table.
    #[error("{}condition `{}`: {problem}", before(path.as_deref()), shortened(condition))]
    Condition {
        /// The file whose rows it was to choose; `None` before it met a file.
        path: Option<PathBuf>,
        /// The condition as written.
        condition: String,
        /// What is wrong.
        problem: ConditionProblem,
    },
    /// A table cannot become a matrix in the way that was asked for.
    #[error(transparent)]
    Encode(#[from] EncodeProblem),
}

impl Error {
    /// Returns the error with the file whose rows a condition was to choose.
    pub(crate) fn in_file(self, file: &Path) -> Error {
        match self {
            Error::Condition { condition, problem, .. } => {
                Error::Condition { path: Some(file.to_owned()), condition, problem }
            }
            other => other,
        }
    }

    /// Returns the error that stands for a failure of Arrow over the content of `path`.
    pub(crate) fn arrow(path: &Path, cause: ArrowError) -> Error {
        Error::Arrow { path: path.to_owned(), cause }
    }

    /// Returns the error that stands for a failed opening or reading of `path`.
    pub(crate) fn from_io(path: &Path, cause: io::Error) -> Error {
        let path = path.to_owned();
        match cause.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Error::NotFound { path },
            io::ErrorKind::PermissionDenied => Error::NoPermission { path },
            io::ErrorKind::IsADirectory => Error::IsDirectory { path },
            _ => Error::Read { path, cause },
        }
    }
}

/// Returns the beginning of a message about a file, if there is one.
fn before(path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| format!("{}: ", path.display()))
}

/// Returns `text`, or its beginning if it is longer than a line.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns the dimensions as Python writes them.
fn shape_text(shape: &[u64]) -> String {
    let dimensions: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("({})", dimensions.join(", "))
}

/// Returns names and types of the columns, each on the same line.
fn unread_text(unread: &[UnreadColumn]) -> String {
    let columns: Vec<String> =
        unread.iter().map(|column| format!("{:?} is {}", column.name, column.data_type)).collect();
    if columns.is_empty() { String::new() } else { format!(": {}", columns.join(", ")) }
}

/// Returns "1 column" or "3 columns".
pub(crate) fn counted(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operating_system_errors_become_the_crate_s_own() {
        let kinds = [
            (io::ErrorKind::NotFound, "a.csv: no such file"),
            (io::ErrorKind::PermissionDenied, "a.csv: no permission to read it"),
            (io::ErrorKind::IsADirectory, "a.csv: is a directory, a file is expected"),
            (io::ErrorKind::TimedOut, "a.csv: cannot be read"),
        ];
        for (kind, message) in kinds {
            assert_eq!(Error::from_io(Path::new("a.csv"), kind.into()).to_string(), message);
        }
    }
}
