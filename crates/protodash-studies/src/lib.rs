//! The experiments of "Efficient Data Representation by Selecting Prototypes with Importance Weights" (ICDM 2019), run
//! again on public data.
//!
//! A study is cut into units that do not depend on one another. Each finished unit is a line of a journal, so that a run
//! that was stopped goes on where it was; figures and claims are computed from the journal alone. Every draw is seeded,
//! and the figures are the same for any number of threads; only the times are not.
//!
//! This crate prints nothing: progress goes to a [`Watcher`], results are plain structs and files.

mod claim;
mod clock;
mod contestants;
mod error;
mod figure;
mod interval;
mod journal;
mod methods;
pub mod mnist;
pub mod nhanes;
mod outputs;
pub mod retail;
mod settings;
mod table;
mod tally;
mod units;
mod watch;
mod writeup;

pub use claim::{Claim, Verdict};
pub use error::{Error, Result};
pub use figure::{Figure, Point, Series};
pub use interval::Estimate;
pub use settings::Settings;
pub use table::Table;
pub use watch::{Unwatched, Watcher};
pub use writeup::{Gallery, Strip, Writeup};
