//! Keeps approximations from changing the chosen rows: kernel means and columns in f32, and means that are upper bounds.
//!
//! Rounding to f32 leaves a small interval for each gradient and each Schur complement. Usually only one candidate
//! reaches the largest lower bound, and nothing more is needed. Otherwise the contenders are computed from the data in
//! f64. The chosen rows, and with them the weights, are the same as if everything had been in f64. A kernel mean from a
//! part of the target ([`Race`](crate::kernel_mean::Race)) has an upper bound only: rows that reach the best lower bound
//! are raced, which tightens their upper bounds, until few enough are left to be computed exactly.
//!
//! - [`survey`]: which candidates may be the best (shard);
//! - [`correct`]: kernel means in f64 for some rows or for all (shard);
//! - [`settle`]: what to compute in f64 (leader), [`race`] which upper bounds to tighten;
//! - [`certainty`]: the error bounds (leader), [`error_growth`] the one for Schur complements;
//! - [`column_memory`]: how many columns fit, in f32 or f64.

mod certainty;
mod column_memory;
mod correct;
mod error_growth;
mod outlook;
mod race;
mod settle;
mod survey;

pub(super) use certainty::{Certainty, MeanPrecision};
pub(super) use column_memory::ColumnMemory;
pub(super) use correct::CachedColumn;
pub(crate) use race::RaceRecord;
pub(super) use survey::{CandidateSurvey, Contender, KnownMean, LowerBound, RaceFloor, ScoreTie};
