//! Where the page for the browser goes, and what it has to know that the files do not say.

use std::path::PathBuf;
use std::str::FromStr;

/// The page for the browser.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Report")]
pub(crate) struct Page {
    /// Also write a page that any browser opens, offline and complete in one file: .html
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// Rows are images of this height and width, with 1 (grey), 3 (colours) or 4 channels; IDX files say it themselves
    #[arg(long, value_name = "HxW[xC]", requires = "report", allow_hyphen_values = true)]
    pub(crate) image_shape: Option<ImageShape>,
}

/// Height, width and channels of images, whose values stand one after the other in a row, those of a pixel together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImageShape(pub(crate) [usize; 3]);

impl ImageShape {
    /// Values in an image.
    pub(crate) fn n_values(self) -> usize {
        self.0.iter().product()
    }
}

impl std::fmt::Display for ImageShape {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [height, width, channels] = self.0;
        match channels {
            1 => write!(formatter, "{height}x{width}"),
            _ => write!(formatter, "{height}x{width}x{channels}"),
        }
    }
}

impl FromStr for ImageShape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let allowed = "it must be height x width, such as 28x28, or with channels, such as 32x32x3; allowed are 1 to 4096 \
                       pixels each way and 1, 3 or 4 channels";
        let numbers: Result<Vec<usize>, _> = text.split(['x', 'X', '×']).map(|number| number.trim().parse()).collect();
        match numbers.as_deref() {
            Ok([height, width, rest @ ..]) if rest.len() <= 1 => {
                let channels = rest.first().copied().unwrap_or(1);
                let possible = |side: &usize| (1..=4096).contains(side);
                let fits = possible(height) && possible(width) && [1, 3, 4].contains(&channels);
                fits.then_some(ImageShape([*height, *width, channels])).ok_or_else(|| allowed.to_owned())
            }
            _ => Err(allowed.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_two_or_three_numbers() {
        assert_eq!("28x28".parse(), Ok(ImageShape([28, 28, 1])));
        assert_eq!("32X32x3".parse(), Ok(ImageShape([32, 32, 3])));
        assert_eq!("32x16x4".parse::<ImageShape>().map(|shape| shape.to_string()), Ok("32x16x4".to_owned()));
        for text in ["", "28", "28x", "0x4", "2x2x2", "2x2x3x1", "-2x2", "5000x2"] {
            assert!(text.parse::<ImageShape>().is_err(), "{text}");
        }
    }
}
