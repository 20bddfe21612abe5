//! The crate's error type.

use thiserror::Error;

use crate::gather::ImageShape;

/// Why a report cannot be created.
///
/// # Examples
///
/// ```
/// use protodash_report::{Error, ImageShape};
/// use protodash_table::Feature;
///
/// let error = ImageShape::new([2, 2, 1])?.check(&[Feature::new("x0", None)]).unwrap_err();
/// assert_eq!(error.to_string(), "image shape 2x2 has 4 values, but the rows have 1 feature columns");
/// assert!(matches!(error, Error::WrongShape { .. }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The core rejected the data, or was told to stop.
    #[error(transparent)]
    Core(#[from] protodash::Error),

    /// The rows to show cannot be read.
    #[error(transparent)]
    Table(#[from] Box<protodash_table::Error>),

    /// The rows to show do not form a table.
    #[error("the rows to show do not form a table")]
    Rows(#[from] arrow_schema::ArrowError),

    /// The result cannot be written as JSON.
    #[error("the result cannot be written as JSON")]
    Json(#[from] serde_json::Error),

    /// The text or the numbers are not the shape of an image.
    #[error(
        "it must be height x width, such as 28x28, or with channels, such as 32x32x3; allowed are 1 to 4096 pixels each \
         way and 1, 3 or 4 channels"
    )]
    NoShape,

    /// The rows do not have as many values as an image of the given shape.
    #[error("image shape {shape} has {} values, but the rows have {n_columns} feature columns", shape.n_values())]
    WrongShape {
        /// The shape given.
        shape: ImageShape,
        /// Number of feature columns.
        n_columns: usize,
    },

    /// The number of pixel values does not match the image's shape.
    #[error(
        "an image of {height} x {width} pixels with {channels} channels has {} values, but {given} were given",
        height * width * channels
    )]
    ImageSize {
        /// Height in pixels.
        height: usize,
        /// Width in pixels.
        width: usize,
        /// Values per pixel.
        channels: usize,
        /// Number of values given.
        given: usize,
    },

    /// No image can have this shape.
    #[error(
        "an image cannot have {height} x {width} pixels with {channels} channels; allowed are 1 to 4096 pixels each way and 1, 3 or 4 channels"
    )]
    ImageShape {
        /// Height in pixels.
        height: usize,
        /// Width in pixels.
        width: usize,
        /// Values per pixel.
        channels: usize,
    },

    /// Two selections side by side were chosen from different tables, whose row numbers have nothing in common.
    #[error("A was chosen from {first}, B from {second}: rows can be compared only within the same table")]
    DifferentTables {
        /// The table of the first selection.
        first: String,
        /// The table of the second.
        second: String,
    },

    /// A row of two selections side by side has two ids.
    #[error(
        "row {row} is {first:?} in A and {second:?} in B: they were chosen from different tables, or its rows have been reordered"
    )]
    DifferentRows {
        /// The number of the row.
        row: u64,
        /// Its id in the first selection.
        first: String,
        /// Its id in the second.
        second: String,
    },

    /// The bytes are not an image file that browsers show.
    #[error("the bytes are not a PNG, JPEG, GIF or WebP file")]
    NoImageFile,

    /// An image cannot be encoded.
    #[error("an image cannot be encoded")]
    Png(#[from] png::EncodingError),
}

impl From<protodash_table::Error> for Error {
    fn from(error: protodash_table::Error) -> Error {
        Error::Table(Box::new(error))
    }
}

/// The result of a function in this crate.
pub type Result<T> = std::result::Result<T, Error>;
