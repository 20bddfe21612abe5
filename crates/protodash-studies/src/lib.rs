//! The experiments of "Efficient Data Representation by Selecting Prototypes with Importance Weights" (ICDM 2019), run
//! again on public data.
//!
//! A study is cut into units that do not depend on one another. Each finished unit is a line of a journal, so that a run
//! that was stopped goes on where it was; figures and claims are computed from the journal alone. Every draw is seeded,
//! and the figures are the same for any number of threads; only the times are not.
//!
//! This crate prints nothing: progress goes to a [`StudyObserver`], results are plain structs and files.

mod claim;
mod clock;
mod contestants;
mod counter;
mod error;
mod figure;
mod interval;
mod journal;
mod methods;
pub mod mnist;
pub mod nhanes;
mod observe;
mod outputs;
pub mod retail;
mod settings;
mod table;
mod units;
mod writeup;

pub use claim::{Claim, ClaimVerdict};
pub use error::{Error, Result};
pub use figure::{Figure, FigureCurve, Point};
pub use interval::Estimate;
pub use observe::{StudyObserver, UnobservedStudy};
pub use settings::Settings;
pub use table::ResultTable;
pub use writeup::{Gallery, Strip, Writeup};
