//! Arguments of `protodash select`.

use std::path::PathBuf;

use clap::ValueEnum;
use protodash_terminal::Resources;

use super::{Among, Criticisms, Data, Kernel, KernelName, Page, Search, TargetEnergy, examples};
use crate::error::Failure;

/// How many of the prototypes each class gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allocation {
    /// In proportion to the target rows of the class
    Proportional,
    /// The same number for every class
    Equal,
}

impl From<Allocation> for protodash::Allocation {
    fn from(allocation: Allocation) -> Self {
        match allocation {
            Allocation::Proportional => protodash::Allocation::Proportional,
            Allocation::Equal => protodash::Allocation::Equal,
        }
    }
}

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

    /// Choose prototypes for each class of --label, each among the source rows of that class
    ///
    /// The number given with -m is for all classes together, each of which gets at least one. The weights of a class are
    /// multiplied by its part of the target, so that all together represent the whole of it.
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Prototypes")]
    pub(crate) per_label: Option<Allocation>,

    /// Also report what the weights do to the source: the means of its features before and after, and the target's
    ///
    /// Needs another target than the source. With `-m all` the weights are the best over all source rows; with a number,
    /// the best over so many.
    #[arg(long, help_heading = "Prototypes")]
    pub(crate) shift: bool,

    /// Also report this many criticisms: the rows that the prototypes represent worst
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Criticisms", allow_negative_numbers = true)]
    pub(crate) n_criticisms: usize,

    #[command(flatten)]
    pub(crate) criticisms: Criticisms,

    #[command(flatten)]
    pub(crate) page: Page,

    #[command(flatten)]
    pub(crate) run: Resources,

    /// Seed of every random draw (--method random, samples for --bandwidth median and cv and for --target-energy sample)
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Running", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

impl Select {
    /// Refuses what is wrong whatever the files hold.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.search.check()?;
        self.data.check()?;
        self.kernel.check(&self.data)?;
        self.criticisms.check()?;
        if self.n_criticisms == 0 && !self.criticisms.is_default() {
            let message = "criticisms are described, but --n-criticisms is 0";
            return Err(Failure::call(message, "give --n-criticisms 5, or as many as are wanted"));
        }
        if self.per_label.is_some() && self.data.label.is_none() && self.data.source_labels.is_none() {
            let message = "--per-label needs to know the class of each row";
            return Err(Failure::call(message, "give --label with the column that holds it"));
        }
        self.check_shift()?;
        if self.kernel.name == KernelName::Precomputed && self.data.target.is_some() {
            return self.check_kernel_matrices();
        }
        Ok(())
    }

    /// Refuses a report on a shift that cannot be.
    fn check_shift(&self) -> Result<(), Failure> {
        if !self.shift {
            return Ok(());
        }
        if self.kernel.name == KernelName::Precomputed {
            let message = "--shift speaks of features, and kernel matrices have none";
            return Err(Failure::call(message, "leave --shift out, or give another kernel"));
        }
        if !self.data.has_own_target() {
            let message = "--shift compares the source with another target, and there is none";
            return Err(Failure::call(message, "give --target, --target-where or --source-where"));
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
