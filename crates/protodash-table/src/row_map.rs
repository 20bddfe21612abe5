//! Rows of a matrix as rows of the table that the matrix was made from.

use crate::{Error, Result};

/// The table row behind each row of a matrix, with its id and label.
///
/// Table rows are counted from 0, the header not counted, and ascend with the rows of the matrix. A matrix row is a
/// `usize` and a table row a `u64`, so that they cannot be confused.
///
/// # Examples
///
/// ```
/// use protodash_table::RowMap;
///
/// // A matrix made from rows 2 and 7 of a table.
/// let rows = RowMap::new(vec![2, 7], Some(vec!["Ada".into(), "Emmy".into()]), None)?;
/// assert_eq!((rows.len(), rows.table_row(1), rows.id(1), rows.label(1)), (2, 7, Some("Emmy"), None));
/// assert_eq!((rows.matrix_row(7), rows.matrix_row(3)), (Some(1), None));
/// # Ok::<(), protodash_table::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowMap {
    table_rows: TableRows,
    ids: Option<Vec<String>>,
    labels: Option<Vec<String>>,
}

/// Table rows in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TableRows {
    /// The first so many, as where a matrix holds all rows: a list would take 8 bytes for each.
    First(usize),
    /// Others.
    Listed(Vec<u64>),
}

impl Default for TableRows {
    fn default() -> Self {
        TableRows::First(0)
    }
}

impl TableRows {
    /// These rows, which ascend.
    fn of(rows: Vec<u64>) -> TableRows {
        match rows.last() {
            Some(last) if *last >= rows.len() as u64 => TableRows::Listed(rows),
            _ => TableRows::First(rows.len()),
        }
    }

    fn len(&self) -> usize {
        match self {
            TableRows::First(n_rows) => *n_rows,
            TableRows::Listed(rows) => rows.len(),
        }
    }

    fn get(&self, matrix_row: usize) -> Option<u64> {
        match self {
            TableRows::First(n_rows) => (matrix_row < *n_rows).then_some(matrix_row as u64),
            TableRows::Listed(rows) => rows.get(matrix_row).copied(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).filter_map(|row| self.get(row))
    }
}

impl RowMap {
    /// Returns the map to `table_rows`, with an id and a label for each of them where these are known.
    ///
    /// # Errors
    ///
    /// [`Error::RowOrder`] if a table row does not exceed the one before it, [`Error::RowNames`] if there are more or
    /// fewer ids or labels than rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::{Error, RowMap};
    ///
    /// assert!(matches!(RowMap::new(vec![3, 3], None, None), Err(Error::RowOrder { .. })));
    /// assert!(matches!(RowMap::new(vec![3], None, Some(Vec::new())), Err(Error::RowNames { .. })));
    /// ```
    pub fn new(table_rows: Vec<u64>, ids: Option<Vec<String>>, labels: Option<Vec<String>>) -> Result<RowMap> {
        if let Some(pair) = table_rows.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Error::RowOrder { row: pair[1], previous: pair[0] });
        }
        for (what, names) in [("ids", &ids), ("labels", &labels)] {
            if let Some(names) = names.as_ref().filter(|names| names.len() != table_rows.len()) {
                return Err(Error::RowNames { what, given: names.len(), n_rows: table_rows.len() });
            }
        }
        Ok(RowMap { table_rows: TableRows::of(table_rows), ids, labels })
    }

    /// Returns the map of a matrix that holds all of a table's `n_rows` rows.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::RowMap::identity(3).table_row(2), 2);
    /// ```
    #[must_use]
    pub fn identity(n_rows: usize) -> RowMap {
        RowMap { table_rows: TableRows::First(n_rows), ids: None, labels: None }
    }

    /// Returns the map with the label that each row has among `of_table`, the labels of all rows of the table.
    ///
    /// # Errors
    ///
    /// [`Error::RowNames`] if the table has more rows than labels.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::RowMap;
    ///
    /// let labels = ["a", "b", "c"].map(str::to_owned);
    /// let rows = RowMap::new(vec![0, 2], None, None)?.with_table_labels(&labels)?;
    /// assert_eq!(rows.labels().unwrap(), ["a", "c"]);
    /// # Ok::<(), protodash_table::Error>(())
    /// ```
    pub fn with_table_labels(self, of_table: &[String]) -> Result<RowMap> {
        let label = |row: u64| usize::try_from(row).ok().and_then(|row| of_table.get(row)).cloned();
        let labels: Option<Vec<String>> = self.table_rows.iter().map(label).collect();
        match labels {
            Some(labels) => Ok(RowMap { labels: Some(labels), ..self }),
            None => Err(Error::RowNames { what: "labels", given: of_table.len(), n_rows: self.len() }),
        }
    }

    /// Returns the number of rows of the matrix.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::RowMap::identity(3).len(), 3);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.table_rows.len()
    }

    /// Returns whether the matrix has no rows.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash_table::RowMap::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the table row of a row of the matrix.
    ///
    /// # Panics
    ///
    /// If the matrix has no such row.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::RowMap;
    /// assert_eq!(RowMap::new(vec![2, 7], None, None)?.table_row(0), 2);
    /// # Ok::<(), protodash_table::Error>(())
    /// ```
    #[must_use]
    pub fn table_row(&self, matrix_row: usize) -> u64 {
        match self.table_rows.get(matrix_row) {
            Some(row) => row,
            None => panic!("the matrix has {} rows, and so no row {matrix_row}", self.len()),
        }
    }

    /// Returns the matrix row of a row of the table; `None` if the matrix does not hold it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::RowMap;
    /// assert_eq!(RowMap::new(vec![2, 7], None, None)?.matrix_row(7), Some(1));
    /// # Ok::<(), protodash_table::Error>(())
    /// ```
    #[must_use]
    pub fn matrix_row(&self, table_row: u64) -> Option<usize> {
        match &self.table_rows {
            TableRows::First(n_rows) => usize::try_from(table_row).ok().filter(|row| row < n_rows),
            TableRows::Listed(rows) => rows.binary_search(&table_row).ok(),
        }
    }

    /// Returns the table rows in the order of the matrix.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::RowMap::identity(2).table_rows(), [0, 1]);
    /// ```
    #[must_use]
    pub fn table_rows(&self) -> Vec<u64> {
        self.table_rows.iter().collect()
    }

    /// Returns the id of a row of the matrix, if ids are known; a missing id is an empty string.
    ///
    /// # Panics
    ///
    /// If the matrix has no such row.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::RowMap::identity(2).id(1), None);
    /// ```
    #[must_use]
    pub fn id(&self, matrix_row: usize) -> Option<&str> {
        self.ids.as_ref().map(|ids| ids[matrix_row].as_str())
    }

    /// Returns the label of a row of the matrix, if labels are known; a missing label is an empty string.
    ///
    /// # Panics
    ///
    /// If the matrix has no such row.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::RowMap::identity(2).label(1), None);
    /// ```
    #[must_use]
    pub fn label(&self, matrix_row: usize) -> Option<&str> {
        self.labels.as_ref().map(|labels| labels[matrix_row].as_str())
    }

    /// Returns the ids in the order of the matrix, if they are known.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::RowMap::identity(2).ids(), None);
    /// ```
    #[must_use]
    pub fn ids(&self) -> Option<&[String]> {
        self.ids.as_deref()
    }

    /// Returns the labels in the order of the matrix, if they are known.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::RowMap::identity(2).labels(), None);
    /// ```
    #[must_use]
    pub fn labels(&self) -> Option<&[String]> {
        self.labels.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_take_no_list() -> Result<()> {
        let all = RowMap::new(vec![0, 1, 2], None, None)?;
        assert_eq!((all.table_rows.clone(), &all), (TableRows::First(3), &RowMap::identity(3)));
        assert_eq!((all.table_row(2), all.matrix_row(2), all.matrix_row(3), all.len()), (2, Some(2), None, 3));
        assert_eq!(RowMap::new(Vec::new(), None, None)?, RowMap::default());
        let some = RowMap::new(vec![0, 1, 3], None, None)?;
        assert_eq!((some.table_rows(), some.matrix_row(3), some.matrix_row(2)), (vec![0, 1, 3], Some(2), None));
        Ok(())
    }
}
