//! The report of a comparison, with images from the files.

use std::collections::BTreeMap;

use protodash::Role;
use protodash_report::{ComparisonDocument, ImageShape, Images, Report, TableCells};

use super::{ADD_DATA, failure, shape};
use crate::data::Data;
use crate::error::Failure;
use crate::progress::Progress;

/// The report of a comparison, with images if the data are given and are images.
pub(crate) fn comparison_report(
    comparison: &ComparisonDocument,
    data: Option<&Data>,
    image_shape: Option<ImageShape>,
    progress: &mut Progress,
) -> Result<Report, Failure> {
    let images = match data.and_then(|data| Some((data, shape(data, image_shape)?))) {
        Some((data, shape)) => images(comparison, data, shape, progress)?,
        None => (Images::default(), BTreeMap::new()),
    };
    let report = protodash_report::comparison_report(comparison, images);
    let mut report = report.map_err(|error| failure(data, error))?;
    if data.is_none() {
        let missing = "images of the rows, if they are images: they need the data; use";
        report.missing.push(format!("{missing} {ADD_DATA} to add them"));
    }
    Ok(report)
}

/// The images of all chosen rows, and the image of each row.
fn images(
    comparison: &ComparisonDocument,
    data: &Data,
    shape: ImageShape,
    progress: &mut Progress,
) -> Result<(Images, BTreeMap<u64, usize>), Failure> {
    let chosen = comparison.results.iter().flat_map(|outcome| &outcome.prototypes);
    let mut rows: Vec<(Role, u64)> = chosen.map(|chosen| (Role::Source, chosen.source_index)).collect();
    rows.sort_unstable_by_key(|(_, number)| *number);
    rows.dedup();
    let cells = progress.waiting("reading the rows", || TableCells::read(&data.tables, &rows));
    let cells = cells.map_err(|error| failure(Some(data), error))?;
    let mut images = Images::default();
    let found = cells.images(&data.features, shape, &rows, &mut images);
    let image_of = rows.iter().zip(found).filter_map(|((_, number), image)| Some((*number, image?))).collect();
    Ok((images, image_of))
}
