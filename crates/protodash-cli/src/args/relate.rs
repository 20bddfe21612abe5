//! Arguments of `protodash relate`.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::ValueEnum;
use protodash_terminal::{Resources, at_least_one};

use super::search::{Method, Weights};
use super::values::{Names, delimiter};
use super::{Data, Kernel, KernelName, Scale, examples};
use crate::error::Failure;

/// Arguments of `protodash relate`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::RELATE, after_help = "`protodash relate --help` says more and shows examples.")]
pub(crate) struct Relate {
    /// Tables to relate, two or more
    #[arg(value_name = "TABLE", required = true)]
    pub(crate) tables: Vec<PathBuf>,

    /// Write to this file instead: .json (the whole result), .csv (a line for each pair) or .dot (the graph, for Graphviz)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Column of all tables that says which thing a row is about; no table may have a key twice
    #[arg(long, value_name = "COLUMN", help_heading = "Keys")]
    pub(crate) key: String,

    /// Which keys two tables are compared on
    #[arg(long, value_enum, default_value_t, help_heading = "Keys")]
    pub(crate) keys: KeyChoice,

    /// Use only the keys that this file has in the column --key
    #[arg(long, value_name = "FILE", help_heading = "Keys")]
    pub(crate) keys_of: Option<PathBuf>,

    /// How many prototypes each table has
    #[arg(short = 'm', long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true, default_value_t = 10, help_heading = "Prototypes")]
    pub(crate) n_prototypes: usize,

    /// How prototypes are chosen
    #[arg(long, value_enum, default_value_t, help_heading = "Prototypes")]
    pub(crate) method: Method,

    /// How the chosen rows are weighted
    #[arg(long, value_enum, default_value_t, help_heading = "Prototypes")]
    pub(crate) weights: Weights,

    /// How many of its best representatives each table has in the graph
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true, default_value_t = 1, help_heading = "Prototypes")]
    pub(crate) best: usize,

    /// Use all columns but these as features; a table need not have them
    #[arg(long, value_name = "A,B", help_heading = "Columns")]
    drop: Vec<Names>,

    /// Numeric columns that hold codes, to be treated as categories; text and true/false columns are anyway
    #[arg(long, value_name = "A,B", help_heading = "Columns")]
    categorical: Vec<Names>,

    /// Every column holds codes, to be treated as categories
    #[arg(long, conflicts_with = "categorical", help_heading = "Columns")]
    pub(crate) all_categorical: bool,

    /// How numeric columns are brought to one scale [default: standard]
    #[arg(long, value_enum, help_heading = "Columns")]
    pub(crate) scale: Option<Scale>,

    /// What separates the cells of a CSV file, one character or `tab` [default: found out]
    #[arg(long, value_name = "CHAR", value_parser = delimiter, help_heading = "Columns")]
    pub(crate) delimiter: Option<char>,

    #[command(flatten)]
    pub(crate) kernel: Kernel,

    /// Also write a page that any browser opens, offline and complete in one file: .html
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub(crate) report: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) run: Resources,

    /// Seed of every random draw (samples for --bandwidth median, rows of random and k-medoids)
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Running", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

/// Which keys two tables are compared on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum KeyChoice {
    /// Those that both tables have, for each pair of tables
    #[default]
    Shared,
    /// Those that any table has; "not asked" is a level of its own in every column of a table that lacks a key
    All,
}

impl Relate {
    /// The columns named as no features.
    pub(crate) fn drop(&self) -> Vec<String> {
        self.drop.iter().flat_map(|Names(names)| names).cloned().collect()
    }

    /// The columns named as categories.
    pub(crate) fn categorical(&self) -> Vec<String> {
        self.categorical.iter().flat_map(|Names(names)| names).cloned().collect()
    }

    /// Refuses what is wrong whatever the files hold.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if let [only] = &self.tables[..] {
            let message = format!("at least 2 tables are needed, only {} is given", only.display());
            return Err(Failure::call(
                message,
                "name the tables to compare, as in: protodash relate a.csv b.csv --key id",
            ));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = self.tables.iter().find(|table| !seen.insert(*table)) {
            let message = format!("{} is given twice", twice.display());
            return Err(Failure::call(message, "name every table once"));
        }
        if self.kernel.name == KernelName::Precomputed {
            let message = "--kernel precomputed reads kernel matrices, which have no keys";
            return Err(Failure::call(message, "give another kernel"));
        }
        for (flag, names) in [("--drop", self.drop()), ("--categorical", self.categorical())] {
            if names.contains(&self.key) {
                let message = format!("column {:?} is given to both --key and {flag}", self.key);
                return Err(Failure::call(message, format!("leave it out of {flag}: a key is never a feature")));
            }
        }
        let mut data = Data::default();
        data.scale = self.scale;
        self.kernel.check(&data)
    }
}
