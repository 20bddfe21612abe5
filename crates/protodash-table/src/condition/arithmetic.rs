//! Arithmetic: exact for integers, `f64` for everything else.
//!
//! - `+`, `-`, `*` and `%` of two integers are exact; a result beyond 64 bits is an error.
//! - `/` always divides as `f64`, so that 1 / 2 is 0.5 even if a column holds only integers.
//! - Division and `%` by zero, and results that are NaN (∞ − ∞), are NULL in their row.

use arrow_arith::numeric;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{ArrayRef, Datum, Scalar};
use arrow_schema::ArrowError;
use std::sync::Arc;

use super::evaluate::{Result, of_one_kind, run};
use super::operand::{Operand, OperandKind};
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
    let values = match operation {
        Arithmetic::Add => numeric::add(&left, &right),
        Arithmetic::Subtract => numeric::sub(&left, &right),
        Arithmetic::Multiply => numeric::mul(&left, &right),
        Arithmetic::Divide => divide(numeric::div, &left, &right),
        Arithmetic::Remainder => divide(numeric::rem, &left, &right),
    };
    let values = run(operator, values)?;
    Ok(match left.kind() {
        OperandKind::Integer => Operand::integers(operator, values, is_scalar),
        _ => Operand::reals(operator, &values, is_scalar),
    })
}

/// Returns `operand` negated.
pub(super) fn negate(operand: Operand<'_>) -> Result<Operand<'_>> {
    const NAME: &str = "-";
    expect_number(NAME, &operand)?;
    if operand.kind() == OperandKind::Null {
        return Ok(Operand::null(NAME));
    }
    let values = run(NAME, numeric::neg(operand.values()))?;
    Ok(match operand.kind() {
        OperandKind::Integer => Operand::integers(NAME, values, operand.is_scalar()),
        _ => Operand::reals(NAME, &values, operand.is_scalar()),
    })
}

fn expect_number(operator: &'static str, operand: &Operand<'_>) -> Result<()> {
    if operand.kind().is_number() || operand.kind() == OperandKind::Null {
        return Ok(());
    }
    Err(operand.wrong_kind(operator, "numbers"))
}

type ArithmeticKernel = fn(&dyn Datum, &dyn Datum) -> std::result::Result<ArrayRef, ArrowError>;

/// Divides by `divisor` with its zeros as null, since Arrow rejects them.
fn divide(
    kernel: ArithmeticKernel,
    dividend: &Operand<'_>,
    divisor: &Operand<'_>,
) -> std::result::Result<ArrayRef, ArrowError> {
    let safe: ArrayRef = match divisor.kind() {
        OperandKind::Integer => {
            Arc::new(divisor.values().as_primitive::<Int64Type>().unary_opt::<_, Int64Type>(|value| match value {
                0 => None,
                // i64::MIN % -1 overflows; its remainder is 0, as for 1.
                -1 => Some(1),
                other => Some(other),
            }))
        }
        _ => Arc::new(
            divisor.values().as_primitive::<Float64Type>().unary_opt::<_, Float64Type>(|v| (v != 0.0).then_some(v)),
        ),
    };
    if divisor.is_scalar() { kernel(dividend, &Scalar::new(safe)) } else { kernel(dividend, &safe) }
}
