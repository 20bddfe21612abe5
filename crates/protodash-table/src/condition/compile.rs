//! Flattens the syntax tree into steps with an explicit work list instead of recursion.

use sqlparser::ast::{BinaryOperator, Expr, FunctionArguments, UnaryOperator, Value};

use super::problem::ConditionProblem;
use super::step::{Arithmetic, ComparisonOperator, ConditionStep, LiteralSet, SqlLiteral};

type Result<T> = std::result::Result<T, ConditionProblem>;

/// Returns the steps that evaluate `tree`.
pub(super) fn compile(tree: &Expr) -> Result<Vec<ConditionStep>> {
    let mut steps = Vec::new();
    // The list is a stack: operands are pushed after their step and in reverse order.
    let mut work = vec![CompileTask::Visit(tree)];
    while let Some(next) = work.pop() {
        match next {
            CompileTask::Emit(step) => steps.push(step),
            CompileTask::Visit(expression) => visit(expression, &mut work)?,
        }
    }
    Ok(steps)
}

enum CompileTask<'a> {
    Visit(&'a Expr),
    Emit(ConditionStep),
}

fn visit<'a>(expression: &'a Expr, work: &mut Vec<CompileTask<'a>>) -> Result<()> {
    match expression {
        Expr::Nested(inner) => work.push(CompileTask::Visit(inner)),
        Expr::Identifier(name) => push(ConditionStep::Column(name.value.clone()), &[], work),
        // There are no qualified names, but many columns are called like `Sepal.Length`.
        Expr::CompoundIdentifier(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| part.value.as_str()).collect();
            push(ConditionStep::Column(parts.join(".")), &[], work);
        }
        // Without parentheses, `user` or `current_date` is a column name.
        Expr::Function(function) if matches!(function.args, FunctionArguments::None) => {
            push(ConditionStep::Column(function.name.to_string()), &[], work);
        }
        Expr::Value(value) => push(ConditionStep::Literal(literal(value)?), &[], work),
        Expr::UnaryOp { op, expr } => push_unary(*op, expr, work)?,
        Expr::BinaryOp { left, op, right } => push(binary(op)?, &[left, right], work),
        Expr::InList { expr, list, negated } => push_in_list(expr, list, *negated, work)?,
        Expr::Between { expr, negated, low, high } => {
            push(ConditionStep::Between { negated: *negated }, &[expr, low, high], work);
        }
        Expr::Like { negated, any: false, expr, pattern, escape_char: None } => {
            push(ConditionStep::Like { negated: *negated, ignore_case: false }, &[expr, pattern], work);
        }
        Expr::ILike { negated, any: false, expr, pattern, escape_char: None } => {
            push(ConditionStep::Like { negated: *negated, ignore_case: true }, &[expr, pattern], work);
        }
        other => match is_test(other) {
            Some((step, inner)) => push(step, &[inner], work),
            None => return Err(ConditionProblem::Unsupported { found: describe(other) }),
        },
    }
    Ok(())
}

/// Returns the step and the operand of `IS [NOT] NULL`, `TRUE` or `FALSE`.
fn is_test(expression: &Expr) -> Option<(ConditionStep, &Expr)> {
    Some(match expression {
        Expr::IsNull(inner) => (ConditionStep::IsNull { negated: false }, inner),
        Expr::IsNotNull(inner) => (ConditionStep::IsNull { negated: true }, inner),
        Expr::IsTrue(inner) => (ConditionStep::IsTruth { value: true, negated: false }, inner),
        Expr::IsNotTrue(inner) => (ConditionStep::IsTruth { value: true, negated: true }, inner),
        Expr::IsFalse(inner) => (ConditionStep::IsTruth { value: false, negated: false }, inner),
        Expr::IsNotFalse(inner) => (ConditionStep::IsTruth { value: false, negated: true }, inner),
        _ => return None,
    })
}

fn push<'a>(step: ConditionStep, operands: &[&'a Expr], work: &mut Vec<CompileTask<'a>>) {
    work.push(CompileTask::Emit(step));
    work.extend(operands.iter().rev().map(|operand| CompileTask::Visit(operand)));
}

/// Puts constants of the list in a set; everything else is compared one by one.
fn push_in_list<'a>(expr: &'a Expr, list: &'a [Expr], negated: bool, work: &mut Vec<CompileTask<'a>>) -> Result<()> {
    let mut literals = Vec::new();
    let mut operands = vec![expr];
    for item in list {
        match constant(item)? {
            Some(literal) => literals.push(literal),
            None => operands.push(item),
        }
    }
    let n_operands = operands.len() - 1;
    push(ConditionStep::In { literals: Box::new(LiteralSet::new(literals)), n_operands, negated }, &operands, work);
    Ok(())
}

fn push_unary<'a>(op: UnaryOperator, inner: &'a Expr, work: &mut Vec<CompileTask<'a>>) -> Result<()> {
    let step = match op {
        UnaryOperator::Not => ConditionStep::Not,
        UnaryOperator::Plus | UnaryOperator::Minus => match signed_number(op, inner)? {
            Some(literal) => {
                work.push(CompileTask::Emit(ConditionStep::Literal(literal)));
                return Ok(());
            }
            None if op == UnaryOperator::Minus => ConditionStep::Negate,
            None => return Err(ConditionProblem::Unsupported { found: "the sign + before a column".into() }),
        },
        other => return Err(ConditionProblem::Unsupported { found: format!("the operator {other}") }),
    };
    push(step, &[inner], work);
    Ok(())
}

/// Returns the constant that `expression` is, with its sign, or `None` if it is something else.
fn constant(expression: &Expr) -> Result<Option<SqlLiteral>> {
    match expression {
        Expr::Value(value) => literal(value).map(Some),
        Expr::UnaryOp { op, expr } => signed_number(*op, expr),
        _ => Ok(None),
    }
}

/// Returns a number with its sign, parsed together so that -9223372036854775808 is exact.
fn signed_number(op: UnaryOperator, expression: &Expr) -> Result<Option<SqlLiteral>> {
    let Expr::Value(value) = expression else { return Ok(None) };
    match (op, &value.value) {
        (UnaryOperator::Minus, Value::Number(digits, _)) => number(&format!("-{digits}")).map(Some),
        (UnaryOperator::Plus, Value::Number(digits, _)) => number(digits).map(Some),
        _ => Ok(None),
    }
}

fn literal(value: &Value) -> Result<SqlLiteral> {
    match value {
        Value::Number(digits, _) => number(digits),
        Value::SingleQuotedString(text) => Ok(SqlLiteral::Text(text.clone())),
        Value::Boolean(truth) => Ok(SqlLiteral::Boolean(*truth)),
        Value::Null => Ok(SqlLiteral::Null),
        other => Err(ConditionProblem::Unsupported { found: format!("the constant {other}") }),
    }
}

fn number(digits: &str) -> Result<SqlLiteral> {
    if let Ok(integer) = digits.parse() {
        return Ok(SqlLiteral::Integer(integer));
    }
    match digits.parse::<f64>() {
        Ok(real) if real.is_finite() => Ok(SqlLiteral::Real(real)),
        Ok(_) => Err(ConditionProblem::NumberTooLarge { literal: digits.into() }),
        Err(_) => Err(ConditionProblem::Syntax { reason: format!("{digits} is not a number") }),
    }
}

fn binary(op: &BinaryOperator) -> Result<ConditionStep> {
    Ok(match op {
        BinaryOperator::And => ConditionStep::And,
        BinaryOperator::Or => ConditionStep::Or,
        BinaryOperator::Eq => ConditionStep::Compare(ComparisonOperator::Equal),
        BinaryOperator::NotEq => ConditionStep::Compare(ComparisonOperator::NotEqual),
        BinaryOperator::Lt => ConditionStep::Compare(ComparisonOperator::Less),
        BinaryOperator::LtEq => ConditionStep::Compare(ComparisonOperator::LessOrEqual),
        BinaryOperator::Gt => ConditionStep::Compare(ComparisonOperator::Greater),
        BinaryOperator::GtEq => ConditionStep::Compare(ComparisonOperator::GreaterOrEqual),
        BinaryOperator::Plus => ConditionStep::Calculate(Arithmetic::Add),
        BinaryOperator::Minus => ConditionStep::Calculate(Arithmetic::Subtract),
        BinaryOperator::Multiply => ConditionStep::Calculate(Arithmetic::Multiply),
        BinaryOperator::Divide => ConditionStep::Calculate(Arithmetic::Divide),
        BinaryOperator::Modulo => ConditionStep::Calculate(Arithmetic::Remainder),
        other => return Err(ConditionProblem::Unsupported { found: format!("the operator {other}") }),
    })
}

/// Returns the name of an unsupported expression.
///
/// Only the outermost node is named: printing the whole tree could recurse as deep as the condition is long.
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
        Expr::TypedString(_) => "a typed constant",
        Expr::Like { any: true, .. } | Expr::ILike { any: true, .. } => "LIKE ANY",
        Expr::Like { .. } | Expr::ILike { .. } => "ESCAPE (a backslash makes % and _ ordinary)",
        Expr::SimilarTo { .. } => "SIMILAR TO",
        Expr::RLike { .. } => "REGEXP",
        Expr::IsUnknown(_) | Expr::IsNotUnknown(_) => "IS UNKNOWN (use IS NULL)",
        Expr::IsDistinctFrom(..) | Expr::IsNotDistinctFrom(..) => "IS DISTINCT FROM",
        Expr::Tuple(_) => "a list outside IN (...)",
        Expr::Array(_) | Expr::CompoundFieldAccess { .. } | Expr::JsonAccess { .. } => "an array or an array element",
        _ => "this part of SQL",
    };
    words.to_owned()
}
