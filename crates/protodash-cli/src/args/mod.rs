//! The command line: commands, flags, help, and the checks that need no file.

mod columns;
mod compare;
mod criticize;
mod examples;
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
pub(crate) use criticize::{CriticismArgs, CriticismName, CriticizeArgs};
pub(crate) use help::parse;
pub(crate) use kernel::KernelArgs;
pub(crate) use page::{ImageShape, PageArgs};
pub(crate) use relate::{KeyChoice, RelateArgs};
pub(crate) use report::ReportArgs;
pub(crate) use search::SearchArgs;
pub(crate) use select::SelectArgs;
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
    /// Picks rows of SOURCE and weights for them so that together they resemble all rows as closely as possible. Prints
    /// the chosen rows, the weight of each and its share of the total, the number of rows it stands for (those most
    /// similar to it), and the cells in which it differs most from the average row. Rows are counted from 0.
    Select(Box<SelectArgs>),
    /// Compare selection methods on the same data
    ///
    /// Every method picks rows of SOURCE and is scored with the same kernel. The table shows the objective (higher is
    /// better), the explained part of the target, MMD² (lower is better) with the method's own weights and with
    /// refitted weights, time without the shared kernel mean, and memory. With labels it also shows the accuracy of the
    /// nearest prototype and of the weighted vote. The last table counts the rows that two methods share.
    Compare(Box<CompareArgs>),
    /// Find the rows that a saved selection represents worst
    ///
    /// Reads the result of `protodash select -o RESULT.json`, with its settings for rows and columns, and finds the rows
    /// that its prototypes represent worst.
    Criticize(Box<CriticizeArgs>),
    /// Rank tables by how well their prototypes represent each other
    ///
    /// The tables describe the same people, shops or samples, each with different columns; --key says which row is
    /// which. For each pair of tables, prototypes are chosen with the columns of one and scored with the columns of the
    /// other: `explained` is the part of the other table they reproduce. A table's rank is its place among all tables
    /// that represent the same table. Rows are matched by key; missing values are a separate category.
    Relate(Box<RelateArgs>),
    /// Create an HTML report from a saved result
    ///
    /// Writes the report that --report would have written. With SOURCE it also shows the rows: values or images, examples
    /// of what each prototype stands for, and the map.
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
