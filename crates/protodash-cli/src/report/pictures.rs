//! The shape of rows that are images.

use protodash_report::ImageShape;

use crate::data::Data;
use crate::error::Failure;

/// The shape of the rows as images: the one given, or the one that the file says; `None` if they are none.
pub(super) fn shape(data: &Data, given: Option<ImageShape>) -> Option<ImageShape> {
    given.or_else(|| ImageShape::of_data(data.tables.source.image_shape()?, &data.features))
}

/// Refuses a shape that the rows do not have.
pub(crate) fn check_shape(data: &Data, given: Option<ImageShape>) -> Result<(), Failure> {
    let Some(shape) = given else { return Ok(()) };
    shape.check(&data.features).map_err(|error| {
        Failure::call(
            error.to_string(),
            "give the shape of the images, and keep other columns out with --id, --label or --drop",
        )
    })
}
