//! Problems of turning a table into a matrix.

use std::path::PathBuf;

use super::roles::MissingRule;
use crate::advice::Setting;
use crate::error::{ByteSize, counted, shortened, unread_text};
use crate::input::{Format, RowPlace, UnreadColumn};
use crate::names::{Closest, Listed};

/// What is wrong with roles, features or values: the problem of an [`Error::Encode`](crate::Error::Encode).
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
/// let mut go_on = |_, _| ControlFlow::Continue(());
/// let error = encode(Part::from(&people), None, &Roles::default(), &mut go_on).unwrap_err();
/// assert!(matches!(error, Error::Encode(EncodeProblem::MissingValues { .. })));
/// let message = "people.csv: missing values in column \"age\" (1 of 2 rows); the first is in line 3";
/// assert!(error.to_string().ends_with(message));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeProblem {
    /// A setting names a column that the file does not have.
    #[error("{}: there is no column {name:?}; {}", path.display(), Closest(closest))]
    UnknownColumn {
        /// The file.
        path: PathBuf,
        /// The setting that names it.
        setting: Setting,
        /// The name as given.
        name: String,
        /// The most similar names.
        closest: Vec<String>,
    },
    /// A setting names a column of a type that cannot be read.
    #[error(
        "{}: column {name:?} is of type {data_type}; only numbers, text and true/false can be read",
        path.display()
    )]
    UnreadColumn {
        /// The file.
        path: PathBuf,
        /// The setting that names it.
        setting: Setting,
        /// The name as given.
        name: String,
        /// Its type, as the file gives it.
        data_type: String,
    },
    /// A setting gives a name that matches several columns, which differ only in case.
    #[error("{}: {name:?} matches several columns: {}", path.display(), Listed(candidates))]
    AmbiguousColumn {
        /// The file.
        path: PathBuf,
        /// The setting that names it.
        setting: Setting,
        /// The name as given.
        name: String,
        /// The columns it matches.
        candidates: Vec<String>,
    },
    /// A column has a role that excludes being a feature.
    #[error("{}: column {column:?} cannot be both {} and {}", path.display(), setting.role(), other.role())]
    Conflict {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The setting that makes it a feature.
        setting: Setting,
        /// The setting that gives it the other role.
        other: Setting,
    },
    /// A categorical column is not one of the features.
    #[error("{}: column {column:?} is set to be categorical but is not one of the features", path.display())]
    NotAFeature {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// No features are left.
    #[error("{}: no features are left: {}", path.display(), other_roles(*n_columns, unread))]
    NoFeatures {
        /// The file.
        path: PathBuf,
        /// How many columns it has.
        n_columns: usize,
        /// The columns that cannot be read.
        unread: Vec<UnreadColumn>,
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
    /// A feature is numeric on one side only.
    #[error("column {column:?} is numeric in {} but not in {}", numbers_path.display(), words_path.display())]
    DifferentKinds {
        /// The column.
        column: String,
        /// The file in which it is numeric.
        numbers_path: PathBuf,
        /// The file in which it holds text or true/false.
        words_path: PathBuf,
    },
    /// A feature has both numbers and text.
    #[error(
        "{}: {place}, column {column:?}: found text {:?} in a numeric column{}",
        path.display(), shortened(value), and_more(*n_text)
    )]
    Mixed {
        /// The file.
        path: PathBuf,
        /// The first row with text.
        place: RowPlace,
        /// The column.
        column: String,
        /// The first text.
        value: String,
        /// How many cells are text.
        n_text: u64,
    },
    /// All values of a text column are unique, so it names rows rather than describing them.
    #[error(
        "{}: every value of text column {column:?} is unique, so it cannot be used as a category{}",
        path.display(), not_a_date(no_date, local_date)
    )]
    AllDistinct {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// How many values it has.
        n_values: u64,
        /// The first value that is not a date, and where it is, if nearly all values are dates.
        no_date: Option<Box<(String, RowPlace)>>,
        /// The first date that is not in the form of ISO 8601, if nearly all values are such dates.
        local_date: Option<Box<str>>,
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
    /// Source and target are not both sparse, or count their columns differently.
    #[error(
        "{}: the rows are {}, those of {} are {}; source and target must be files of one kind",
        path.display(), rows_of(*format), other.display(), rows_of(*other_format)
    )]
    OtherRows {
        /// The source's file.
        path: PathBuf,
        /// Its format.
        format: Format,
        /// The target's file.
        other: PathBuf,
        /// The format of that.
        other_format: Format,
    },
    /// A setting chooses or changes columns of sparse rows.
    #[error("{}: holds sparse rows, whose features cannot be chosen by name, scaled or made categorical", path.display())]
    SparseSetting {
        /// The file.
        path: PathBuf,
        /// The setting.
        setting: Setting,
    },
    /// Sparse rows cannot be used here.
    #[error("{}: holds sparse rows; tables that are matched by keys must have columns", path.display())]
    SparseKeyed {
        /// The file.
        path: PathBuf,
    },
    /// No sparse row has a value.
    #[error("{}: no row has a value other than 0", path.display())]
    NoValues {
        /// The file.
        path: PathBuf,
    },
    /// Sparse rows do not fit the memory limit.
    #[error(
        "{}: the values of {n_rows} sparse rows need at least {}, more than the {} allowed",
        path.display(), ByteSize(*bytes), ByteSize(*memory)
    )]
    SparseTooLarge {
        /// The file.
        path: PathBuf,
        /// Rows read so far.
        n_rows: u64,
        /// Bytes that they need.
        bytes: u64,
        /// Bytes allowed.
        memory: u64,
    },
    /// Features have missing values, and the rule for these is [`MissingRule::Error`].
    #[error(
        "{}: missing values in {}; the first is in {first_place}{}",
        path.display(), missing_columns(columns, *n_rows), among(columns, first_column)
    )]
    MissingValues {
        /// The file.
        path: PathBuf,
        /// The columns and the number of missing values in each, in the order of the file.
        columns: Vec<(String, u64)>,
        /// Whether one of them is categorical, so no number can replace its missing values.
        has_categorical: bool,
        /// How many rows were read.
        n_rows: u64,
        /// The first row with a missing value.
        first_place: RowPlace,
        /// The first column that has none there.
        first_column: String,
    },
    /// A categorical column has missing values, which the rule would replace with a number.
    #[error(
        "{}: categorical column {column:?} has {}, which cannot be replaced with {}",
        path.display(), counted(*n_missing, "missing value"), if *rule == MissingRule::Mean { "a mean" } else { "zero" }
    )]
    MissingLevels {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// The number of missing values.
        n_missing: u64,
        /// The rule for missing values.
        rule: MissingRule,
    },
    /// Missing values are to be replaced with the mean of a column that has no values in the source.
    #[error("{}: column {column:?} has no values in the source, so its mean is undefined", path.display())]
    NoMean {
        /// The source's file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A value is infinite.
    #[error("{}: {place}, column {column:?}: found {value}; every number must be finite", path.display())]
    NotFinite {
        /// The file.
        path: PathBuf,
        /// The row.
        place: RowPlace,
        /// The column.
        column: String,
        /// The value.
        value: String,
    },
    /// The numbers of a column are so large or so small that scaling leaves the range of `f64`.
    #[error(
        "{}: column {column:?} ranges from {min:e} to {max:e}, which is too wide or too narrow to scale",
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
    /// All rows are equal.
    #[error("{}: {}, so all rows are equal", path.display(), all_constant(*n_columns))]
    AllConstant {
        /// The source's file.
        path: PathBuf,
        /// How many feature columns there are.
        n_columns: usize,
    },
    /// The matrix needs more memory than allowed.
    #[error(
        "{}: {n_rows} rows of {n_features} features need at least {}, more than the {} allowed{}",
        path.display(), ByteSize(*bytes), ByteSize(*memory), widest_text(widest.as_ref())
    )]
    TooLarge {
        /// The source's file.
        path: PathBuf,
        /// Rows of source and target read so far.
        n_rows: u64,
        /// Features seen so far.
        n_features: u64,
        /// Bytes that they need.
        bytes: u64,
        /// Bytes allowed.
        memory: u64,
        /// The column with the most features and their number, if it has more than two.
        widest: Option<(String, u64)>,
    },
    /// The column of target weights does not hold numbers.
    #[error("{}: column {column:?} holds {found}; target weights must be numbers", path.display())]
    WeightsNotNumbers {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// What it holds.
        found: &'static str,
    },
    /// A target weight is missing, negative or infinite.
    #[error(
        "{}: {place}, column {column:?}: the target weight is {found}; it must be a number of at least 0",
        path.display()
    )]
    BadWeight {
        /// The file.
        path: PathBuf,
        /// The row.
        place: RowPlace,
        /// The column.
        column: String,
        /// What was found.
        found: String,
    },
    /// All target weights are 0.
    #[error("{}: all {n_rows} target weights in column {column:?} are 0; at least one must be larger", path.display())]
    ZeroWeights {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// How many rows there are.
        n_rows: u64,
    },
    /// A row has no key.
    #[error("{}: {place}, column {column:?}: the key is missing; every row must have one", path.display())]
    MissingKey {
        /// The file.
        path: PathBuf,
        /// The row.
        place: RowPlace,
        /// The column of keys.
        column: String,
    },
    /// Two rows have the same key.
    #[error(
        "{}: key {key:?} in column {column:?} is in {first} and again in {second}; keys must be unique",
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
        first: RowPlace,
        /// The second.
        second: RowPlace,
    },
    /// A table has none of the requested keys.
    #[error("{}: none of its {n_keys} keys (such as {example:?}) is one of the requested keys", path.display())]
    NoneWanted {
        /// The file.
        path: PathBuf,
        /// How many keys it has.
        n_keys: usize,
        /// One of them.
        example: String,
    },
    /// A table shares no key with any other.
    #[error("{}: none of its {n_keys} keys (such as {example:?}) is in any other table", path.display())]
    NothingShared {
        /// The file.
        path: PathBuf,
        /// How many keys it has.
        n_keys: usize,
        /// One of them.
        example: String,
    },
    /// The caller stopped the run.
    #[error("stopped while reading")]
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

fn not_a_date(no_date: &Option<Box<(String, RowPlace)>>, local_date: &Option<Box<str>>) -> String {
    match (no_date.as_deref(), local_date) {
        (Some((value, place)), _) => format!("; nearly all are dates, but {value:?} in {place} is not"),
        (None, Some(first)) => format!("; dates are numbers if written as 2024-01-31, not as {first:?}"),
        (None, None) => String::new(),
    }
}

fn missing_columns(columns: &[(String, u64)], n_rows: u64) -> String {
    const MAX_SHOWN: usize = 20;
    let shown: Vec<_> = columns.iter().take(MAX_SHOWN).map(|(name, n)| format!("{name:?} ({n})")).collect();
    match columns {
        [(name, n)] => format!("column {name:?} ({n} of {n_rows} rows)"),
        _ if columns.len() > MAX_SHOWN => {
            format!("{} columns of {n_rows} rows: {} and others", columns.len(), shown.join(", "))
        }
        _ => format!("{} columns of {n_rows} rows: {}", columns.len(), shown.join(", ")),
    }
}

/// Returns the column, or nothing if there is only one.
fn among(columns: &[(String, u64)], column: &str) -> String {
    if columns.len() > 1 { format!(", column {column:?}") } else { String::new() }
}

fn widest_text(widest: Option<&(String, u64)>) -> String {
    widest.map_or_else(String::new, |(column, n)| format!("; {n} of the features come from column {column:?}"))
}

fn all_constant(n_columns: usize) -> String {
    match n_columns {
        1 => "the only feature column is constant".into(),
        n => format!("all {n} feature columns are constant"),
    }
}

/// Why the columns of a file are not features.
fn other_roles(n_columns: usize, unread: &[UnreadColumn]) -> String {
    let roles = match n_columns {
        1 => "the only column is dropped or has another role".to_owned(),
        _ => format!("all {n_columns} columns are dropped or have another role"),
    };
    match unread {
        [] => roles,
        _ => format!("{roles}, and others cannot be read{}", unread_text(unread)),
    }
}

/// Returns what kind of rows files of a format have.
fn rows_of(format: Format) -> String {
    match format {
        Format::Svmlight | Format::ScipyNpz => format!("sparse ({format})"),
        _ => format!("not sparse ({format})"),
    }
}
