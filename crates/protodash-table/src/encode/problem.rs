//! What can be wrong with a table that is to become a matrix.

use std::fmt;
use std::path::PathBuf;

use super::roles::Missing;
use crate::error::shortened;
use crate::input::Place;
use crate::names::{Closest, Listed};

/// What is wrong with roles, features or values, the part of [`Error::Encode`](crate::Error::Encode) that says so.
///
/// Files are named as the caller named them; rows are counted from 1 in messages.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use protodash_table::{EncodeProblem, Error, Input, Part, ReadOptions, Roles, encode};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("people.csv");
/// std::fs::write(&path, "name,age\nAda,36\nEmmy,\n")?;
/// let people = Input::open(&path, &ReadOptions::default())?;
/// let mut on_and_on = |_, _| ControlFlow::Continue(());
/// let error = encode(Part::from(&people), None, &Roles::default(), &mut on_and_on).unwrap_err();
/// assert!(matches!(error, Error::Encode(EncodeProblem::MissingValues { .. })));
/// let message = "people.csv: missing values in column \"age\" (1 of 2 rows); the first is in line 3";
/// assert!(error.to_string().ends_with(message));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeProblem {
    /// A role is given to a column that the file does not have.
    #[error("{}: there is no column {name:?}, named by {flag}; {}", path.display(), Closest(closest))]
    UnknownColumn {
        /// The file.
        path: PathBuf,
        /// Which role, as the command's flag.
        flag: &'static str,
        /// The name as given.
        name: String,
        /// The names most like it.
        closest: Vec<String>,
    },
    /// A role is given to a column of a type that cannot be read.
    #[error(
        "{}: column {name:?}, named by {flag}, is of type {data_type}; only numbers, text and true/false can be read",
        path.display()
    )]
    UnreadColumn {
        /// The file.
        path: PathBuf,
        /// Which role, as the command's flag.
        flag: &'static str,
        /// The name as given.
        name: String,
        /// What the file says of its type.
        data_type: String,
    },
    /// A role is given by a name that fits several columns, which differ only in case.
    #[error("{}: {name:?}, named by {flag}, fits {}; write one of them exactly", path.display(), Listed(candidates))]
    AmbiguousColumn {
        /// The file.
        path: PathBuf,
        /// Which role, as the command's flag.
        flag: &'static str,
        /// The name as given.
        name: String,
        /// The columns it may mean.
        candidates: Vec<String>,
    },
    /// A column is said to be a feature and something else.
    #[error(
        "{}: column {column:?} is named by {flag} and by {other}, which keeps it from being a feature",
        path.display()
    )]
    Conflict {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The flag that makes it a feature.
        flag: &'static str,
        /// The flag that makes it something else.
        other: &'static str,
    },
    /// A column is said to be categorical but is not among the features that are listed.
    #[error(
        "{}: column {column:?} is named by --categorical but not by --columns, so it is no feature",
        path.display()
    )]
    NotAFeature {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// No column is left to be a feature.
    #[error("{}: no feature is left, each of the {n_columns} columns is dropped or has another role", path.display())]
    NoFeatures {
        /// The file.
        path: PathBuf,
        /// How many columns it has.
        n_columns: usize,
    },
    /// Source and target do not have the same features.
    #[error("{}", one_sided(source_path, only_source, target_path, only_target))]
    OneSided {
        /// The source's file.
        source_path: PathBuf,
        /// Features that only the source has.
        only_source: Vec<String>,
        /// The target's file.
        target_path: PathBuf,
        /// Features that only the target has.
        only_target: Vec<String>,
    },
    /// A feature holds numbers on one side and words on the other.
    #[error("column {column:?} holds numbers in {} but words in {}", numbers_path.display(), words_path.display())]
    DifferentKinds {
        /// The column.
        column: String,
        /// The file in which it holds numbers.
        numbers_path: PathBuf,
        /// The file in which it holds text or truth values.
        words_path: PathBuf,
    },
    /// A feature has both numbers and text.
    #[error(
        "{}: {place}, column {column:?}: found the text {:?} in a column of numbers{}",
        path.display(), shortened(value), and_more(*n_text)
    )]
    Mixed {
        /// The file.
        path: PathBuf,
        /// Where the first text is.
        place: Place,
        /// The column.
        column: String,
        /// The first text.
        value: String,
        /// How many cells are text.
        n_text: u64,
    },
    /// A text column has no value twice, so it names rows and cannot compare them.
    #[error(
        "{}: no two of the {n_values} values of text column {column:?} are the same, so it cannot be a feature",
        path.display()
    )]
    AllDistinct {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// How many values it has.
        n_values: u64,
    },
    /// The condition leaves no row.
    #[error("{}: none of the {n_rows} rows satisfies the condition `{condition}`", path.display())]
    NoRowsLeft {
        /// The file.
        path: PathBuf,
        /// How many rows the file has.
        n_rows: u64,
        /// The condition.
        condition: String,
    },
    /// Features have missing values and nothing is said about them.
    #[error(
        "{}: missing values in {}; the first is in {first_place}{}",
        path.display(), missing_columns(columns, *n_rows), among(columns, first_column)
    )]
    MissingValues {
        /// The file.
        path: PathBuf,
        /// The columns and how many values each lacks, in the order of the file.
        columns: Vec<(String, u64)>,
        /// How many rows were looked at.
        n_rows: u64,
        /// The first row that lacks a value.
        first_place: Place,
        /// The first column that lacks one there.
        first_column: String,
    },
    /// Levels are missing and are to be replaced by a number.
    #[error(
        "{}: column {column:?} is categorical and has missing values ({n_missing}), which {} cannot fill",
        path.display(), Flag(*rule)
    )]
    MissingLevels {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// How many values it lacks.
        n_missing: u64,
        /// The rule that was asked for.
        rule: Missing,
    },
    /// Missing values are to be replaced by the mean of a column that has no value in the source.
    #[error(
        "{}: column {column:?} has no value in any row of the source, so there is no mean to fill in",
        path.display()
    )]
    NoMean {
        /// The source's file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A value is infinite.
    #[error("{}: {place}, column {column:?}: found {value}, every number must be finite", path.display())]
    NotFinite {
        /// The file.
        path: PathBuf,
        /// Where it is.
        place: Place,
        /// The column.
        column: String,
        /// The value, as text so that it reads as in the file.
        value: String,
    },
    /// The numbers of a column are so large or so small that scaling them leaves the range of `f64`.
    #[error(
        "{}: column {column:?} reaches from {min:e} to {max:e}, which is too wide or too narrow a range to scale",
        path.display()
    )]
    ScaleRange {
        /// The source's file.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its smallest value.
        min: f64,
        /// Its largest value.
        max: f64,
    },
    /// Every row has the same features.
    #[error("{}: {}, so no row can be told from another", path.display(), all_constant(*n_columns))]
    AllConstant {
        /// The source's file.
        path: PathBuf,
        /// How many feature columns there are.
        n_columns: usize,
    },
    /// The matrix would take more memory than allowed.
    #[error(
        "{}: {n_rows} rows of {n_features} features need at least {}, more than the {} allowed{}",
        path.display(), Bytes(*bytes), Bytes(*memory), widest_text(widest.as_ref())
    )]
    TooLarge {
        /// The source's file.
        path: PathBuf,
        /// Rows of source and target, as far as they were read.
        n_rows: u64,
        /// Features, as far as levels were read.
        n_features: u64,
        /// Bytes that takes.
        bytes: u64,
        /// Bytes allowed.
        memory: u64,
        /// The column with the most levels and how many it has, if there are levels.
        widest: Option<(String, u64)>,
    },
    /// The column of target weights does not hold numbers.
    #[error("{}: column {column:?} holds {found}, target weights must be numbers", path.display())]
    WeightsNotNumbers {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// What it holds instead.
        found: &'static str,
    },
    /// A target weight is missing, negative or infinite.
    #[error(
        "{}: {place}, column {column:?}: the target weight is {found}, it must be a number of at least 0",
        path.display()
    )]
    BadWeight {
        /// The file.
        path: PathBuf,
        /// Where it is.
        place: Place,
        /// The column.
        column: String,
        /// What was found.
        found: String,
    },
    /// All target weights are 0.
    #[error("{}: all {n_rows} target weights in column {column:?} are 0, at least one must be larger", path.display())]
    ZeroWeights {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// How many rows there are.
        n_rows: u64,
    },
    /// A row has no key.
    #[error("{}: {place}, column {column:?}: the key is missing, every row must have one", path.display())]
    MissingKey {
        /// The file.
        path: PathBuf,
        /// The row.
        place: Place,
        /// The column of keys.
        column: String,
    },
    /// Two rows have the same key.
    #[error(
        "{}: the key {key:?} of column {column:?} is in {first} and in {second}; every row must have its own",
        path.display()
    )]
    DuplicateKey {
        /// The file.
        path: PathBuf,
        /// The column of keys.
        column: String,
        /// The key.
        key: String,
        /// The first row that has it.
        first: Place,
        /// The second.
        second: Place,
    },
    /// A table has none of the keys that are wanted.
    #[error("{}: none of its {n_keys} keys (such as {example:?}) is among those of --keys-of", path.display())]
    NoneWanted {
        /// The file.
        path: PathBuf,
        /// How many keys it has.
        n_keys: usize,
        /// One of them.
        example: String,
    },
    /// A table has no key that any other has.
    #[error("{}: none of its {n_keys} keys (such as {example:?}) is in any other table", path.display())]
    NothingShared {
        /// The file.
        path: PathBuf,
        /// How many keys it has.
        n_keys: usize,
        /// One of them.
        example: String,
    },
    /// The caller asked to stop.
    #[error("stopped before the table was read to its end")]
    Stopped,
}

fn one_sided(
    source_path: &std::path::Path,
    only_source: &[String],
    target_path: &std::path::Path,
    only_target: &[String],
) -> String {
    let not_in = |path: &std::path::Path, names: &[String]| {
        (!names.is_empty()).then(|| format!("not in {}: {}", path.display(), Listed(names)))
    };
    let sides: Vec<_> = not_in(target_path, only_source).into_iter().chain(not_in(source_path, only_target)).collect();
    format!("source and target must have the same features; {}", sides.join("; "))
}

fn and_more(n_text: u64) -> String {
    match n_text {
        0 | 1 => String::new(),
        2 => " (and 1 more)".into(),
        n => format!(" (and {} more)", n - 1),
    }
}

fn missing_columns(columns: &[(String, u64)], n_rows: u64) -> String {
    const MOST: usize = 20;
    let shown: Vec<_> = columns.iter().take(MOST).map(|(name, n)| format!("{name:?} ({n})")).collect();
    match columns {
        [(name, n)] => format!("column {name:?} ({n} of {n_rows} rows)"),
        _ if columns.len() > MOST => {
            format!("{} columns of {n_rows} rows: {} and others", columns.len(), shown.join(", "))
        }
        _ => format!("{} columns of {n_rows} rows: {}", columns.len(), shown.join(", ")),
    }
}

/// Returns which of several columns is meant, or nothing if there is only one.
fn among(columns: &[(String, u64)], column: &str) -> String {
    if columns.len() > 1 { format!(", column {column:?}") } else { String::new() }
}

fn widest_text(widest: Option<&(String, u64)>) -> String {
    widest.map_or_else(String::new, |(column, n)| format!("; most features come from column {column:?} ({n} of them)"))
}

fn all_constant(n_columns: usize) -> String {
    match n_columns {
        1 => "the only feature column is constant".into(),
        n => format!("all {n} feature columns are constant"),
    }
}

/// Shows a rule for missing values as the command's flag.
struct Flag(Missing);

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Missing::Error => "--missing error",
            Missing::Category => "--missing category",
            Missing::Mean => "--missing mean",
            Missing::Zero => "--missing zero",
        })
    }
}

/// Shows a number of bytes in the largest unit of which there is at least one.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_u64 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        match units.into_iter().find(|(size, _)| self.0 >= *size) {
            Some((size, unit)) => write!(f, "{:.1} {unit}", self.0 as f64 / size as f64),
            None => write!(f, "{} bytes", self.0),
        }
    }
}
