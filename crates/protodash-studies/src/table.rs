//! Tables of a study as text cells, CSV and Markdown.

use serde::{Deserialize, Serialize};

/// A table of a study, with text cells.
///
/// # Examples
///
/// ```
/// use protodash_studies::ResultTable;
///
/// let mut table = ResultTable::new("ranks", "Average ranks", &["questionnaire", "rank"]);
/// table.push(vec!["Smoking, at home".into(), "3.50".into()]);
/// assert_eq!(table.csv(), "questionnaire,rank\n\"Smoking, at home\",3.50\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResultTable {
    /// The file name without its extension.
    pub name: String,
    /// The title.
    pub title: String,
    /// The column headings.
    pub columns: Vec<String>,
    /// The rows, each with a cell per column.
    pub rows: Vec<Vec<String>>,
}

impl ResultTable {
    /// An empty table.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash_studies::ResultTable::new("people", "Who was asked", &["n"]).rows.is_empty());
    /// ```
    pub fn new(name: &str, title: &str, columns: &[&str]) -> ResultTable {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        ResultTable { name: name.to_owned(), title: title.to_owned(), columns, rows: Vec::new() }
    }

    /// Appends a row; missing cells stay empty.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut table = protodash_studies::ResultTable::new("t", "", &["a", "b"]);
    /// table.push(vec!["1".into()]);
    /// assert_eq!(table.rows, [["1", ""]]);
    /// ```
    pub fn push(&mut self, mut cells: Vec<String>) {
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    /// The table as CSV.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_studies::ResultTable::new("t", "", &["a", "b"]).csv(), "a,b\n");
    /// ```
    pub fn csv(&self) -> String {
        [&self.columns].into_iter().chain(&self.rows).map(|cells| csv_line(cells)).collect()
    }

    /// The table as Markdown.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut table = protodash_studies::ResultTable::new("t", "", &["a", "b"]);
    /// table.push(vec!["x|y".into(), "2".into()]);
    /// assert_eq!(table.markdown(), "| a | b |\n| --- | --- |\n| x\\|y | 2 |\n");
    /// ```
    pub fn markdown(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("| {} |\n", vec!["---"; self.columns.len()].join(" | "));
        line(&self.columns) + &rule + &self.rows.iter().map(line).collect::<String>()
    }
}

/// Cells as a line of CSV.
pub(crate) fn csv_line(cells: &[impl AsRef<str>]) -> String {
    cells.iter().map(|cell| quoted(cell.as_ref())).collect::<Vec<_>>().join(",") + "\n"
}

/// A cell of CSV, quoted where necessary.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}
