//! Arguments of `protodash criticize`.

use std::path::PathBuf;

use protodash_terminal::{Resources, at_least_one};

use super::{Criticisms, Page, examples};
use crate::error::Failure;

/// Arguments of `protodash criticize`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::CRITICIZE, after_help = "`protodash criticize --help` shows examples.")]
pub(crate) struct Criticize {
    /// Result of a selection, as written by `protodash select -o RESULT.json`
    pub(crate) result: PathBuf,

    /// File that the rows were chosen from
    pub(crate) source: PathBuf,

    /// File whose rows were represented, if it is no longer where the result says
    #[arg(long, value_name = "FILE")]
    pub(crate) target: Option<PathBuf>,

    /// Write to this file instead: .json (the result with the criticisms), .csv or .parquet (the rows with their scores)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How many criticisms to find
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = at_least_one, help_heading = "Criticisms", allow_negative_numbers = true)]
    pub(crate) n_criticisms: usize,

    #[command(flatten)]
    pub(crate) criticisms: Criticisms,

    #[command(flatten)]
    pub(crate) page: Page,

    #[command(flatten)]
    pub(crate) run: Resources,
}

impl Criticize {
    /// Refuses what is wrong whatever the files hold.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.criticisms.check()
    }
}
