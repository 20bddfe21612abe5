//! The shape of rows that are images.

use std::fmt;
use std::str::FromStr;

use protodash_table::Feature;

use super::columns::places;
use crate::error::{Error, Result};

/// Height, width and channels of images that are stored as rows, pixel by pixel.
///
/// # Examples
///
/// ```
/// use protodash_report::ImageShape;
///
/// let shape: ImageShape = "32x32x3".parse()?;
/// assert_eq!((shape.n_values(), shape.to_string()), (3072, "32x32x3".to_owned()));
/// # Ok::<(), protodash_report::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageShape([usize; 3]);

impl ImageShape {
    /// A shape with this height, width and number of channels.
    ///
    /// # Errors
    ///
    /// If no image can have it: allowed are 1 to 4096 pixels each way and 1, 3 or 4 channels.
    pub fn new([height, width, channels]: [usize; 3]) -> Result<ImageShape> {
        let possible = |side: usize| (1..=4096).contains(&side);
        let fits = possible(height) && possible(width) && [1, 3, 4].contains(&channels);
        if fits { Ok(ImageShape([height, width, channels])) } else { Err(Error::NoShape) }
    }

    /// Height, width and channels.
    #[must_use]
    pub fn sides(self) -> [usize; 3] {
        self.0
    }

    /// Number of values in an image.
    #[must_use]
    pub fn n_values(self) -> usize {
        self.0.iter().product()
    }

    /// Checks that rows with these features have this shape.
    ///
    /// # Errors
    ///
    /// If the number of columns differs from the number of values in an image.
    pub fn check(self, features: &[Feature]) -> Result<()> {
        let n_columns = places(features).len();
        if self.n_values() == n_columns { Ok(()) } else { Err(Error::WrongShape { shape: self, n_columns }) }
    }

    /// The shape stored in the data, if rows with these features are images of that shape.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::ImageShape;
    /// use protodash_table::Feature;
    ///
    /// let features: Vec<Feature> = (0..4).map(|at| Feature::new(&format!("x{at}"), None)).collect();
    /// assert_eq!(ImageShape::of_data([2, 2], &features).map(ImageShape::sides), Some([2, 2, 1]));
    /// assert_eq!(ImageShape::of_data([1, 4], &features), None); // a row of numbers
    /// ```
    #[must_use]
    pub fn of_data([height, width]: [usize; 2], features: &[Feature]) -> Option<ImageShape> {
        let own = ImageShape::new([height, width, 1]).ok()?;
        (height > 1 && width > 1 && own.check(features).is_ok()).then_some(own)
    }
}

impl fmt::Display for ImageShape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [height, width, channels] = self.0;
        match channels {
            1 => write!(formatter, "{height}x{width}"),
            _ => write!(formatter, "{height}x{width}x{channels}"),
        }
    }
}

impl FromStr for ImageShape {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let numbers: std::result::Result<Vec<usize>, _> =
            text.split(['x', 'X', '×']).map(|number| number.trim().parse()).collect();
        match numbers.as_deref() {
            Ok([height, width]) => ImageShape::new([*height, *width, 1]),
            Ok([height, width, channels]) => ImageShape::new([*height, *width, *channels]),
            _ => Err(Error::NoShape),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_two_or_three_numbers() {
        let sides = |text: &str| text.parse().map(ImageShape::sides).ok();
        assert_eq!(sides("28x28"), Some([28, 28, 1]));
        assert_eq!(sides("32X32x3"), Some([32, 32, 3]));
        assert_eq!("32x16x4".parse::<ImageShape>().unwrap().to_string(), "32x16x4");
        for text in ["", "28", "28x", "0x4", "2x2x2", "2x2x3x1", "-2x2", "5000x2"] {
            assert!(text.parse::<ImageShape>().is_err(), "{text}");
        }
    }
}
