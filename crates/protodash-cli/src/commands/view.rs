//! Rows for the terminal: read back, described, drawn.

use arrow_array::RecordBatch;
use protodash::{Criticism, Role};
use protodash_report::{Look, SelectionDocument, looks};

use crate::data::Data;
use crate::error::Failure;
use crate::progress::Progress;
use crate::report;
use crate::terminal::{self, Pictures};

/// Some rows of a file, ready to be shown.
pub(super) struct ShownRows {
    /// The description of each row.
    pub(super) looks: Vec<Look>,
    pictures: Option<Pictures>,
    n_rows: usize,
}

impl ShownRows {
    /// The rows as images under their ranks, if they are images.
    pub(super) fn pictures(&self, width: usize) -> String {
        let ranks: Vec<String> = (1..=self.n_rows).map(|rank| format!("rank {rank}")).collect();
        self.pictures.as_ref().map_or_else(String::new, |pictures| format!("\n{}", pictures.render(&ranks, width)))
    }
}

/// The rows `numbers` of a side's file, with all their columns.
pub(super) fn cells(data: &Data, role: Role, numbers: &[u64], progress: &mut Progress) -> Result<RecordBatch, Failure> {
    let input = data.tables.input(role);
    Ok(progress.waiting("reading the rows", || input.rows(numbers))?)
}

/// These rows of a side's matrix, ready to be shown.
pub(super) fn rows(data: &Data, role: Role, rows: &[usize], progress: &mut Progress) -> Result<ShownRows, Failure> {
    let mut shown = ShownRows { looks: Vec::new(), pictures: None, n_rows: rows.len() };
    if let Some(shape) = data.tables.input(role).image_shape() {
        let numbers: Vec<u64> = rows.iter().map(|row| data.rows(role).table_row(*row)).collect();
        shown.pictures = Pictures::new(&cells(data, role, &numbers, progress)?, shape);
        return Ok(shown);
    }
    let rows: Vec<(Role, usize)> = rows.iter().map(|row| (role, *row)).collect();
    let found = looks(&data.row_data(), &rows, progress);
    progress.clear();
    shown.looks = found.map_err(|error| report::failure(Some(data), error))?;
    Ok(shown)
}

/// The criticisms `found`, described by the document, under a line that explains them.
pub(super) fn criticisms(
    data: &Data,
    (document, found): (&SelectionDocument, &[Criticism]),
    role: Role,
    width: usize,
    progress: &mut Progress,
) -> Result<String, Failure> {
    let mut text = terminal::sentence_line(&terminal::criticisms_sentence(document));
    let found: Vec<usize> = found.iter().map(|criticism| criticism.row).collect();
    if !found.is_empty() {
        let shown = rows(data, role, &found, progress)?;
        text += &terminal::criticisms_table(document, &shown.looks, width);
        text += &shown.pictures(width);
    }
    Ok(text)
}
