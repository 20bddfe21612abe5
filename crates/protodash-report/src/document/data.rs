//! Where the rows of a run came from, so that the same files can be read the same way again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Whether what a result stores instead of a path stands for an array or a table in memory.
pub(super) fn is_in_memory(path: &str) -> bool {
    ["array", "table"].contains(&path)
}

/// Where the rows came from and how their columns were used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataRecord {
    /// The path as given, or `array` or `table` for data in memory.
    pub source: String,
    /// The same for the rows to represent, if they are in another file or object.
    pub target: Option<String>,
    /// The file whose rows follow those of the source as fixed prototypes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<String>,
    /// The SQL condition on rows to choose from.
    pub source_where: Option<String>,
    /// The SQL condition on rows to represent.
    pub target_where: Option<String>,
    /// Number of source rows sampled at random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_sample: Option<usize>,
    /// Number of target rows sampled at random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_sample: Option<usize>,
    /// The feature columns; empty means all.
    pub columns: Vec<String>,
    /// Columns that are not features.
    pub drop: Vec<String>,
    /// The column with ids.
    pub id: Option<String>,
    /// The column with classes.
    pub label: Option<String>,
    /// The file with the classes of source rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_labels: Option<String>,
    /// The file with the classes of target rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_labels: Option<String>,
    /// The column with weights of target rows.
    pub target_weight: Option<String>,
    /// Columns that are shown with the rows and are not features.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub show: Vec<String>,
    /// How numbers were scaled; `null` is the default for the kind of data.
    pub scale: Option<String>,
    /// Whether each row was scaled to length 1.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub normalize: bool,
    /// Columns whose numbers are categories.
    pub categorical: Vec<String>,
    /// How missing values were treated.
    pub missing: String,
    /// Whether a text file has a header line.
    pub header: bool,
    /// The delimiter of a text file, if it was given.
    pub delimiter: Option<char>,
    /// Keys of a newer version of the format.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl DataRecord {
    /// Data in memory whose numbers were used as they are; `source` is `array` or `table`.
    #[must_use]
    pub fn in_memory(source: &str, has_target: bool) -> DataRecord {
        DataRecord {
            source: source.to_owned(),
            target: has_target.then(|| source.to_owned()),
            fixed: None,
            source_where: None,
            target_where: None,
            source_sample: None,
            target_sample: None,
            columns: Vec::new(),
            drop: Vec::new(),
            id: None,
            label: None,
            source_labels: None,
            target_labels: None,
            target_weight: None,
            show: Vec::new(),
            scale: Some("none".to_owned()),
            normalize: false,
            categorical: Vec::new(),
            missing: "error".to_owned(),
            header: true,
            delimiter: None,
            other: Map::new(),
        }
    }

    /// Whether the rows came from an array or a table in memory, which have no file name.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        is_in_memory(&self.source)
    }

    /// Whether the rows to represent differ from those to choose from.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::DataRecord;
    ///
    /// let mut data = DataRecord::in_memory("table", false);
    /// assert!(!data.has_separate_target());
    /// data.target_where = Some("age > 60".to_owned());
    /// assert!(data.has_separate_target());
    /// ```
    #[must_use]
    pub fn has_separate_target(&self) -> bool {
        // A target with the same file as the source is the source.
        let other = self.target.as_ref().is_some_and(|target| *target != self.source || self.is_in_memory());
        // Fixed rows of another file are not among the rows to represent.
        other
            || self.fixed.is_some()
            || self.target_where != self.source_where
            || self.target_sample != self.source_sample
    }
}
