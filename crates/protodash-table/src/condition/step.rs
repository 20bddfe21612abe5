//! A parsed condition: steps in postfix order, run on a stack of operands.
//!
//! There is no tree, so nothing after parsing recurses.

use std::collections::HashSet;
use std::fmt;

use super::compare::as_integer;

/// One step: push an operand, or replace the topmost operands by a result.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ConditionStep {
    /// Pushes a column.
    Column(String),
    /// Pushes a constant.
    Literal(SqlLiteral),
    /// Compares two operands.
    Compare(ComparisonOperator),
    /// Calculates with two numbers.
    Calculate(Arithmetic),
    /// Changes the sign of a number.
    Negate,
    /// True if both operands are, false if one is false, else unknown.
    And,
    /// True if one operand is, false if both are false, else unknown.
    Or,
    /// Swaps true and false; unknown stays unknown.
    Not,
    /// Whether an operand is null; never unknown.
    IsNull { negated: bool },
    /// Whether a boolean is `value`; never unknown.
    IsTruth { value: bool, negated: bool },
    /// Whether the first of three operands is between the others, inclusive.
    Between { negated: bool },
    /// Whether text matches a pattern.
    Like { negated: bool, ignore_case: bool },
    /// Whether an operand is one of `literals` or of the `n_operands` operands above it.
    In { literals: Box<LiteralSet>, n_operands: usize, negated: bool },
}

/// The six comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComparisonOperator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The five operations on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl ComparisonOperator {
    /// Returns the SQL operator.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            ComparisonOperator::Equal => "=",
            ComparisonOperator::NotEqual => "<>",
            ComparisonOperator::Less => "<",
            ComparisonOperator::LessOrEqual => "<=",
            ComparisonOperator::Greater => ">",
            ComparisonOperator::GreaterOrEqual => ">=",
        }
    }
}

impl Arithmetic {
    /// Returns the SQL operator.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Remainder => "%",
        }
    }
}

/// A constant as written in the condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SqlLiteral {
    Null,
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Text(String),
}

impl fmt::Display for SqlLiteral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SqlLiteral::Null => f.write_str("NULL"),
            SqlLiteral::Boolean(value) => f.write_str(if *value { "TRUE" } else { "FALSE" }),
            SqlLiteral::Integer(value) => write!(f, "{value}"),
            SqlLiteral::Real(value) => write!(f, "{value}"),
            SqlLiteral::Text(value) => write!(f, "'{}'", value.replace('\'', "''")),
        }
    }
}

/// The constants of an `IN` list, for lookup in constant time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LiteralSet {
    /// The constants as written, for messages and for the rare kinds.
    pub(super) literals: Vec<SqlLiteral>,
    /// Numbers equal to a 64-bit integer, however they are written.
    integers: HashSet<i64>,
    /// The bits of all other numbers.
    reals: HashSet<u64>,
    texts: HashSet<String>,
}

impl LiteralSet {
    /// Returns the set of `literals`.
    pub(super) fn new(literals: Vec<SqlLiteral>) -> LiteralSet {
        let mut set = LiteralSet::default();
        for literal in &literals {
            match literal {
                SqlLiteral::Integer(value) => drop(set.integers.insert(*value)),
                SqlLiteral::Real(value) => match as_integer(*value) {
                    Some(integer) => drop(set.integers.insert(integer)),
                    None => drop(set.reals.insert(value.to_bits())),
                },
                SqlLiteral::Text(value) => drop(set.texts.insert(value.clone())),
                SqlLiteral::Null | SqlLiteral::Boolean(_) => {}
            }
        }
        LiteralSet { literals, ..set }
    }

    /// Returns whether an integer equals a member.
    pub(super) fn has_integer(&self, value: i64) -> bool {
        self.integers.contains(&value)
    }

    /// Returns whether an `f64` that is not NaN equals a member.
    pub(super) fn has_real(&self, value: f64) -> bool {
        match as_integer(value) {
            Some(integer) => self.integers.contains(&integer),
            // Zero is in `integers`, so equal numbers have equal bits here.
            None => self.reals.contains(&value.to_bits()),
        }
    }

    /// Returns whether a text is a member.
    pub(super) fn has_text(&self, value: &str) -> bool {
        self.texts.contains(value)
    }

    /// Returns whether a boolean is a member.
    pub(super) fn has_boolean(&self, value: bool) -> bool {
        self.literals.contains(&SqlLiteral::Boolean(value))
    }

    /// Returns whether `NULL` is a member, so that no answer can be false.
    pub(super) fn has_null(&self) -> bool {
        self.literals.contains(&SqlLiteral::Null)
    }
}
