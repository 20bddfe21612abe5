//! Rows that are images, as pictures of the page.

use protodash::Role;
use protodash_report::{Image, Images};
use protodash_table::Feature;

use super::cells::Cells;
use super::columns::places;
use super::image_shape::ImageShape;

impl Cells {
    /// Adds the picture of each row to the page and returns their places; all share one range from dark to bright.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_array::{Float64Array, RecordBatch};
    /// use protodash::Role;
    /// use protodash_report::Images;
    /// use protodash_result::{Cells, ImageShape, Result, Tables};
    /// use protodash_table::Feature;
    ///
    /// struct Pixels;
    /// impl Tables for Pixels {
    ///     fn is_one(&self) -> bool {
    ///         true
    ///     }
    ///     fn rows(&self, _: Role, numbers: &[u64]) -> Result<RecordBatch> {
    ///         let values = Float64Array::from_iter_values(numbers.iter().map(|number| *number as f64));
    ///         Ok(RecordBatch::try_from_iter([("x0", Arc::new(values) as _)]).expect("one column"))
    ///     }
    /// }
    /// let (mut images, shape) = (Images::default(), ImageShape::new([1, 1, 1])?);
    /// let cells = Cells::read(&Pixels, vec![5], Vec::new())?;
    /// let found = cells.pictures(&[Feature::new("x0", None)], shape, &[(Role::Source, 5)], &mut images);
    /// assert_eq!(found, [Some(0)]);
    /// # Ok::<(), protodash_result::Error>(())
    /// ```
    pub fn pictures(
        &self,
        features: &[Feature],
        shape: ImageShape,
        rows: &[(Role, u64)],
        images: &mut Images,
    ) -> Vec<Option<usize>> {
        let columns: Vec<&str> = places(features).iter().map(|place| place.name()).collect();
        let mut values: Vec<Option<Vec<f64>>> = vec![None; rows.len()];
        for side in [Role::Source, Role::Target] {
            let places: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].0 == side).collect();
            let numbers: Vec<u64> = places.iter().map(|at| rows[*at].1).collect();
            let found = self.numbers(side, &columns, &numbers).unwrap_or_default();
            places.into_iter().zip(found).for_each(|(at, found)| values[at] = Some(found));
        }
        let finite = || values.iter().flatten().flatten().copied().filter(|value| value.is_finite());
        // Where no value is negative, 0 is dark, also in pictures without a dark pixel.
        let lowest = finite().fold(0.0, f64::min);
        let highest = finite().fold(f64::NEG_INFINITY, f64::max);
        let picture = |values: &Option<Vec<f64>>| {
            let image = Image::of_values(shape.sides(), values.as_ref()?, lowest, highest).ok()?;
            Some(images.add(image))
        };
        values.iter().map(picture).collect()
    }
}
