//! Rows read again, as they are in the data.

use std::collections::HashMap;

use arrow_array::{Array, RecordBatch};
use protodash::Role;
use protodash_table::{cell_text, to_f64};

use super::RowSource;
use crate::error::Result;

/// Rows of both sides, as they are in the data.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{Int64Array, RecordBatch};
/// use protodash::Role;
/// use protodash_report::{Result, RowSource, TableCells};
///
/// struct Ages;
/// impl RowSource for Ages {
///     fn is_one(&self) -> bool {
///         true
///     }
///     fn rows(&self, _: Role, numbers: &[u64]) -> Result<RecordBatch> {
///         let ages = Int64Array::from_iter_values(numbers.iter().map(|number| 30 + *number as i64));
///         Ok(RecordBatch::try_from_iter([("age", Arc::new(ages) as _)]).expect("one column"))
///     }
/// }
/// let cells = TableCells::read(&Ages, &[(Role::Source, 4), (Role::Target, 1)])?;
/// assert_eq!(cells.texts(Role::Source, "age", &[1, 4]), Some(vec!["31".to_owned(), "34".to_owned()]));
/// # Ok::<(), protodash_report::Error>(())
/// ```
pub struct TableCells {
    source: SideCells,
    /// `None` if one table holds both sides.
    target: Option<SideCells>,
}

/// Rows of one table.
struct SideCells {
    batch: RecordBatch,
    places: HashMap<u64, usize>,
}

impl TableCells {
    /// Reads rows by number, each table once.
    ///
    /// # Errors
    ///
    /// The error of the table's reader.
    pub fn read(tables: &dyn RowSource, rows: &[(Role, u64)]) -> Result<TableCells> {
        let read = |role: Role, belongs: &dyn Fn(Role) -> bool| {
            let mut numbers: Vec<u64> =
                rows.iter().filter(|(role, _)| belongs(*role)).map(|(_, number)| *number).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let batch = tables.rows(role, &numbers)?;
            let places = numbers.into_iter().enumerate().map(|(place, number)| (number, place)).collect();
            Result::Ok(SideCells { batch, places })
        };
        if tables.is_one() {
            return Ok(TableCells { source: read(Role::Source, &|_| true)?, target: None });
        }
        let of = |wanted: Role| read(wanted, &|role| role == wanted);
        Ok(TableCells { source: of(Role::Source)?, target: Some(of(Role::Target)?) })
    }

    /// The batch of a row, and the row's place in it.
    pub(super) fn place(&self, role: Role, number: u64) -> Option<(&RecordBatch, usize)> {
        let side = self.side(role);
        Some((&side.batch, *side.places.get(&number)?))
    }

    fn side(&self, role: Role) -> &SideCells {
        match (role, &self.target) {
            (Role::Target, Some(target)) => target,
            _ => &self.source,
        }
    }

    /// One column of some rows as text; `None` if the table has no such column.
    ///
    /// # Examples
    ///
    /// See [`TableCells`].
    #[must_use]
    pub fn texts(&self, role: Role, column: &str, numbers: &[u64]) -> Option<Vec<String>> {
        let side = self.side(role);
        let column = side.batch.column_by_name(column)?;
        let text = |number: &u64| {
            let text = cell_text(column, *side.places.get(number)?).unwrap_or_else(|| "missing".to_owned());
            if text == "NaN" && column.data_type().is_floating() {
                // pandas and NumPy write missing numbers as NaN.
                return Some("missing".to_owned());
            }
            Some(text.strip_suffix(".0").map_or(text.clone(), str::to_owned))
        };
        numbers.iter().map(text).collect()
    }

    /// These columns of some rows as numbers, row by row; other values are NaN. `None` if a column is missing.
    pub(super) fn numbers(&self, role: Role, columns: &[&str], numbers: &[u64]) -> Option<Vec<Vec<f64>>> {
        let side = self.side(role);
        let places: Vec<usize> =
            numbers.iter().map(|number| side.places.get(number).copied()).collect::<Option<_>>()?;
        let mut rows = vec![Vec::with_capacity(columns.len()); places.len()];
        for name in columns {
            let column = to_f64(side.batch.column_by_name(name)?);
            for (row, place) in rows.iter_mut().zip(&places) {
                row.push(if column.is_null(*place) { f64::NAN } else { column.value(*place) });
            }
        }
        Some(rows)
    }
}
