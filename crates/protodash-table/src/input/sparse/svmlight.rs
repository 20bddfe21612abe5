//! svmlight files, also called libsvm files: text with one row in each line.

use std::io::Read;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::svmlight_line::{SvmLine, parse};
use super::{FEATURES, LABEL, QUERY, RowVisitor, SparseReader, SparseWidth, StoredValue, as_text};
use crate::input::census::{CellKind, Census, CountedColumn};
use crate::input::column_builder::ColumnBuilder;
use crate::input::layout::{TableLayout, rows_per_batch};
use crate::input::origin::FileOrigin;
use crate::input::place::{LineMap, RowPlace};
use crate::input::text::{TextEncoding, text_reader};
use crate::input::text_lines::TextLineReader;
use crate::input::{Batches, Format, OpenedTable, ReadOptions, TableReader};
use crate::{Error, Result};

/// The columns of a row of the table, if all of them are stored: label, query and values.
const COLUMNS: usize = 3;

/// An svmlight file that was read once.
struct SvmlightTable {
    origin: Arc<FileOrigin>,
    schema: SchemaRef,
    lines: LineMap,
    width: SparseWidth,
}

/// Returns the svmlight file `origin` after a first pass over all of it.
pub(crate) fn open(origin: Arc<FileOrigin>, options: &ReadOptions) -> Result<OpenedTable> {
    let (mut label, mut query, mut features) = (Census::default(), Census::default(), Census::default());
    let (mut has_label, mut has_query, mut n_rows) = (false, false, 0);
    let (mut lines, mut range) = (LineMap::default(), None);
    let mut rows = SvmlightRows::open(origin.clone())?;
    let mut values = Vec::new();
    while let Some(line) = rows.next(&mut values, |found, line| {
        for (word, census, has) in
            [(found.label, &mut label, &mut has_label), (found.query, &mut query, &mut has_query)]
        {
            word.iter().for_each(|word| census.add(n_rows, word.as_bytes()));
            *has |= word.is_some();
        }
        line
    })? {
        lines.note(n_rows, line);
        if let (Some((first, _)), Some((last, _))) = (values.first(), values.last()) {
            let (least, largest) = range.unwrap_or((*first, *last));
            range = Some((least.min(*first), largest.max(*last)));
            features.count(n_rows, CellKind::Text, Vec::new);
        }
        n_rows += 1;
    }
    let is_id = |name: &str| options.id.as_deref() == Some(name);
    let column = |name: &str, census: Census| CountedColumn {
        name: name.to_owned(),
        census: census.decoded(TextEncoding::Utf8),
        holds_names: name == LABEL || is_id(name),
    };
    let mut columns = Vec::new();
    columns.extend(has_label.then(|| column(LABEL, label)));
    columns.extend(has_query.then(|| column(QUERY, query)));
    columns.push(column(FEATURES, features));
    let layout = TableLayout::inferred(origin.path(), Format::Svmlight, columns, n_rows)?;
    let schema = layout.schema.clone();
    let table = SvmlightTable { origin, schema, lines, width: SparseWidth::Used(range) };
    Ok(OpenedTable { layout, table: Box::new(table) })
}

impl TableReader for SvmlightTable {
    fn batches(&self) -> Result<Batches> {
        let rows = SvmlightRows::open(self.origin.clone())?;
        let schema = self.schema.clone();
        let columns = schema.fields().iter().map(|field| ColumnBuilder::new(field.data_type())).collect();
        Ok(Batches::new(SvmlightBatches { rows, schema, columns }))
    }

    fn place(&self, row: u64) -> RowPlace {
        self.lines.place(row)
    }

    fn yield_types_of(&mut self, schema: &SchemaRef) -> bool {
        self.schema = schema.clone();
        true
    }

    fn sparse(&self) -> Option<&dyn SparseReader> {
        Some(self)
    }
}

impl SparseReader for SvmlightTable {
    fn width(&self) -> SparseWidth {
        self.width
    }

    fn n_bytes(&self) -> u64 {
        0
    }

    fn for_each_row(&self, visit: RowVisitor<'_>) -> Result<()> {
        let mut rows = SvmlightRows::open(self.origin.clone())?;
        let (mut values, mut row) = (Vec::new(), 0);
        while rows.next(&mut values, |_, _| ())?.is_some() {
            visit(row, &values)?;
            row += 1;
        }
        Ok(())
    }
}

/// Reads an svmlight file row by row.
struct SvmlightRows {
    origin: Arc<FileOrigin>,
    lines: TextLineReader<Box<dyn Read + Send>>,
}

impl SvmlightRows {
    fn open(origin: Arc<FileOrigin>) -> Result<SvmlightRows> {
        let text = text_reader(origin.reader()?).map_err(|cause| origin.error(cause))?;
        Ok(SvmlightRows { origin, lines: TextLineReader::new(text) })
    }

    /// Reads the next row into `values`, and returns what `use_line` makes of the rest and the number of the line; `None` at
    /// the end.
    fn next<R>(
        &mut self,
        values: &mut Vec<StoredValue>,
        use_line: impl FnOnce(&SvmLine<'_>, u64) -> R,
    ) -> Result<Option<R>> {
        while let Some((line, bytes)) = self.lines.next(&self.origin)? {
            // Only labels and comments can hold letters, and those of labels are kept as they are.
            let text = String::from_utf8_lossy(bytes);
            match parse(&text, values) {
                Ok(Some(found)) => return Ok(Some(use_line(&found, line))),
                Ok(None) => {}
                Err(problem) => return Err(Error::Svmlight { path: self.origin.path().to_owned(), line, problem }),
            }
        }
        Ok(None)
    }
}

/// The rows as a table.
struct SvmlightBatches {
    rows: SvmlightRows,
    schema: SchemaRef,
    columns: Vec<ColumnBuilder>,
}

impl SvmlightBatches {
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let SvmlightBatches { rows, schema, columns } = self;
        let (mut values, mut n_rows) = (Vec::new(), 0);
        while n_rows < rows_per_batch(COLUMNS) {
            let found = rows.next(&mut values, |found, line| {
                let mut is_as_before = true;
                for (field, column) in schema.fields().iter().zip(columns.iter_mut()) {
                    let cell = match field.name().as_str() {
                        LABEL => found.label,
                        QUERY => found.query,
                        // Written below, when the values can be borrowed.
                        _ => continue,
                    };
                    is_as_before &= append(column, cell);
                }
                (line, is_as_before)
            })?;
            let Some((line, is_as_before)) = found else { break };
            // The first pass accepted this line.
            let changed = || Error::Changed { path: rows.origin.path().to_owned(), place: RowPlace::Line(line) };
            if !is_as_before {
                return Err(changed());
            }
            let text = as_text(&values);
            let features = schema.index_of(FEATURES).ok().and_then(|at| columns.get_mut(at));
            if !features.is_none_or(|column| append(column, text.as_deref())) {
                return Err(changed());
            }
            n_rows += 1;
        }
        if n_rows == 0 {
            return Ok(None);
        }
        let cells = columns.iter_mut().map(ColumnBuilder::finish).collect();
        let batch = RecordBatch::try_new(schema.clone(), cells);
        batch.map(Some).map_err(|cause| Error::arrow(rows.origin.path(), cause))
    }
}

impl Iterator for SvmlightBatches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        self.next_batch().transpose()
    }
}

/// Appends a cell; false if it does not fit the type of the column.
fn append(column: &mut ColumnBuilder, cell: Option<&str>) -> bool {
    match cell.filter(|cell| !CellKind::is_missing(cell.as_bytes())) {
        Some(cell) => column.append(cell).is_some(),
        None => {
            column.append_null();
            true
        }
    }
}
