//! Hints for errors in encoding a table as a matrix.

use super::problem::{EncodeProblem, NotDates};
use super::roles::{MissingRule, Scaling};
use crate::advice::{Hint, Setting};
use crate::hint;

impl EncodeProblem {
    /// Returns what to try next, or `None` when there is nothing to add.
    pub(crate) fn hint(&self) -> Option<Hint> {
        use EncodeProblem::*;
        Some(match self {
            UnknownColumn { setting, .. } => hint!(["correct the name in ", setting.clone()]),
            UnreadColumn { setting, .. } => hint!(["remove it from ", setting.clone()]),
            AmbiguousColumn { setting, .. } => hint!(["write one of them exactly in ", setting.clone()]),
            Conflict { setting, other, .. } => {
                hint!(["remove it from ", setting.clone()], ["remove it from ", other.clone()])
            }
            NotAFeature { .. } => {
                hint!(["add it to ", Setting::Columns], ["remove it from ", Setting::Categorical(Vec::new())])
            }
            NoFeatures { .. } => hint!(["name at least one feature with ", Setting::Columns], ["drop fewer columns"]),
            OneSided { only_source, only_target, .. } => hint!(
                ["exclude them with ", drop(only_source.iter().chain(only_target))],
                ["name the features with ", Setting::Columns],
            ),
            DifferentKinds { column, .. } => hint!(
                ["use ", categorical(column), " to treat every value as a category"],
                ["exclude it with ", drop([column])],
            ),
            Mixed { column, .. } => hint!(
                ["use ", categorical(column), " to treat every value as a category"],
                ["exclude the column with ", drop([column])],
                ["empty the cells that have no value"],
            ),
            AllDistinct { column, not_dates: Some(why), .. } => match **why {
                NotDates::Value(..) => hint!(
                    ["correct that value or leave it empty, so that dates become numbers"],
                    ["exclude the column with ", drop([column])],
                ),
                NotDates::Form(_) => hint!(
                    ["write dates as 2024-01-31"],
                    ["exclude the column with ", drop([column])],
                    ["use ", id(column), " if it names the rows"],
                ),
            },
            AllDistinct { column, .. } => hint!(
                ["use ", id(column), " if it names the rows"],
                ["exclude it with ", drop([column])],
                ["use it anyway with ", categorical(column)],
            ),
            NoRowsLeft { condition, .. } if condition.to_lowercase().contains("= null") => {
                hint!(["nothing equals NULL; write IS NULL instead"])
            }
            NoRowsLeft { .. } => hint!(["comparisons of text are case-sensitive; ILIKE ignores case"]),
            MissingValues { columns, has_categorical, .. } => {
                let leave_out = drop(columns.iter().map(|(name, _)| name));
                match has_categorical {
                    true => hint!(["use ", missing(MissingRule::Category)], ["exclude the columns with ", leave_out]),
                    false => hint!(
                        ["use ", missing(MissingRule::Category)],
                        [missing(MissingRule::Mean)],
                        [missing(MissingRule::Zero)],
                        ["exclude the columns with ", leave_out],
                    ),
                }
            }
            MissingLevels { .. } => hint!([
                "use ",
                missing(MissingRule::Category),
                ", which adds a \"missing\" category and replaces missing numbers with the mean"
            ]),
            NoMean { column, .. } => {
                hint!(["exclude it with ", drop([column])], ["use ", missing(MissingRule::Zero)])
            }
            NotFinite { column, .. } => hint!(
                ["correct the cell"],
                ["empty it and see ", Setting::Missing(None)],
                ["exclude the column with ", drop([column])],
            ),
            ScaleRange { column, .. } => hint!(
                ["use ", Setting::Scale(Some(Scaling::Rank)), " to compare ranks"],
                ["change its unit"],
                ["exclude it with ", drop([column])],
            ),
            OtherRows { .. } => hint!(["convert one of the files, for example with scipy.sparse.save_npz"]),
            SparseSetting { setting, .. } => {
                hint!(["omit ", setting.clone()], ["change the columns before saving the file"])
            }
            SparseKeyed { .. } => hint!(["omit the table"], ["convert it, for example to Parquet"]),
            NoValues { .. } => return None,
            SparseTooLarge { .. } => {
                hint!(["use fewer rows with ", Setting::SourceWhere], ["allow more with ", Setting::Memory],)
            }
            AllConstant { .. } => hint!(["choose features that differ between rows with ", Setting::Columns]),
            TooLarge { widest: Some((widest, _)), .. } => hint!(
                ["exclude it with ", drop([widest])],
                ["use ", id(widest), " if it names the rows"],
                ["allow more with ", Setting::Memory],
            ),
            TooLarge { widest: None, .. } => hint!(
                ["use fewer columns with ", Setting::Columns],
                ["use fewer rows with ", Setting::SourceWhere],
                ["use fewer keys with ", Setting::KeysOf],
                ["allow more with ", Setting::Memory],
            ),
            WeightsNotNumbers { .. } | BadWeight { .. } | ZeroWeights { .. } => {
                hint!(["omit ", Setting::TargetWeight, " to weight all rows equally"])
            }
            MissingKey { .. } => hint!(["add a key"], ["delete the row"]),
            DuplicateKey { .. } => hint!(["combine the rows of each key into one first"]),
            NoneWanted { .. } => {
                hint!(["omit the table"], ["write its keys as in the file of ", Setting::KeysOf],)
            }
            NothingShared { .. } => hint!(["omit the table"], ["write keys the same way in all tables"]),
            Stopped => return None,
        })
    }
}

fn id(column: &str) -> Setting {
    Setting::Id(Some(column.to_owned()))
}

fn categorical(column: &str) -> Setting {
    Setting::Categorical(vec![column.to_owned()])
}

fn missing(rule: MissingRule) -> Setting {
    Setting::Missing(Some(rule))
}

/// Returns the setting that drops columns; without their names if there are too many to type.
fn drop<'a>(names: impl IntoIterator<Item = &'a String>) -> Setting {
    const MAX_NAMES: usize = 20;
    let names: Vec<String> = names.into_iter().cloned().collect();
    Setting::Drop(if names.len() > MAX_NAMES { Vec::new() } else { names })
}
