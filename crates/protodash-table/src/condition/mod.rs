//! SQL conditions on the rows of a table, which select source and target.
//!
//! A condition is what may follow `WHERE` and sees one row at a time; there are no functions, no subqueries and no other
//! tables. For these few operators our own parser and evaluator are less code than calling a library would take, and
//! compile in a hundredth of the time.

mod arithmetic;
mod compare;
mod evaluate;
mod like;
mod membership;
mod operand;
mod parse;
mod problem;
mod step;
mod token;
mod truth;

use std::fmt;

use arrow_array::{BooleanArray, RecordBatch};

pub use problem::ConditionProblem;

use crate::{Error, Result};
use step::ConditionStep;

/// A parsed SQL condition, ready to be evaluated on any table that has its columns.
///
/// # What is allowed
///
/// ```text
/// = == <> != < <= > >=       numbers with numbers, text with text (by code point), false < true
/// AND  OR  NOT               with SQL's three values: true, false, unknown
/// [NOT] IN (1, 2, 3)         [NOT] BETWEEN low AND high
/// [NOT] LIKE 'a%_'           ILIKE ignores case; a backslash makes % and _ ordinary
/// IS [NOT] NULL              IS [NOT] TRUE, IS [NOT] FALSE
/// +  -  *  /  %              integers exactly, 1 / 2 = 0.5, x / 0 and x % 0 are NULL
/// age  "zip code"  'text'  12  1.5e3  TRUE  FALSE  NULL
/// ```
///
/// A name means the column with exactly that name, or else the only one that differs only in case; `a.b` is a single
/// column name. Integers of up to 64 bits are compared exactly, also with numbers that have a decimal point, so
/// identifiers beyond 2⁵³ keep their last digits. Arithmetic on integers that leaves 64 bits is an error; arithmetic with
/// a decimal point is that of `f64`. NaN counts as missing, dates are compared as text such as `'2024-02-29'`. A
/// condition selects the rows for which it is true, not those for which it is false or unknown.
///
/// Two conditions are equal if they have the same operations in the same order, whatever their spacing and parentheses.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray};
/// use protodash_table::Condition;
///
/// let age: ArrayRef = Arc::new(Int64Array::from(vec![Some(17), Some(44), None]));
/// let tier: ArrayRef = Arc::new(StringArray::from(vec!["gold", "gold", "basic"]));
/// let batch = RecordBatch::try_from_iter([("age", age), ("tier", tier)]).unwrap();
///
/// let condition = Condition::parse("age >= 18 AND tier = 'gold'")?;
/// assert_eq!(condition.columns().collect::<Vec<_>>(), ["age", "tier"]);
/// assert_eq!(condition.evaluate(&batch)?, BooleanArray::from(vec![false, true, false]));
/// assert_eq!(condition, Condition::parse("(age >= 18) and (tier = 'gold')")?);
/// # Ok::<(), protodash_table::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    steps: Vec<ConditionStep>,
}

impl Condition {
    /// Returns the condition in `text`.
    ///
    /// # Errors
    ///
    /// [`Error::Condition`] if `text` is not SQL, uses more than a condition on one row may, or is nested more than 50
    /// levels deep.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::Condition;
    ///
    /// assert!(Condition::parse("weight BETWEEN 50 AND 80").is_ok());
    /// let error = Condition::parse("weight >").unwrap_err();
    /// assert_eq!(error.to_string(), "condition `weight >`: expected an expression, found the end of the condition");
    /// ```
    pub fn parse(text: &str) -> Result<Condition> {
        let steps = parse::parse(text).map_err(|problem| error(text, problem))?;
        Ok(Condition { text: text.to_owned(), steps })
    }

    /// Returns the names of the columns that the condition uses, each once, in order of appearance.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::Condition;
    ///
    /// let condition = Condition::parse("a > 1 OR a < \"b c\"")?;
    /// assert_eq!(condition.columns().collect::<Vec<_>>(), ["a", "b c"]);
    /// # Ok::<(), protodash_table::Error>(())
    /// ```
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let mut seen = std::collections::HashSet::new();
        self.steps.iter().filter_map(move |step| match step {
            ConditionStep::Column(name) if seen.insert(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns for each row of `batch` whether the condition is true; null means unknown.
    ///
    /// # Errors
    ///
    /// [`Error::Condition`] if the batch lacks a column, if two sides of a comparison are of different kinds, if the
    /// result is not true or false, or if integer arithmetic leaves the range of 64 bits in some row.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch};
    /// use protodash_table::Condition;
    ///
    /// let x: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.0), None]));
    /// let batch = RecordBatch::try_from_iter([("x", x)]).unwrap();
    /// let truth = Condition::parse("x > 0")?.evaluate(&batch)?;
    /// assert_eq!(truth, BooleanArray::from(vec![Some(true), None]));
    ///
    /// let error = Condition::parse("x = 'one'")?.evaluate(&batch).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "condition `x = 'one'`: = cannot compare column \"x\" (numbers) with 'one' (text); \
    ///      both sides must be of one kind"
    /// );
    /// # Ok::<(), protodash_table::Error>(())
    /// ```
    pub fn evaluate(&self, batch: &RecordBatch) -> Result<BooleanArray> {
        evaluate::evaluate(&self.steps, batch).map_err(|problem| self.error(problem))
    }

    /// Returns the error for a problem with this condition.
    pub(crate) fn error(&self, problem: ConditionProblem) -> Error {
        error(&self.text, problem)
    }
}

fn error(text: &str, problem: ConditionProblem) -> Error {
    Error::Condition { path: None, condition: text.to_owned(), problem: Box::new(problem) }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        self.steps == other.steps
    }
}

/// Shows the condition as it was written.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
