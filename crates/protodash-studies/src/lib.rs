//! Reproduces the experiments of "Efficient Data Representation by Selecting Prototypes with Importance Weights" (ICDM
//! 2019) on public data, and checks the paper's claims.
//!
//! A study consists of independent units. Each finished unit is a line of a journal, so that a stopped run can resume;
//! figures and claims are computed from the journal alone. Every random sample has a seed, and the figures do not
//! depend on the number of threads. Only times do.
//!
//! The library prints nothing: progress goes to a [`StudyObserver`], results are plain structs and files. The program
//! of the same name, in `src/bin`, is its command line.

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
