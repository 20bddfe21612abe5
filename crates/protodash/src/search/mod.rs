//! The greedy search, as one leader and many shards.
//!
//! A shard owns some source rows with their kernel means, gradients and factor columns, and answers calls in plain
//! numbers. The leader owns the Gram matrix of the prototypes, the weights and the stopping rule; of the data it
//! sees only the rows that it admits. What a shard computes for a row does not depend on the rows beside it, so the
//! number of shards changes nothing.

mod amplified;
mod basis;
mod columns;
pub(crate) mod diagonal;
mod exchange;
mod leader;
mod panels;
mod propose;
mod rank;
mod settle;
mod shard;

pub(crate) use crate::distinct::first_of_equal_rows;
pub(crate) use exchange::Shorter;
pub(crate) use leader::{Candidates, Leader, Trial};
pub(crate) use rank::{Rank, Ranked};
