//! Why a page cannot be gathered.

use thiserror::Error;

use crate::page::ImageShape;

/// Why a page cannot be gathered.
///
/// # Examples
///
/// ```
/// use protodash_result::{Error, ImageShape};
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
    /// The core refused the data, or was told to stop.
    #[error(transparent)]
    Core(#[from] protodash::Error),

    /// The rows to be shown cannot be read.
    #[error(transparent)]
    Table(#[from] Box<protodash_table::Error>),

    /// The rows to be shown are no table.
    #[error("the rows to be shown are no table")]
    Rows(#[from] arrow_schema::ArrowError),

    /// The result cannot be written as JSON.
    #[error("the result cannot be written as JSON")]
    Json(#[from] serde_json::Error),

    /// No image has this shape.
    #[error(
        "it must be height x width, such as 28x28, or with channels, such as 32x32x3; allowed are 1 to 4096 pixels each \
         way and 1, 3 or 4 channels"
    )]
    NoShape,

    /// The rows have another number of values than an image of the shape given.
    #[error("image shape {shape} has {} values, but the rows have {n_columns} feature columns", shape.n_values())]
    WrongShape {
        /// The shape given.
        shape: ImageShape,
        /// Columns that are features.
        n_columns: usize,
    },
}

impl From<protodash_table::Error> for Error {
    fn from(error: protodash_table::Error) -> Error {
        Error::Table(Box::new(error))
    }
}

/// What a function of this crate returns.
///
/// # Examples
///
/// ```
/// fn nothing() -> protodash_result::Result<()> {
///     Ok(())
/// }
/// assert!(nothing().is_ok());
/// ```
pub type Result<T> = std::result::Result<T, Error>;
