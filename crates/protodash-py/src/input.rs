//! Tables from Python, with a check that the columns in use are supported.

use std::path::Path;

use protodash_table::{Error, Input, ReadOptions, Setting, UnreadColumn};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::error::CallFailure;
use crate::settings::Keywords;
use crate::{arrow, columns};

/// The columns that must be supported, regardless of case, as in column lookup.
pub(crate) struct Needed {
    named: Vec<String>,
    /// If all other columns are needed too: those that are not.
    dropped: Option<Vec<String>>,
    /// Columns that are shown, which may hold bytes.
    shown: Vec<String>,
}

impl Needed {
    /// Returns only the named columns.
    pub(crate) fn only(named: &[&str]) -> Needed {
        Needed { named: named.iter().map(|name| name.to_lowercase()).collect(), dropped: None, shown: Vec::new() }
    }

    /// Returns all columns that are not dropped, and the named ones.
    pub(crate) fn all_but(dropped: &[String], named: &[&str]) -> Needed {
        let dropped = dropped.iter().map(|name| name.to_lowercase()).collect();
        Needed { dropped: Some(dropped), ..Needed::only(named) }
    }

    /// Adds columns that are shown.
    pub(crate) fn with_shown(mut self, shown: &[String]) -> Needed {
        self.named.extend(shown.iter().map(|name| name.to_lowercase()));
        self.shown.extend_from_slice(shown);
        self
    }

    /// Returns how to read a table of which only these columns are in use.
    fn read_options(&self) -> ReadOptions {
        let mut options = ReadOptions::default();
        options.show.clone_from(&self.shown);
        match &self.dropped {
            Some(dropped) => options.drop.clone_from(dropped),
            None => options.columns = Some(self.named.clone()),
        }
        options
    }

    fn holds(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.named.contains(&name) || self.dropped.as_ref().is_some_and(|dropped| !dropped.contains(&name))
    }

    /// Rejects the first needed column that is not supported; `unread` describes each.
    fn check(&self, table: &str, unread: &[(String, String)], keywords: &Keywords) -> PyResult<()> {
        let Some((name, what)) = unread.iter().find(|(name, _)| self.holds(name)) else { return Ok(()) };
        let drop = keywords.write(&Setting::Drop(vec![name.clone()]));
        let drop = drop.map_or_else(String::new, |drop| format!(", or exclude it with {drop}"));
        Err(PyTypeError::new_err(format!(
            "{table}: column {name:?} {what}; a column must hold numbers, lists of numbers, text, times or booleans, all of one kind\n\
             hint: convert it first{drop}"
        )))
    }
}

/// Returns a table from Python, or one in files whose path is given; messages call a table `name`.
pub(crate) fn input(name: &str, table: &Bound<'_, PyAny>, needed: &Needed, keywords: &Keywords) -> PyResult<Input> {
    if let Ok(path) = table.cast::<PyString>() {
        let input = Input::open(Path::new(path.to_str()?), &needed.read_options());
        return Ok(input.map_err(|error| CallFailure::table(error, keywords))?);
    }
    let (schema, batches) = match table.cast::<PyList>() {
        Ok(listed) => {
            let given = columns::batch(name, listed.extract()?)?;
            needed.check(name, &given.unread, keywords)?;
            let is_shown =
                |column: &String| needed.shown.iter().any(|name| name.to_lowercase() == column.to_lowercase());
            let bytes: Vec<_> = given.bytes.into_iter().filter(|(column, _)| !is_shown(column)).collect();
            needed.check(name, &bytes, keywords)?;
            (given.schema, given.batches)
        }
        Err(_) => arrow::batches(name, table)?,
    };
    let input = Input::from_batches_with(name, schema, batches, &needed.read_options());
    match &input {
        Ok(input) => needed.check(name, &described(input.unread()), keywords)?,
        Err(Error::NoColumns { unread, .. }) => needed.check(name, &described(unread), keywords)?,
        Err(_) => {}
    }
    Ok(input.map_err(|error| CallFailure::table(error, keywords))?)
}

fn described(unread: &[UnreadColumn]) -> Vec<(String, String)> {
    unread.iter().map(|column| (column.name.clone(), format!("is of type {}", column.data_type))).collect()
}
