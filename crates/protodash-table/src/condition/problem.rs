//! What can be wrong with a condition.

use crate::advice::Hint;
use crate::error::shortened;
use crate::hint;
use crate::input::RowPlace;
use crate::names::{Closest, Listed};

/// What is wrong with a condition: the problem of an [`Error::Condition`](crate::Error::Condition).
///
/// # Examples
///
/// ```
/// use protodash_table::{Condition, ConditionProblem, Error};
///
/// let Err(Error::Condition { problem, .. }) = Condition::parse("upper(name) = 'ADA'") else { panic!() };
/// assert!(matches!(*problem, ConditionProblem::Unsupported { .. }));
/// assert!(problem.to_string().starts_with("the function UPPER is not supported; allowed are "));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionProblem {
    /// It is not SQL.
    #[error("{reason}")]
    Syntax {
        /// What the parser expected and what it found.
        reason: String,
    },
    /// It is nested too deeply.
    #[error("it is nested more than {limit} levels deep; at most {limit} are allowed")]
    TooDeep {
        /// The deepest nesting allowed.
        limit: usize,
    },
    /// A numeric constant is beyond the range of `f64`.
    #[error("the number {literal} is too large; at most 1.797e308 is allowed")]
    NumberTooLarge {
        /// The constant as written.
        literal: String,
    },
    /// It is SQL, but not allowed in a condition.
    #[error(
        "{found} is not supported; allowed are = <> < <= > >=, AND, OR, NOT, IN (...), BETWEEN, LIKE, ILIKE, \
         IS NULL, IS TRUE, IS FALSE, + - * / %, parentheses, columns and constants"
    )]
    Unsupported {
        /// What was found.
        found: String,
    },
    /// It names a column that the table does not have.
    #[error("there is no column {name:?}; {}", Closest(closest))]
    UnknownColumn {
        /// The name as written.
        name: String,
        /// The most similar names.
        closest: Vec<String>,
    },
    /// A name matches several columns, which differ only in case.
    #[error("{name:?} matches {}; write one of them exactly", Listed(candidates))]
    AmbiguousColumn {
        /// The name as written.
        name: String,
        /// The columns it matches.
        candidates: Vec<String>,
    },
    /// It names a column of an unsupported type.
    #[error("column {name:?} is of type {data_type}; only numbers, text and true/false can be used")]
    ColumnType {
        /// The column.
        name: String,
        /// Its Arrow type.
        data_type: String,
    },
    /// Two sides of different kinds are compared.
    #[error("{operator} cannot compare {left} with {right}; both sides must be of one kind")]
    Incomparable {
        /// The operator.
        operator: &'static str,
        /// The left side and its kind.
        left: String,
        /// The right side and its kind.
        right: String,
        /// The side that is a text column, if one is.
        text_column: Option<String>,
    },
    /// A column is used as numbers but also holds text.
    #[error("{problem}; column {column:?} was read as text because {place} holds {:?}", shortened(value))]
    MixedColumn {
        /// The problem that this causes.
        problem: Box<ConditionProblem>,
        /// The column.
        column: String,
        /// Where its first text is.
        place: RowPlace,
        /// That text.
        value: String,
    },
    /// An operator has an operand of the wrong kind.
    #[error("{operator} needs {wanted}, not {found}")]
    WrongKind {
        /// The operator.
        operator: &'static str,
        /// What it needs.
        wanted: &'static str,
        /// The operand and its kind.
        found: String,
        /// The column, if it was given a text column.
        text_column: Option<String>,
    },
    /// The result is a number or text, not true or false.
    #[error("it must be true or false for each row, but it is {found}")]
    NotACondition {
        /// What it is.
        found: String,
    },
    /// Integer arithmetic overflows 64 bits.
    #[error("{operator} gives an integer beyond ±9223372036854775807 in some row")]
    Overflow {
        /// The operator.
        operator: &'static str,
    },
}

impl ConditionProblem {
    /// Returns whether the problem is that `column` holds text.
    pub(crate) fn refuses_text_of(&self, column: &str) -> bool {
        let (ConditionProblem::Incomparable { text_column, .. } | ConditionProblem::WrongKind { text_column, .. }) =
            self
        else {
            return false;
        };
        // The condition may write the name in another case than the file does.
        text_column.as_ref().is_some_and(|name| name.to_lowercase() == column.to_lowercase())
    }

    /// Returns what to try next, or `None` when there is nothing to add.
    pub(crate) fn hint(&self) -> Option<Hint> {
        Some(match self {
            ConditionProblem::Syntax { .. } => hint!([
                "a condition looks like: age >= 18 AND tier = 'gold'; put column names that contain spaces or are SQL \
                 keywords in double quotes"
            ]),
            ConditionProblem::TooDeep { .. } => hint!(["remove redundant parentheses: a AND b AND c needs none"]),
            ConditionProblem::Unsupported { .. } => {
                hint!(["put column names that are SQL keywords in double quotes"])
            }
            ConditionProblem::UnknownColumn { name, .. } => {
                hint!([format!("if {name} is text rather than a column, write '{name}' in single quotes")])
            }
            ConditionProblem::Incomparable { .. } => {
                hint!(["write numbers without quotes, text in single quotes, and booleans as TRUE or FALSE"])
            }
            ConditionProblem::MixedColumn { place, .. } => {
                hint!([format!("empty or correct the cell in {place}")], ["compare with text, as in '5'"],)
            }
            ConditionProblem::NotACondition { .. } => hint!(["compare it with something, as in: age >= 18"]),
            ConditionProblem::Overflow { .. } => {
                hint!(["write one number with a decimal point, as in id * 2.0, to calculate in floating point"])
            }
            _ => return None,
        })
    }
}
