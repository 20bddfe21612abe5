//! Columns whose means are estimated from the prototypes.

use protodash::{Prototype, Role, RowValues, estimate};
use protodash_report::EstimateRecord;

use crate::constraints::texts;
use crate::data::Data;
use crate::error::Failure;
use crate::progress::Progress;

/// The estimates of these columns.
///
/// The mean over the target is unknown if a value is missing, or if the target file lacks the column; a prototype without a
/// value is an error.
pub(crate) fn estimates(
    columns: &[String],
    data: &Data,
    prototypes: &[Prototype],
    progress: &mut Progress,
) -> Result<Vec<EstimateRecord>, Failure> {
    let estimated = |column: &String| {
        let source = numbers(data, Role::Source, column, progress)?;
        let own = prototypes.iter().map(|prototype| {
            let row = prototype.source_index;
            source.get(row).copied().flatten().ok_or_else(|| refused(data, Role::Source, column, row, "no value"))
        });
        let own = own.collect::<Result<Vec<f64>, Failure>>()?;
        let target = match &data.target {
            None => None,
            Some(_) if has_column(data, column) => numbers(data, Role::Target, column, progress)?.into_iter().collect(),
            Some(_) => Some(Vec::new()),
        };
        let all: Option<Vec<f64>> = source.into_iter().collect();
        let values = match (&all, &target) {
            (Some(all), None) if data.target.is_none() => RowValues::All(all),
            (Some(all), Some(target)) if !target.is_empty() => RowValues::Separate { source: all, target },
            _ => RowValues::Prototypes(&own),
        };
        let found =
            estimate(prototypes, values, data.target_weights.as_deref()).map_err(|error| data.failure(error))?;
        Ok(EstimateRecord::new(column.clone(), &found))
    };
    columns.iter().map(estimated).collect()
}

/// Whether the target file has the column.
fn has_column(data: &Data, column: &str) -> bool {
    data.tables.input(Role::Target).columns().iter().any(|known| known.name.eq_ignore_ascii_case(column))
}

/// The value of each row of the matrix; `None` where it is missing.
fn numbers(data: &Data, role: Role, column: &str, progress: &mut Progress) -> Result<Vec<Option<f64>>, Failure> {
    let texts = texts(data, role, "--estimate", column, progress)?;
    let number = |(row, text): (usize, &Option<String>)| {
        let Some(text) = text.as_deref().map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
        let number = match text.to_ascii_lowercase().as_str() {
            "true" => Some(1.0),
            "false" => Some(0.0),
            other => other.parse().ok().filter(|number: &f64| number.is_finite()),
        };
        number.map(Some).ok_or_else(|| refused(data, role, column, row, &format!("{text:?}")))
    };
    texts.iter().enumerate().map(number).collect()
}

fn refused(data: &Data, role: Role, column: &str, row: usize, found: &str) -> Failure {
    let (path, row) = data.tables.input(role).part_of(data.rows(role).table_row(row));
    Failure::Rows {
        message: format!("--estimate {column}: row {row} of {} has {found}", path.display()),
        hint: "values must be numbers, true or false; only rows that are not chosen may lack one".to_owned(),
    }
}
