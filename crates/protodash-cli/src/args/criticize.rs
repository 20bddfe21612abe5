//! Arguments of `protodash criticize`, and the criticism flags that `select` shares with it.

use std::path::PathBuf;

use clap::ValueEnum;
use protodash::Choice;
use protodash::criticisms::Among;
use protodash_terminal::{Resources, at_least_one};

use super::values::{not_negative, one_of};
use super::{PageArgs, examples};
use crate::error::Failure;

/// Arguments of `protodash criticize`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::CRITICIZE)]
pub(crate) struct CriticizeArgs {
    /// Saved selection, written by `protodash select -o RESULT.json`
    pub(crate) result: PathBuf,

    /// File that the rows were chosen from
    pub(crate) source: PathBuf,

    /// File that was represented, if it has moved since the result was saved
    #[arg(long, value_name = "FILE")]
    pub(crate) target: Option<PathBuf>,

    /// Write to FILE instead of the terminal: .json (result with criticisms), .csv or .parquet (rows)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Number of criticisms
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = at_least_one, help_heading = "Criticisms", allow_negative_numbers = true)]
    pub(crate) n_criticisms: usize,

    #[command(flatten)]
    pub(crate) criticisms: CriticismArgs,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) run: Resources,
}

impl CriticizeArgs {
    /// Rejects flags that cannot be valid for any file.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.criticisms.check()
    }
}

/// Which rows count as badly represented.
#[derive(Debug, Clone, PartialEq, clap::Args)]
#[command(next_help_heading = "Criticisms")]
pub(crate) struct CriticismArgs {
    /// What makes a row badly represented
    #[arg(long = "criticism", value_enum, value_name = "DEFINITION", default_value_t)]
    pub(crate) definition: CriticismName,

    /// How strongly witness criticisms repel each other [default: 1]
    #[arg(long, value_name = "X", value_parser = not_negative, allow_hyphen_values = true)]
    diversity: Option<f64>,

    /// Which rows to search for criticisms
    #[arg(long = "criticize-among", value_parser = one_of(Among::ALL), value_name = "ROWS", default_value = Among::ALL[0].1)]
    pub(crate) among: Among,
}

impl CriticismArgs {
    /// Rejects a diversity for a definition that does not use one.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.diversity.is_some() && self.definition == CriticismName::Distance {
            let message = "--diversity applies to --criticism witness, not to distance";
            return Err(Failure::call(message, "omit --diversity, or use --criticism witness"));
        }
        Ok(())
    }

    /// How strongly witness criticisms repel each other.
    pub(crate) fn diversity(&self) -> f64 {
        self.diversity.unwrap_or(1.0)
    }

    /// Whether no flag was given.
    pub(super) fn is_default(&self) -> bool {
        self.definition == CriticismName::default() && self.diversity.is_none() && self.among == Among::Source
    }
}

/// What makes a row badly represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum CriticismName {
    /// Target and prototypes differ in density (Kim 2016)
    #[default]
    Witness,
    /// Far from the nearest prototype
    Distance,
}
