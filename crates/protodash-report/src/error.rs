//! Why a page cannot be made.

use thiserror::Error;

/// Why a page cannot be made.
///
/// # Examples
///
/// ```
/// use protodash_report::{Error, Image};
///
/// let error = Image::new(2, 2, 1, vec![0; 3]).unwrap_err();
/// assert_eq!(error.to_string(), "an image of 2 x 2 pixels with 1 channels has 4 values, but 3 were given");
/// assert!(matches!(error, Error::ImageSize { .. }));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The pixels of an image are not as many as its shape says.
    #[error(
        "an image of {height} x {width} pixels with {channels} channels has {} values, but {given} were given",
        height * width * channels
    )]
    ImageSize {
        /// Pixels from top to bottom.
        height: usize,
        /// Pixels from left to right.
        width: usize,
        /// Values of each pixel.
        channels: usize,
        /// Values that were given.
        given: usize,
    },

    /// An image has a shape that no picture has.
    #[error(
        "an image cannot have {height} x {width} pixels with {channels} channels; allowed are 1 to 4096 pixels each way and 1, 3 or 4 channels"
    )]
    ImageShape {
        /// Pixels from top to bottom.
        height: usize,
        /// Pixels from left to right.
        width: usize,
        /// Values of each pixel.
        channels: usize,
    },

    /// An image cannot be encoded.
    #[error("an image cannot be encoded")]
    Png(#[from] png::EncodingError),

    /// What the page holds cannot be written as JSON.
    #[error("the page's data cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}

/// What a function of this crate returns.
///
/// # Examples
///
/// ```
/// fn empty() -> protodash_report::Result<Vec<u8>> {
///     Ok(Vec::new())
/// }
/// assert!(empty().is_ok());
/// ```
pub type Result<T> = std::result::Result<T, Error>;
