//! Rows that are images, as pictures of the page.

use protodash::Role;
use protodash_report::{Image, Images};

use super::cells::Cells;
use super::columns::places;
use crate::args::ImageShape;
use crate::data::Data;
use crate::error::Failure;

/// The shape of the rows as images: the one given, or the one that the file says; `None` if they are none.
pub(super) fn shape(data: &Data, given: Option<ImageShape>) -> Option<ImageShape> {
    let [height, width] = data.tables.source.image_shape().unwrap_or([0, 0]);
    let own = ImageShape([height, width, 1]);
    given.or_else(|| (height > 1 && width > 1 && own.n_values() == places(&data.features).len()).then_some(own))
}

/// Refuses a shape that the rows do not have.
pub(crate) fn check_shape(data: &Data, given: Option<ImageShape>) -> Result<(), Failure> {
    let (Some(shape), n_columns) = (given, places(&data.features).len()) else { return Ok(()) };
    if shape.n_values() == n_columns {
        return Ok(());
    }
    let message =
        format!("--image-shape {shape} has {} values, but the rows have {n_columns} feature columns", shape.n_values());
    Err(Failure::call(message, "give the shape of the images, and keep other columns out with --id, --label or --drop"))
}

/// Adds the picture of each row to the page; all pictures share one range from dark to bright.
pub(super) fn pictures(
    data: &Data,
    shape: ImageShape,
    cells: &Cells,
    rows: &[(Role, u64)],
    images: &mut Images,
) -> Vec<Option<usize>> {
    let columns: Vec<&str> = places(&data.features).iter().map(|place| place.name()).collect();
    let mut values: Vec<Option<Vec<f64>>> = vec![None; rows.len()];
    for side in [Role::Source, Role::Target] {
        let places: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].0 == side).collect();
        let numbers: Vec<u64> = places.iter().map(|at| rows[*at].1).collect();
        let found = cells.numbers(side, &columns, &numbers).unwrap_or_default();
        places.into_iter().zip(found).for_each(|(at, found)| values[at] = Some(found));
    }
    let finite = || values.iter().flatten().flatten().copied().filter(|value| value.is_finite());
    // Where no value is negative, 0 is dark, also in pictures without a dark pixel.
    let lowest = finite().fold(0.0, f64::min);
    let highest = finite().fold(f64::NEG_INFINITY, f64::max);
    let picture = |values: &Option<Vec<f64>>| {
        let image = Image::of_values(shape.0, values.as_ref()?, lowest, highest).ok()?;
        Some(images.add(image))
    };
    values.iter().map(picture).collect()
}
