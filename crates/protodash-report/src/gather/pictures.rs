//! Rows that are images.

use protodash::Role;
use protodash_table::Feature;

use super::cells::TableCells;
use super::columns::places;
use super::image_shape::ImageShape;
use crate::image::{Image, Images};

impl TableCells {
    /// Adds the image of each row to `images` and returns their indices; all share one range from dark to bright.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_array::{Float64Array, RecordBatch};
    /// use protodash::Role;
    /// use protodash_report::{ImageShape, Images, Result, RowSource, TableCells};
    /// use protodash_table::Feature;
    ///
    /// struct Pixels;
    /// impl RowSource for Pixels {
    ///     fn is_one(&self) -> bool {
    ///         true
    ///     }
    ///     fn rows(&self, _: Role, numbers: &[u64]) -> Result<RecordBatch> {
    ///         let values = Float64Array::from_iter_values(numbers.iter().map(|number| *number as f64));
    ///         Ok(RecordBatch::try_from_iter([("x0", Arc::new(values) as _)]).expect("one column"))
    ///     }
    /// }
    /// let (mut images, shape) = (Images::default(), ImageShape::new([1, 1, 1])?);
    /// let cells = TableCells::read(&Pixels, &[(Role::Source, 5)])?;
    /// let found = cells.images(&[Feature::new("x0", None)], shape, &[(Role::Source, 5)], &mut images);
    /// assert_eq!(found, [Some(0)]);
    /// # Ok::<(), protodash_report::Error>(())
    /// ```
    pub fn images(
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
        // If no value is negative, 0 is black, also in images without a black pixel.
        let lowest = finite().fold(0.0, f64::min);
        let highest = finite().fold(f64::NEG_INFINITY, f64::max);
        let image_of = |values: &Option<Vec<f64>>| {
            let image = Image::of_values(shape.sides(), values.as_ref()?, lowest, highest).ok()?;
            Some(images.add(image))
        };
        values.iter().map(image_of).collect()
    }
}
