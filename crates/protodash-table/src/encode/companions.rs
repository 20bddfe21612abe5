//! What accompanies the rows of a matrix without being a feature: row numbers, ids, labels and target weights.

use super::cells::{Texts, numbers};
use super::matrix::{Encoded, Feature, Matrix};
use super::plan::SideColumns;
use super::problem::EncodeProblem;
use super::selected::SelectedRows;
use crate::advice::Note;
use crate::input::Input;
use crate::numbers::counted;
use crate::{Result, RowMap};

/// Row numbers, ids, labels and weights, collected batch by batch.
#[derive(Debug)]
pub(super) struct Companions {
    pub(super) row_numbers: Vec<u64>,
    ids: Option<CompanionTexts>,
    labels: Option<CompanionTexts>,
    weights: Option<WeightColumn>,
}

/// A column kept as text.
#[derive(Debug)]
struct CompanionTexts {
    /// Its position in a batch.
    position: usize,
    name: String,
    values: Vec<String>,
    n_missing: u64,
}

/// The column of target weights.
#[derive(Debug)]
struct WeightColumn {
    /// Its position in a batch.
    position: usize,
    name: String,
    values: Vec<f64>,
}

impl Companions {
    /// Returns empty companions for the rows of a file.
    pub(super) fn new(input: &Input, side: &SideColumns) -> Companions {
        let name = |position: usize| input.columns()[side.columns()[position]].name.clone();
        let text = |position| CompanionTexts { position, name: name(position), values: Vec::new(), n_missing: 0 };
        Companions {
            row_numbers: Vec::new(),
            ids: side.id().map(text),
            labels: side.label().map(text),
            weights: side.weight().map(|position| WeightColumn { position, name: name(position), values: Vec::new() }),
        }
    }

    /// Adds the rows of a batch.
    pub(super) fn add(&mut self, input: &Input, selected: &SelectedRows) -> Result<()> {
        self.row_numbers.extend(&selected.rows);
        for column in self.ids.iter_mut().chain(&mut self.labels) {
            let cells = Texts::new(selected.batch.column(column.position));
            column.n_missing += cells.iter().filter(Option::is_none).count() as u64;
            column.values.extend(cells.iter().map(|cell| cell.unwrap_or_default().to_owned()));
        }
        self.weights.iter_mut().try_for_each(|weights| Ok(weights.add(input, selected)?))
    }

    /// Returns `matrix` with its companions.
    pub(super) fn finish(self, input: &Input, matrix: Matrix, features: &[Feature]) -> Result<Encoded> {
        if let Some(weights) = self.weights.as_ref().filter(|weights| weights.values.iter().all(|w| *w == 0.0)) {
            let (path, column) = (input.path().to_owned(), weights.name.clone());
            let n_rows = weights.values.len() as u64;
            return Err(EncodeProblem::ZeroWeights { path, column, n_rows }.into());
        }
        let notes = self.labels.as_ref().and_then(CompanionTexts::note).into_iter().collect();
        Ok(Encoded {
            matrix,
            features: features.to_vec(),
            rows: RowMap::new(
                self.row_numbers,
                self.ids.map(|column| column.values),
                self.labels.map(|column| column.values),
            )?,
            target_weights: self.weights.map(|weights| weights.values),
            notes,
        })
    }
}

impl CompanionTexts {
    /// Returns a note on the rows without a label, if there are any.
    fn note(&self) -> Option<Note> {
        let (name, rows) = (&self.name, counted(self.n_missing, "row"));
        let note = || format!("treated {rows} without a label in column {name:?} as a separate class");
        (self.n_missing > 0).then(|| Note::new(note()))
    }
}

impl WeightColumn {
    fn add(&mut self, input: &Input, selected: &SelectedRows) -> std::result::Result<(), EncodeProblem> {
        let cells = numbers(selected.batch.column(self.position));
        for (cell, row) in cells.iter().zip(&selected.rows) {
            match cell {
                Some(weight) if weight >= 0.0 && weight.is_finite() => self.values.push(weight),
                other => {
                    return Err(EncodeProblem::BadWeight {
                        path: input.path().to_owned(),
                        place: input.place(*row),
                        column: self.name.clone(),
                        found: other.map_or_else(|| "missing".to_owned(), |weight| weight.to_string()),
                    });
                }
            }
        }
        Ok(())
    }
}
