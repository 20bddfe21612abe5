//! The report of explanations.

use protodash::Role;

use super::cells::TableCells;
use super::columns::described_next_to;
use super::settings::{file_settings, kernel_words};
use super::show::add_columns;
use super::{ImageShape, NarrowedRows, PageObserver, RowData, attachment_name, begin, file_name};
use crate::document::ExplanationDocument;
use crate::error::Result;
use crate::explanation::ExplanationPage;
use crate::numbers::count;
use crate::report::{Attachment, Body, Report};
use crate::reproduce::explanation_calls;
use crate::row::Row;

/// The report of explanations: with the data, the values or images of the rows; without them, what the result says.
///
/// `how_to_add_data` is a call that adds the data.
///
/// # Errors
///
/// If the rows cannot be read again, or if `observer` cancels.
///
/// # Examples
///
/// ```
/// use protodash::Unobserved;
/// use protodash_report::{ExplanationDocument, explanation_report, render};
///
/// let report = explanation_report(&ExplanationDocument::example(), None, "“report”", &mut Unobserved)?;
/// assert_eq!(report.title, "Rows of new.csv explained by rows of people.csv");
/// assert!(render(&report)?.contains("Nothing similar; the nearest row is 46.00 away."));
/// # Ok::<(), protodash_report::Error>(())
/// ```
pub fn explanation_report(
    document: &ExplanationDocument,
    data: Option<(&RowData<'_, '_>, Option<ImageShape>)>,
    how_to_add_data: &str,
    observer: &mut dyn PageObserver,
) -> Result<Report> {
    let mut page = ExplanationPage::new(document.clone());
    let mut missing = Vec::new();
    match data {
        None => missing
            .push(format!("values and images of the rows: they need the data; use {how_to_add_data} to add them")),
        Some((data, shape)) => add_rows(data, shape, &mut page, (&mut missing, observer))?,
    }
    if page.n_columns() < page.columns.len() {
        let (shown, all) = (count(page.n_columns() as u64), count(page.columns.len() as u64));
        missing.push(format!(
            "all {all} columns: each row shows the {shown} in which it differs most from its prototypes"
        ));
    }
    let mut report = Report::new(title(document), Body::Explanation(Box::new(page)));
    report.lead.push(document.sentence());
    report.settings = settings(document);
    report.notes.clone_from(&document.notes);
    report.missing = missing;
    report.calls = explanation_calls(document, data.and_then(|(_, shape)| shape));
    let name = match document.data.is_in_memory() {
        true => "explanations.json".to_owned(),
        false => attachment_name(&document.data.source, "explanations"),
    };
    report.result = Some(Attachment { name, json: document.to_json()? });
    Ok(report)
}

/// Adds the values, texts and images of all rows of the page.
fn add_rows(
    data: &RowData<'_, '_>,
    shape: Option<ImageShape>,
    page: &mut ExplanationPage,
    (missing, observer): (&mut Vec<String>, &mut dyn PageObserver),
) -> Result<()> {
    let explained = page.rows.iter().map(|row| (Role::Target, row.index));
    let numbers: Vec<(Role, u64)> =
        explained.chain(page.sources.keys().map(|number| (Role::Source, *number))).collect();
    let mut rows: Vec<Row> = page.rows.iter().chain(page.sources.values()).cloned().collect();
    match shape {
        Some(shape) => {
            begin(observer, "reading the rows")?;
            let cells = TableCells::read(data.tables, &numbers)?;
            let images = cells.images(data.features, shape, &numbers, &mut page.images);
            rows.iter_mut().zip(images).for_each(|(row, image)| row.image = image);
        }
        None => {
            missing.extend(add_values(data, &numbers, (&mut rows, page), observer)?);
        }
    }
    let names = page.document.data.show.clone();
    if !names.is_empty() {
        let cells = TableCells::read(data.tables, &numbers)?;
        page.shown = add_columns(
            (&cells, data.tables),
            &names,
            &numbers,
            (&mut rows, &mut page.images, shape.is_some()),
            missing,
        );
    }
    let mut rows = rows.into_iter();
    page.rows.iter_mut().zip(&mut rows).for_each(|(old, row)| *old = row);
    page.sources.values_mut().zip(rows).for_each(|(old, row)| *old = row);
    Ok(())
}

/// Adds the values of rows; returns what the page lacks of them.
fn add_values(
    data: &RowData<'_, '_>,
    numbers: &[(Role, u64)],
    (rows, page): (&mut [Row], &mut ExplanationPage),
    observer: &mut dyn PageObserver,
) -> Result<Option<String>> {
    let in_matrix = |(role, number): &(Role, u64)| Some((*role, data.rows(*role).matrix_row(*number)?));
    let places: Vec<Option<(Role, usize)>> = numbers.iter().map(in_matrix).collect();
    let known: Vec<(Role, usize)> = places.iter().flatten().copied().collect();
    let narrowed = NarrowedRows::new(data, &known)?;
    let (columns, cells) = match &narrowed {
        None => described_next_to(data, Role::Source, &known, observer),
        Some(narrowed) => described_next_to(&narrowed.data(), Role::Source, &known, observer),
    }?;
    page.columns = columns;
    let there = rows.iter_mut().zip(&places).filter(|(_, place)| place.is_some());
    there.zip(cells).for_each(|((row, _), cells)| row.cells = cells);
    Ok(narrowed.as_ref().and_then(NarrowedRows::missing))
}

fn title(document: &ExplanationDocument) -> String {
    let data = &document.data;
    if data.is_in_memory() {
        return "Rows explained by similar rows".to_owned();
    }
    let source = file_name(&data.source);
    match &data.target {
        Some(target) if *target != data.source => {
            format!("Rows of {} explained by rows of {source}", file_name(target))
        }
        _ => format!("Rows of {source} explained by similar rows"),
    }
}

fn settings(document: &ExplanationDocument) -> Vec<(String, String)> {
    let renamed = |(name, value): (String, String)| match name.as_str() {
        "target" => ("rows".to_owned(), value),
        "target rows where" => ("rows where".to_owned(), value),
        _ => (name, value),
    };
    let mut settings: Vec<(String, String)> = file_settings(&document.data).into_iter().map(renamed).collect();
    settings.push(("kernel".to_owned(), kernel_words(&document.kernel)));
    settings.push(("features".to_owned(), document.n_features.to_string()));
    if document.same_class {
        settings.push(("prototypes".to_owned(), "of the same class only".to_owned()));
    }
    settings.push(("seed".to_owned(), document.seed.to_string()));
    settings
}
