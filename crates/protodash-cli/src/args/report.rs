//! Arguments of `protodash report`.

use std::path::PathBuf;

use protodash_terminal::Resources;

use super::{ImageShape, examples};

/// Arguments of `protodash report`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::REPORT)]
#[command(group = clap::ArgGroup::new("rows").args(["source", "data"]).multiple(true))]
pub(crate) struct ReportArgs {
    /// Saved result of `protodash select`, `criticize`, `compare`, `relate` or `explain`
    pub(crate) result: PathBuf,

    /// File that the rows were chosen from, which adds the rows to the report; or a second saved selection, to show both side
    /// by side
    pub(crate) source: Option<PathBuf>,

    /// Any further file, which is one too many.
    #[arg(hide = true)]
    pub(crate) others: Vec<PathBuf>,

    /// File that the rows of both selections were chosen from; with it the report also shows the rows
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,

    /// Report to write
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) output: PathBuf,

    /// File that was represented, if it has moved since the result was saved
    #[arg(long, value_name = "FILE", requires = "rows")]
    pub(crate) target: Option<PathBuf>,

    /// Show rows as images of this height, width and channels
    #[arg(long, value_name = "HxW[xC]", requires = "rows", allow_hyphen_values = true)]
    pub(crate) image_shape: Option<ImageShape>,

    #[command(flatten)]
    pub(crate) run: Resources,
}
