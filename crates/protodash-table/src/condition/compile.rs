//! Tree to steps, by a loop over work still to be done instead of by recursion.

use sqlparser::ast::{BinaryOperator, Expr, FunctionArguments, UnaryOperator, Value};

use super::problem::ConditionProblem;
use super::step::{Arithmetic, Comparison, Literal, LiteralSet, Step};

type Result<T> = std::result::Result<T, ConditionProblem>;

/// Returns the steps that calculate `tree`.
pub(super) fn compile(tree: &Expr) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    // The last entry is done first, so operands are pushed after, and in the reverse order of, their step.
    let mut work = vec![Work::Visit(tree)];
    while let Some(next) = work.pop() {
        match next {
            Work::Emit(step) => steps.push(step),
            Work::Visit(expression) => visit(expression, &mut work)?,
        }
    }
    Ok(steps)
}

enum Work<'a> {
    Visit(&'a Expr),
    Emit(Step),
}

fn visit<'a>(expression: &'a Expr, work: &mut Vec<Work<'a>>) -> Result<()> {
    match expression {
        Expr::Nested(inner) => work.push(Work::Visit(inner)),
        Expr::Identifier(name) => push(Step::Column(name.value.clone()), &[], work),
        // There are no tables to qualify a column by, but plenty of columns called `Sepal.Length`.
        Expr::CompoundIdentifier(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| part.value.as_str()).collect();
            push(Step::Column(parts.join(".")), &[], work);
        }
        // Without parentheses, `user` or `current_date` is a column of that name.
        Expr::Function(function) if matches!(function.args, FunctionArguments::None) => {
            push(Step::Column(function.name.to_string()), &[], work);
        }
        Expr::Value(value) => push(Step::Literal(literal(value)?), &[], work),
        Expr::UnaryOp { op, expr } => push_unary(*op, expr, work)?,
        Expr::BinaryOp { left, op, right } => push(binary(op)?, &[left, right], work),
        Expr::InList { expr, list, negated } => push_in_list(expr, list, *negated, work)?,
        Expr::Between { expr, negated, low, high } => {
            push(Step::Between { negated: *negated }, &[expr, low, high], work);
        }
        Expr::Like { negated, any: false, expr, pattern, escape_char: None } => {
            push(Step::Like { negated: *negated, ignore_case: false }, &[expr, pattern], work);
        }
        Expr::ILike { negated, any: false, expr, pattern, escape_char: None } => {
            push(Step::Like { negated: *negated, ignore_case: true }, &[expr, pattern], work);
        }
        other => match is_test(other) {
            Some((step, inner)) => push(step, &[inner], work),
            None => return Err(ConditionProblem::Unsupported { found: describe(other) }),
        },
    }
    Ok(())
}

/// Returns the step and the operand of `IS [NOT] NULL`, `TRUE` or `FALSE`.
fn is_test(expression: &Expr) -> Option<(Step, &Expr)> {
    Some(match expression {
        Expr::IsNull(inner) => (Step::IsNull { negated: false }, inner),
        Expr::IsNotNull(inner) => (Step::IsNull { negated: true }, inner),
        Expr::IsTrue(inner) => (Step::IsTruth { value: true, negated: false }, inner),
        Expr::IsNotTrue(inner) => (Step::IsTruth { value: true, negated: true }, inner),
        Expr::IsFalse(inner) => (Step::IsTruth { value: false, negated: false }, inner),
        Expr::IsNotFalse(inner) => (Step::IsTruth { value: false, negated: true }, inner),
        _ => return None,
    })
}

fn push<'a>(step: Step, operands: &[&'a Expr], work: &mut Vec<Work<'a>>) {
    work.push(Work::Emit(step));
    work.extend(operands.iter().rev().map(|operand| Work::Visit(operand)));
}

/// Constants of the list go to a set, whatever else it has is compared one by one.
fn push_in_list<'a>(expr: &'a Expr, list: &'a [Expr], negated: bool, work: &mut Vec<Work<'a>>) -> Result<()> {
    let mut literals = Vec::new();
    let mut operands = vec![expr];
    for item in list {
        match constant(item)? {
            Some(literal) => literals.push(literal),
            None => operands.push(item),
        }
    }
    let n_operands = operands.len() - 1;
    push(Step::In { literals: Box::new(LiteralSet::new(literals)), n_operands, negated }, &operands, work);
    Ok(())
}

fn push_unary<'a>(op: UnaryOperator, inner: &'a Expr, work: &mut Vec<Work<'a>>) -> Result<()> {
    let step = match op {
        UnaryOperator::Not => Step::Not,
        UnaryOperator::Plus | UnaryOperator::Minus => match signed_number(op, inner)? {
            Some(literal) => {
                work.push(Work::Emit(Step::Literal(literal)));
                return Ok(());
            }
            None if op == UnaryOperator::Minus => Step::Negate,
            None => return Err(ConditionProblem::Unsupported { found: "the sign + before a column".into() }),
        },
        other => return Err(ConditionProblem::Unsupported { found: format!("the operator {other}") }),
    };
    push(step, &[inner], work);
    Ok(())
}

/// Returns the constant that `expression` is, with its sign, or `None` if it is something else.
fn constant(expression: &Expr) -> Result<Option<Literal>> {
    match expression {
        Expr::Value(value) => literal(value).map(Some),
        Expr::UnaryOp { op, expr } => signed_number(*op, expr),
        _ => Ok(None),
    }
}

/// Returns the number with a sign before it, read as one so that -9223372036854775808 is exact.
fn signed_number(op: UnaryOperator, expression: &Expr) -> Result<Option<Literal>> {
    let Expr::Value(value) = expression else { return Ok(None) };
    match (op, &value.value) {
        (UnaryOperator::Minus, Value::Number(digits, _)) => number(&format!("-{digits}")).map(Some),
        (UnaryOperator::Plus, Value::Number(digits, _)) => number(digits).map(Some),
        _ => Ok(None),
    }
}

fn literal(value: &Value) -> Result<Literal> {
    match value {
        Value::Number(digits, _) => number(digits),
        Value::SingleQuotedString(text) => Ok(Literal::Text(text.clone())),
        Value::Boolean(truth) => Ok(Literal::Boolean(*truth)),
        Value::Null => Ok(Literal::Null),
        other => Err(ConditionProblem::Unsupported { found: format!("the constant {other}") }),
    }
}

fn number(digits: &str) -> Result<Literal> {
    if let Ok(integer) = digits.parse() {
        return Ok(Literal::Integer(integer));
    }
    match digits.parse::<f64>() {
        Ok(real) if real.is_finite() => Ok(Literal::Real(real)),
        Ok(_) => Err(ConditionProblem::NumberTooLarge { literal: digits.into() }),
        Err(_) => Err(ConditionProblem::Syntax { reason: format!("{digits} is not a number") }),
    }
}

fn binary(op: &BinaryOperator) -> Result<Step> {
    Ok(match op {
        BinaryOperator::And => Step::And,
        BinaryOperator::Or => Step::Or,
        BinaryOperator::Eq => Step::Compare(Comparison::Equal),
        BinaryOperator::NotEq => Step::Compare(Comparison::NotEqual),
        BinaryOperator::Lt => Step::Compare(Comparison::Less),
        BinaryOperator::LtEq => Step::Compare(Comparison::LessOrEqual),
        BinaryOperator::Gt => Step::Compare(Comparison::Greater),
        BinaryOperator::GtEq => Step::Compare(Comparison::GreaterOrEqual),
        BinaryOperator::Plus => Step::Calculate(Arithmetic::Add),
        BinaryOperator::Minus => Step::Calculate(Arithmetic::Subtract),
        BinaryOperator::Multiply => Step::Calculate(Arithmetic::Multiply),
        BinaryOperator::Divide => Step::Calculate(Arithmetic::Divide),
        BinaryOperator::Modulo => Step::Calculate(Arithmetic::Remainder),
        other => return Err(ConditionProblem::Unsupported { found: format!("the operator {other}") }),
    })
}

/// Returns words for an expression that conditions do not have.
///
/// Only the outermost layer is named: printing the whole could recurse as deep as the condition is long.
fn describe(expression: &Expr) -> String {
    let words = match expression {
        Expr::Function(function) => return format!("the function {}", function.name.to_string().to_uppercase()),
        Expr::Subquery(_) | Expr::InSubquery { .. } | Expr::Exists { .. } => "a subquery",
        Expr::AnyOp { .. } | Expr::AllOp { .. } => "a comparison with ANY or ALL",
        Expr::Case { .. } => "CASE",
        Expr::Cast { .. } | Expr::Convert { .. } => "CAST",
        Expr::Extract { .. } => "the function EXTRACT",
        Expr::Ceil { .. } => "the function CEIL",
        Expr::Floor { .. } => "the function FLOOR",
        Expr::Position { .. } => "the function POSITION",
        Expr::Substring { .. } => "the function SUBSTRING",
        Expr::Trim { .. } => "the function TRIM",
        Expr::Overlay { .. } => "the function OVERLAY",
        Expr::Collate { .. } => "COLLATE",
        Expr::AtTimeZone { .. } => "AT TIME ZONE",
        Expr::Interval(_) => "INTERVAL",
        Expr::TypedString(_) => "a constant with a type before it",
        Expr::Like { any: true, .. } | Expr::ILike { any: true, .. } => "LIKE ANY",
        Expr::Like { .. } | Expr::ILike { .. } => "ESCAPE (a backslash makes % and _ ordinary)",
        Expr::SimilarTo { .. } => "SIMILAR TO",
        Expr::RLike { .. } => "REGEXP",
        Expr::IsUnknown(_) | Expr::IsNotUnknown(_) => "IS UNKNOWN (IS NULL says the same)",
        Expr::IsDistinctFrom(..) | Expr::IsNotDistinctFrom(..) => "IS DISTINCT FROM",
        Expr::Tuple(_) => "a list outside IN (...)",
        Expr::Array(_) | Expr::CompoundFieldAccess { .. } | Expr::JsonAccess { .. } => "an array or a part of one",
        _ => "this part of SQL",
    };
    words.to_owned()
}
