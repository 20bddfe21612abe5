//! The page of a comparison.

use std::collections::BTreeMap;

use protodash::Role;
use protodash_report::{
    Attachment, Body, ComparisonDocument, ComparisonPage, ImageShape, Images, Report, TableCells, attachment_name,
    file_name,
};

use super::{ADD_DATA, failure, json_failure, settings, shape};
use crate::data::Data;
use crate::error::Failure;
use crate::progress::Progress;
use crate::terminal;

/// The page of a comparison, with images if the data are given and are images.
pub(crate) fn comparison_report(
    comparison: &ComparisonDocument,
    data: Option<&Data>,
    image_shape: Option<ImageShape>,
    progress: &mut Progress,
) -> Result<Report, Failure> {
    let mut page =
        ComparisonPage { document: comparison.clone(), images: Images::default(), image_of: BTreeMap::new() };
    if let Some((data, shape)) = data.and_then(|data| Some((data, shape(data, image_shape)?))) {
        add_images(&mut page, data, shape, progress)?;
    }
    let title = format!("Methods on {}", file_name(&comparison.data.source));
    let mut report = Report::new(title, Body::Comparison(Box::new(page)));
    report.lead.push(terminal::comparison_sentence(comparison));
    report.lead.extend(comparison.notes.iter().cloned());
    report.settings = settings::of_comparison(comparison);
    if data.is_none() {
        report
            .missing
            .push(format!("images of the rows, if they are images: they need the data; use {ADD_DATA} to add them"));
    }
    let name = attachment_name(&comparison.data.source, "methods");
    report.result = Some(Attachment { name, json: comparison.to_json().map_err(json_failure)? });
    Ok(report)
}

fn add_images(
    page: &mut ComparisonPage,
    data: &Data,
    shape: ImageShape,
    progress: &mut Progress,
) -> Result<(), Failure> {
    let chosen = page.document.results.iter().flat_map(|outcome| &outcome.prototypes);
    let mut rows: Vec<(Role, u64)> = chosen.map(|chosen| (Role::Source, chosen.source_index)).collect();
    rows.sort_unstable_by_key(|(_, number)| *number);
    rows.dedup();
    let cells = progress.waiting("reading the rows", || TableCells::read(&data.tables, &rows));
    let cells = cells.map_err(|error| failure(Some(data), error))?;
    let images = cells.images(&data.features, shape, &rows, &mut page.images);
    page.image_of = rows.iter().zip(images).filter_map(|((_, number), image)| Some((*number, image?))).collect();
    Ok(())
}
