//! Comparisons, row by row.

use std::cmp::Ordering;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayAccessor, BooleanArray, Float64Array, Int64Array};

use super::operand::{Operand, OperandKind};
use super::step::ComparisonOperator;

/// 2⁶³, the first number above all signed 64-bit integers.
const ABOVE_ALL: f64 = 9_223_372_036_854_775_808.0;

/// Returns for each row whether `comparison` holds; both sides are of one kind, or both are numbers.
///
/// Integers and reals are compared exactly: neither is rounded to the type of the other. Text is ordered by code point.
pub(super) fn compare_rows(comparison: ComparisonOperator, left: &Operand<'_>, right: &Operand<'_>) -> BooleanArray {
    use OperandKind::{Boolean, Integer, Null, Real, Text};
    let rows = RowPairs { left, right, comparison };
    match (left.kind(), right.kind()) {
        (Integer, Integer) => rows.compare(integers(left), integers(right), |a, b| a.cmp(&b)),
        (Integer, Real) => rows.compare(integers(left), reals(right), order),
        (Real, Integer) => rows.compare(reals(left), integers(right), |a, b| order(b, a).reverse()),
        // No NaN and no negative zero: the total order is the order of numbers.
        (Real, Real) => rows.compare(reals(left), reals(right), |a, b| a.total_cmp(&b)),
        (Text, Text) => {
            let (left, right) = (left.values().as_string::<i32>(), right.values().as_string::<i32>());
            rows.compare(left, right, |a, b| a.cmp(b))
        }
        (Boolean, Boolean) => rows.compare(left.values().as_boolean(), right.values().as_boolean(), |a, b| a.cmp(&b)),
        (Null, _) | (_, Null) | (Boolean | Text, _) | (_, Boolean | Text) => BooleanArray::new_null(rows.n_rows()),
    }
}

fn integers<'a>(operand: &'a Operand<'_>) -> &'a Int64Array {
    operand.values().as_primitive()
}

fn reals<'a>(operand: &'a Operand<'_>) -> &'a Float64Array {
    operand.values().as_primitive()
}

/// Two sides of which one may be a constant, compared row by row.
struct RowPairs<'a, 'b> {
    left: &'a Operand<'b>,
    right: &'a Operand<'b>,
    comparison: ComparisonOperator,
}

impl RowPairs<'_, '_> {
    fn n_rows(&self) -> usize {
        n_rows(self.left, self.right)
    }

    fn compare<L: ArrayAccessor, R: ArrayAccessor>(
        &self,
        left: L,
        right: R,
        order: impl Fn(L::Item, R::Item) -> Ordering,
    ) -> BooleanArray {
        let compare = |row: usize| {
            let (i, j) = (self.left.index(row), self.right.index(row));
            let known = left.is_valid(i) && right.is_valid(j);
            known.then(|| holds(self.comparison, order(left.value(i), right.value(j))))
        };
        (0..self.n_rows()).map(compare).collect()
    }
}

/// The number of rows of a result: that of the side that is not a constant.
pub(super) fn n_rows(left: &Operand<'_>, right: &Operand<'_>) -> usize {
    if left.is_scalar() { right.values().len() } else { left.values().len() }
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
