//! Turns files into tables and tables into matrices.
//!
//! [`Input::open`] reads CSV/TSV, Parquet, Arrow IPC, JSON lines, NumPy `.npy` and `.npz`, IDX (MNIST) and SAS
//! transport files, each also inside gzip, xz or zstd. Files are streamed: memory is bounded by a batch of rows, never
//! by the file.
//!
//! [`Condition::parse`] reads an SQL condition that says which rows of a table are meant, and [`encode()`] turns the rows
//! of one or two tables into matrices with the same features. [`Keyed`] and [`AlignedTables`] match the rows of any number of
//! tables by a key that they share.
//!
//! This crate knows no kernel, chooses no prototypes and prints nothing.

mod advice;
mod condition;
mod encode;
mod error;
mod input;
mod names;
mod row_map;

pub use crate::advice::{Hint, Note, Setting};
pub use crate::condition::{Condition, ConditionProblem};
pub use crate::encode::{
    AlignedTables, AlignedTable, Categories, EncodeProblem, Encoded, Feature, KeyRule, Keyed, CategoryLevel, Matrix, MissingRule, Part,
    Roles, Scaling, ColumnScale, column_texts, encode, keys_of, sample_rows,
};
pub use crate::error::{Error, Result};
pub use crate::input::{Batches, TableColumn, ColumnKind, Format, Input, RowPlace, ReadOptions, UnreadColumn};
pub use crate::row_map::RowMap;
