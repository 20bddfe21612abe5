//! Compares integers with reals exactly: neither is rounded to the type of the other.

use std::cmp::Ordering;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, BooleanArray};

use super::operand::{Operand, OperandKind};
use super::step::ComparisonOperator;

/// 2⁶³, the first number above all integers of 64 bits.
const ABOVE_ALL: f64 = 9_223_372_036_854_775_808.0;

/// Returns the result of `comparison` if one side has integers and the other reals, else `None`.
pub(super) fn compare_exactly(
    comparison: ComparisonOperator,
    left: &Operand<'_>,
    right: &Operand<'_>,
) -> Option<BooleanArray> {
    match (left.kind(), right.kind()) {
        (OperandKind::Integer, OperandKind::Real) => Some(compare_sides(left, right, |order| holds(comparison, order))),
        (OperandKind::Real, OperandKind::Integer) => {
            Some(compare_sides(right, left, |order| holds(comparison, order.reverse())))
        }
        _ => None,
    }
}

/// Returns the integer that equals `value`, which is not NaN, if there is one.
pub(super) fn as_integer(value: f64) -> Option<i64> {
    let whole = value.trunc();
    ((-ABOVE_ALL..ABOVE_ALL).contains(&whole) && whole == value).then_some(whole as i64)
}

/// Returns the order of `integer` and `real`, which is not NaN.
fn order(integer: i64, real: f64) -> Ordering {
    if real >= ABOVE_ALL {
        return Ordering::Less;
    }
    if real < -ABOVE_ALL {
        return Ordering::Greater;
    }
    // Truncation is exact, and so is the remaining fraction.
    let whole = real.trunc();
    integer.cmp(&(whole as i64)).then(0.0_f64.total_cmp(&(real - whole + 0.0)))
}

fn holds(comparison: ComparisonOperator, order: Ordering) -> bool {
    match comparison {
        ComparisonOperator::Equal => order.is_eq(),
        ComparisonOperator::NotEqual => order.is_ne(),
        ComparisonOperator::Less => order.is_lt(),
        ComparisonOperator::LessOrEqual => order.is_le(),
        ComparisonOperator::Greater => order.is_gt(),
        ComparisonOperator::GreaterOrEqual => order.is_ge(),
    }
}

/// Compares row by row; a constant is compared with every row of the other side.
fn compare_sides(integers: &Operand<'_>, reals: &Operand<'_>, holds: impl Fn(Ordering) -> bool) -> BooleanArray {
    let (whole, real) = (integers.values().as_primitive::<Int64Type>(), reals.values().as_primitive::<Float64Type>());
    let n_rows = if integers.is_scalar() { real.len() } else { whole.len() };
    let integer_at = |row: usize| if integers.is_scalar() { 0 } else { row };
    let real_at = |row: usize| if reals.is_scalar() { 0 } else { row };
    let compare = |row: usize| {
        let (i, j) = (integer_at(row), real_at(row));
        (whole.is_valid(i) && real.is_valid(j)).then(|| holds(order(whole.value(i), real.value(j))))
    };
    (0..n_rows).map(compare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_beyond_two_to_the_53rd_keep_their_last_digit() {
        let edge = 9_007_199_254_740_993_i64; // 2⁵³ + 1, which as f64 is 2⁵³
        assert_eq!(order(edge, 9_007_199_254_740_992.0), Ordering::Greater);
        assert_eq!(order(edge - 1, 9_007_199_254_740_992.0), Ordering::Equal);
        assert_eq!(order(i64::MAX, i64::MAX as f64), Ordering::Less); // the f64 is 2⁶³
        assert_eq!(order(i64::MIN, i64::MIN as f64), Ordering::Equal);
    }

    #[test]
    fn fractions_and_infinities_are_ordered() {
        assert_eq!(order(2, 2.5), Ordering::Less);
        assert_eq!(order(-2, -2.5), Ordering::Greater);
        assert_eq!(order(0, 5e-324), Ordering::Less);
        assert_eq!(order(0, 0.0), Ordering::Equal);
        assert_eq!(order(i64::MAX, f64::INFINITY), Ordering::Less);
        assert_eq!(order(i64::MIN, f64::NEG_INFINITY), Ordering::Greater);
    }

    #[test]
    fn a_real_is_an_integer_only_if_it_equals_one() {
        assert_eq!([3.0, -0.0, 2.5, 1e19, f64::INFINITY].map(as_integer), [Some(3), Some(0), None, None, None]);
        assert_eq!(as_integer(i64::MIN as f64), Some(i64::MIN));
    }
}
