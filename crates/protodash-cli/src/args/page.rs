//! The HTML report.

use std::path::PathBuf;

pub(crate) use protodash_report::ImageShape;

/// The HTML report.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Report")]
pub(crate) struct PageArgs {
    /// Also write an HTML report: one file, works offline
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,

    /// Show rows as images of this height, width and channels
    #[arg(long, value_name = "HxW[xC]", requires = "report", allow_hyphen_values = true)]
    pub(crate) image_shape: Option<ImageShape>,
}
