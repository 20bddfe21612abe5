//! Explanations of individual rows as a file.

use std::io::Write;

use protodash::{Explanations, Prototype, Role};
use serde::{Deserialize, Serialize};

use super::compared_cells::ComparedCells;
use super::{DataRecord, ReadError, SCHEMA, SavedKernel, layout, read_json};
use crate::error::Result;
use crate::gather::{PageObserver, RowData};
use crate::numbers::{aligned, counted, four_digits, plain_percent};

/// The rows that explain each of some rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExplanationDocument {
    /// The number of the schema.
    pub schema: u64,
    /// The kernel.
    pub kernel: SavedKernel,
    /// Number of rows to choose from.
    pub n_source: usize,
    /// Number of columns in the matrices.
    pub n_features: usize,
    /// Whether rows are explained only by rows of their class.
    pub same_class: bool,
    /// The share of source rows whose nearest neighbour is within `limit`.
    pub similar_share: f64,
    /// The largest distance to the nearest source row that counts as similar; `null` if the source has no two different rows, so that only an
    /// equal row does.
    pub limit: Option<f64>,
    /// The explained rows.
    pub explanations: Vec<ExplainedRow>,
    /// Where the rows came from and how their columns were used.
    pub data: DataRecord,
    /// The seed of every random draw.
    pub seed: u64,
    /// Notes on how the data were read and encoded.
    pub notes: Vec<String>,
}

/// One row and the source rows that represent it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExplainedRow {
    /// Its number.
    pub row: u64,
    /// Its id.
    pub id: Option<String>,
    /// Its class.
    pub label: Option<String>,
    /// Whether the source has a similar row.
    pub similar: bool,
    /// The distance to the nearest source row; `null` if there is none to choose.
    pub nearest_distance: Option<f64>,
    /// The share of the row that its prototypes explain.
    pub explained: Option<f64>,
    /// The source rows, in order of choice.
    pub prototypes: Vec<ExplainingRow>,
}

/// A source row that represents another row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExplainingRow {
    /// Its number.
    pub source_index: u64,
    /// Its id.
    pub id: Option<String>,
    /// Its class.
    pub label: Option<String>,
    /// Its weight.
    pub weight: f64,
    /// Its share of the weight of all rows that represent the row.
    pub share: f64,
    /// Its distance from the row.
    pub distance: f64,
    /// What both have in common: the closest values, equal ones first.
    pub alike: Vec<String>,
    /// Where they differ most, with the value of the row last.
    pub differs: Vec<String>,
}

impl ExplanationDocument {
    /// A small document: two rows explained by two of five source rows, the second without a similar one.
    pub const EXAMPLE: &str = include_str!("explanation_example.json");

    /// The document in [`EXAMPLE`](Self::EXAMPLE), for tests and documentation.
    #[must_use]
    #[allow(clippy::expect_used)]
    pub fn example() -> ExplanationDocument {
        ExplanationDocument::from_json(Self::EXAMPLE).expect("the example is a document")
    }

    /// The document that a text holds.
    ///
    /// # Errors
    ///
    /// If it is not the JSON of explanations.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::ExplanationDocument;
    ///
    /// let document = ExplanationDocument::example();
    /// assert_eq!(ExplanationDocument::from_json(&document.to_json()?)?, document);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(text: &str) -> std::result::Result<ExplanationDocument, ReadError> {
        serde_json::from_value(read_json(text)?).map_err(ReadError::Incomplete)
    }

    /// The explanations of the target rows of `data`, with their values compared.
    ///
    /// # Errors
    ///
    /// If the rows cannot be read again, or if `observer` cancels.
    pub fn new(
        found: &Explanations,
        data: &RowData<'_, '_>,
        origin: ExplanationOrigin,
        observer: &mut dyn PageObserver,
    ) -> Result<ExplanationDocument> {
        let cells = ComparedCells::read(found, data, observer)?;
        let explanations = found.rows.iter().enumerate().map(|(row, explanation)| {
            let names = data.rows(Role::Target);
            let prototypes = explanation.prototypes.iter().zip(&explanation.distances);
            ExplainedRow {
                row: names.table_row(row),
                id: names.id(row).map(str::to_owned),
                label: names.label(row).map(str::to_owned),
                similar: explanation.is_similar,
                nearest_distance: explanation.nearest_distance,
                explained: explanation.explained,
                prototypes: prototypes
                    .filter(|(prototype, _)| prototype.weight > 0.0)
                    .map(|(prototype, distance)| explaining(data, &cells, row, (prototype, *distance)))
                    .collect(),
            }
        });
        Ok(ExplanationDocument {
            schema: SCHEMA,
            kernel: SavedKernel::new(data.matrices.kernel()),
            n_source: data.matrices.n_source(),
            n_features: data.matrices.n_features(),
            same_class: origin.same_class,
            similar_share: origin.similar_share,
            limit: Some(found.limit).filter(|limit| *limit > 0.0),
            explanations: explanations.collect(),
            data: origin.data,
            seed: origin.seed,
            notes: origin.notes,
        })
    }

    /// Writes the document, one line for each explained row.
    ///
    /// # Errors
    ///
    /// The error of the writer.
    pub fn write(&self, writer: &mut dyn Write) -> serde_json::Result<()> {
        layout::write(self, writer)
    }

    /// The text that [`write`](Self::write) writes.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn to_json(&self) -> serde_json::Result<String> {
        layout::to_json(self)
    }

    /// How many rows are explained, how many of them have nothing similar in the source, and how many have no row to choose
    /// from.
    #[must_use]
    pub fn sentence(&self) -> String {
        let count = |is: &dyn Fn(&ExplainedRow) -> bool| self.explanations.iter().filter(|row| is(row)).count();
        let n_without = count(&|row| row.nearest_distance.is_none());
        let n_far = count(&|row| row.nearest_distance.is_some() && !row.similar);
        let mut parts = vec![format!(
            "{} explained by {}",
            counted(self.explanations.len() as u64, "row"),
            counted(self.n_source as u64, "source row")
        )];
        let have = |number: usize| if number == 1 { "1 has".to_owned() } else { format!("{number} have") };
        if n_without > 0 {
            parts.push(format!("{} no row to choose from", have(n_without)));
        }
        if n_far > 0 {
            parts.push(format!("{} nothing similar: {}", have(n_far), self.usual_distance()));
        }
        if n_without + n_far == 0 {
            parts.push("all have a similar source row".to_owned());
        }
        parts.join("; ")
    }

    /// What counts as similar, after the claim that something is not.
    fn usual_distance(&self) -> String {
        let Some(limit) = self.limit else {
            return "all source rows are equal, so only an equal row counts as similar".to_owned();
        };
        format!(
            "the nearest row is more than {} away, while {} of source rows have a neighbour closer than that",
            four_digits(limit),
            plain_percent(self.similar_share)
        )
    }
}

impl ExplainedRow {
    /// How well the row is represented.
    #[must_use]
    pub fn sentence(&self) -> String {
        let name = self.id.as_ref().map_or_else(String::new, |id| format!(" ({id})"));
        let class = self.label.as_ref().map_or_else(String::new, |label| format!(", {label}"));
        format!("row {}{name}{class}: {}", self.row, self.finding())
    }

    /// The distances of its prototypes as text, in one notation.
    pub(crate) fn distances(&self) -> Vec<String> {
        aligned(&self.prototypes.iter().map(|one| one.distance).collect::<Vec<f64>>())
    }

    /// How well the row is represented, without its name.
    #[must_use]
    pub fn finding(&self) -> String {
        let of = counted(self.prototypes.len() as u64, "row");
        match (self.similar, self.nearest_distance, self.explained) {
            (_, None, _) => "no row to choose from".to_owned(),
            (false, Some(distance), _) => format!("nothing similar; the nearest row is {} away", four_digits(distance)),
            (true, _, Some(explained)) => format!("{} explained by {of}", plain_percent(explained)),
            (true, _, None) => format!("represented by {of}"),
        }
    }
}

/// The part of explanations that does not come from the core.
#[derive(Debug, Clone)]
pub struct ExplanationOrigin {
    /// Whether rows are explained only by rows of their class.
    pub same_class: bool,
    /// The share of source rows that `limit` comes from.
    pub similar_share: f64,
    /// Where the rows came from and how their columns were used.
    pub data: DataRecord,
    /// The seed of every random draw.
    pub seed: u64,
    /// Notes on how the data were read and encoded.
    pub notes: Vec<String>,
}

fn explaining(
    data: &RowData<'_, '_>,
    cells: &ComparedCells<'_>,
    row: usize,
    (prototype, distance): (&Prototype, f64),
) -> ExplainingRow {
    let (names, source) = (data.rows(Role::Source), prototype.source_index);
    let (alike, differs) = cells.compare(row, source);
    ExplainingRow {
        source_index: names.table_row(source),
        id: names.id(source).map(str::to_owned),
        label: names.label(source).map(str::to_owned),
        weight: prototype.weight,
        share: prototype.share,
        distance,
        alike,
        differs,
    }
}

#[cfg(test)]
mod tests {
    use super::super::SelectionDocument;
    use super::*;

    fn document(limit: Option<f64>, rows: &[(bool, Option<f64>)]) -> ExplanationDocument {
        let explained = |(row, (similar, nearest_distance)): (usize, &(bool, Option<f64>))| ExplainedRow {
            row: row as u64,
            id: None,
            label: None,
            similar: *similar,
            nearest_distance: *nearest_distance,
            explained: None,
            prototypes: Vec::new(),
        };
        ExplanationDocument {
            schema: SCHEMA,
            kernel: SavedKernel::new(None),
            n_source: 9,
            n_features: 1,
            same_class: false,
            similar_share: 0.99,
            limit,
            explanations: rows.iter().enumerate().map(explained).collect(),
            data: SelectionDocument::example().data,
            seed: 0,
            notes: Vec::new(),
        }
    }

    #[test]
    fn rows_without_a_candidate_are_not_called_far() {
        let near = (true, Some(0.5));
        let sentence = |limit, rows: &[(bool, Option<f64>)]| document(limit, rows).sentence();
        assert_eq!(sentence(Some(1.0), &[near]), "1 row explained by 9 source rows; all have a similar source row");
        assert_eq!(
            sentence(Some(1.0), &[near, (false, None), (false, None)]),
            "3 rows explained by 9 source rows; 2 have no row to choose from"
        );
        assert_eq!(
            sentence(Some(1.608), &[near, (false, None), (false, Some(7.0))]),
            "3 rows explained by 9 source rows; 1 has no row to choose from; 1 has nothing similar: the nearest row is \
             more than 1.608 away, while 99.0 % of source rows have a neighbour closer than that"
        );
        assert_eq!(
            sentence(None, &[(false, Some(7.0))]),
            "1 row explained by 9 source rows; 1 has nothing similar: all source rows are equal, so only an equal \
             row counts as similar"
        );
    }
}
