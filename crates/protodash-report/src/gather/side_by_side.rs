//! The report of two selections from the same table.

use std::collections::HashMap;

use protodash::{Prototype, Role};

use super::cells::TableCells;
use super::columns::described_rows;
use super::distributions::column_findings;
use super::settings::file_settings;
use super::show::add_columns;
use super::{ImageShape, NarrowedRows, PageObserver, RowData, begin, file_name};
use crate::document::SelectionDocument;
use crate::error::Result;
use crate::numbers::counted;
use crate::report::{Body, Report};
use crate::reproduce::reproducing_calls;
use crate::row::Row;
use crate::side_by_side::{NAMES, SideBySidePage, are_matched_by_id, notes, side_by_side_findings};

/// The report of two selections side by side; `data` are those of the first, read with its settings.
///
/// # Errors
///
/// If the selections were made from different tables, if the rows cannot be read again, or if `observer` cancels.
///
/// # Examples
///
/// ```
/// use protodash::Unobserved;
/// use protodash_report::{SelectionDocument, side_by_side_report};
///
/// let first = SelectionDocument::example();
/// let second = first.prefix(1).expect("the run has two");
/// let report = side_by_side_report([&first, &second], None, "“make page”", &mut Unobserved)?;
/// assert_eq!(report.title, "Two selections from people.csv, A and B");
/// assert!(report.lead[0].starts_with("the 2 rows of A explain 80.0 % of the data"));
/// # Ok::<(), protodash_report::Error>(())
/// ```
pub fn side_by_side_report(
    documents: [&SelectionDocument; 2],
    data: Option<(&RowData<'_, '_>, Option<ImageShape>)>,
    how_to_add_data: &str,
    observer: &mut dyn PageObserver,
) -> Result<Report> {
    let copies = documents.map(Clone::clone);
    let by_id = are_matched_by_id(&copies);
    let ids: HashMap<&str, u64> = match data {
        Some((data, _)) if by_id => {
            let rows = data.source_rows;
            (0..rows.len()).filter_map(|row| Some((rows.id(row)?, rows.table_row(row)))).collect()
        }
        _ => HashMap::new(),
    };
    let mut page = SideBySidePage::matched(copies, &|id| ids.get(id).copied())?;
    let mut missing = Vec::new();
    match data {
        None => missing.push(format!(
            "values and images of rows, and distributions: they need the data; use {how_to_add_data} to add them"
        )),
        Some((data, shape)) => {
            let known = page.rows.keys().filter_map(|number| data.source_rows.matrix_row(*number));
            let known: Vec<(Role, usize)> = known.map(|row| (Role::Source, row)).collect();
            let missing = &mut missing;
            match NarrowedRows::new(data, &known)? {
                None => Adder { data, shape, observer, missing }.add(&mut page)?,
                Some(narrowed) => {
                    missing.extend(narrowed.missing());
                    Adder { data: &narrowed.data(), shape, observer, missing }.add(&mut page)?;
                }
            }
        }
    }
    let image_shape = data.and_then(|(_, shape)| shape);
    let first = documents[0];
    let title = match first.data.is_in_memory() {
        _ if by_id => {
            let names = documents.map(|document| file_name(&document.data.source));
            format!("Two selections, A from {} and B from {}", names[0], names[1])
        }
        true => "Two selections, A and B".to_owned(),
        false => format!("Two selections from {}, A and B", file_name(&first.data.source)),
    };
    let (lead, remarks) = (side_by_side_findings(&page.documents), notes(&page.documents));
    let mut report = Report::new(title, Body::SideBySide(Box::new(page)));
    (report.lead, report.missing) = (lead, missing);
    report.notes = remarks;
    if by_id {
        report.notes.push("rows of A and B are matched by id; values are those of A's table".to_owned());
    }
    for (name, document) in NAMES.into_iter().zip(documents) {
        report.notes.extend(document.notes.iter().map(|note| format!("{name}: {note}")));
        for call in reproducing_calls(document, image_shape) {
            report.calls.push(call.of(name));
        }
    }
    report.settings = file_settings(&first.data).into_iter().filter(|(name, _)| name == "source").collect();
    Ok(report)
}

/// Adds the data to a page.
struct Adder<'a, 'r, 'd> {
    data: &'a RowData<'r, 'd>,
    shape: Option<ImageShape>,
    observer: &'a mut dyn PageObserver,
    missing: &'a mut Vec<String>,
}

impl Adder<'_, '_, '_> {
    fn add(&mut self, page: &mut SideBySidePage) -> Result<()> {
        let data = self.data;
        if data.features.is_empty() {
            self.missing.push("values of rows: a kernel matrix does not hold them".to_owned());
            return Ok(());
        }
        let places: Vec<(u64, usize)> =
            page.rows.keys().filter_map(|number| Some((*number, data.source_rows.matrix_row(*number)?))).collect();
        let n_unknown = page.rows.len() - places.len();
        if n_unknown > 0 {
            let rows = counted(n_unknown as u64, "row");
            self.missing
                .push(format!("values of {rows} of B, and distributions: they are not among those that A chose from"));
        }
        self.add_rows(page, &places)?;
        if n_unknown == 0 && self.shape.is_none() {
            self.add_distributions(page)?;
        }
        Ok(())
    }

    /// Adds cells, images and shown columns to the rows that are in the data.
    fn add_rows(&mut self, page: &mut SideBySidePage, places: &[(u64, usize)]) -> Result<()> {
        let data = self.data;
        let numbers: Vec<(Role, u64)> = places.iter().map(|(number, _)| (Role::Source, *number)).collect();
        let mut rows: Vec<Row> = places.iter().filter_map(|(number, _)| page.rows.get(number).cloned()).collect();
        match self.shape {
            Some(shape) => {
                begin(self.observer, "reading the rows")?;
                let cells = TableCells::read(data.tables, &numbers)?;
                let images = cells.images(data.features, shape, &numbers, &mut page.images);
                rows.iter_mut().zip(images).for_each(|(row, image)| row.image = image);
            }
            None => {
                let of_matrix: Vec<(Role, usize)> = places.iter().map(|(_, row)| (Role::Source, *row)).collect();
                let (columns, cells) = described_rows(data, &of_matrix, self.observer)?;
                page.columns = columns;
                rows.iter_mut().zip(cells).for_each(|(row, cells)| row.cells = cells);
            }
        }
        let names = page.documents[0].data.show.clone();
        if !names.is_empty() {
            let cells = TableCells::read(data.tables, &numbers)?;
            let has_images = self.shape.is_some();
            let to = (rows.as_mut_slice(), &mut page.images, has_images);
            page.shown = add_columns((&cells, data.tables), &names, &numbers, to, self.missing);
        }
        page.rows.extend(rows.into_iter().map(|row| (row.index, row)));
        Ok(())
    }

    /// Adds the distribution of each column among the target and among the rows with weight of both selections.
    fn add_distributions(&mut self, page: &mut SideBySidePage) -> Result<()> {
        let weighted = page.documents.iter().flat_map(SelectionDocument::weighted);
        let place = |(_, record): (usize, &crate::document::PrototypeRecord)| {
            let source_index = self.data.source_rows.matrix_row(record.source_index)?;
            Some(Prototype { source_index, weight: record.weight, share: record.share, gain: record.gain })
        };
        let prototypes: Vec<Prototype> = weighted.filter_map(place).collect();
        let found = column_findings(*self.data, &prototypes, (&[], &[]), self.observer)?;
        page.distributions = found.distributions;
        if found.n_omitted > 0 {
            self.missing.push(format!("distributions of the {} columns that differ least", found.n_omitted));
        }
        Ok(())
    }
}
