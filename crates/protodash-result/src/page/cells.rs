//! Rows read again, to be shown as they stand in the data.

use std::collections::HashMap;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, Float64Array};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;
use protodash::Role;

use super::Tables;
use crate::error::Result;

/// Rows of both sides as they stand in the data.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{Int64Array, RecordBatch};
/// use protodash::Role;
/// use protodash_result::{Cells, Result, Tables};
///
/// struct Ages;
/// impl Tables for Ages {
///     fn is_one(&self) -> bool {
///         true
///     }
///     fn rows(&self, _: Role, numbers: &[u64]) -> Result<RecordBatch> {
///         let ages = Int64Array::from_iter_values(numbers.iter().map(|number| 30 + *number as i64));
///         Ok(RecordBatch::try_from_iter([("age", Arc::new(ages) as _)]).expect("one column"))
///     }
/// }
/// let cells = Cells::read(&Ages, vec![4, 1], Vec::new())?;
/// assert_eq!(cells.texts(Role::Source, "age", &[1, 4]), Some(vec!["31".to_owned(), "34".to_owned()]));
/// # Ok::<(), protodash_result::Error>(())
/// ```
pub struct Cells {
    source: Side,
    /// `None` where one table is both sides.
    target: Option<Side>,
}

/// Rows of one table.
struct Side {
    batch: RecordBatch,
    places: HashMap<u64, usize>,
}

impl Cells {
    /// Reads these rows of each side, each table once.
    ///
    /// # Errors
    ///
    /// What the reader of the table says.
    ///
    /// # Examples
    ///
    /// See [`Cells`].
    pub fn read(tables: &dyn Tables, source: Vec<u64>, target: Vec<u64>) -> Result<Cells> {
        let read = |role: Role, mut numbers: Vec<u64>| {
            numbers.sort_unstable();
            numbers.dedup();
            let batch = tables.rows(role, &numbers)?;
            let places = numbers.into_iter().enumerate().map(|(place, number)| (number, place)).collect();
            Result::Ok(Side { batch, places })
        };
        if tables.is_one() {
            let source = read(Role::Source, source.into_iter().chain(target).collect())?;
            return Ok(Cells { source, target: None });
        }
        Ok(Cells { source: read(Role::Source, source)?, target: Some(read(Role::Target, target)?) })
    }

    fn side(&self, role: Role) -> &Side {
        match (role, &self.target) {
            (Role::Target, Some(target)) => target,
            _ => &self.source,
        }
    }

    /// One column of some rows as text; `None` if the table has no such column.
    ///
    /// # Examples
    ///
    /// See [`Cells`].
    #[must_use]
    pub fn texts(&self, role: Role, column: &str, numbers: &[u64]) -> Option<Vec<String>> {
        let side = self.side(role);
        let options = FormatOptions::default().with_null("missing");
        let column = side.batch.column_by_name(column)?;
        let formatter = ArrayFormatter::try_new(column, &options).ok()?;
        let text = |number: &u64| {
            let text = formatter.value(*side.places.get(number)?).to_string();
            if text == "NaN" && column.data_type().is_floating() {
                // What pandas and arrays write where there is no number.
                return Some("missing".to_owned());
            }
            Some(text.strip_suffix(".0").map_or(text.clone(), str::to_owned))
        };
        numbers.iter().map(text).collect()
    }

    /// These columns of some rows as numbers, row by row; what is none is NaN. `None` if the table has no such column.
    pub(super) fn numbers(&self, role: Role, columns: &[&str], numbers: &[u64]) -> Option<Vec<Vec<f64>>> {
        let side = self.side(role);
        let places: Option<Vec<usize>> = numbers.iter().map(|number| side.places.get(number).copied()).collect();
        let places = places?;
        let mut rows = vec![Vec::with_capacity(columns.len()); places.len()];
        for name in columns {
            let column = arrow_cast::cast(side.batch.column_by_name(name)?, &DataType::Float64).ok()?;
            let column: &Float64Array = column.as_primitive::<Float64Type>();
            for (row, place) in rows.iter_mut().zip(&places) {
                row.push(if column.is_null(*place) { f64::NAN } else { column.value(*place) });
            }
        }
        Some(rows)
    }
}
