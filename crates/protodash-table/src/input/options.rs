//! Options for reading a file.

/// How to read a file, where its content does not determine that.
///
/// # Examples
///
/// ```
/// use protodash_table::ReadOptions;
///
/// let mut options = ReadOptions::default();
/// assert!(options.header && options.delimiter.is_none());
/// options.header = false; // the first line of a CSV file is data
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Whether the first line of a CSV file names the columns (the default); if not they are `column_1`, `column_2`, ….
    pub header: bool,
    /// The separator of a CSV file; `None` (the default) detects comma, semicolon, tab or bar.
    pub delimiter: Option<u8>,
    /// The id column of a CSV file, if any: there, `1.10` is not the number 1.1, and `NA` among words is not missing.
    /// Integers stay numbers.
    pub id: Option<String>,
    /// The label column of a CSV file, if any: there too, `1.10` is not the number 1.1.
    pub label: Option<String>,
    /// The columns in use, `None` (the default) for all; columns of lists that are not among them are not read.
    pub columns: Option<Vec<String>>,
    /// Columns that are not in use; if they hold lists, these are not read, so that they may have any length.
    pub drop: Vec<String>,
    /// Columns that are shown: those of bytes, which no other setting can use, are read if they are among them.
    pub show: Vec<String>,
    /// The maximum number of bytes read from a pipe, which are kept in a temporary file; unlimited by default.
    pub pipe_limit: u64,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            header: true,
            delimiter: None,
            id: None,
            label: None,
            columns: None,
            drop: Vec::new(),
            show: Vec::new(),
            pipe_limit: u64::MAX,
        }
    }
}

impl ReadOptions {
    /// Returns whether a column is shown; case is ignored, as it may be in names.
    pub(crate) fn shows(&self, name: &str) -> bool {
        self.show.iter().any(|other| other.to_lowercase() == name.to_lowercase())
    }

    /// Returns whether a column of lists is in use; case is ignored, as it may be in names.
    pub(crate) fn reads_list(&self, name: &str) -> bool {
        let is = |other: &String| other.to_lowercase() == name.to_lowercase();
        // `e[0]` names an element of `e`.
        let is_of = |other: &String| is(other) || other.rsplit_once('[').is_some_and(|(list, _)| is(&list.to_owned()));
        self.columns.as_ref().is_none_or(|columns| columns.iter().any(is_of)) && !self.drop.iter().any(is)
    }
}
