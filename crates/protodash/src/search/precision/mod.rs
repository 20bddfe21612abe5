//! What is not exact, and how it chooses the same rows: kernel means and columns in f32, and means that are upper ends.
//!
//! Rounding to f32 leaves a small interval for each gradient and each Schur complement. Usually only one candidate
//! reaches the largest lower end, and then nothing has to be known better. Otherwise the contenders are computed from the
//! data in f64. The chosen rows, and with them the weights, are the same as if everything had been in f64. A kernel mean from a part of the
//! target ([`Race`](crate::kernel_mean::Race)) is an interval without a lower end: rows that reach the best lower end are raced,
//! which lowers their upper ends, until few enough are left to be computed exactly.
//!
//! - [`survey`]: which candidates may be the best (shard);
//! - [`correct`]: kernel means in f64 for some rows or for all (shard);
//! - [`settle`]: when to compute what in f64 (leader), [`race`] which upper ends to lower;
//! - [`certainty`]: the error bounds (leader), [`error_growth`] the one for Schur complements;
//! - [`column_memory`]: how many columns fit, in f32 or f64.

mod certainty;
mod column_memory;
mod correct;
mod error_growth;
mod race;
mod settle;
mod survey;

pub(super) use certainty::{Certainty, MeanPrecision};
pub(super) use column_memory::ColumnMemory;
pub(super) use correct::KnownColumn;
pub(crate) use race::RaceRecord;
pub(super) use survey::{CandidateSurvey, RaceFloor, ScoreTie};
