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
    table_rows: Vec<u64>,
    ids: Option<Vec<String>>,
    labels: Option<Vec<String>>,
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
        Ok(RowMap { table_rows, ids, labels })
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
        RowMap { table_rows: (0..n_rows as u64).collect(), ids: None, labels: None }
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
        let label = |row: &u64| usize::try_from(*row).ok().and_then(|row| of_table.get(row)).cloned();
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
        self.table_rows.is_empty()
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
        self.table_rows[matrix_row]
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
        self.table_rows.binary_search(&table_row).ok()
    }

    /// Returns the table rows in the order of the matrix.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::RowMap::identity(2).table_rows(), [0, 1]);
    /// ```
    #[must_use]
    pub fn table_rows(&self) -> &[u64] {
        &self.table_rows
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
