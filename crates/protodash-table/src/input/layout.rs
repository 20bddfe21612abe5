//! The layout of an open file: names and kinds of its columns, and the number of rows.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use arrow_schema::{Field, Schema, SchemaRef};

use super::census::CountedColumn;
use super::lists::ListColumns;
use super::{Format, TableColumn, UnreadColumn};
use crate::{Error, Note, Result};

/// The layout of a file.
#[derive(Debug)]
pub(crate) struct TableLayout {
    pub(crate) schema: SchemaRef,
    pub(crate) columns: Vec<TableColumn>,
    pub(crate) n_rows: u64,
    pub(crate) image_shape: Option<[usize; 2]>,
    pub(crate) notes: Vec<Note>,
    pub(crate) unread: Vec<UnreadColumn>,
    pub(crate) evidence: TypeEvidence,
    pub(crate) lists: Vec<ListColumns>,
}

/// What the types of the columns are based on, which determines how those of several files are merged.
#[derive(Debug)]
pub(crate) enum TypeEvidence {
    /// The file states them, except for these columns, which have no values.
    Declared { untyped: Vec<String> },
    /// They are inferred from the cells.
    Counted(Vec<CountedColumn>),
}

impl TableLayout {
    /// Returns the layout of a table with the types that its cells imply, and notes on these.
    ///
    /// # Errors
    ///
    /// Those of [`TableLayout::new`].
    pub(crate) fn inferred(
        path: &Path,
        format: Format,
        counted: Vec<CountedColumn>,
        n_rows: u64,
    ) -> Result<TableLayout> {
        let (mut fields, mut columns, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for (field, column, remarks) in counted.iter().map(|column| column.infer(format)) {
            fields.push(field);
            columns.push(column);
            notes.extend(remarks);
        }
        let layout = TableLayout::new(path, format, fields, columns, n_rows)?;
        Ok(TableLayout { notes, evidence: TypeEvidence::Counted(counted), ..layout })
    }

    /// Returns the layout of a table whose columns have the given fields and kinds.
    ///
    /// # Errors
    ///
    /// [`Error::DuplicateColumn`] if two columns have the same name, [`Error::NoRows`] if there are no rows.
    pub(crate) fn new(
        path: &Path,
        format: Format,
        fields: Vec<Field>,
        columns: Vec<TableColumn>,
        n_rows: u64,
    ) -> Result<TableLayout> {
        check_names(path, format, &columns)?;
        if n_rows == 0 {
            return Err(Error::NoRows { path: path.to_owned(), format, n_columns: columns.len() });
        }
        let schema = Arc::new(Schema::new(fields));
        Ok(TableLayout {
            schema,
            columns,
            n_rows,
            image_shape: None,
            notes: Vec::new(),
            unread: Vec::new(),
            evidence: TypeEvidence::Declared { untyped: Vec::new() },
            lists: Vec::new(),
        })
    }

    /// Returns the layout with `notes` on the file before those on its columns.
    pub(crate) fn with_notes(self, mut notes: Vec<Note>) -> TableLayout {
        notes.extend(self.notes);
        TableLayout { notes, ..self }
    }

    /// Returns the layout with the columns that cannot be read.
    ///
    /// # Errors
    ///
    /// [`Error::NoColumns`] if there are no others.
    pub(crate) fn with_unread(self, path: &Path, unread: Vec<UnreadColumn>) -> Result<TableLayout> {
        if self.columns.is_empty() {
            return Err(Error::NoColumns { path: path.to_owned(), unread });
        }
        Ok(TableLayout { unread, ..self })
    }
}

fn check_names(path: &Path, format: Format, columns: &[TableColumn]) -> Result<()> {
    let mut seen = HashMap::with_capacity(columns.len());
    for (at, column) in columns.iter().enumerate() {
        if let Some(first) = seen.insert(column.name.as_str(), at) {
            let (first, second, name) = (first + 1, at + 1, column.name.clone());
            return Err(Error::DuplicateColumn { path: path.to_owned(), name, first, second, format });
        }
    }
    Ok(())
}

/// Returns the number of rows per batch: 8,192, or fewer for wide rows, so that a batch stays within a few MiB.
pub(crate) fn rows_per_batch(n_columns: usize) -> usize {
    ((1 << 20) / n_columns.max(1)).clamp(1, 8192)
}
