//! Rows of one table that another table also has.

use std::collections::HashMap;
use std::fmt::Write;

use arrow_array::RecordBatch;

use super::cells::Texts;
use super::plan::find;
use crate::Result;
use crate::advice::Setting;
use crate::input::Input;

/// Returns, for each row of `wanted`, the rows of `table` that are equal to it, ascending.
///
/// With an `id`, rows are equal if that column says so. Without one, all columns of `table` must be equal; columns that only
/// `wanted` has do not matter. Cells are compared as text, as ids are: equal numbers are equal in every type and format, and
/// missing cells are equal.
///
/// # Cost
///
/// One pass over each table, and memory for the cells of `wanted`.
///
/// # Errors
///
/// If `wanted` lacks a column of `table`, or either lacks the column `id`, and every error of reading the tables.
///
/// # Examples
///
/// ```
/// use protodash_table::{Input, ReadOptions, equal_rows};
///
/// let directory = tempfile::tempdir()?;
/// let [pool, known] = ["pool.csv", "known.csv"].map(|name| directory.path().join(name));
/// std::fs::write(&pool, "name,age\nAda,30\nBo,40\nAda,30\n")?;
/// std::fs::write(&known, "age,name\n30.0,Ada\n41,Bo\n")?;
/// let open = |path| Input::open(path, &ReadOptions::default());
/// let (pool, known) = (open(&pool)?, open(&known)?);
/// assert_eq!(equal_rows(&pool, &known, None)?, [vec![0, 2], vec![]]);
/// assert_eq!(equal_rows(&pool, &known, Some("name"))?, [vec![0, 2], vec![1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn equal_rows(table: &Input, wanted: &Input, id: Option<&str>) -> Result<Vec<Vec<u64>>> {
    let names: Vec<&str> = match id {
        Some(id) => vec![id],
        None => table.columns().iter().map(|column| column.name.as_str()).collect(),
    };
    let setting = id.map_or(Setting::Columns, |id| Setting::Id(Some(id.to_owned())));
    let columns =
        |input: &Input| -> Result<Vec<usize>> { names.iter().map(|name| Ok(find(input, &setting, name)?)).collect() };
    let (of_table, of_wanted) = (columns(table)?, columns(wanted)?);
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    let mut n_wanted = 0;
    for batch in wanted.batches()? {
        for key in keys(&batch?, &of_wanted) {
            places.entry(key).or_default().push(n_wanted);
            n_wanted += 1;
        }
    }
    let mut found = vec![Vec::new(); n_wanted];
    let mut row = 0;
    for batch in table.batches()? {
        for key in keys(&batch?, &of_table) {
            places.get(&key).into_iter().flatten().for_each(|place| found[*place].push(row));
            row += 1;
        }
    }
    Ok(found)
}

/// Returns one text for each row, equal if and only if all its cells are.
fn keys(batch: &RecordBatch, columns: &[usize]) -> Vec<String> {
    let mut keys = vec![String::new(); batch.num_rows()];
    for column in columns {
        let texts = Texts::new(batch.column(*column));
        for (key, text) in keys.iter_mut().zip(texts.iter()) {
            match text {
                // The length says where a cell ends, whatever it contains. Writing to a string cannot fail.
                Some(text) => drop(write!(key, "{}:{text}", text.len())),
                None => key.push('-'),
            }
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::ReadOptions;
    use arrow_array::{ArrayRef, Float32Array, Int64Array, StringArray};
    use std::sync::Arc;

    fn table(columns: Vec<(&str, ArrayRef)>) -> Input {
        let batch =
            RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, cells)| (name, cells, true)));
        let batch = batch.unwrap();
        Input::from_batches_with("rows", batch.schema(), vec![batch], &ReadOptions::default()).unwrap()
    }

    #[test]
    fn cells_do_not_run_into_each_other() {
        let texts = |cells: [&str; 2]| -> ArrayRef { Arc::new(StringArray::from(cells.to_vec())) };
        let pool = table(vec![("a", texts(["x1:y", "x"])), ("b", texts(["z", "1:yz"]))]);
        let other = table(vec![("a", texts(["x", "x1:y"])), ("b", texts(["1:yz", "z"]))]);
        assert_eq!(equal_rows(&pool, &other, None).unwrap(), [vec![1], vec![0]]);
    }

    #[test]
    fn numbers_of_every_type_and_missing_cells_are_compared() {
        let whole: ArrayRef = Arc::new(Int64Array::from(vec![Some(2), None, Some(3)]));
        let single: ArrayRef = Arc::new(Float32Array::from(vec![None, Some(3.0), Some(2.5)]));
        let found = equal_rows(&table(vec![("x", whole)]), &table(vec![("X", single)]), None).unwrap();
        assert_eq!(found, [vec![1], vec![2], vec![]]);
    }

    #[test]
    fn a_column_that_is_missing_is_named() {
        let cells = || -> ArrayRef { Arc::new(Int64Array::from(vec![1])) };
        let pool = table(vec![("x", cells()), ("y", cells())]);
        let error = equal_rows(&pool, &table(vec![("x", cells())]), None).unwrap_err();
        assert!(error.to_string().contains("\"y\""), "{error}");
    }
}
