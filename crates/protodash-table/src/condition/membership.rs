//! `IN`: constants are looked up in a set, other operands compared one by one.

use arrow_array::BooleanArray;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};

use super::evaluate::{Result, compare, negate_if, truth_of_rows};
use super::operand::{Operand, OperandKind};
use super::problem::ConditionProblem;
use super::step::{ComparisonOperator, LiteralSet, SqlLiteral};
use super::truth::or;

const NAME: &str = "IN";

/// Returns whether `value` is one of `literals` or of `others`.
///
/// As in SQL, a value that is not found is unknown rather than false if the list contains NULL.
pub(super) fn is_member<'a>(
    value: Operand<'a>,
    literals: &'a LiteralSet,
    others: Vec<Operand<'a>>,
    negated: bool,
    n_rows: usize,
) -> Result<Operand<'a>> {
    let mut found = truth_of_rows(NAME, in_set(&value, literals)?, n_rows)?;
    for other in others {
        let equal = truth_of_rows(NAME, compare(ComparisonOperator::Equal, NAME, value.clone(), other)?, n_rows)?;
        found = or(&found, &equal);
    }
    Ok(negate_if(negated, NAME, &found))
}

fn in_set<'a>(value: &Operand<'a>, set: &'a LiteralSet) -> Result<Operand<'a>> {
    if let Some(stranger) = set.literals.iter().find(|literal| !fits(value.kind(), literal)) {
        let (left, right) = (value.to_string(), Operand::literal(stranger).to_string());
        let text_column = value.text_column();
        return Err(ConditionProblem::Incomparable { operator: NAME, left, right, text_column });
    }
    // A value that is not found is unknown if the list contains NULL.
    let answer = |found: bool| if found || !set.has_null() { Some(found) } else { None };
    let values = value.values();
    let truth: BooleanArray = match value.kind() {
        OperandKind::Null => std::iter::repeat_n(None, values.len()).collect(),
        OperandKind::Boolean => values.as_boolean().iter().map(|v| answer(set.has_boolean(v?))).collect(),
        OperandKind::Integer => {
            values.as_primitive::<Int64Type>().iter().map(|v| answer(set.has_integer(v?))).collect()
        }
        OperandKind::Real => values.as_primitive::<Float64Type>().iter().map(|v| answer(set.has_real(v?))).collect(),
        OperandKind::Text => values.as_string::<i32>().iter().map(|v| answer(set.has_text(v?))).collect(),
    };
    Ok(Operand::truth(NAME, truth, value.is_scalar()))
}

fn fits(kind: OperandKind, literal: &SqlLiteral) -> bool {
    match literal {
        SqlLiteral::Null => true,
        SqlLiteral::Boolean(_) => matches!(kind, OperandKind::Boolean | OperandKind::Null),
        SqlLiteral::Integer(_) | SqlLiteral::Real(_) => kind.is_number() || kind == OperandKind::Null,
        SqlLiteral::Text(_) => matches!(kind, OperandKind::Text | OperandKind::Null),
    }
}
