//! Arguments of `protodash relate`.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::ValueEnum;
use protodash::{Choice, Method, Weights};
use protodash_table::Scaling;
use protodash_terminal::{Resources, at_least_one};

use super::values::{Names, delimiter, one_of, seed};
use super::{DataArgs, KernelArgs, examples};
use crate::error::Failure;

/// Arguments of `protodash relate`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = examples::RELATE)]
pub(crate) struct RelateArgs {
    /// Two or more tables
    #[arg(value_name = "TABLE", required = true)]
    pub(crate) tables: Vec<PathBuf>,

    /// Write to FILE instead of the terminal: .json (result), .csv (pairs) or .dot (graph for Graphviz)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Key column, present in every table; keys must be unique within a table
    #[arg(long, value_name = "COLUMN", help_heading = "Keys")]
    pub(crate) key: String,

    /// Keys on which two tables are compared
    #[arg(long, value_enum, default_value_t, help_heading = "Keys")]
    pub(crate) keys: KeyChoice,

    /// Use only the keys of this file
    #[arg(long, value_name = "FILE", help_heading = "Keys")]
    pub(crate) keys_of: Option<PathBuf>,

    /// Number of prototypes of each table
    #[arg(short = 'm', long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true, default_value_t = 10, help_heading = "Prototypes")]
    pub(crate) n_prototypes: usize,

    /// Selection method
    #[arg(long, value_parser = one_of(Method::ALL), default_value = Method::ALL[0].1, help_heading = "Prototypes")]
    pub(crate) method: Method,

    /// How to weight the chosen rows
    #[arg(long, value_parser = one_of(Weights::ALL), default_value = Weights::ALL[0].1, help_heading = "Prototypes")]
    pub(crate) weights: Weights,

    /// Number of best representatives of each table in the graph
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true, default_value_t = 1, help_heading = "Prototypes")]
    pub(crate) best: usize,

    /// Do not use these columns as features; not every table needs to have them
    #[arg(long, value_name = "A,B", help_heading = "Columns")]
    drop: Vec<Names>,

    /// Numeric columns to treat as categories (text always is)
    #[arg(long, value_name = "A,B", help_heading = "Columns")]
    categorical: Vec<Names>,

    /// Treat every column as categorical
    #[arg(long, conflicts_with = "categorical", help_heading = "Columns")]
    pub(crate) all_categorical: bool,

    /// How to scale numeric columns [default: standard]
    #[arg(long, value_parser = one_of(Scaling::ALL), help_heading = "Columns")]
    pub(crate) scale: Option<Scaling>,

    /// CSV delimiter, one character or `tab` [default: detected]
    #[arg(long, value_name = "CHAR", value_parser = delimiter, help_heading = "Columns")]
    pub(crate) delimiter: Option<char>,

    #[command(flatten)]
    pub(crate) kernel: KernelArgs,

    /// Also write an HTML report: one file, works offline
    #[arg(long, value_name = "FILE.html", help_heading = "Report")]
    pub(crate) report: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) run: Resources,

    /// Random seed
    #[arg(long, value_name = "N", value_parser = seed, default_value_t = 0, help_heading = "Running", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

/// Keys on which two tables are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum KeyChoice {
    /// The keys that both tables share
    #[default]
    Shared,
    /// All keys; a key that a table lacks gets the category "not asked"
    All,
}

impl RelateArgs {
    /// The columns that are not features.
    pub(crate) fn drop(&self) -> Vec<String> {
        self.drop.iter().flat_map(|Names(names)| names).cloned().collect()
    }

    /// The columns given as categories.
    pub(crate) fn categorical(&self) -> Vec<String> {
        self.categorical.iter().flat_map(|Names(names)| names).cloned().collect()
    }

    /// Rejects flags that cannot be valid for any file.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if let [only] = &self.tables[..] {
            let message = format!("only one table, {}; at least 2 are needed", only.display());
            return Err(Failure::call(
                message,
                "name the tables to compare, as in: protodash relate a.csv b.csv --key id",
            ));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = self.tables.iter().find(|table| !seen.insert(*table)) {
            let message = format!("{} is listed twice", twice.display());
            return Err(Failure::call(message, "list each table once"));
        }
        if self.kernel.is_precomputed() {
            let message = "--kernel precomputed reads kernel matrices, which have no key column";
            return Err(Failure::call(message, "use another kernel"));
        }
        for (flag, names) in [("--drop", self.drop()), ("--categorical", self.categorical())] {
            if names.contains(&self.key) {
                let message = format!("column {:?} appears in both --key and {flag}", self.key);
                return Err(Failure::call(message, format!("remove it from {flag}: a key is never a feature")));
            }
        }
        let mut data = DataArgs::default();
        data.scale = self.scale;
        self.kernel.check(&data)
    }
}
