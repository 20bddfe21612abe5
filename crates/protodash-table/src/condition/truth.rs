//! SQL's three truth values, row by row; null is unknown.

use arrow_array::BooleanArray;

/// False if one side is false, true if both are true, else unknown.
pub(super) fn and(left: &BooleanArray, right: &BooleanArray) -> BooleanArray {
    let and = |pair| match pair {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    };
    left.iter().zip(right).map(and).collect()
}

/// True if one side is true, false if both are false, else unknown.
pub(super) fn or(left: &BooleanArray, right: &BooleanArray) -> BooleanArray {
    let or = |pair| match pair {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    };
    left.iter().zip(right).map(or).collect()
}

/// Swaps true and false; unknown stays unknown.
pub(super) fn not(truth: &BooleanArray) -> BooleanArray {
    truth.iter().map(|value| value.map(|value| !value)).collect()
}
