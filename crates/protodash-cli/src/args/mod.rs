//! The command line: commands, flags, help, and the checks that need no file.

mod columns;
mod compare;
mod constraints;
mod criticize;
mod examples;
mod explain;
mod given;
mod help;
mod kernel;
mod mistakes;
mod page;
mod relate;
mod report;
mod search;
mod select;
mod values;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use columns::DataArgs;
pub(crate) use compare::CompareArgs;
pub(crate) use constraints::{ConstraintArgs, ValueLimit};
pub(crate) use criticize::{CriticismArgs, CriticismName, CriticizeArgs};
pub(crate) use explain::ExplainArgs;
pub(crate) use given::GivenArgs;
pub(crate) use help::parse;
pub(crate) use kernel::KernelArgs;
pub(crate) use page::{ImageShape, PageArgs};
pub(crate) use relate::{KeyChoice, RelateArgs};
pub(crate) use report::ReportArgs;
pub(crate) use search::SearchArgs;
pub(crate) use select::SelectArgs;
pub(crate) use values::PerLabelValue;
pub(crate) use values::word;

/// Find a few weighted rows that represent a data set
#[derive(Debug, Parser)]
#[command(
    name = "protodash",
    version,
    after_help = "`protodash select -h` lists the common flags, `protodash select --help` all of them, with examples.",
    max_term_width = 100
)]
pub(crate) struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Pick rows from SOURCE that represent it, or another file with --target
    ///
    /// Picks rows from SOURCE and weights them so that together they match the whole data set as closely as possible.
    /// Prints each chosen row with its weight, its share of the total weight, the number of rows nearest to it, and its
    /// most unusual values. Rows are counted from 0.
    Select(Box<SelectArgs>),
    /// Compare selection methods on the same data
    ///
    /// Every method picks rows from SOURCE and is scored with the same kernel. The table shows the objective (higher is
    /// better), the share of the target explained, MMD² (lower is better) with the method's own weights and with
    /// refitted weights, time (without the kernel mean, which all methods share) and memory. With labels it also shows
    /// the accuracy of the nearest prototype and of the weighted vote. The last table counts the rows that each pair of
    /// methods shares.
    Compare(Box<CompareArgs>),
    /// Find the rows that a saved selection represents worst
    ///
    /// Reads a result of `protodash select -o RESULT.json`, applies its settings for rows and columns to SOURCE, and
    /// finds the rows that its prototypes represent worst.
    Criticize(Box<CriticizeArgs>),
    /// Explain individual rows, each by the few rows of SOURCE that represent it
    ///
    /// Prints for each row the source rows whose weighted combination is closest to it, their share of the weight, their
    /// distance, and where they are alike and differ most. A row has nothing similar if it is farther from
    /// its nearest source row than 99 % of source rows are from theirs. Rows are counted from 0.
    Explain(Box<ExplainArgs>),
    /// Rank tables by how well their prototypes represent each other
    ///
    /// The tables describe the same people, shops or samples, each with different columns; rows are matched by --key.
    /// For each pair of tables, prototypes are chosen with the columns of one and scored with the columns of the other:
    /// `explained` is the share of the other table they reproduce. A table's rank compares it with all other tables
    /// that represent the same table. Missing values are a separate category.
    Relate(Box<RelateArgs>),
    /// Create an HTML report from a saved result
    ///
    /// Writes the report that --report would have written. With SOURCE, it also shows the rows: values or images,
    /// examples of the rows each prototype represents, and the map.
    Report(Box<ReportArgs>),
    /// Print a shell completion script
    Completions(CompletionsArgs),
}

/// Arguments of `protodash completions`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// Shell
    pub(crate) shell: Shell,
}
