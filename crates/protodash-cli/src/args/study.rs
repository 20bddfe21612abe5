//! Arguments of `protodash study`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::values::at_least_one;
use super::{Run, examples, word};
use crate::error::Failure;

/// Arguments of `protodash study`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::STUDY, after_help = "`protodash study --help` says more and shows examples.")]
pub(crate) struct Study {
    /// Which study
    #[arg(value_enum)]
    pub(crate) name: StudyName,

    /// Folder with the data of the study
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,

    /// Folder for the journal and the results [default: NAME-study, or NAME-study-quick]
    ///
    /// A study that was stopped goes on from the journal that is in this folder.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// Also write a page that any browser opens, offline and complete in one file: .html
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub(crate) report: Option<PathBuf>,

    /// A small protocol that takes less than a minute, for a taste
    #[arg(long)]
    pub(crate) quick: bool,

    /// How many trials of mnist, or random draws of retail [default: 100, and 10; 2 with --quick]
    ///
    /// A folder with fewer trials is filled up; of more, the first ones are used.
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) trials: Option<usize>,

    /// Seed of every random draw
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Running", allow_negative_numbers = true)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) run: Run,
}

/// The studies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StudyName {
    /// Handwritten digits, section V-B: do prototypes follow a target that is more and more one digit?
    Mnist,
    /// Health questionnaires, section V-C: which represent which others, and is it for Income what the paper says?
    Nhanes,
    /// Customers of public shops, section V-A: do the regular customers that stand for the loyal predict better?
    Retail,
}

impl Study {
    /// The folder for what is written.
    pub(crate) fn output(&self) -> PathBuf {
        let named = || format!("{}-study{}", word(&self.name), if self.quick { "-quick" } else { "" }).into();
        self.output.clone().unwrap_or_else(named)
    }

    /// Refuses what does not belong to the study.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match (self.name, self.trials) {
            (StudyName::Nhanes, Some(_)) => {
                let message = "the study nhanes has no trials: its only draws are those of --quick";
                Err(Failure::call(message, "leave --trials out"))
            }
            _ => Ok(()),
        }
    }
}
