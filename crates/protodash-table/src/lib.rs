//! Turns files into tables and tables into matrices.
//!
//! [`Input::open`] reads CSV/TSV, Parquet, Arrow IPC, JSON lines, NumPy `.npy` and `.npz`, svmlight, IDX (MNIST) and SAS
//! transport files, each also inside gzip, xz or zstd, folders and patterns of such files, and standard input. Files are
//! streamed: memory is bounded by a batch of rows, never by the file.
//!
//! [`Condition::parse`] reads an SQL condition that selects rows of a table, and [`encode()`] turns the rows of one or two
//! tables into matrices with the same features. [`Keyed`] and [`AlignedTables`] match the rows of any number of
//! tables by a shared key. [`RowMap`] maps rows of a matrix back to rows of the table.
//!
//! Errors and notes name no command-line flags: they carry [`Setting`]s, which each front end writes in its own syntax.
//! This crate knows no kernel, selects no prototypes and prints nothing.

mod advice;
mod cell;
mod condition;
mod date;
mod encode;
mod error;
mod input;
mod names;
mod numbers;
mod quoting;
mod row_map;

pub use crate::advice::{Hint, HintPart, Note, Setting, SettingValue};
pub use crate::cell::{cell_text, to_f64};
pub use crate::condition::{Condition, ConditionProblem};
pub use crate::date::date_text;
pub use crate::encode::{
    AlignedTable, AlignedTables, Categories, CategoryLevel, ColumnScale, EncodeProblem, Encoded, Feature, KeyRule,
    Keyed, KeyedColumns, Matrix, MissingRule, NotDates, Part, RankScale, Roles, Scaling, column_texts, dominance_note,
    draw_rows, encode, equal_rows, keys_of, normalize_sparse, sample_rows,
};
pub use crate::error::{Error, Result};
pub use crate::input::{
    Batches, ColumnKind, CsrRows, Format, Input, PartPlace, ReadOptions, RowPlace, TableColumn, UnreadColumn,
    read_regular_file, reads_file,
};
pub use crate::numbers::{count, counted};
pub use crate::quoting::{comma_separated, python_text, shell_word};
pub use crate::row_map::RowMap;
