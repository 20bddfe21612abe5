//! The data flags of a run in the format, so that the same files can later be read in the same way.

use serde::{Deserialize, Serialize};

/// Where the rows came from and what their columns were for, as the flags said it.
///
/// # Examples
///
/// ```
/// use protodash_result::Document;
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// assert_eq!(document.data.source, "people.csv");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flags {
    /// The path as given; signs that are no text are replaced.
    pub source: String,
    /// The path of the rows to be represented, if they are in another file.
    pub target: Option<String>,
    /// The condition on rows to choose from.
    pub source_where: Option<String>,
    /// The condition on rows to be represented.
    pub target_where: Option<String>,
    /// How many source rows were drawn, by the seed of the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_sample: Option<usize>,
    /// How many target rows were drawn, by the seed of the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_sample: Option<usize>,
    /// The columns that are features; all if none is named.
    pub columns: Vec<String>,
    /// The columns that are none.
    pub drop: Vec<String>,
    /// The column that names rows.
    pub id: Option<String>,
    /// The column of classes.
    pub label: Option<String>,
    /// The path of a file with the classes of source rows, as given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_labels: Option<String>,
    /// The path of a file with the classes of target rows, as given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_labels: Option<String>,
    /// The column that says how much target rows count.
    pub target_weight: Option<String>,
    /// `null` is the default for the kind of file.
    pub scale: Option<String>,
    /// The columns whose numbers are codes.
    pub categorical: Vec<String>,
    /// What became of missing values.
    pub missing: String,
    /// Whether a text file has a header.
    pub header: bool,
    /// What separates the cells of a text file, if it was said.
    pub delimiter: Option<char>,
}
