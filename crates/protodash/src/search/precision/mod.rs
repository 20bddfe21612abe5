//! Protection against f32: kernel means and columns in f32 choose the same rows as f64.
//!
//! Rounding to f32 leaves a small interval for each gradient and each Schur complement. Usually only one candidate
//! reaches the largest lower end, and then nothing has to be known better. Otherwise the contenders are computed from the
//! data in f64. The chosen rows, and with them the weights, are the same as if everything had been in f64.
//!
//! - [`survey`]: which candidates may be the best (shard);
//! - [`correct`]: kernel means in f64 for some rows or for all (shard);
//! - [`settle`]: when to compute what in f64 (leader);
//! - [`certainty`]: the error bounds (leader), [`error_growth`] the one for Schur complements;
//! - [`column_memory`]: how many columns fit, in f32 or f64.

mod certainty;
mod column_memory;
mod correct;
mod error_growth;
mod settle;
mod survey;

pub(super) use certainty::{Certainty, MeanPrecision};
pub(super) use column_memory::ColumnMemory;
pub(super) use correct::KnownColumn;
pub(super) use survey::{CandidateSurvey, ScoreTie};
