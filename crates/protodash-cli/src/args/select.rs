//! Arguments of `protodash select`.

use std::path::PathBuf;

use super::{Among, Criticisms, Data, Kernel, KernelName, Run, Search, TargetEnergy, examples};
use crate::error::Failure;

/// Arguments of `protodash select`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::SELECT, after_help = "`protodash select --help` says more and shows examples.")]
pub(crate) struct Select {
    /// File to choose rows from
    pub(crate) source: PathBuf,

    /// Write to this file instead: .json (the whole result), .csv or .parquet (the chosen rows with their weights)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) search: Search,

    #[command(flatten)]
    pub(crate) data: Data,

    #[command(flatten)]
    pub(crate) kernel: Kernel,

    /// Also report this many criticisms: the rows that the prototypes represent worst
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Criticisms", allow_negative_numbers = true)]
    pub(crate) n_criticisms: usize,

    #[command(flatten)]
    pub(crate) criticisms: Criticisms,

    #[command(flatten)]
    pub(crate) run: Run,

    /// Seed of every random draw (samples for --bandwidth median and --target-energy sample)
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Running", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

impl Select {
    /// Refuses what is wrong whatever the files hold.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.data.check()?;
        self.kernel.check(&self.data)?;
        self.criticisms.check()?;
        if self.n_criticisms == 0 && !self.criticisms.is_default() {
            let message = "criticisms are described, but --n-criticisms is 0";
            return Err(Failure::call(message, "give --n-criticisms 5, or as many as are wanted"));
        }
        if self.kernel.name == KernelName::Precomputed && self.data.target.is_some() {
            return self.check_kernel_matrices();
        }
        Ok(())
    }

    /// Refuses what would need the kernel of the target with itself.
    fn check_kernel_matrices(&self) -> Result<(), Failure> {
        let unknown = "the kernel matrices of source and target do not say how similar target rows are to each other";
        if self.search.target_energy.is_some_and(|how| how != TargetEnergy::Skip) {
            return Err(Failure::call(format!("--target-energy needs more: {unknown}"), "leave --target-energy out"));
        }
        if self.n_criticisms > 0 && self.criticisms.among == Among::Target {
            let message = format!("--criticize-among target needs more: {unknown}");
            return Err(Failure::call(message, "give --criticize-among source"));
        }
        Ok(())
    }
}
