//! Reads files of every format as record batches of numbers, booleans and text.
//!
//! This module knows neither which columns are used nor how they become a matrix.

mod array;
mod arrow_convert;
mod arrow_types;
mod batches;
mod census;
mod column;
mod column_builder;
mod compression;
mod converted;
mod csv;
mod format;
mod free_space;
mod idx;
mod ipc;
mod json_lines;
mod layout;
mod lists;
mod memory;
mod npy;
mod npy_header;
mod npz;
mod options;
mod origin;
mod parquet;
mod part;
mod parts;
mod place;
mod regular_file;
mod rows;
mod shield;
mod sparse;
mod table;
mod text;
mod text_lines;
mod xport;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

pub(crate) use self::arrow_convert::converted;
pub use self::batches::Batches;
pub use self::column::{ColumnKind, TableColumn, UnreadColumn};
pub use self::format::Format;
use self::layout::TableLayout;
pub use self::options::ReadOptions;
use self::origin::FileOrigin;
use self::parts::PathMeaning;
pub use self::parts::reads_file;
pub use self::place::{PartPlace, RowPlace};
pub use self::regular_file::read_regular_file;
pub use self::sparse::CsrRows;
pub(crate) use self::sparse::{LABEL, SparseReader};
use self::table::{Head, OpenedTable, TableReader};
use crate::{Error, Note, Result};

/// An open file, or several that are parts of one table, which can be read any number of times, batch by batch.
///
/// Opening determines the columns and the number of rows: it reads all of a CSV or JSON lines file, but only header or
/// footer of a Parquet or NumPy file. Memory is bounded by a batch, whatever the file's size.
///
/// # Examples
///
/// ```
/// use protodash_table::{Format, Input, ReadOptions};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("people.csv");
/// std::fs::write(&path, "name,age\nAda,36\nEmmy,NA\nSofia,41\n")?;
///
/// let people = Input::open(&path, &ReadOptions::default())?;
/// assert_eq!((people.format(), people.n_rows()), (Format::Csv, 3));
/// let n_read: usize = people.batches()?.map(|batch| batch.map(|batch| batch.num_rows())).sum::<Result<_, _>>()?;
/// assert_eq!(n_read, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Input {
    path: PathBuf,
    format: Format,
    layout: TableLayout,
    table: Box<dyn TableReader>,
}

impl Input {
    /// Opens the file at `path`, or the table whose parts are the files in the folder `path` or match the pattern `path`.
    ///
    /// The format is detected by content and, for text formats, by the extension; gzip, xz and zstd are also detected by
    /// content. `file.npz:name` opens one of several arrays or data sets (`.npz`, `.xpt`), and `-` is standard input.
    ///
    /// Parts are read in the order of their names; in a folder, names that begin with `.` or `_` are skipped. All parts
    /// must have the same format and columns. Rows are numbered consecutively across parts. Patterns may contain `*`, `?`,
    /// `[a-z]` and `**`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read as a table with at least one row; see [`Error`].
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::{Input, ReadOptions};
    ///
    /// let directory = tempfile::tempdir()?;
    /// std::fs::write(directory.path().join("a.csv"), "a,b\n1,2\n")?;
    /// std::fs::write(directory.path().join("b.csv"), "a,b\n3,4\n5,6\n")?;
    /// let input = Input::open(directory.path(), &ReadOptions::default())?;
    /// assert_eq!(input.n_rows(), 3);
    /// assert!(input.place(2).to_string().starts_with("line 3 of ") && input.place(2).to_string().ends_with("b.csv"));
    ///
    /// std::fs::write(directory.path().join("b.csv"), "a,b\n1,2\n3\n")?;
    /// let error = Input::open(&directory.path().join("*.csv"), &ReadOptions::default()).unwrap_err();
    /// assert!(error.to_string().ends_with("b.csv: line 3 has 1 field but line 1 has 2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Input> {
        match PathMeaning::of(path)? {
            PathMeaning::Parts(files) => {
                let (format, opened) = parts::open(path, &files, options)?;
                Ok(Input { path: path.to_owned(), format, layout: opened.layout, table: opened.table })
            }
            PathMeaning::Stdin => Input::open_from(Path::new("standard input"), options, |_, name| {
                FileOrigin::piped(name, &mut std::io::stdin().lock(), options.pipe_limit)
            }),
            PathMeaning::File => {
                Input::open_from(path, options, |file, path| FileOrigin::open(file, path, options.pipe_limit))
            }
        }
    }

    /// Opens the table at `path` with the rows of the file `more` after its own; also returns the number of the first of
    /// them.
    ///
    /// Both have the same format and columns, and messages call the table `path`.
    ///
    /// # Errors
    ///
    /// As for [`Input::open`], and if `path` is standard input.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::{Input, ReadOptions};
    ///
    /// let directory = tempfile::tempdir()?;
    /// let [pool, labelled] = ["pool.csv", "labelled.csv"].map(|name| directory.path().join(name));
    /// std::fs::write(&pool, "age\n20\n30\n")?;
    /// std::fs::write(&labelled, "age\n40\n")?;
    /// let (both, first) = Input::open_with(&pool, &labelled, &ReadOptions::default())?;
    /// assert_eq!((both.n_rows(), first), (3, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_with(path: &Path, more: &Path, options: &ReadOptions) -> Result<(Input, u64)> {
        let mut files = match PathMeaning::of(path)? {
            PathMeaning::Parts(files) => files,
            PathMeaning::File => vec![path.to_owned()],
            PathMeaning::Stdin => return Err(Error::NotFound { path: path.to_owned() }),
        };
        // An empty part of a table is skipped, but an empty file is not what the caller meant.
        let n_more = Input::open(more, options)?.n_rows();
        match PathMeaning::of(more)? {
            PathMeaning::Parts(parts) => files.extend(parts),
            _ => files.push(more.to_owned()),
        }
        let (format, opened) = parts::open(path, &files, options)?;
        let input = Input { path: path.to_owned(), format, layout: opened.layout, table: opened.table };
        let first = input.n_rows() - n_more;
        Ok((input, first))
    }

    /// Opens the one file at `path`; `open` returns its bytes, given the file and what messages call it.
    fn open_from(
        path: &Path,
        options: &ReadOptions,
        open: impl FnOnce(&Path, &Path) -> Result<FileOrigin>,
    ) -> Result<Input> {
        let (file, part) = part::split(path);
        let origin = Arc::new(open(&file, path)?);
        let head = Head::of(&origin)?;
        if head.bytes.is_empty() {
            return Err(Error::Empty { path: path.to_owned() });
        }
        let format = Format::detect(&file, path, &head)?;
        if part.is_some() && !matches!(format, Format::Npz | Format::Xpt) {
            // Other formats have no parts, so the colon must belong to the file name.
            return Err(Error::NotFound { path: path.to_owned() });
        }
        let opened = match format {
            Format::Npz => {
                let (format, opened) = npz::open(&origin, part.as_ref())?;
                return Ok(Input { path: path.to_owned(), format, layout: opened.layout, table: opened.table });
            }
            Format::Csv => csv::open(origin.clone(), &head, options)?,
            Format::JsonLines => json_lines::open(origin.clone())?,
            Format::Parquet => parquet::open(origin.clone(), options)?,
            Format::ArrowIpc => ipc::open(origin.clone(), &head, options)?,
            Format::Npy => npy::open(origin.clone(), &head, format)?,
            Format::Idx => idx::open(origin.clone(), &head)?,
            Format::Xpt => xport::open(origin.clone(), part.as_ref())?,
            Format::Svmlight => sparse::open_svmlight(origin.clone(), options)?,
            // Detection never returns these.
            Format::ScipyNpz | Format::Memory => return Err(Error::NotFound { path: path.to_owned() }),
        };
        Ok(Input { path: path.to_owned(), format, layout: opened.layout, table: opened.table })
    }

    /// Returns the table in `batches`, which all have the given schema; messages call it `name`.
    ///
    /// Columns are converted as those of an Arrow file, so that both give the same matrix.
    ///
    /// # Errors
    ///
    /// [`Error::NoRows`], [`Error::NoColumns`] and [`Error::DuplicateColumn`], as for a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    /// use protodash_table::Input;
    ///
    /// let age: ArrayRef = Arc::new(Float64Array::from(vec![Some(31.0), None]));
    /// let city: ArrayRef = Arc::new(StringArray::from(vec!["Ulm", "Bonn"]));
    /// let batch = RecordBatch::try_from_iter([("age", age), ("city", city)])?;
    /// let people = Input::from_batches("people", batch.schema(), vec![batch])?;
    /// assert_eq!((people.n_rows(), people.columns().len()), (2, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_batches(name: &str, schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Input> {
        Input::from_batches_with(name, schema, batches, &ReadOptions::default())
    }

    /// Returns the table in `batches`; of the columns of lists, only those that `options` name are read.
    ///
    /// # Errors
    ///
    /// Those of [`Input::from_batches`], and those of reading lists.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use arrow_array::{ArrayRef, Int64Array, ListArray, RecordBatch, types::Int64Type};
    /// # use protodash_table::{Input, ReadOptions};
    /// let tokens = ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(7)]), Some(vec![Some(1), Some(2)])]);
    /// let length: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    /// let batch = RecordBatch::try_from_iter([("length", length), ("tokens", Arc::new(tokens) as ArrayRef)])?;
    /// let mut options = ReadOptions::default();
    /// options.drop = vec!["tokens".into()];
    /// let texts = Input::from_batches_with("texts", batch.schema(), vec![batch], &options)?;
    /// assert_eq!((texts.columns().len(), texts.unread()[0].name.as_str()), (1, "tokens"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_batches_with(
        name: &str,
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
        options: &ReadOptions,
    ) -> Result<Input> {
        let path = PathBuf::from(name);
        let opened = memory::open(&path, &schema, batches, options)?;
        Ok(Input { path, format: Format::Memory, layout: opened.layout, table: opened.table })
    }

    /// Returns the path as it was given, or `standard input`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "x\n1\n")?;
    /// assert_eq!(Input::open(&path, &ReadOptions::default())?.path(), path);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the detected format.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Format, Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("labels");
    /// std::fs::write(&path, "x\n1\n")?;
    /// assert_eq!(Input::open(&path, &ReadOptions::default())?.format(), Format::Csv);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the columns in the order of the file.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "x;y\n1;2\n")?;
    /// let input = Input::open(&path, &ReadOptions::default())?;
    /// let names: Vec<&str> = input.columns().iter().map(|column| column.name.as_str()).collect();
    /// assert_eq!(names, ["x", "y"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn columns(&self) -> &[TableColumn] {
        &self.layout.columns
    }

    /// Returns the columns of unsupported types, which are not in the batches.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "x;y\n1;2\n")?;
    /// assert!(Input::open(&path, &ReadOptions::default())?.unread().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unread(&self) -> &[UnreadColumn] {
        &self.layout.unread
    }

    /// Returns the column of lists that the column at `position` is an element of.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use arrow_array::{ArrayRef, FixedSizeListArray, RecordBatch, types::Float32Type};
    /// # use protodash_table::Input;
    /// let vectors = [[0.5, 1.0], [2.0, 0.0]].map(|vector| Some(vector.map(Some)));
    /// let vectors: ArrayRef = Arc::new(FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(vectors, 2));
    /// let batch = RecordBatch::try_from_iter([("embedding", vectors)])?;
    /// let input = Input::from_batches("texts", batch.schema(), vec![batch])?;
    /// assert_eq!((input.columns()[1].name.as_str(), input.list_of(1)), ("embedding[1]", Some("embedding")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn list_of(&self, position: usize) -> Option<&str> {
        self.layout.lists.iter().find(|list| list.columns.contains(&position)).map(|list| list.name.as_str())
    }

    /// Returns the schema of every batch: one field for each of [`Input::columns`], with the type of its array.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "x,y\n1,2.5\n")?;
    /// let input = Input::open(&path, &ReadOptions::default())?;
    /// assert_eq!(input.schema().field(0).data_type(), &arrow_schema::DataType::Int64);
    /// assert_eq!(input.schema().field(1).data_type(), &arrow_schema::DataType::Float64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.layout.schema
    }

    /// Returns the number of rows, not counting a header; it is never 0.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "x\n1\n2\n")?;
    /// assert_eq!(Input::open(&path, &ReadOptions::default())?.n_rows(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn n_rows(&self) -> u64 {
        self.layout.n_rows
    }

    /// Returns whether the file is an array (NumPy, IDX), whose columns are called `x0`, `x1`, ….
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "x\n1\n2\n")?;
    /// assert!(!Input::open(&path, &ReadOptions::default())?.is_array());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_array(&self) -> bool {
        matches!(self.format, Format::Npy | Format::Npz | Format::Idx)
    }

    /// Returns whether the rows are sparse: their values are not columns, and [`encode`](crate::encode()) keeps them sparse.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.svm");
    /// std::fs::write(&path, "+1 3:0.5 70000:2\n-1 4:1\n")?;
    /// let input = Input::open(&path, &ReadOptions::default())?;
    /// assert!(input.is_sparse());
    /// let names: Vec<&str> = input.columns().iter().map(|column| column.name.as_str()).collect();
    /// assert_eq!(names, ["label", "features"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_sparse(&self) -> bool {
        self.sparse().is_some()
    }

    /// Returns the reader of sparse rows, if they are sparse.
    pub(crate) fn sparse(&self) -> Option<&dyn SparseReader> {
        self.table.sparse()
    }

    /// Returns height and width of the images in the rows, for an array of three dimensions.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "x\n1\n2\n")?;
    /// assert_eq!(Input::open(&path, &ReadOptions::default())?.image_shape(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn image_shape(&self) -> Option<[usize; 2]> {
        self.layout.image_shape
    }

    /// Returns notes on how the file was read.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "1,2\n3,4\n")?;
    /// let input = Input::open(&path, &ReadOptions::default())?;
    /// let note = input.notes()[0].render(|_| None);
    /// assert_eq!(note, "line 1 was read as the header although it holds only numbers");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.layout.notes
    }

    /// Returns where `row`, counted from 0, is: its line in a text file, else the row itself, and the file if there are several.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, RowPlace, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "x,y\n\"two\nlines\",1\nb,2\n")?;
    /// let input = Input::open(&path, &ReadOptions::default())?;
    /// assert_eq!((input.place(0), input.place(1)), (RowPlace::Line(2), RowPlace::Line(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn place(&self, row: u64) -> RowPlace {
        self.table.place(row)
    }

    /// Returns the file that holds `row`, counted from 0, and the number of that row in the file.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// std::fs::write(directory.path().join("a.csv"), "x\n1\n2\n")?;
    /// std::fs::write(directory.path().join("b.csv"), "x\n3\n4\n")?;
    /// let input = Input::open(directory.path(), &ReadOptions::default())?;
    /// assert_eq!(input.part_of(3), (directory.path().join("b.csv").as_path(), 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn part_of(&self, row: u64) -> (&Path, u64) {
        self.table.part_of(row).unwrap_or((&self.path, row))
    }

    /// Returns all rows in the order of the file, in batches of up to a few thousand.
    ///
    /// # Errors
    ///
    /// Here or from the iterator, if the file cannot be read, is damaged, or has changed since it was opened.
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "x\n1\n2\n")?;
    /// let input = Input::open(&path, &ReadOptions::default())?;
    /// for batch in input.batches()? {
    ///     assert_eq!(batch?.num_columns(), 1);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn batches(&self) -> Result<Batches> {
        Ok(self.table.batches()?.counted(self.path.clone(), self.n_rows()))
    }

    /// Returns the rows `indices`, counted from 0, in that order and with all columns.
    ///
    /// The file is read up to the last of them, one batch at a time.
    ///
    /// # Errors
    ///
    /// [`Error::RowOutOfRange`] for a row that the file does not have, and every error of [`Input::batches`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use protodash_table::{Input, ReadOptions};
    /// use arrow_array::Int64Array;
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("a.csv");
    /// std::fs::write(&path, "x\n10\n20\n30\n")?;
    /// let input = Input::open(&path, &ReadOptions::default())?;
    /// let rows = input.rows(&[2, 0])?;
    /// assert_eq!(rows.column(0).as_ref(), &Int64Array::from(vec![30, 10]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rows(&self, indices: &[u64]) -> Result<RecordBatch> {
        rows::pick(self, indices)
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Input { path, format, layout, table: _ } = self;
        f.debug_struct("Input").field("path", path).field("format", format).field("layout", layout).finish()
    }
}
