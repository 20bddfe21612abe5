//! Quotas and a budget: their columns are read, and become constraints of the core.

use protodash::{Budget, Params, Quota, Role};
use protodash_table::column_texts;

use crate::args::{SelectArgs, ValueLimit};
use crate::data::Data;
use crate::error::Failure;
use crate::progress::Progress;

/// Sets quotas and budget as the flags request.
pub(crate) fn set(params: &mut Params, call: &SelectArgs, data: &Data, progress: &mut Progress) -> Result<(), Failure> {
    let flags = &call.constraints;
    if flags.budget.is_some() && call.search.has_no_number() {
        params.n_prototypes = None;
    }
    let limits = || flags.at_least.iter().chain(&flags.at_most);
    let mut columns: Vec<&str> = limits().map(|limit| limit.column.as_str()).collect();
    columns.sort_unstable();
    columns.dedup();
    for column in columns {
        let texts = texts(data, Role::Source, "--at-least or --at-most", column, progress)?;
        let values: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        let (minima, maxima) = (of_column(&flags.at_least, column), of_column(&flags.at_most, column));
        let quotas = Quota::of_column(column, &values, &minima, &maxima);
        params.quotas.extend(quotas.map_err(|error| data.failure(error))?);
    }
    if let (Some(column), Some(limit)) = (&flags.cost, flags.budget) {
        let texts = texts(data, Role::Source, "--cost", column, progress)?;
        let costs = texts.iter().enumerate().map(|(row, text)| cost(data, column, row, text.as_deref()));
        params.budget = Some(Budget { costs: costs.collect::<Result<_, Failure>>()?, limit });
    }
    Ok(())
}

fn of_column<'a>(limits: &'a [ValueLimit], column: &str) -> Vec<(&'a str, usize)> {
    limits.iter().filter(|limit| limit.column == column).map(|limit| (limit.value.as_str(), limit.number)).collect()
}

/// The text of a column in each row of the matrix of a side.
pub(crate) fn texts(
    data: &Data,
    role: Role,
    flag: &str,
    column: &str,
    progress: &mut Progress,
) -> Result<Vec<Option<String>>, Failure> {
    let input = data.tables.input(role);
    let names = || input.columns().iter().map(|known| known.name.as_str());
    let exact = names().position(|name| name == column);
    let alike: Vec<usize> =
        (0..).zip(names()).filter(|(_, name)| name.eq_ignore_ascii_case(column)).map(|(place, _)| place).collect();
    let Some(position) = exact.or((alike.len() == 1).then(|| alike[0])) else {
        let message = format!("{flag}: {} has no column {column:?}", input.path().display());
        return Err(Failure::Rows {
            message,
            hint: format!("its columns are {}", names().collect::<Vec<_>>().join(", ")),
        });
    };
    let mut texts = progress.waiting(&format!("reading {column}"), || column_texts(input, position))?;
    let mut text = |row: u64| texts.get_mut(usize::try_from(row).unwrap_or(usize::MAX)).and_then(Option::take);
    Ok(data.rows(role).table_rows().iter().map(|row| text(*row)).collect())
}

fn cost(data: &Data, column: &str, row: usize, text: Option<&str>) -> Result<f64, Failure> {
    let parsed = text.and_then(|text| text.trim().parse::<f64>().ok());
    parsed.filter(|cost| cost.is_finite() && *cost > 0.0).ok_or_else(|| {
        let (path, row) = data.tables.input(Role::Source).part_of(data.source.table_row(row));
        let found = text.map_or_else(|| "missing".to_owned(), |text| format!("{text:?}"));
        Failure::Rows {
            message: format!("--cost {column}: row {row} of {} has the cost {found}", path.display()),
            hint: "costs must be numbers above 0; leave such rows out with --source-where".to_owned(),
        }
    })
}
