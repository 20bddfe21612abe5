//! Arguments of `protodash compare`.

use std::path::PathBuf;

use clap::ValueEnum;
use protodash_terminal::{Resources, at_least_one};

use super::values::{factor, share};
use super::{Data, Kernel, Method, Page, TargetEnergy, examples};
use crate::error::Failure;

/// Arguments of `protodash compare`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::COMPARE, after_help = "`protodash compare --help` says more and shows examples.")]
pub(crate) struct Compare {
    /// File to choose rows from
    pub(crate) source: PathBuf,

    /// Write to this file instead: .json (everything, with the chosen rows) or .csv (a line for each method and number)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How many prototypes to choose; several numbers are separated by commas
    #[arg(short = 'm', long = "n-prototypes", value_name = "N,N", value_delimiter = ',', default_value = "10",
          value_parser = at_least_one, allow_negative_numbers = true, help_heading = "Prototypes")]
    pub(crate) sizes: Vec<usize>,

    /// Methods to compare, separated by commas [default: all]
    #[arg(long, value_enum, value_name = "METHOD,METHOD", value_delimiter = ',', help_heading = "Prototypes")]
    methods: Vec<Method>,

    /// Let every method choose this many times as many prototypes and keep the heaviest
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = factor, help_heading = "Prototypes",
          allow_hyphen_values = true)]
    pub(crate) oversample: f64,

    /// How much of the target the prototypes explain: worked out in full, estimated, or left unknown [default: exact]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Prototypes")]
    pub(crate) target_energy: Option<TargetEnergy>,

    /// Judge 1-NN on this part of the rows, drawn by --seed, which are neither represented nor chosen
    ///
    /// Without it the rows of the target are classified; where they are the source, a prototype then classifies itself.
    /// The width of the kernel is found from all rows in either case.
    #[arg(long, value_name = "PART", value_parser = share, help_heading = "Prototypes", allow_hyphen_values = true)]
    pub(crate) holdout: Option<f64>,

    #[command(flatten)]
    pub(crate) data: Data,

    #[command(flatten)]
    pub(crate) kernel: Kernel,

    #[command(flatten)]
    pub(crate) page: Page,

    #[command(flatten)]
    pub(crate) run: Resources,

    /// Seed of every random draw
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Running", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

impl Compare {
    /// Refuses what is wrong whatever the files hold.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.data.check()?;
        self.kernel.check(&self.data)?;
        let has_labels = self.data.label.is_some() || self.data.source_labels.is_some();
        if self.holdout.is_some() && !has_labels {
            let message = "--holdout keeps rows for 1-NN to classify, but there are no classes";
            return Err(Failure::call(message, "give --label or --source-labels, or leave --holdout out"));
        }
        if self.data.target.is_some() && self.data.source_labels.is_some() != self.data.target_labels.is_some() {
            let message = "--source-labels and --target-labels go together: both sides need classes";
            return Err(Failure::call(message, "give both, or neither"));
        }
        Ok(())
    }

    /// The methods, each once, in the order given.
    pub(crate) fn methods(&self) -> Vec<Method> {
        let asked = if self.methods.is_empty() { Method::value_variants() } else { &self.methods };
        distinct(asked)
    }

    /// The numbers of prototypes, each once, from the smallest to the largest.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let mut sizes = distinct(&self.sizes);
        sizes.sort_unstable();
        sizes
    }
}

fn distinct<T: Copy + PartialEq>(values: &[T]) -> Vec<T> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(value) {
            found.push(*value);
        }
    }
    found
}
