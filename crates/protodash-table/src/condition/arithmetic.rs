//! Arithmetic: exact for integers, `f64` for everything else.
//!
//! - `+`, `-`, `*` and `%` of two integers are exact; a result beyond 64 bits is an error.
//! - `/` always divides as `f64`, so that 1 / 2 is 0.5 even if a column holds only integers.
//! - Division and `%` by zero, and results that are NaN (∞ − ∞), are NULL in their row.

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int64Type};
use arrow_array::{Array, PrimitiveArray};

use super::compare::n_rows;
use super::evaluate::{Result, of_one_kind};
use super::operand::{Operand, OperandKind};
use super::problem::ConditionProblem;
use super::step::Arithmetic;

/// Returns `left` and `right` added, subtracted, multiplied or divided.
pub(super) fn calculate<'a>(operation: Arithmetic, left: Operand<'a>, right: Operand<'a>) -> Result<Operand<'a>> {
    let operator = operation.symbol();
    for side in [&left, &right] {
        expect_number(operator, side)?;
    }
    let (left, right) = of_one_kind(operator, left, right)?;
    let (left, right) = match (left.kind(), operation) {
        (OperandKind::Null, _) => return Ok(Operand::null(operator)),
        (OperandKind::Integer, Arithmetic::Divide) => {
            (left.into_kind(OperandKind::Real), right.into_kind(OperandKind::Real))
        }
        _ => (left, right),
    };
    let is_scalar = left.is_scalar() && right.is_scalar();
    Ok(match left.kind() {
        OperandKind::Integer => {
            let beyond = || ConditionProblem::Overflow { operator };
            let in_range = |value: Option<i64>| value.map(Some).ok_or_else(beyond);
            let values = by_rows::<Int64Type>(&left, &right, |a, b| match operation {
                Arithmetic::Add => in_range(a.checked_add(b)),
                Arithmetic::Subtract => in_range(a.checked_sub(b)),
                Arithmetic::Multiply => in_range(a.checked_mul(b)),
                // Only i64::MIN % -1 overflows, and its remainder is 0.
                Arithmetic::Divide | Arithmetic::Remainder => Ok((b != 0).then(|| a.wrapping_rem(b))),
            })?;
            Operand::integers(operator, values, is_scalar)
        }
        _ => {
            let values = by_rows::<Float64Type>(&left, &right, |a, b| {
                Ok(match operation {
                    Arithmetic::Add => Some(a + b),
                    Arithmetic::Subtract => Some(a - b),
                    Arithmetic::Multiply => Some(a * b),
                    Arithmetic::Divide => (b != 0.0).then(|| a / b),
                    Arithmetic::Remainder => (b != 0.0).then(|| a % b),
                })
            })?;
            Operand::reals(operator, &values, is_scalar)
        }
    })
}

/// Returns `operand` negated.
pub(super) fn negate(operand: Operand<'_>) -> Result<Operand<'_>> {
    const NAME: &str = "-";
    expect_number(NAME, &operand)?;
    let is_scalar = operand.is_scalar();
    Ok(match operand.kind() {
        OperandKind::Null => Operand::null(NAME),
        OperandKind::Integer => {
            let beyond = || ConditionProblem::Overflow { operator: NAME };
            let negated = |value: i64| value.checked_neg().ok_or_else(beyond);
            Operand::integers(NAME, operand.values().as_primitive::<Int64Type>().try_unary(negated)?, is_scalar)
        }
        _ => Operand::reals(NAME, &operand.values().as_primitive::<Float64Type>().unary(|value| -value), is_scalar),
    })
}

fn expect_number(operator: &'static str, operand: &Operand<'_>) -> Result<()> {
    if operand.kind().is_number() || operand.kind() == OperandKind::Null {
        return Ok(());
    }
    Err(operand.wrong_kind(operator, "numbers"))
}

/// Returns `operation` of both sides in each row; null where a side is null.
fn by_rows<T: ArrowPrimitiveType>(
    left: &Operand<'_>,
    right: &Operand<'_>,
    operation: impl Fn(T::Native, T::Native) -> Result<Option<T::Native>>,
) -> Result<PrimitiveArray<T>> {
    let (a, b) = (left.values().as_primitive::<T>(), right.values().as_primitive::<T>());
    let row = |row: usize| {
        let (i, j) = (left.index(row), right.index(row));
        if a.is_null(i) || b.is_null(j) { Ok(None) } else { operation(a.value(i), b.value(j)) }
    };
    (0..n_rows(left, right)).map(row).collect()
}
