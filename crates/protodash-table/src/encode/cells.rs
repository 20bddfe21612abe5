//! Cells as numbers and as text, for every array type that a reader yields.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, Float64Array, StringArray};
use arrow_schema::DataType;

use crate::cell::{cell_text, to_f64};
use crate::date::parse_date;

/// Returns a column of numbers as `f64`, with NaN as null; dates, which are text, as days since 1970-01-01.
pub(super) fn numbers(array: &ArrayRef) -> Float64Array {
    if let Some(texts) = array.as_string_opt::<i32>() {
        return texts.iter().map(|cell| parse_date(cell?.as_bytes())).collect();
    }
    let values = to_f64(array);
    if values.values().iter().any(|value| value.is_nan()) {
        return values.unary_opt(|value| (!value.is_nan()).then_some(value));
    }
    values
}

/// The cells of a column as text.
pub(super) struct Texts {
    values: StringArray,
}

impl Texts {
    /// Returns the cells of a column as text.
    ///
    /// Equal numbers give equal text whatever the type of their column: integers have no decimal point, others as many
    /// digits as they need.
    pub(super) fn new(array: &ArrayRef) -> Texts {
        let values = match array.data_type() {
            DataType::Float64 => array.as_primitive::<Float64Type>().iter().map(|cell| float(cell?, cell?)).collect(),
            DataType::Float32 => {
                array.as_primitive::<Float32Type>().iter().map(|cell| float(cell?.into(), cell?)).collect()
            }
            DataType::Utf8 => array.as_string().clone(),
            _ => (0..array.len()).map(|row| cell_text(array, row)).collect(),
        };
        Texts { values }
    }

    /// Returns the cells in order, `None` where one is missing.
    pub(super) fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        self.values.iter()
    }
}

/// Returns `value` as text; `shown` is the same number in its own precision, which determines the number of digits.
fn float(value: f64, shown: impl std::fmt::Debug) -> Option<String> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.is_nan() {
        None
    } else if value.fract() == 0.0 && value.abs() < EXACT {
        Some(format!("{}", value as i64))
    } else {
        Some(format!("{shown:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{BooleanArray, Float32Array, Int64Array, UInt8Array, UInt64Array};
    use std::sync::Arc;

    fn texts(array: impl Array + 'static) -> Vec<Option<String>> {
        let array: ArrayRef = Arc::new(array);
        Texts::new(&array).iter().map(|cell| cell.map(str::to_owned)).collect()
    }

    #[test]
    fn equal_numbers_give_equal_text_in_every_type() {
        let two = vec![Some("2".to_owned())];
        assert_eq!(texts(Float64Array::from(vec![2.0])), two);
        assert_eq!(texts(Float32Array::from(vec![2.0])), two);
        assert_eq!(texts(Int64Array::from(vec![2])), two);
        assert_eq!(texts(UInt8Array::from(vec![2])), two);
        assert_eq!(texts(Float64Array::from(vec![0.1])), texts(Float32Array::from(vec![0.1])));
        assert_eq!(texts(Float64Array::from(vec![-0.0])), [Some("0".to_owned())]);
    }

    #[test]
    fn large_numbers_keep_their_digits() {
        assert_eq!(texts(Int64Array::from(vec![9_007_199_254_740_993])), [Some("9007199254740993".to_owned())]);
        assert_eq!(texts(UInt64Array::from(vec![u64::MAX])), [Some("18446744073709551615".to_owned())]);
        assert_eq!(texts(Float64Array::from(vec![1e300])), [Some("1e300".to_owned())]);
    }

    #[test]
    fn missing_and_nan_are_missing() {
        assert_eq!(texts(Float64Array::from(vec![Some(f64::NAN), None])), [None, None]);
        assert_eq!(texts(BooleanArray::from(vec![Some(true), None])), [Some("true".to_owned()), None]);
        let array: ArrayRef = Arc::new(Float32Array::from(vec![Some(1.5), Some(f32::NAN), None]));
        assert_eq!(numbers(&array), Float64Array::from(vec![Some(1.5), None, None]));
    }
}
