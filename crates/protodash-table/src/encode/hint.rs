//! What to try next when a table cannot become a matrix, in terms of the command's flags.

use std::fmt;

use super::problem::EncodeProblem;
use crate::names::{Typed, separated};

impl EncodeProblem {
    /// Returns what to try next, or `None` when there is nothing to add.
    pub(crate) fn hint(&self) -> Option<String> {
        use EncodeProblem::*;
        Some(match self {
            Conflict { column, flag, other, .. } => {
                let column = Typed(column);
                format!("take {column} out of {flag} or out of {other}")
            }
            NotAFeature { column, .. } => {
                format!("add {} to --columns, or take it out of --categorical", Typed(column))
            }
            NoFeatures { .. } => "name at least one feature with --columns, or drop fewer columns".into(),
            OneSided { only_source, only_target, .. } => format!(
                "leave them out{}, or name the features with --columns",
                with_drop(only_source.iter().chain(only_target))
            ),
            DifferentKinds { column, .. } => {
                let listed = Listed(column);
                format!("use --categorical {listed} to take every value for a level, or --drop {listed}")
            }
            Mixed { column, .. } => mixed_hint(&Listed(column)),
            AllDistinct { column, .. } => {
                let (one, listed) = (Typed(column), Listed(column));
                format!(
                    "use --id {one} if it names the rows, --drop {listed} to leave it out, or --categorical {listed} to \
                     use it all the same"
                )
            }
            NoRowsLeft { condition, .. } if condition.to_lowercase().contains("= null") => {
                "nothing equals NULL, write IS NULL instead".into()
            }
            NoRowsLeft { .. } => "text is compared letter by letter, capitals included; ILIKE ignores case".into(),
            MissingValues { columns, .. } => format!(
                "use --missing category, --missing mean or --missing zero, or leave the columns out{}",
                with_drop(columns.iter().map(|(name, _)| name))
            ),
            MissingLevels { .. } => {
                "use --missing category, which makes missing a level of its own and fills numbers with the mean".into()
            }
            NoMean { column, .. } => {
                format!("leave it out with --drop {}, or use --missing zero", Listed(column))
            }
            NotFinite { column, .. } => format!(
                "correct the cell, empty it (see --missing), or leave the column out with --drop {}",
                Listed(column)
            ),
            ScaleRange { column, .. } => {
                format!("write {} in another unit, or leave it out with --drop {}", Typed(column), Listed(column))
            }
            AllConstant { .. } => "name features that differ between rows with --columns".into(),
            TooLarge { widest: Some((widest, _)), .. } => {
                let (one, listed) = (Typed(widest), Listed(widest));
                format!(
                    "use --drop {listed} or --id {one} if it tells rows apart rather than alike, or a larger --memory"
                )
            }
            TooLarge { widest: None, .. } => {
                "choose fewer columns with --columns, fewer rows with --source-where, or a larger --memory".into()
            }
            MissingKey { .. } => "give the row a key, or take it out of the file".into(),
            DuplicateKey { .. } => {
                "a table to be related has one row for each key: sum up or choose among the rows of a key first".into()
            }
            NothingShared { .. } | NoneWanted { .. } => {
                "leave the table out, or make sure that all tables write their keys alike".into()
            }
            WeightsNotNumbers { .. } | BadWeight { .. } | ZeroWeights { .. } => {
                "without --target-weight every row counts the same".into()
            }
            _ => return None,
        })
    }
}

/// Shows one name as the value of a flag that takes several.
struct Listed<'a>(&'a str);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Typed(&separated([self.0])).fmt(f)
    }
}

fn mixed_hint(column: &Listed<'_>) -> String {
    format!(
        "use --categorical {column} to take every value for a level, --drop {column} to leave the column out, or an \
         empty cell where there is no value"
    )
}

/// Returns " with --drop a,b,c", or nothing if there are too many names to type.
fn with_drop<'a>(names: impl Iterator<Item = &'a String>) -> String {
    const MOST: usize = 20;
    let names: Vec<&str> = names.map(String::as_str).collect();
    if names.len() > MOST { String::new() } else { format!(" with --drop {}", Typed(&separated(names))) }
}
