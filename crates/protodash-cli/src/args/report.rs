//! Arguments of `protodash report`.

use std::path::PathBuf;

use protodash_terminal::Resources;

use super::{ImageShape, examples};

/// Arguments of `protodash report`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::REPORT, after_help = "`protodash report --help` says more and shows examples.")]
pub(crate) struct Report {
    /// Result of `protodash select`, `criticize`, `compare` or `relate`, as written with -o RESULT.json
    pub(crate) result: PathBuf,

    /// File that the rows were chosen from, for a page that shows them
    pub(crate) source: Option<PathBuf>,

    /// The page to write: .html
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// File whose rows were represented, if it is no longer where the result says
    #[arg(long, value_name = "FILE", requires = "source")]
    pub(crate) target: Option<PathBuf>,

    /// Rows are images of this height and width, with 1 (grey), 3 (colours) or 4 channels; IDX files say it themselves
    #[arg(long, value_name = "HxW[xC]", requires = "source", allow_hyphen_values = true)]
    pub(crate) image_shape: Option<ImageShape>,

    #[command(flatten)]
    pub(crate) run: Resources,
}
