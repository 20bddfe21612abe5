//! Where the page for the browser goes, and what it has to know that the files do not say.

use std::path::PathBuf;

pub(crate) use protodash_report::ImageShape;

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
