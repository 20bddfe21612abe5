//! Explanations as one table, for CSV, Parquet and data frames.

use super::{ExplainedRow, ExplainingRow, ExplanationDocument};

/// A column of [`ExplanationDocument::table`].
#[derive(Debug, Clone, PartialEq)]
pub struct LongColumn {
    /// Its name.
    pub name: &'static str,
    /// A value for each line, if it has one.
    pub values: LongValues,
}

/// The values of a [`LongColumn`].
#[derive(Debug, Clone, PartialEq)]
pub enum LongValues {
    /// Row numbers and ranks.
    Whole(Vec<Option<u64>>),
    /// Weights, shares and distances.
    Number(Vec<Option<f64>>),
    /// Names, and what is alike and what differs.
    Text(Vec<Option<String>>),
    /// Answers to yes-or-no questions.
    Flag(Vec<Option<bool>>),
}

/// An explained row, and one of its prototypes with its position.
type LongLine<'a> = (&'a ExplainedRow, Option<(usize, &'a ExplainingRow)>);

impl ExplanationDocument {
    /// One line for each row and each of its prototypes, with ids and labels only if there are some; a row without
    /// prototypes has one line.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::{ExplanationDocument, LongValues};
    ///
    /// let table = ExplanationDocument::example().table();
    /// assert!(table.iter().all(|column| column.name != "label"));
    /// assert_eq!(table[5].name, "rank");
    /// assert_eq!(table[5].values, LongValues::Whole(vec![Some(1), Some(2), None]));
    /// ```
    #[must_use]
    pub fn table(&self) -> Vec<LongColumn> {
        let is_name = |name| matches!(name, "id" | "label" | "source_id" | "source_label");
        self.columns().into_iter().filter(|column| !is_name(column.name) || column.has_values()).collect()
    }

    /// The lines of [`table`](Self::table) with all columns.
    #[must_use]
    pub fn columns(&self) -> Vec<LongColumn> {
        let mut lines: Vec<LongLine<'_>> = Vec::new();
        for row in &self.explanations {
            lines.extend(row.prototypes.iter().enumerate().map(|prototype| (row, Some(prototype))));
            if row.prototypes.is_empty() {
                lines.push((row, None));
            }
        }
        let whole = |name, value: &dyn Fn(&LongLine<'_>) -> Option<u64>| LongColumn {
            name,
            values: LongValues::Whole(lines.iter().map(value).collect()),
        };
        let number = |name, value: &dyn Fn(&LongLine<'_>) -> Option<f64>| LongColumn {
            name,
            values: LongValues::Number(lines.iter().map(value).collect()),
        };
        let text = |name, value: &dyn Fn(&LongLine<'_>) -> Option<String>| LongColumn {
            name,
            values: LongValues::Text(lines.iter().map(value).collect()),
        };
        let similar = LongValues::Flag(lines.iter().map(|(row, _)| Some(row.similar)).collect());
        vec![
            whole("row", &|(row, _)| Some(row.row)),
            text("id", &|(row, _)| row.id.clone()),
            text("label", &|(row, _)| row.label.clone()),
            LongColumn { name: "similar", values: similar },
            number("nearest_distance", &|(row, _)| row.nearest_distance),
            number("explained", &|(row, _)| row.explained),
            whole("rank", &|(_, one)| one.map(|(place, _)| place as u64 + 1)),
            whole("source_index", &|(_, one)| one.map(|(_, one)| one.source_index)),
            text("source_id", &|(_, one)| one.and_then(|(_, one)| one.id.clone())),
            text("source_label", &|(_, one)| one.and_then(|(_, one)| one.label.clone())),
            number("weight", &|(_, one)| one.map(|(_, one)| one.weight)),
            number("share", &|(_, one)| one.map(|(_, one)| one.share)),
            number("distance", &|(_, one)| one.map(|(_, one)| one.distance)),
            text("alike", &|(_, one)| one.map(|(_, one)| one.alike.join("; "))),
            text("differs", &|(_, one)| one.map(|(_, one)| one.differs.join("; "))),
        ]
    }
}

impl LongColumn {
    /// Whether any line has a value.
    fn has_values(&self) -> bool {
        match &self.values {
            LongValues::Whole(values) => values.iter().any(Option::is_some),
            LongValues::Number(values) => values.iter().any(Option::is_some),
            LongValues::Text(values) => values.iter().any(Option::is_some),
            LongValues::Flag(values) => values.iter().any(Option::is_some),
        }
    }
}
