//! Rows for the terminal: read back, described, drawn.

use arrow_array::RecordBatch;
use protodash::{Criticism, Role};

use crate::data::Data;
use crate::error::Failure;
use crate::json::Document;
use crate::progress::Progress;
use crate::terminal::{self, Look, Looks, Pictures};

/// Some rows of a file, ready to be shown.
pub(super) struct Seen {
    /// What each row looks like.
    pub(super) looks: Vec<Look>,
    pictures: Option<Pictures>,
    n_rows: usize,
}

impl Seen {
    /// The rows as pictures under their ranks, if they are pictures.
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

/// These rows of a side's matrix, as they stand in its file, ready to be shown.
pub(super) fn rows(data: &Data, role: Role, rows: &[usize], progress: &mut Progress) -> Result<Seen, Failure> {
    let numbers: Vec<u64> = rows.iter().map(|row| data.rows(role).table_row(*row)).collect();
    let cells = cells(data, role, &numbers, progress)?;
    let looks = Looks::new(data).of(role, rows, &cells);
    let shape = data.tables.input(role).image_shape();
    let pictures = shape.and_then(|shape| Pictures::new(&cells, shape));
    Ok(Seen { looks, pictures, n_rows: numbers.len() })
}

/// The criticisms `found`, which the document describes, with a line that says what they are.
pub(super) fn criticisms(
    data: &Data,
    (document, found): (&Document, &[Criticism]),
    role: Role,
    width: usize,
    progress: &mut Progress,
) -> Result<String, Failure> {
    let mut text = terminal::sentence_line(&terminal::criticisms_sentence(document));
    let found: Vec<usize> = found.iter().map(|criticism| criticism.row).collect();
    if !found.is_empty() {
        let seen = rows(data, role, &found, progress)?;
        text += &terminal::criticisms_table(&document.criticisms, &seen.looks, width);
        text += &seen.pictures(width);
    }
    Ok(text)
}
