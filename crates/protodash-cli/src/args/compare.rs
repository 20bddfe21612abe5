//! Arguments of `protodash compare`.

use std::path::PathBuf;

use protodash::{Choice, Method, RequestedNumber, TargetEnergy};
use protodash_terminal::Resources;

use super::values::{factor, one_of, seed, share, some_prototypes};
use super::{DataArgs, KernelArgs, PageArgs, examples};
use crate::error::Failure;

/// Arguments of `protodash compare`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::COMPARE)]
pub(crate) struct CompareArgs {
    /// File to choose rows from: CSV, Parquet, Arrow, JSON lines, NumPy, svmlight, IDX or SAS
    pub(crate) source: PathBuf,

    /// Write everything (.json) or a table (.csv) to FILE
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Numbers of prototypes, or percentages of the source rows
    #[arg(short = 'm', long, value_name = "N,N", value_delimiter = ',', default_value = "10",
          value_parser = some_prototypes, allow_negative_numbers = true, help_heading = "Prototypes")]
    n_prototypes: Vec<RequestedNumber>,

    /// Methods to compare [default: all]
    #[arg(
        long,
        alias = "methods",
        value_parser = one_of(Method::ALL),
        value_name = "METHOD,METHOD",
        value_delimiter = ',',
        help_heading = "Prototypes"
    )]
    method: Vec<Method>,

    /// Select R×N rows, keep the N heaviest, refit weights
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = factor, help_heading = "Prototypes",
          allow_hyphen_values = true)]
    pub(crate) oversample: f64,

    /// Target energy, needed for `explained` [default: exact]
    #[arg(long, value_parser = one_of(TargetEnergy::ALL), value_name = "HOW", help_heading = "Prototypes")]
    pub(crate) target_energy: Option<TargetEnergy>,

    /// Hold out this fraction of the rows and measure accuracy on them; needs labels
    #[arg(long, value_name = "FRACTION", value_parser = share, help_heading = "Prototypes", allow_hyphen_values = true)]
    pub(crate) holdout: Option<f64>,

    /// Also measure what the prototypes cover: classes, distances, typicality
    #[arg(long, help_heading = "Prototypes")]
    pub(crate) coverage: bool,

    #[command(flatten)]
    pub(crate) data: DataArgs,

    #[command(flatten)]
    pub(crate) kernel: KernelArgs,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) run: Resources,

    /// Random seed
    #[arg(long, value_name = "N", value_parser = seed, default_value_t = 0, help_heading = "Running", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

impl CompareArgs {
    /// Rejects flags that cannot be valid for any file.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.data.check()?;
        self.kernel.check(&self.data)?;
        let has_labels = self.data.label.is_some() || self.data.source_labels.is_some();
        if self.holdout.is_some() && !has_labels {
            let message = "--holdout measures accuracy on held-out rows, which needs class labels";
            return Err(Failure::call(message, "add --label or --source-labels, or omit --holdout"));
        }
        if self.data.target.is_some() && self.data.source_labels.is_some() != self.data.target_labels.is_some() {
            let message = "--source-labels and --target-labels go together: source and target both need labels";
            return Err(Failure::call(message, "use both or neither"));
        }
        Ok(())
    }

    /// The numbers of prototypes among `n_source` rows.
    pub(crate) fn n_prototypes(&self, n_source: usize) -> Vec<usize> {
        self.n_prototypes.iter().filter_map(|number| number.among(n_source)).collect()
    }

    /// The methods to compare.
    pub(crate) fn methods(&self) -> Vec<Method> {
        if self.method.is_empty() {
            Method::ALL.iter().map(|(method, ..)| *method).collect()
        } else {
            self.method.clone()
        }
    }
}
