//! The crate's error type: what was found, where, and what is allowed.

mod hint;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use arrow_schema::ArrowError;

use crate::condition::ConditionProblem;
use crate::encode::EncodeProblem;
use crate::input::{Format, RowPlace, UnreadColumn};
use crate::names::Listed;
use crate::numbers::counted;

/// The result type of this crate.
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
/// assert_eq!(hint.unwrap(), "check the spelling, or use the full path");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not exist.
    #[error("{}: no such file", path.display())]
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// The path names a directory.
    #[error("{}: is a directory; expected a file", path.display())]
    IsDirectory {
        /// The path as given.
        path: PathBuf,
    },
    /// A folder of parts holds no files.
    #[error("{}: there are no files in this folder", path.display())]
    NoParts {
        /// The path as given.
        path: PathBuf,
        /// How many folders are in it.
        n_folders: usize,
    },
    /// No file matches a pattern.
    #[error("{}: no file matches this pattern", path.display())]
    NoMatch {
        /// The pattern as given.
        path: PathBuf,
    },
    /// Every part of a table is empty.
    #[error("{}: {}; at least 1 row is needed", path.display(), without_rows(*n_parts))]
    PartsWithoutRows {
        /// The path as given.
        path: PathBuf,
        /// How many files there are.
        n_parts: usize,
    },
    /// The parts of a table are in different formats.
    #[error("{}: this is {format} but {} is {expected}; all parts must have the same format", path.display(), first.display())]
    PartFormat {
        /// The part.
        path: PathBuf,
        /// Its format.
        format: Format,
        /// The first part.
        first: PathBuf,
        /// The format of that.
        expected: Format,
    },
    /// The parts of a table have different columns.
    #[error("{}: {}; all parts must have the same columns", path.display(), other_columns(first, lacking, extra))]
    PartColumns {
        /// The part.
        path: PathBuf,
        /// The first part.
        first: PathBuf,
        /// Columns of the first part that this one lacks.
        lacking: Vec<String>,
        /// Columns that only this part has.
        extra: Vec<String>,
    },
    /// A column has different types in the parts of a table.
    #[error("{}: column {column:?} is of type {found} but of type {expected} in {}", path.display(), first.display())]
    PartType {
        /// The part.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its type there.
        found: String,
        /// The first part.
        first: PathBuf,
        /// Its type in that.
        expected: String,
    },
    /// The user has no permission to read the file.
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
        /// The error of the operating system or the decompressor.
        #[source]
        cause: io::Error,
    },
    /// A temporary file, needed to read a compressed file out of order, could not be written.
    #[error("{}: cannot be unpacked to a temporary file in {}", path.display(), directory.display())]
    Spool {
        /// The path as given.
        path: PathBuf,
        /// The directory for temporary files.
        directory: PathBuf,
        /// The error of the operating system.
        #[source]
        cause: io::Error,
    },
    /// A pipe delivers more data than allowed, possibly without end.
    #[error("{}: more than {} were read from this pipe, {}", path.display(), ByteSize(*limit), the_limit(disk.as_deref()))]
    PipeTooLong {
        /// The path as given.
        path: PathBuf,
        /// The maximum number of bytes.
        limit: u64,
        /// The directory for temporary files, if its free space is the limit and not the caller's.
        disk: Option<PathBuf>,
    },
    /// A compressed file unpacks to more than fits the disk.
    #[error("{}: unpacks to more than {}, {}", path.display(), ByteSize(*limit), the_limit(Some(directory)))]
    UnpackedTooLong {
        /// The path as given.
        path: PathBuf,
        /// The maximum number of bytes.
        limit: u64,
        /// The directory for temporary files.
        directory: PathBuf,
    },
    /// The file is empty.
    #[error("{}: the file is empty", path.display())]
    Empty {
        /// The path as given.
        path: PathBuf,
    },
    /// The file has columns but no rows.
    #[error("{}: has {} but no data rows; at least 1 row is needed", path.display(), counted(*n_columns as u64, "column"))]
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
    /// The given separator cannot be used.
    #[error("cannot use {:?} as the delimiter; it must be an ASCII character other than a quote or a line break", char::from(*delimiter))]
    Delimiter {
        /// The separator, as a byte.
        delimiter: u8,
    },
    /// A CSV record is implausibly long, most likely because a quote is not closed.
    #[error("{}: the record that begins in line {line} is longer than {limit} bytes", path.display())]
    RecordTooLong {
        /// The path as given.
        path: PathBuf,
        /// The line in which the record begins, counted from 1.
        line: u64,
        /// The longest record allowed, in bytes.
        limit: usize,
    },
    /// A CSV file ends inside a quoted field.
    #[error("{}: a double quote in the record that begins in line {line} is never closed", path.display())]
    UnclosedQuote {
        /// The path as given.
        path: PathBuf,
        /// The line in which the record begins, counted from 1.
        line: u64,
    },
    /// Two columns have the same name.
    #[error("{}: columns {first} and {second} are both called {name:?}; names must differ", path.display())]
    DuplicateColumn {
        /// The path as given.
        path: PathBuf,
        /// The name they share.
        name: String,
        /// Position of the first, counted from 1.
        first: usize,
        /// Position of the second, counted from 1.
        second: usize,
        /// The format, which determines the hint.
        format: Format,
    },
    /// A compressed file is truncated.
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
        /// The error of the decompressor.
        #[source]
        cause: io::Error,
    },
    /// The format is not supported.
    #[error("{}: {found}; supported are {}", path.display(), Format::LIST)]
    UnknownFormat {
        /// The path as given.
        path: PathBuf,
        /// What the file looks like.
        found: &'static str,
    },
    /// A file violates its format.
    #[error("{}: the {format} file is damaged", path.display())]
    Damaged {
        /// The path as given.
        path: PathBuf,
        /// The format.
        format: Format,
        /// The error of its reader.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An array file is shorter than its header says.
    #[error("{}: the {format} file is truncated: it has {found} bytes, but its header says {expected}", path.display())]
    Truncated {
        /// The path as given.
        path: PathBuf,
        /// The format.
        format: Format,
        /// The number of bytes, unpacked.
        found: u64,
        /// How many the header announces.
        expected: u64,
    },
    /// An array has no columns, or too many.
    #[error("{}: the array has shape {}; it must have at least 1 dimension and 1 to {limit} values per row", path.display(), shape_text(shape))]
    ArrayShape {
        /// The path as given.
        path: PathBuf,
        /// The dimensions of the array.
        shape: Vec<u64>,
        /// The maximum number of values per row.
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
    /// The element type of a `.npy` array is not supported.
    #[error(
        "{}: the array has elements of type {descr}; supported are booleans, integers, floats of 2, 4 or 8 bytes and text",
        path.display()
    )]
    NpyType {
        /// The path as given.
        path: PathBuf,
        /// The type as the header gives it.
        descr: String,
    },
    /// A sparse matrix is stored in a layout that is not supported.
    #[error("{}: the sparse matrix has the layout {found:?}; supported are \"csr\" and \"csc\"", path.display())]
    SparseLayout {
        /// The path as given.
        path: PathBuf,
        /// The layout.
        found: String,
    },
    /// A line of an svmlight file is invalid.
    #[error("{}: line {line}: {problem}", path.display())]
    Svmlight {
        /// The path as given.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What was found, and what is allowed.
        problem: String,
    },
    /// A file has several arrays or data sets, and none is named.
    #[error("{}: contains {} {what}; name one of them: {}", path.display(), names.len(), names.join(", "))]
    ManyParts {
        /// The path as given.
        path: PathBuf,
        /// What the parts are: arrays or data sets.
        what: &'static str,
        /// Their names.
        names: Vec<String>,
    },
    /// The file does not have the named array or data set.
    #[error("{}: {wanted:?} is not one of its {what}: {}", path.display(), names.join(", "))]
    NoSuchPart {
        /// The path as given.
        path: PathBuf,
        /// What the parts are: arrays or data sets.
        what: &'static str,
        /// The given name.
        wanted: String,
        /// The names in the file.
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
    /// A cell holds a value that its column's type cannot represent.
    #[error("{}: {place}, column {column:?}: found {value}; expected {allowed}", path.display())]
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
    /// A list of numbers has another length than the first.
    #[error(
        "{}: {place}, column {column:?}: the list has {}; all lists must have {expected}",
        path.display(), counted(*found as u64, "element")
    )]
    ListLength {
        /// The path as given.
        path: PathBuf,
        /// The row.
        place: RowPlace,
        /// The column.
        column: String,
        /// How many elements the list has.
        found: usize,
        /// How many the first list has.
        expected: usize,
    },
    /// An element of a list of numbers is missing.
    #[error("{}: {place}, column {column:?}: element {element} of the list is missing", path.display())]
    ListGap {
        /// The path as given.
        path: PathBuf,
        /// The row.
        place: RowPlace,
        /// The column.
        column: String,
        /// The element, counted from 0.
        element: usize,
    },
    /// No column of the file can be read.
    #[error("{}: no column can be read{}", path.display(), unread_text(unread))]
    NoColumns {
        /// The path as given.
        path: PathBuf,
        /// The columns that are there.
        unread: Vec<UnreadColumn>,
    },
    /// Arrow failed to build, convert or concatenate an array.
    #[error("{}: cannot be turned into arrays", path.display())]
    Arrow {
        /// The path as given.
        path: PathBuf,
        /// The error of Arrow.
        #[source]
        cause: ArrowError,
    },
    /// The file does not have the wanted row.
    #[error("{}: there is no row {row} (counted from 0); the file has {}", path.display(), counted(*n_rows, "row"))]
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
    /// A condition is invalid, or does not fit the table.
    #[error("{}condition `{}`: {problem}", before(path.as_deref()), shortened(condition))]
    Condition {
        /// The file whose rows it selects; `None` while parsing.
        path: Option<PathBuf>,
        /// The condition as written.
        condition: String,
        /// What is wrong.
        problem: Box<ConditionProblem>,
    },
    /// A table cannot be encoded as a matrix.
    #[error(transparent)]
    Encode(#[from] EncodeProblem),
}

impl Error {
    /// Returns the error with the file whose rows a condition selects.
    pub(crate) fn in_file(self, file: &Path) -> Error {
        match self {
            Error::Condition { condition, problem, .. } => {
                Error::Condition { path: Some(file.to_owned()), condition, problem }
            }
            other => other,
        }
    }

    /// Returns the error for a failure of Arrow on the content of `path`.
    pub(crate) fn arrow(path: &Path, cause: ArrowError) -> Error {
        Error::Arrow { path: path.to_owned(), cause }
    }

    /// Returns the error for a failure to open or read `path`.
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

/// Returns what limits the size of a temporary file: the free space of its directory if one is given.
fn the_limit(directory: Option<&Path>) -> String {
    match directory {
        None => "which is the limit".to_owned(),
        Some(directory) => format!("half of the free space in {}", directory.display()),
    }
}

fn without_rows(n_parts: usize) -> String {
    if n_parts == 1 { "its only file has no rows".into() } else { format!("none of its {n_parts} files has a row") }
}

/// Returns how the columns of a part differ from those of the first.
fn other_columns(first: &Path, lacking: &[String], extra: &[String]) -> String {
    let first = first.display();
    match (lacking, extra) {
        (lacking, []) => format!("lacks {}, which {first} has", Listed(lacking)),
        ([], extra) => format!("has {}, which {first} lacks", Listed(extra)),
        (lacking, extra) => format!("has {} instead of {}, which {first} has", Listed(extra), Listed(lacking)),
    }
}

/// Returns the prefix of a message about a file.
fn before(path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| format!("{}: ", path.display()))
}

/// Returns `text`, cut off if it is longer than a line.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_LENGTH: usize = 80;
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns the dimensions in Python's notation.
fn shape_text(shape: &[u64]) -> String {
    let dimensions: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("({})", dimensions.join(", "))
}

/// Returns names and types of the columns, on one line.
pub(crate) fn unread_text(unread: &[UnreadColumn]) -> String {
    let columns: Vec<String> =
        unread.iter().map(|column| format!("{:?} is {}", column.name, column.data_type)).collect();
    if columns.is_empty() { String::new() } else { format!(": {}", columns.join(", ")) }
}

/// Shows a number of bytes in the largest unit that fits.
pub(crate) struct ByteSize(pub(crate) u64);

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_u64 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        match units.into_iter().find(|(size, _)| self.0 >= *size) {
            Some((size, unit)) => write!(f, "{:.1} {unit}", self.0 as f64 / size as f64),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_operating_system_have_their_own_variants() {
        let kinds = [
            (io::ErrorKind::NotFound, "a.csv: no such file"),
            (io::ErrorKind::PermissionDenied, "a.csv: no permission to read it"),
            (io::ErrorKind::IsADirectory, "a.csv: is a directory; expected a file"),
            (io::ErrorKind::TimedOut, "a.csv: cannot be read"),
        ];
        for (kind, message) in kinds {
            assert_eq!(Error::from_io(Path::new("a.csv"), kind.into()).to_string(), message);
        }
    }
}
