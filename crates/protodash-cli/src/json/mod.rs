//! Results as files: what the flags of a call become in them, and reading them back.

mod data;
mod read;

pub(crate) use data::{data_record, to_args};
pub(crate) use read::{Saved, read, read_any};
