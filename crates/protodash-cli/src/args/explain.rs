//! Arguments of `protodash explain`.

use std::path::{Path, PathBuf};

use clap::Arg;
use protodash_table::Condition;
use protodash_terminal::{Resources, at_least_one};

use super::values::below_one;
use super::{DataArgs, KernelArgs, PageArgs, examples};
use crate::error::Failure;

/// Arguments of `protodash explain`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::EXPLAIN)]
#[command(mut_args(without_target))]
pub(crate) struct ExplainArgs {
    /// File with the rows used to explain others: CSV, Parquet, Arrow, JSON lines, NumPy, svmlight, IDX or SAS
    pub(crate) source: PathBuf,

    /// Rows to explain: a file with the columns of SOURCE, or an SQL condition on SOURCE
    ///
    /// A row of SOURCE is explained by the other rows.
    #[arg(long, value_name = "FILE|EXPR")]
    rows: String,

    /// Write the result (.json), or one line per row and prototype (.csv, .parquet), to FILE
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Number of source rows for each row
    #[arg(short = 'm', long, value_name = "N", default_value_t = 5, value_parser = at_least_one,
          help_heading = "Prototypes", allow_negative_numbers = true)]
    pub(crate) n_prototypes: usize,

    /// Explain each row only by rows of its class (needs --label)
    ///
    /// If no column has the classes, as with predictions, name files with one class per row in --source-labels and
    /// --rows-labels.
    #[arg(long, help_heading = "Prototypes")]
    pub(crate) same: bool,

    /// File with one class label per row of the --rows file
    #[arg(long, value_name = "FILE", requires = "source_labels", help_heading = "Rows and columns")]
    rows_labels: Option<PathBuf>,

    /// Share of source rows whose nearest neighbour counts as similar
    ///
    /// A row has nothing similar if it is farther from its nearest source row than this share of source rows are from
    /// theirs.
    #[arg(long, value_name = "X", default_value_t = 0.99, value_parser = below_one, help_heading = "Prototypes",
          allow_hyphen_values = true)]
    pub(crate) similar_share: f64,

    #[command(flatten)]
    pub(crate) data: DataArgs,

    #[command(flatten)]
    pub(crate) kernel: KernelArgs,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) run: Resources,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Running", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

/// Hides the flags of a target: --rows says which rows are the target, and the others are refused with that sentence.
fn without_target(arg: Arg) -> Arg {
    let is_of_target = arg.get_id().as_str().starts_with("target");
    if is_of_target { arg.hide(true) } else { arg }
}

impl ExplainArgs {
    /// Rejects flags that cannot be valid for any file.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.data.check()?;
        self.kernel.check(&self.data)?;
        if let Some(flag) = self.target_flag() {
            let message = format!("{flag} cannot be used with --rows, which says which rows to explain");
            return Err(Failure::call(message, format!("omit {flag}")));
        }
        if self.kernel.is_precomputed() {
            let message = "kernel matrices have no rows to explain";
            return Err(Failure::call(message, "use another --kernel"));
        }
        if self.same && self.data.label.is_none() && self.data.source_labels.is_none() {
            let hint = "add --label with the name of the class column, or --source-labels and --rows-labels with files";
            return Err(Failure::call("--same needs class labels", hint));
        }
        Ok(())
    }

    fn target_flag(&self) -> Option<&'static str> {
        let DataArgs { target, target_where, target_sample, target_weight, target_labels, .. } = &self.data;
        let given = [
            ("--target", target.is_some()),
            ("--target-where", target_where.is_some()),
            ("--target-sample", target_sample.is_some()),
            ("--target-labels", target_labels.is_some()),
            ("--target-weight", target_weight.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
    }

    /// The data flags, in which the rows to explain are the target.
    pub(crate) fn with_rows(&self) -> Result<DataArgs, Failure> {
        let mut data = self.data.clone();
        data.single_target_rows = true;
        if Path::new(&self.rows).exists() {
            data.target = Some(PathBuf::from(&self.rows));
            data.target_labels.clone_from(&self.rows_labels);
            return Ok(data);
        }
        match Condition::parse(&self.rows) {
            Ok(_) if self.rows_labels.is_some() => Err(Failure::call(
                "--rows-labels has the classes of a --rows file, but --rows is a condition on SOURCE",
                "omit --rows-labels: rows of SOURCE have the classes of --source-labels",
            )),
            Ok(_) => {
                data.target_where = Some(self.rows.clone());
                Ok(data)
            }
            Err(cause) => Err(Failure::call(
                format!("--rows {}: there is no such file, and as a condition: {cause}", self.rows),
                "use the name of a file, or a condition such as \"age >= 30\"",
            )),
        }
    }
}
