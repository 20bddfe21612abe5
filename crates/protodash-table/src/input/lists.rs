//! Columns of lists of numbers, such as embeddings: a list of d numbers becomes the columns `name[0]`, `name[1]`, ….

use std::ops::Range;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, UInt64Array};
use arrow_schema::{DataType, Field};
use arrow_select::take::take;

use super::RowPlace;
use crate::{Error, Result};

/// The longest list that becomes columns.
const MAX_LENGTH: usize = 1 << 16;

/// A column of lists, and where its elements are among the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListColumns {
    pub(crate) name: String,
    pub(crate) columns: Range<usize>,
}

/// Returns the type of the elements after conversion, if `data_type` is a list of numbers.
pub(super) fn element_type(data_type: &DataType) -> Option<DataType> {
    use DataType::*;
    let (List(item) | LargeList(item) | FixedSizeList(item, _)) = data_type else { return None };
    match item.data_type() {
        // Exact, and what a single column of half floats becomes.
        Float16 => Some(Float32),
        Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 | Float32 | Float64 => {
            Some(item.data_type().clone())
        }
        _ => None,
    }
}

/// Returns the length of the lists of a column, from the type or else from the first list of `arrays`.
///
/// `None` if there is no list, or if its length cannot become columns.
pub(super) fn length(
    data_type: &DataType,
    mut arrays: impl Iterator<Item = Result<ArrayRef>>,
) -> Result<Option<usize>> {
    let length = match data_type {
        DataType::FixedSizeList(_, length) => usize::try_from(*length).ok(),
        _ => loop {
            let Some(array) = arrays.next().transpose()? else { break None };
            if let Some(row) = (0..array.len()).find(|row| array.is_valid(*row)) {
                break Some(elements(&array).1(row).len());
            }
        },
    };
    Ok(length.filter(|length| (1..=MAX_LENGTH).contains(length)))
}

/// Returns the columns that lists of `length` elements become.
pub(super) fn fields(name: &str, element: &DataType, length: usize) -> impl Iterator<Item = Field> {
    (0..length).map(move |at| Field::new(format!("{name}[{at}]"), element.clone(), true))
}

/// Returns the elements of all lists of `array`, and the range of those of each row.
fn elements(array: &ArrayRef) -> (ArrayRef, Box<dyn Fn(usize) -> Range<usize> + '_>) {
    match array.data_type() {
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            let offsets = lists.value_offsets();
            (lists.values().clone(), Box::new(move |row| offsets[row] as usize..offsets[row + 1] as usize))
        }
        DataType::FixedSizeList(_, length) => {
            let lists = array.as_fixed_size_list();
            let length = *length as usize;
            (lists.values().clone(), Box::new(move |row| row * length..(row + 1) * length))
        }
        _ => {
            let lists = array.as_list::<i32>();
            let offsets = lists.value_offsets();
            (lists.values().clone(), Box::new(move |row| offsets[row] as usize..offsets[row + 1] as usize))
        }
    }
}

/// Returns one column for each of `length` elements; where there is no list, all of them are missing.
///
/// The first row of `array` is row `start` of the file; `convert` converts the elements of all lists.
///
/// # Errors
///
/// [`Error::ListLength`] for the first list of another length and [`Error::ListGap`] for the first missing element.
pub(super) fn expand(
    (path, column, start): (&Path, &str, u64),
    array: &ArrayRef,
    length: usize,
    convert: impl FnOnce(&ArrayRef) -> Result<ArrayRef>,
) -> Result<Vec<ArrayRef>> {
    let (values, range) = elements(array);
    let mut firsts: Vec<Option<u64>> = Vec::with_capacity(array.len());
    for row in 0..array.len() {
        if array.is_null(row) {
            firsts.push(None);
            continue;
        }
        let elements = range(row);
        let gap = if values.null_count() > 0 { elements.clone().find(|at| values.is_null(*at)) } else { None };
        if elements.len() != length || gap.is_some() {
            let (path, column, place) = (path.to_owned(), column.to_owned(), RowPlace::Row(start + row as u64));
            return Err(match gap {
                Some(gap) if elements.len() == length => {
                    Error::ListGap { path, place, column, element: gap - elements.start }
                }
                _ => Error::ListLength { path, place, column, found: elements.len(), expected: length },
            });
        }
        firsts.push(Some(elements.start as u64));
    }
    let values = convert(&values)?;
    let column = |at: usize| {
        let places: UInt64Array = firsts.iter().map(|first| first.map(|first| first + at as u64)).collect();
        take(&values, &places, None).map_err(|cause| Error::arrow(path, cause))
    };
    (0..length).map(column).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::{Float32Type, Int64Type};
    use arrow_array::{FixedSizeListArray, Float32Array, LargeListArray, ListArray};

    use super::*;

    fn columns(array: ArrayRef) -> Result<Vec<Vec<Option<f32>>>> {
        let arrays = expand((Path::new("a"), "e", 10), &array, 2, |values| Ok(values.clone()))?;
        Ok(arrays.iter().map(|array| array.as_primitive::<Float32Type>().iter().collect()).collect())
    }

    #[test]
    fn lists_of_every_type_and_slices_of_them() {
        let lists = || [Some(vec![Some(1.0), Some(2.0)]), None, Some(vec![Some(3.0), Some(4.0)])];
        let small: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(lists()));
        let large: ArrayRef = Arc::new(LargeListArray::from_iter_primitive::<Float32Type, _, _>(lists()));
        let fixed: ArrayRef = Arc::new(FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(lists(), 2));
        for array in [small, large, fixed] {
            let found = columns(array.clone()).unwrap();
            assert_eq!(found, [[Some(1.0), None, Some(3.0)], [Some(2.0), None, Some(4.0)]]);
            assert_eq!(columns(array.slice(2, 1)).unwrap(), [[Some(3.0)], [Some(4.0)]]);
            let arrays = [Ok(array.slice(1, 1)), Ok(array.clone())].into_iter();
            assert_eq!(length(array.data_type(), arrays).unwrap(), Some(2));
            assert_eq!(element_type(array.data_type()), Some(DataType::Float32));
        }
    }

    #[test]
    fn ragged_lists_and_missing_elements_are_rejected_with_their_row() {
        let ragged = [Some(vec![Some(1.0), Some(2.0)]), Some(vec![Some(3.0)])];
        let error = columns(Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(ragged))).unwrap_err();
        let message = "a: row 11 (counted from 0), column \"e\": the list has 1 element; all lists must have 2";
        assert_eq!(error.to_string(), message);
        let gap = [Some(vec![Some(1.0), Some(2.0)]), Some(vec![Some(3.0), None])];
        let error = columns(Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(gap))).unwrap_err();
        let message = "a: row 11 (counted from 0), column \"e\": element 1 of the list is missing";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn lists_without_a_length_do_not_become_columns() {
        let none: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>([None::<Vec<Option<i64>>>]));
        assert_eq!(length(none.data_type(), [Ok(none.clone())].into_iter()).unwrap(), None);
        let number: ArrayRef = Arc::new(Float32Array::from(vec![1.0]));
        assert_eq!(element_type(number.data_type()), None);
    }
}
