//! Cells as numbers and as text, for every array type that a reader yields.

use std::fmt::{Display, LowerExp};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, Float64Array, new_null_array};
use arrow_schema::DataType;

/// Evaluates `$action` with the array downcast to its primitive type, `$other` for all other types.
macro_rules! match_number {
    ($array:expr, $numbers:ident => $action:expr, _ => $other:expr) => {
        match_number!(@types $array, $numbers => $action, _ => $other;
            Int8 Int8Type, Int16 Int16Type, Int32 Int32Type, Int64 Int64Type, UInt8 UInt8Type, UInt16 UInt16Type,
            UInt32 UInt32Type, UInt64 UInt64Type, Float32 Float32Type, Float64 Float64Type)
    };
    (@types $array:expr, $numbers:ident => $action:expr, _ => $other:expr; $($name:ident $native:ident),+) => {
        match $array.data_type() {
            $(DataType::$name => {
                let $numbers = $array.as_primitive::<$native>();
                $action
            })+
            _ => $other,
        }
    };
}

/// Returns a column as `f64`: booleans as 0 and 1, text that is not a number and columns of other types as null.
///
/// # Examples
///
/// ```
/// use arrow_array::{Float64Array, Int64Array, StringArray};
/// use protodash_table::to_f64;
///
/// assert_eq!(to_f64(&Int64Array::from(vec![Some(7), None])), Float64Array::from(vec![Some(7.0), None]));
/// assert_eq!(to_f64(&StringArray::from(vec!["1.5", "old"])), Float64Array::from(vec![Some(1.5), None]));
/// ```
#[must_use]
#[expect(clippy::unnecessary_cast, reason = "the macro casts from every type, f64 included")]
pub fn to_f64(array: &dyn Array) -> Float64Array {
    match_number!(array, numbers => numbers.unary::<_, Float64Type>(|value| value as f64), _ => match array.data_type() {
        DataType::Boolean => array.as_boolean().iter().map(|cell| cell.map(|value| f64::from(u8::from(value)))).collect(),
        DataType::Utf8 => array.as_string::<i32>().iter().map(|cell| cell?.trim().parse().ok()).collect(),
        _ => Float64Array::new_null(array.len()),
    })
}

/// Returns numbers in a type that can hold all of them; a column of another type is null throughout.
pub(crate) fn widened(array: &ArrayRef, to: &DataType) -> ArrayRef {
    use DataType::*;
    macro_rules! as_type {
        ($native:ty, $type:ty) => {
            match_number!(array, numbers => Arc::new(numbers.unary::<_, $type>(|value| value as $native)),
                _ => new_null_array(to, array.len()))
        };
    }
    match to {
        same if same == array.data_type() => array.clone(),
        Int16 => as_type!(i16, Int16Type),
        Int32 => as_type!(i32, Int32Type),
        Int64 => as_type!(i64, Int64Type),
        UInt16 => as_type!(u16, UInt16Type),
        UInt32 => as_type!(u32, UInt32Type),
        UInt64 => as_type!(u64, UInt64Type),
        Float32 => as_type!(f32, Float32Type),
        Float64 => as_type!(f64, Float64Type),
        _ => new_null_array(to, array.len()),
    }
}

/// Returns the cell of `row` as text; `None` if it is missing or neither number, boolean nor text.
///
/// Numbers have as many digits as it takes to read the same number back.
///
/// # Examples
///
/// ```
/// use arrow_array::{Float32Array, UInt8Array};
/// use protodash_table::cell_text;
///
/// let numbers = Float32Array::from(vec![Some(0.1), Some(2.0), Some(1e20), None]);
/// let texts: Vec<_> = (0..4).map(|row| cell_text(&numbers, row)).collect();
/// assert_eq!(texts, [Some("0.1".into()), Some("2.0".into()), Some("1e20".into()), None]);
/// assert_eq!(cell_text(&UInt8Array::from(vec![2]), 0), Some("2".into()));
/// ```
///
/// # Panics
///
/// If the array has no such row.
#[must_use]
pub fn cell_text(array: &dyn Array, row: usize) -> Option<String> {
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::Float64 => {
            let value = array.as_primitive::<Float64Type>().value(row);
            let is_plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
            Some(shortest(value, is_plain, value.fract() == 0.0))
        }
        DataType::Float32 => {
            let value = array.as_primitive::<Float32Type>().value(row);
            let is_plain = value == 0.0 || (1e-6..1e13).contains(&value.abs());
            Some(shortest(value, is_plain, value.fract() == 0.0))
        }
        DataType::Boolean => Some(array.as_boolean().value(row).to_string()),
        DataType::Utf8 => Some(array.as_string::<i32>().value(row).to_owned()),
        _ => match_number!(array, numbers => Some(numbers.value(row).to_string()), _ => None),
    }
}

/// The shortest text that reads back as `value`, with a decimal point if it is plain and an exponent if not.
pub(crate) fn shortest(value: impl Display + LowerExp, is_plain: bool, is_whole: bool) -> String {
    match (is_plain, is_whole) {
        (false, _) => format!("{value:e}"),
        (true, true) => format!("{value}.0"),
        (true, false) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{BooleanArray, Float32Array, Int8Array, StringArray, UInt64Array};
    use arrow_cast::cast;
    use arrow_cast::display::array_value_to_string;

    fn columns() -> Vec<ArrayRef> {
        let edges =
            [0.0, -0.0, 1.0, -2.5, 0.1, 1e-5, 9.9e-6, 1e-6, 9.9e-7, 1e12, 1e13, 1e15, 1e16, 123456789012345680.0];
        let more = [f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0 / 3.0, 1e22];
        let doubles: Vec<f64> = edges.into_iter().chain(more).chain((0..400).map(|i| 1.7_f64.powi(i - 200))).collect();
        let singles: Vec<f32> = doubles.iter().map(|value| *value as f32).collect();
        vec![
            Arc::new(Float64Array::from(doubles)),
            Arc::new(Float32Array::from(singles)),
            Arc::new(Int8Array::from(vec![Some(-128), Some(127), None, Some(0)])),
            Arc::new(UInt64Array::from(vec![u64::MAX, 0])),
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
            Arc::new(StringArray::from(vec![Some("a"), None, Some(""), Some("1.25")])),
        ]
    }

    /// The same number in as many digits: if two shortest texts are equally close, the last digit may differ.
    fn is_same(ours: &str, expected: &str, data_type: &DataType) -> bool {
        let both_are_one_f32 = || ours.parse::<f32>().is_ok_and(|value| expected.parse() == Ok(value));
        ours == expected || (*data_type == DataType::Float32 && ours.len() == expected.len() && both_are_one_f32())
    }

    #[test]
    fn texts_match_those_of_arrow() {
        for column in columns() {
            for row in 0..column.len() {
                let expected = array_value_to_string(&column, row).unwrap();
                let ours = cell_text(&column, row).unwrap_or_default();
                assert!(is_same(&ours, &expected, column.data_type()), "{}: {ours}, {expected}", column.data_type());
            }
        }
    }

    #[test]
    fn numbers_match_those_of_arrow() {
        for column in columns() {
            let expected = cast(&column, &DataType::Float64).unwrap();
            let expected = expected.as_primitive::<Float64Type>();
            let bits = |array: &Float64Array| -> Vec<Option<u64>> {
                array.iter().map(|cell| cell.map(f64::to_bits)).collect()
            };
            assert_eq!(bits(&to_f64(&column)), bits(expected), "{}", column.data_type());
        }
    }
}
