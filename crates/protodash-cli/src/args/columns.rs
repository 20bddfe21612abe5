//! Which rows and columns of the files to use, and the role of each column.

use std::path::PathBuf;

use protodash_table::{Input, MissingRule, Scaling};
use protodash_terminal::at_least_one;

use super::values::{Names, delimiter, one_of};
use crate::error::Failure;

/// Where the rows come from and which role each column has.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Rows and columns")]
pub(crate) struct DataArgs {
    /// File to represent, with the same columns as SOURCE [default: SOURCE]
    #[arg(long, value_name = "FILE")]
    pub(crate) target: Option<PathBuf>,

    /// Represent only rows that satisfy an SQL condition, such as "age >= 30"
    ///
    /// Put column names that contain spaces in double quotes.
    #[arg(long, value_name = "EXPR")]
    pub(crate) target_where: Option<String>,

    /// Choose only from rows that satisfy an SQL condition
    #[arg(long, value_name = "EXPR")]
    pub(crate) source_where: Option<String>,

    /// Represent a random sample of N rows
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) target_sample: Option<usize>,

    /// Choose from a random sample of N rows
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) source_sample: Option<usize>,

    /// Use only these columns as features
    #[arg(long, value_name = "A,B")]
    columns: Vec<Names>,

    /// Do not use these columns as features
    #[arg(long, value_name = "A,B")]
    drop: Vec<Names>,

    /// Column with row names; shown in the results, never a feature
    #[arg(long, value_name = "A")]
    pub(crate) id: Option<String>,

    /// Column with class labels; shown in the results, never a feature
    #[arg(long, value_name = "A")]
    pub(crate) label: Option<String>,

    /// File with one class label per row of SOURCE
    #[arg(long, value_name = "FILE", conflicts_with = "label")]
    pub(crate) source_labels: Option<PathBuf>,

    /// File with one class label per row of the --target file
    #[arg(long, value_name = "FILE", conflicts_with = "label", requires = "target")]
    pub(crate) target_labels: Option<PathBuf>,

    /// Column with the weight of each target row; never a feature
    #[arg(long, value_name = "A")]
    pub(crate) target_weight: Option<String>,

    /// Titles, texts or images for the report; never features
    #[arg(long, value_name = "A,B")]
    show: Vec<Names>,

    /// How to scale numeric columns [default: standard; arrays, lists: none]
    #[arg(long, value_parser = one_of(Scaling::ALL))]
    pub(crate) scale: Option<Scaling>,

    /// Scale each row to unit length, usual for embeddings
    #[arg(long)]
    pub(crate) normalize: bool,

    /// Numeric columns to treat as categories (text always is)
    #[arg(long, value_name = "A,B")]
    categorical: Vec<Names>,

    /// How to treat missing values
    #[arg(long, value_parser = one_of(MissingRule::ALL), default_value = MissingRule::ALL[0].1)]
    pub(crate) missing: MissingRule,

    /// The CSV file has no header; columns are named column_1, ...
    #[arg(long)]
    pub(crate) no_header: bool,

    /// The file of fixed rows, which --fixed of `select` names.
    #[arg(skip)]
    pub(crate) fixed_file: Option<PathBuf>,

    /// The file of excluded rows, which --exclude of `select` names.
    #[arg(skip)]
    pub(crate) exclude_file: Option<PathBuf>,
    /// The columns to estimate from the prototypes.
    #[arg(skip)]
    pub(crate) estimate: Vec<String>,
    /// Whether target rows are single rows, which `explain` explains.
    #[arg(skip)]
    pub(crate) single_target_rows: bool,

    /// CSV delimiter, one character or `tab` [default: detected]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<char>,
}

impl DataArgs {
    /// The columns given as features; empty means all.
    pub(crate) fn columns(&self) -> Vec<String> {
        flat(&self.columns)
    }

    /// The columns that are not features.
    pub(crate) fn drop(&self) -> Vec<String> {
        flat(&self.drop)
    }

    /// The columns that are no features although they are not listed as such: dropped ones and, unless features are listed,
    /// those to estimate.
    pub(crate) fn dropped(&self) -> Vec<String> {
        let mut dropped = self.drop();
        for column in self.estimate.iter().filter(|_| self.columns.is_empty()) {
            if !dropped.iter().any(|other| other.eq_ignore_ascii_case(column)) {
                dropped.push(column.clone());
            }
        }
        dropped
    }

    /// The columns that the report shows.
    pub(crate) fn show(&self) -> Vec<String> {
        flat(&self.show)
    }

    /// The columns given as categories.
    pub(crate) fn categorical(&self) -> Vec<String> {
        flat(&self.categorical)
    }

    /// Whether the target differs from the source.
    pub(crate) fn has_own_target(&self) -> bool {
        self.target.is_some() || self.target_where != self.source_where
    }

    /// The feature columns of a file: those given, or else all without another role.
    pub(crate) fn features_of(&self, input: &Input) -> Vec<String> {
        if !self.columns.is_empty() {
            return self.columns();
        }
        let mut others = self.drop();
        others.extend(self.show());
        others.extend([&self.id, &self.label, &self.target_weight].into_iter().flatten().cloned());
        // Names match case-insensitively where that is unambiguous.
        let is_other = |name: &str| others.iter().any(|other| other.to_lowercase() == name.to_lowercase());
        let columns = input.columns().iter().enumerate();
        let kept = columns.filter(|(at, column)| !is_other(&column.name) && !input.list_of(*at).is_some_and(is_other));
        kept.map(|(_, column)| column.name.clone()).collect()
    }

    /// Default data flags with these lists of `columns`, `drop`, `categorical` and `show`.
    pub(crate) fn with_names(lists: [Vec<String>; 4]) -> DataArgs {
        let listed = |names: Vec<String>| if names.is_empty() { Vec::new() } else { vec![Names(names)] };
        let [columns, drop, categorical, show] = lists.map(listed);
        DataArgs { columns, drop, categorical, show, ..DataArgs::default() }
    }

    /// The given flags that set roles of columns or pick rows.
    pub(super) fn role_flags(&self) -> Vec<&'static str> {
        let given = [
            ("--target-where", self.target_where.is_some()),
            ("--source-where", self.source_where.is_some()),
            ("--target-sample", self.target_sample.is_some()),
            ("--source-sample", self.source_sample.is_some()),
            ("--columns", !self.columns.is_empty()),
            ("--drop", !self.drop.is_empty()),
            ("--id", self.id.is_some()),
            ("--label", self.label.is_some()),
            ("--source-labels", self.source_labels.is_some()),
            ("--target-labels", self.target_labels.is_some()),
            ("--target-weight", self.target_weight.is_some()),
            ("--show", !self.show.is_empty()),
            ("--scale", self.scale.is_some()),
            ("--normalize", self.normalize),
            ("--categorical", !self.categorical.is_empty()),
            ("--missing", self.missing != MissingRule::default()),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(flag, _)| flag).collect()
    }

    /// Rejects a column with two conflicting roles.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let one = |flag, name: &Option<String>| (flag, name.iter().cloned().collect::<Vec<_>>());
        let roles = [
            one("--id", &self.id),
            one("--label", &self.label),
            one("--target-weight", &self.target_weight),
            ("--drop", self.drop()),
            ("--show", self.show()),
            ("--columns", self.columns()),
            ("--categorical", self.categorical()),
        ];
        for (place, (flag, names)) in roles.iter().enumerate() {
            // A column may be both a feature and categorical.
            let others =
                roles[place + 1..].iter().filter(|(other, _)| (*flag, *other) != ("--columns", "--categorical"));
            for (other, other_names) in others {
                if let Some(name) = names.iter().find(|name| other_names.contains(name)) {
                    let message = format!("column {name:?} appears in both {flag} and {other}");
                    return Err(Failure::call(message, format!("remove it from {other} or from {flag}")));
                }
            }
        }
        Ok(())
    }
}

fn flat(names: &[Names]) -> Vec<String> {
    names.iter().flat_map(|Names(names)| names).cloned().collect()
}
