//! What the caller of a reader may decide.

/// How a file is to be read where its content does not say.
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
    /// The separator of a CSV file; `None` (the default) finds out which of comma, semicolon, tab and bar it is.
    pub delimiter: Option<u8>,
    /// The column of a CSV file whose cells name the rows, if any: `1.10` is then not the number 1.1, nor is `NA` a
    /// missing value among words. Whole numbers stay numbers.
    pub id: Option<String>,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions { header: true, delimiter: None, id: None }
    }
}
