//! Turns files into tables and tables into matrices.
//!
//! [`Input::open`] reads CSV/TSV, Parquet, Arrow IPC, JSON lines, NumPy `.npy` and `.npz`, IDX (MNIST) and SAS
//! transport files, each also inside gzip, xz or zstd. Files are streamed: memory is bounded by a batch of rows, never
//! by the file.
//!
//! This crate knows no kernel, chooses no prototypes and prints nothing.

mod error;
mod input;

pub use crate::error::{Error, Result};
pub use crate::input::{Batches, Column, ColumnKind, Format, Input, Place, ReadOptions};
