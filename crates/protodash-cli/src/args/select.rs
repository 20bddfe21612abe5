//! Arguments of `protodash select`.

use std::path::PathBuf;

use protodash::criticisms::Among;
use protodash::{RequestedNumber, TargetEnergy};
use protodash_terminal::Resources;

use super::values::{Names, PerLabelValue, seed};
use super::{ConstraintArgs, CriticismArgs, DataArgs, GivenArgs, KernelArgs, PageArgs, SearchArgs, examples};
use crate::error::Failure;

/// Arguments of `protodash select`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::SELECT)]
pub(crate) struct SelectArgs {
    /// File to choose rows from: CSV, Parquet, Arrow, JSON lines, NumPy, svmlight, IDX or SAS
    ///
    /// A folder or a quoted pattern such as 'parts/*.parquet' is read as one table, its files in order of name; `-` is
    /// standard input. The same applies to every other data file.
    ///
    /// Sparse rows are svmlight (libsvm) text or SciPy's sparse .npz, by rows or columns. They stay sparse, are not scaled, have
    /// the labels of the file (column `label`), and need a linear, cosine, Gaussian, Matérn or inverse multiquadric kernel.
    pub(crate) source: PathBuf,

    /// Write the result (.json) or the rows (.csv, .parquet) to FILE
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) given: GivenArgs,

    #[command(flatten)]
    pub(crate) constraints: ConstraintArgs,

    #[command(flatten)]
    pub(crate) data: DataArgs,

    #[command(flatten)]
    pub(crate) kernel: KernelArgs,

    /// Choose prototypes per class of --label
    ///
    /// `proportional` to the class's target rows or `equal`, with -m as the total; or a number for each class, such as
    /// FR=10,DE=5.
    #[arg(long, value_name = "HOW", help_heading = "Prototypes")]
    pub(crate) per_label: Option<PerLabelValue>,

    /// Estimate the means of these columns, such as models' scores
    #[arg(long, value_name = "A,B", help_heading = "Prototypes")]
    estimate: Vec<Names>,

    /// Report covariate shift from the source to a separate target
    #[arg(long, help_heading = "Prototypes")]
    pub(crate) shift: bool,

    /// Also report the N rows represented worst (criticisms)
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Criticisms", allow_negative_numbers = true)]
    pub(crate) n_criticisms: usize,

    #[command(flatten)]
    pub(crate) criticisms: CriticismArgs,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) run: Resources,

    /// Random seed
    #[arg(long, value_name = "N", value_parser = seed, default_value_t = 0, help_heading = "Running", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

impl SelectArgs {
    /// The columns to estimate.
    pub(crate) fn estimate(&self) -> Vec<String> {
        self.estimate.iter().flat_map(|names| names.0.iter().cloned()).collect()
    }

    /// Rejects flags that cannot be valid for any file.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.search.check()?;
        self.data.check()?;
        self.kernel.check(&self.data)?;
        self.criticisms.check()?;
        if self.n_criticisms == 0 && !self.criticisms.is_default() {
            let message = "flags for criticisms have no effect while --n-criticisms is 0";
            return Err(Failure::call(message, "add --n-criticisms 5 or another number"));
        }
        if self.per_label.is_some() && self.data.label.is_none() && self.data.source_labels.is_none() {
            let message = "--per-label needs class labels";
            return Err(Failure::call(message, "add --label with the name of the class column"));
        }
        self.check_class_numbers()?;
        if !self.estimate.is_empty() && self.kernel.is_precomputed() {
            let message = "--estimate needs columns, which kernel matrices do not have";
            return Err(Failure::call(message, "use another kernel, or estimate from Python"));
        }
        self.given.check(self)?;
        self.constraints.check(self)?;
        self.check_shift()?;
        if self.kernel.is_precomputed() && self.data.target.is_some() {
            return self.check_kernel_matrices();
        }
        Ok(())
    }

    /// Rejects a number of prototypes that contradicts the numbers of the classes.
    fn check_class_numbers(&self) -> Result<(), Failure> {
        let Some(total) = self.per_label.as_ref().and_then(PerLabelValue::total) else { return Ok(()) };
        let contradicts = |given: &str| {
            let message = format!("-m is {given}, but the numbers of --per-label add up to {total}");
            Err(Failure::call(message, "omit -m"))
        };
        match self.search.requested() {
            None => Ok(()),
            Some(RequestedNumber::Exactly(number)) if number == total => Ok(()),
            Some(number) => contradicts(&number.to_string()),
        }
    }

    /// Rejects --shift if there is no separate target or there are no features.
    fn check_shift(&self) -> Result<(), Failure> {
        if !self.shift {
            return Ok(());
        }
        if self.kernel.is_precomputed() {
            let message = "--shift compares feature means, but kernel matrices have no features";
            return Err(Failure::call(message, "omit --shift, or use another kernel"));
        }
        if !self.data.has_own_target() {
            let message = "--shift compares the source with a separate target, but there is none";
            return Err(Failure::call(message, "add --target, --target-where or --source-where"));
        }
        Ok(())
    }

    /// Rejects flags that need the kernel matrix of the target with itself.
    fn check_kernel_matrices(&self) -> Result<(), Failure> {
        let unknown = "the given kernel matrices do not contain the similarities between target rows";
        if self.search.target_energy.is_some_and(|how| how != TargetEnergy::Skip) {
            return Err(Failure::call(
                format!("--target-energy cannot be computed: {unknown}"),
                "omit --target-energy",
            ));
        }
        if self.n_criticisms > 0 && self.criticisms.among == Among::Target {
            let message = format!("--criticize-among target is not possible: {unknown}");
            return Err(Failure::call(message, "use --criticize-among source"));
        }
        Ok(())
    }
}
