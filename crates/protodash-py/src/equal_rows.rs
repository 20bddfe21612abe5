//! Rows of one table that another table also has.

use protodash_table::equal_rows as equal_rows_of;
use pyo3::prelude::*;

use crate::error::CallFailure;
use crate::input::{Needed, input};
use crate::settings::Keywords;

/// For each of `rows`, the equal rows of `source`: those with its id, or with the same values in all columns.
#[pyfunction]
pub(crate) fn equal_rows(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    rows: &Bound<'_, PyAny>,
    id: Option<&str>,
    keywords: Vec<String>,
) -> PyResult<Vec<Vec<u64>>> {
    let keywords = Keywords(keywords);
    let needed = id.map_or_else(|| Needed::all_but(&[], &[]), |id| Needed::only(&[id]));
    let (source, rows) = (input("source", source, &needed, &keywords)?, input("rows", rows, &needed, &keywords)?);
    let found = py.detach(|| equal_rows_of(&source, &rows, id));
    Ok(found.map_err(|error| CallFailure::table(error, &keywords))?)
}
