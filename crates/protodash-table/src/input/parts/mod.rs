//! A table in several files: a folder, or the files that match a pattern.
//!
//! Rows are numbered across all files in the order of their names. Parts have the same format and columns; types that are
//! inferred from text are inferred from the cells of all parts together, so that a table and its parts are read alike.

mod find;
mod glob;
mod unite;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

pub(crate) use self::find::PathMeaning;
pub use self::find::reads_file;
use self::unite::{UnitedTable, unite};
use super::origin::FileOrigin;
use super::sparse::{RowVisitor, SparseReader, SparseWidth};
use super::{Batches, Input, OpenedTable, ReadOptions, RowPlace, TableReader};
use crate::cell::widened;
use crate::{Error, Result};

/// A table in several files.
struct PartedTable {
    parts: Arc<[TablePart]>,
    schema: SchemaRef,
}

/// One of the files, all of which have rows.
struct TablePart {
    input: Input,
    /// The number of its first row in the whole table.
    start: u64,
    /// The position in this file of each column of the table.
    positions: Vec<usize>,
}

/// Returns the table in `files`, which messages call `path`.
pub(super) fn open(path: &Path, files: &[PathBuf], options: &ReadOptions) -> Result<(super::Format, OpenedTable)> {
    let mut options = options.clone();
    let mut inputs: Vec<Input> = Vec::new();
    for file in files {
        let input = match Input::open_from(file, &options, FileOrigin::open_part) {
            // Programs leave a part without rows when they have nothing to write.
            Err(Error::NoRows { .. } | Error::Empty { .. }) => continue,
            opened => opened?,
        };
        if let Some(first) = inputs.first().filter(|first| first.format != input.format) {
            return Err(Error::PartFormat {
                path: file.clone(),
                format: input.format,
                first: first.path.clone(),
                expected: first.format,
            });
        }
        // The first part decides, as the beginning of a single file does.
        options.delimiter = options.delimiter.or(input.table.delimiter());
        inputs.push(input);
    }
    let Some(format) = inputs.first().map(Input::format) else {
        return Err(Error::PartsWithoutRows { path: path.to_owned(), n_parts: files.len() });
    };
    let UnitedTable { layout, positions } = unite(path, &mut inputs)?;
    let schema = layout.schema.clone();
    let mut start = 0;
    let parts = inputs.into_iter().zip(positions).map(|(input, positions)| {
        let part = TablePart { start, input, positions };
        start += part.input.n_rows();
        part
    });
    let table = PartedTable { parts: parts.collect(), schema };
    Ok((format, OpenedTable { layout, table: Box::new(table) }))
}

impl PartedTable {
    /// Returns the part that holds `row`, and the row's number in it.
    fn part(&self, row: u64) -> (&TablePart, u64) {
        let after = self.parts.partition_point(|part| part.start <= row);
        let part = &self.parts[after.saturating_sub(1)];
        (part, row - part.start)
    }
}

impl TableReader for PartedTable {
    fn batches(&self) -> Result<Batches> {
        let (parts, schema) = (self.parts.clone(), self.schema.clone());
        let batches = (0..parts.len()).flat_map(move |at| {
            let (parts, schema) = (parts.clone(), schema.clone());
            let (batches, error) = match parts[at].input.batches() {
                Ok(batches) => (Some(batches), None),
                Err(error) => (None, Some(Err(error))),
            };
            let united = batches.into_iter().flatten().map(move |batch| parts[at].unite(&schema, &batch?));
            error.into_iter().chain(united)
        });
        Ok(Batches::new(batches))
    }

    fn place(&self, row: u64) -> RowPlace {
        let (part, row) = self.part(row);
        part.input.place(row).of_part(part.input.path())
    }

    fn part_of(&self, row: u64) -> Option<(&Path, u64)> {
        let (part, row) = self.part(row);
        Some((part.input.path(), row))
    }

    fn sparse(&self) -> Option<&dyn SparseReader> {
        self.parts.iter().all(|part| part.input.is_sparse()).then_some(self)
    }
}

impl SparseReader for PartedTable {
    fn width(&self) -> SparseWidth {
        let widths = self.parts.iter().filter_map(|part| Some(part.input.sparse()?.width()));
        widths.reduce(SparseWidth::with).unwrap_or(SparseWidth::Used(None))
    }

    fn n_bytes(&self) -> u64 {
        self.parts.iter().filter_map(|part| Some(part.input.sparse()?.n_bytes())).max().unwrap_or(0)
    }

    fn for_each_row(&self, visit: RowVisitor<'_>) -> Result<()> {
        for part in &*self.parts {
            let Some(rows) = part.input.sparse() else { continue };
            rows.for_each_row(&mut |row, values| visit(part.start + row, values))?;
        }
        Ok(())
    }
}

impl TablePart {
    /// Returns a batch of this file with the columns and types of the table.
    fn unite(&self, schema: &SchemaRef, batch: &RecordBatch) -> Result<RecordBatch> {
        let fail = |cause| Error::arrow(self.input.path(), cause);
        let of_table = self.positions.iter().zip(schema.fields());
        let columns = of_table.map(|(position, field)| widened(batch.column(*position), field.data_type()));
        RecordBatch::try_new(schema.clone(), columns.collect()).map_err(fail)
    }
}
