//! The command line: what can be asked, and what is refused before any file is opened.

mod columns;
mod compare;
mod criticize;
mod examples;
mod kernel;
mod page;
mod relate;
mod report;
mod search;
mod select;
mod values;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use columns::{Data, Scale};
pub(crate) use compare::Compare;
pub(crate) use criticize::Criticize;
pub(crate) use kernel::{Kernel, KernelName};
pub(crate) use page::{ImageShape, Page};
pub(crate) use relate::{KeyChoice, Relate};
pub(crate) use report::Report;
pub(crate) use search::{Among, CriticismName, Criticisms, Method, Search, TargetEnergy};
pub(crate) use select::Select;
pub(crate) use values::{Bandwidth, word};

/// Picks the few rows of a data set that stand for all the others, and says how much each one stands for.
#[derive(Debug, Parser)]
#[command(name = "protodash", version, after_help = "`protodash select --help` shows examples.", max_term_width = 100)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What the command can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Choose the rows of SOURCE that stand for all its rows, or for those of another file
    ///
    /// Finds rows of SOURCE, and weights for them, that together resemble all rows of SOURCE, or of the file given with
    /// --target, as closely as possible. Without -o it prints a table: the chosen rows in order of choice, the weight of
    /// each and its share of all weights, how many rows it stands for (those more similar to it than to any other
    /// prototype), and what it looks like: the cells in which it differs most from the average row.
    ///
    /// SOURCE may be a CSV or TSV file, Parquet, Arrow IPC, JSON lines, NumPy .npy or .npz, IDX (MNIST) or SAS transport
    /// (.XPT), also packed with gzip, xz or zstd. Rows are counted from 0, the header not counted, on the terminal and in
    /// files alike.
    Select(Box<Select>),
    /// Let several methods choose from the same data, and show how well and how fast each did
    ///
    /// Every method chooses the rows of SOURCE that stand for all its rows, or for those of another file, and is judged
    /// by the same kernel. The table shows for each number of prototypes the objective (larger is better), how much of
    /// the target the prototypes explain, the distance that is left (MMD², smaller is better) with the method's own
    /// weights and with the best ones for the same rows (solved again), the time without the kernel mean that all share,
    /// and the memory of the process. With classes it also shows how often the nearest prototype, and the weighted vote
    /// of all prototypes, are right. The last table counts the rows that two methods both chose.
    Compare(Box<Compare>),
    /// Find the rows that a saved selection represents worst
    ///
    /// Reads a result that `protodash select -o RESULT.json` wrote and finds the rows that its prototypes represent
    /// worst. Rows and columns are used as the result says they were; only the paths are given anew.
    Criticize(Box<Criticize>),
    /// Find out which tables' prototypes represent which other tables: ranks and a graph
    ///
    /// The tables are about the same things (people, shops, samples), each by columns of its own; the column given with
    /// --key says which thing a row is about. For two tables, prototypes are chosen by the columns of one among the keys
    /// that both have, and judged by the columns of the other with weights solved again: `explained` is the part of that
    /// table which they reproduce. A table's rank is its place among all that represent the same table.
    ///
    /// Rows are matched by key, never by place. Missing values are a level of their own.
    Relate(Box<Relate>),
    /// Make a page for the browser from a saved result
    ///
    /// Reads a result that `protodash select`, `criticize`, `compare` or `relate` wrote with -o RESULT.json and writes the
    /// page that --report would have written. With SOURCE it shows the rows too: their values or pictures, examples of
    /// what each prototype stands for, and the map. Without it the page says what it lacks.
    Report(Box<Report>),
    /// Write a completion script for a shell to the standard output
    Completions(Completions),
}

/// Arguments of `protodash completions`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::COMPLETIONS)]
pub(crate) struct Completions {
    /// The shell to complete for
    pub(crate) shell: Shell,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
    }
}
