//! Rows for the terminal: read back, described, drawn.

use arrow_array::RecordBatch;
use protodash::Role;

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

/// The rows `numbers` of a side's file, ready to be shown.
pub(super) fn rows(data: &Data, role: Role, numbers: &[u64], progress: &mut Progress) -> Result<Seen, Failure> {
    let cells = cells(data, role, numbers, progress)?;
    // Row numbers rise from row to row of a matrix, so that a search by halves finds them.
    let known = &data.rows(role).numbers;
    let in_matrix: Vec<usize> = numbers.iter().map(|number| known.partition_point(|other| other < number)).collect();
    let looks = Looks::new(data).of(role, &in_matrix, &cells);
    let shape = data.tables.input(role).image_shape();
    let pictures = shape.and_then(|shape| Pictures::new(&cells, shape));
    Ok(Seen { looks, pictures, n_rows: numbers.len() })
}

/// The criticisms of a document, with a line that says what they are.
pub(super) fn criticisms(
    data: &Data,
    document: &Document,
    role: Role,
    width: usize,
    progress: &mut Progress,
) -> Result<String, Failure> {
    let mut text = terminal::sentence_line(&terminal::criticisms_sentence(document));
    let numbers = document.criticisms.iter().filter_map(|criticism| criticism.source_index.or(criticism.target_index));
    let numbers: Vec<u64> = numbers.collect();
    if !numbers.is_empty() {
        let seen = rows(data, role, &numbers, progress)?;
        text += &terminal::criticisms_table(&document.criticisms, &seen.looks, width);
        text += &seen.pictures(width);
    }
    Ok(text)
}
