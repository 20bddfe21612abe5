//! Evaluates steps on a batch, with a stack of operands.

use arrow_array::{BooleanArray, RecordBatch};
use arrow_schema::DataType;

use super::arithmetic::{calculate, negate};
use super::compare::compare_rows;
use super::like::like;
use super::membership::is_member;
use super::operand::{Operand, OperandKind};
use super::problem::ConditionProblem;
use super::step::{ComparisonOperator, ConditionStep};
use super::truth::{and, not, or};
use crate::names::{Lookup, look_up};

pub(super) type Result<T> = std::result::Result<T, ConditionProblem>;

/// Returns for each row of `batch` whether the condition in `steps` is true, or null where that is unknown.
pub(super) fn evaluate(steps: &[ConditionStep], batch: &RecordBatch) -> Result<BooleanArray> {
    let mut stack = Stack { operands: Vec::new(), n_rows: batch.num_rows() };
    for step in steps {
        let result = apply(step, batch, &mut stack)?;
        stack.operands.push(result);
    }
    stack
        .pop()
        .into_rows(batch.num_rows())
        .map_err(|other| ConditionProblem::NotACondition { found: other.to_string() })
}

/// The pending operands.
pub(super) struct Stack<'a> {
    operands: Vec<Operand<'a>>,
    n_rows: usize,
}

impl<'a> Stack<'a> {
    /// Takes the topmost operand.
    ///
    /// Steps come from [`parse`](super::parse::parse), which never emits a step before its operands.
    fn pop(&mut self) -> Operand<'a> {
        self.operands.pop().expect("every step follows its operands")
    }

    fn pop_pair(&mut self) -> (Operand<'a>, Operand<'a>) {
        let right = self.pop();
        (self.pop(), right)
    }

    /// Takes the topmost operand as one boolean per row.
    fn pop_truth(&mut self, operator: &'static str) -> Result<BooleanArray> {
        let operand = self.pop();
        truth_of_rows(operator, operand, self.n_rows)
    }

    /// Takes the topmost `n` operands, the topmost last.
    fn pop_many(&mut self, n: usize) -> Vec<Operand<'a>> {
        self.operands.split_off(self.operands.len() - n)
    }
}

fn apply<'a>(step: &'a ConditionStep, batch: &RecordBatch, stack: &mut Stack<'a>) -> Result<Operand<'a>> {
    match step {
        ConditionStep::Column(name) => column(name, batch),
        ConditionStep::Literal(literal) => Ok(Operand::literal(literal)),
        ConditionStep::Compare(comparison) => {
            let (left, right) = stack.pop_pair();
            compare(*comparison, comparison.symbol(), left, right)
        }
        ConditionStep::Calculate(operation) => {
            let (left, right) = stack.pop_pair();
            calculate(*operation, left, right)
        }
        ConditionStep::Negate => negate(stack.pop()),
        ConditionStep::And => connect("AND", and, stack),
        ConditionStep::Or => connect("OR", or, stack),
        ConditionStep::Not => {
            let truth = stack.pop_truth("NOT")?;
            Ok(Operand::truth("NOT", not(&truth), false))
        }
        ConditionStep::IsNull { negated } => {
            let operand = stack.pop();
            let values = operand.values();
            let is_null = |row: usize| values.data_type() == &DataType::Null || values.is_null(row);
            let truth = (0..values.len()).map(|row| Some(is_null(row) != *negated)).collect();
            Ok(Operand::truth("IS NULL", truth, operand.is_scalar()))
        }
        ConditionStep::IsTruth { value, negated } => {
            let truth = stack.pop_truth(if *value { "IS TRUE" } else { "IS FALSE" })?;
            let answer = truth.iter().map(|found| Some((found == Some(*value)) != *negated)).collect();
            Ok(Operand::truth("IS TRUE", answer, false))
        }
        ConditionStep::Between { negated } => between(*negated, stack),
        ConditionStep::Like { negated, ignore_case } => {
            let (text, pattern) = stack.pop_pair();
            matches_pattern(*negated, *ignore_case, text, pattern)
        }
        ConditionStep::In { literals, n_operands, negated } => {
            let others = stack.pop_many(*n_operands);
            is_member(stack.pop(), literals, others, *negated, stack.n_rows)
        }
    }
}

fn column<'a>(name: &'a str, batch: &RecordBatch) -> Result<Operand<'a>> {
    let schema = batch.schema_ref();
    match look_up(schema.fields().iter().map(|field| field.name().as_str()), name) {
        Lookup::Found(position) => Operand::column(name, batch.column(position)),
        Lookup::Unknown(closest) => Err(ConditionProblem::UnknownColumn { name: name.to_owned(), closest }),
        Lookup::Ambiguous(candidates) => Err(ConditionProblem::AmbiguousColumn { name: name.to_owned(), candidates }),
    }
}

/// Returns the result of `comparison`, which messages call `operator`.
pub(super) fn compare<'a>(
    comparison: ComparisonOperator,
    operator: &'static str,
    left: Operand<'a>,
    right: Operand<'a>,
) -> Result<Operand<'a>> {
    let both_numbers = left.kind().is_number() && right.kind().is_number();
    let (left, right) = if both_numbers { (left, right) } else { of_one_kind(operator, left, right)? };
    if left.kind() == OperandKind::Null {
        return Ok(Operand::null(operator));
    }
    let truth = compare_rows(comparison, &left, &right);
    Ok(Operand::truth(operator, truth, left.is_scalar() && right.is_scalar()))
}

/// Returns both sides converted to one kind: NULL to that of the other side, integers to real if the other side is real.
pub(super) fn of_one_kind<'a>(
    operator: &'static str,
    left: Operand<'a>,
    right: Operand<'a>,
) -> Result<(Operand<'a>, Operand<'a>)> {
    let kind = match (left.kind(), right.kind()) {
        (a, b) if a == b => a,
        (OperandKind::Null, other) | (other, OperandKind::Null) => other,
        (a, b) if a.is_number() && b.is_number() => OperandKind::Real,
        _ => {
            let text_column = left.text_column().or_else(|| right.text_column());
            let (left, right) = (left.to_string(), right.to_string());
            return Err(ConditionProblem::Incomparable { operator, left, right, text_column });
        }
    };
    Ok((left.into_kind(kind), right.into_kind(kind)))
}

fn connect<'a>(
    operator: &'static str,
    connective: fn(&BooleanArray, &BooleanArray) -> BooleanArray,
    stack: &mut Stack<'a>,
) -> Result<Operand<'a>> {
    let right = stack.pop_truth(operator)?;
    let left = stack.pop_truth(operator)?;
    Ok(Operand::truth(operator, connective(&left, &right), false))
}

fn between<'a>(negated: bool, stack: &mut Stack<'a>) -> Result<Operand<'a>> {
    const NAME: &str = "BETWEEN";
    let (low, high) = stack.pop_pair();
    let value = stack.pop();
    let above = compare(ComparisonOperator::GreaterOrEqual, NAME, value.clone(), low)?;
    let below = compare(ComparisonOperator::LessOrEqual, NAME, value, high)?;
    let above = truth_of_rows(NAME, above, stack.n_rows)?;
    let below = truth_of_rows(NAME, below, stack.n_rows)?;
    Ok(negate_if(negated, NAME, &and(&above, &below)))
}

/// Returns one boolean per row, which is what `operator` needs.
pub(super) fn truth_of_rows(operator: &'static str, operand: Operand<'_>, n_rows: usize) -> Result<BooleanArray> {
    operand.into_rows(n_rows).map_err(|other| other.wrong_kind(operator, "true or false"))
}

/// Returns the values, inverted if `negated`.
pub(super) fn negate_if<'a>(negated: bool, operator: &'static str, truth: &BooleanArray) -> Operand<'a> {
    Operand::truth(operator, if negated { not(truth) } else { truth.clone() }, false)
}

fn matches_pattern<'a>(
    negated: bool,
    ignore_case: bool,
    text: Operand<'a>,
    pattern: Operand<'a>,
) -> Result<Operand<'a>> {
    let operator = if ignore_case { "ILIKE" } else { "LIKE" };
    for side in [&text, &pattern] {
        if !matches!(side.kind(), OperandKind::Text | OperandKind::Null) {
            return Err(side.wrong_kind(operator, "text"));
        }
    }
    let (text, pattern) = (text.into_kind(OperandKind::Text), pattern.into_kind(OperandKind::Text));
    let truth = like(&text, &pattern, ignore_case);
    let truth = if negated { not(&truth) } else { truth };
    Ok(Operand::truth(operator, truth, text.is_scalar() && pattern.is_scalar()))
}
