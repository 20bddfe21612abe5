//! Which rows and columns of the files are used, and what each column is for.

use std::path::PathBuf;

use clap::ValueEnum;
use protodash_table::Input;
use protodash_terminal::at_least_one;

use super::values::{Names, delimiter};
use crate::error::Failure;

/// Where the rows come from and what their columns are for.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Rows and columns")]
pub(crate) struct Data {
    /// File whose rows are to be represented, if not SOURCE; it must have the same columns
    #[arg(long, value_name = "FILE")]
    pub(crate) target: Option<PathBuf>,

    /// Represent only the rows for which this SQL condition holds, such as "tier = 'gold' AND age >= 30"
    ///
    /// It looks at the file given with --target, or at SOURCE if there is none. Allowed are comparisons, AND, OR, NOT,
    /// IN, BETWEEN, LIKE, IS NULL and arithmetic. A column name with blanks stands in double quotes.
    #[arg(long, value_name = "EXPR")]
    pub(crate) target_where: Option<String>,

    /// Choose only among the rows of SOURCE for which this SQL condition holds
    ///
    /// Without --target and --target-where, all rows of SOURCE are represented by those for which it holds.
    #[arg(long, value_name = "EXPR")]
    pub(crate) source_where: Option<String>,

    /// Represent only this many rows, drawn by --seed from those that would be represented otherwise
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) target_sample: Option<usize>,

    /// Choose only among this many rows of SOURCE, drawn by --seed
    ///
    /// Without --target, --target-where and --target-sample, all rows of SOURCE are represented by some of these. The
    /// same number with --target-sample draws the same rows of the same file.
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) source_sample: Option<usize>,

    /// Use only these columns as features, separated by commas
    #[arg(long, value_name = "A,B")]
    columns: Vec<Names>,

    /// Use all columns but these as features
    #[arg(long, value_name = "A,B")]
    drop: Vec<Names>,

    /// Column that names the rows; it is shown in the results and never a feature
    #[arg(long, value_name = "A")]
    pub(crate) id: Option<String>,

    /// Column with a class of the rows; it is shown in the results and never a feature
    #[arg(long, value_name = "A")]
    pub(crate) label: Option<String>,

    /// File with the class of each row of SOURCE, for images and arrays whose classes are kept apart from them
    ///
    /// One column, one row for each row of SOURCE, in any format that SOURCE may have, such as the label files of MNIST.
    #[arg(long, value_name = "FILE", conflicts_with = "label")]
    pub(crate) source_labels: Option<PathBuf>,

    /// File with the class of each row of the file given with --target
    #[arg(long, value_name = "FILE", conflicts_with = "label", requires = "target")]
    pub(crate) target_labels: Option<PathBuf>,

    /// Column that says how much each target row counts; it is never a feature
    #[arg(long, value_name = "A")]
    pub(crate) target_weight: Option<String>,

    /// How numeric columns are brought to one scale [default: `none` for arrays and images, `standard` for tables]
    #[arg(long, value_enum)]
    pub(crate) scale: Option<Scale>,

    /// Numeric columns that hold codes, to be treated as categories; text and true/false columns are anyway
    #[arg(long, value_name = "A,B")]
    categorical: Vec<Names>,

    /// What to do about missing values
    #[arg(long, value_enum, default_value_t)]
    pub(crate) missing: Missing,

    /// The first line of a CSV file is data; the columns are then called column_1, column_2, ...
    #[arg(long)]
    pub(crate) no_header: bool,

    /// What separates the cells of a CSV file, one character or `tab` [default: found out]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(crate) delimiter: Option<char>,
}

impl Data {
    /// The columns named as features; none named means all.
    pub(crate) fn columns(&self) -> Vec<String> {
        flat(&self.columns)
    }

    /// The columns named as no features.
    pub(crate) fn drop(&self) -> Vec<String> {
        flat(&self.drop)
    }

    /// The columns named as categories.
    pub(crate) fn categorical(&self) -> Vec<String> {
        flat(&self.categorical)
    }

    /// Whether other rows are to be represented than those to choose from.
    pub(crate) fn has_own_target(&self) -> bool {
        self.target.is_some() || self.target_where != self.source_where
    }

    /// The columns of a file that are features: those named, or else all that are nothing else.
    pub(crate) fn features_of(&self, input: &Input) -> Vec<String> {
        if !self.columns.is_empty() {
            return self.columns();
        }
        let mut others = self.drop();
        others.extend([&self.id, &self.label, &self.target_weight].into_iter().flatten().cloned());
        // Names are matched without regard to case where only one column can be meant.
        let is_other = |name: &str| others.iter().any(|other| other.to_lowercase() == name.to_lowercase());
        input.columns().iter().map(|column| column.name.clone()).filter(|name| !is_other(name)).collect()
    }

    /// Data with these lists of `columns`, `drop` and `categorical`, and all else as by default.
    pub(crate) fn with_names(lists: [Vec<String>; 3]) -> Data {
        let listed = |names: Vec<String>| if names.is_empty() { Vec::new() } else { vec![Names(names)] };
        let [columns, drop, categorical] = lists.map(listed);
        Data { columns, drop, categorical, ..Data::default() }
    }

    /// The flags given that say what columns are for or which rows count.
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
            ("--scale", self.scale.is_some()),
            ("--categorical", !self.categorical.is_empty()),
            ("--missing", self.missing != Missing::default()),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(flag, _)| flag).collect()
    }

    /// Refuses a column with two purposes that exclude each other.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let one = |flag, name: &Option<String>| (flag, name.iter().cloned().collect::<Vec<_>>());
        let roles = [
            one("--id", &self.id),
            one("--label", &self.label),
            one("--target-weight", &self.target_weight),
            ("--drop", self.drop()),
            ("--columns", self.columns()),
            ("--categorical", self.categorical()),
        ];
        for (place, (flag, names)) in roles.iter().enumerate() {
            // Choosing a column and calling it categorical is no contradiction.
            let others =
                roles[place + 1..].iter().filter(|(other, _)| (*flag, *other) != ("--columns", "--categorical"));
            for (other, other_names) in others {
                if let Some(name) = names.iter().find(|name| other_names.contains(name)) {
                    let message = format!("column {name:?} is given to both {flag} and {other}");
                    return Err(Failure::call(message, format!("leave it out of {other}, or out of {flag}")));
                }
            }
        }
        Ok(())
    }
}

fn flat(names: &[Names]) -> Vec<String> {
    names.iter().flat_map(|Names(names)| names).cloned().collect()
}

/// How numeric columns are brought to one scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scale {
    /// As they are
    None,
    /// Mean 0 and standard deviation 1 over the source rows
    Standard,
    /// From 0 to 1 over the source rows
    Minmax,
}

/// What to do about missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Missing {
    /// Refuse, naming the columns and how many values each lacks
    #[default]
    Error,
    /// Missing is a category of its own
    Category,
    /// The column's mean over the source rows
    Mean,
    /// Zero
    Zero,
}

impl From<Scale> for protodash_table::Scaling {
    fn from(scale: Scale) -> Self {
        match scale {
            Scale::None => protodash_table::Scaling::None,
            Scale::Standard => protodash_table::Scaling::Standard,
            Scale::Minmax => protodash_table::Scaling::MinMax,
        }
    }
}

impl From<Missing> for protodash_table::MissingRule {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::Error => protodash_table::MissingRule::Error,
            Missing::Category => protodash_table::MissingRule::Category,
            Missing::Mean => protodash_table::MissingRule::Mean,
            Missing::Zero => protodash_table::MissingRule::Zero,
        }
    }
}
