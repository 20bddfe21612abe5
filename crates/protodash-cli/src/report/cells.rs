//! Rows read back from the files, to be shown as they stand there.

use std::collections::HashMap;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, Float64Array};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;
use protodash::Role;

use crate::data::Data;
use crate::error::Failure;
use crate::progress::Progress;

/// Rows of the files of both sides.
pub(super) struct Cells {
    source: Side,
    /// `None` where one file is both sides.
    target: Option<Side>,
}

/// Rows of one file.
struct Side {
    batch: RecordBatch,
    places: HashMap<u64, usize>,
}

impl Cells {
    /// Reads these rows of each side, each file once.
    pub(super) fn read(
        data: &Data,
        source: Vec<u64>,
        target: Vec<u64>,
        progress: &mut Progress,
    ) -> Result<Cells, Failure> {
        let mut read = |role: Role, mut numbers: Vec<u64>| {
            numbers.sort_unstable();
            numbers.dedup();
            let input = data.tables.input(role);
            let batch = progress.waiting("reading the rows", || input.rows(&numbers))?;
            let places = numbers.into_iter().enumerate().map(|(place, number)| (number, place)).collect();
            Ok::<_, Failure>(Side { batch, places })
        };
        if data.tables.target.is_none() {
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

    /// One column of some rows as text; `None` if the file has no such column.
    pub(super) fn texts(&self, role: Role, column: &str, numbers: &[u64]) -> Option<Vec<String>> {
        let side = self.side(role);
        let options = FormatOptions::default().with_null("missing");
        let formatter = ArrayFormatter::try_new(side.batch.column_by_name(column)?, &options).ok()?;
        let text = |number: &u64| {
            let text = formatter.value(*side.places.get(number)?).to_string();
            Some(text.strip_suffix(".0").map_or(text.clone(), str::to_owned))
        };
        numbers.iter().map(text).collect()
    }

    /// These columns of some rows as numbers, row by row; what is none is NaN. `None` if the file has no such column.
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
