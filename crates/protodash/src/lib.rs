//! Picks the few rows of a data set that stand for all the others, and says with a weight how much each one stands for.
//!
//! Given a *target* to be represented and a *source* to choose from (often the same rows), [`select`] finds the source
//! rows and non-negative weights whose kernel mean is nearest the target's, for any symmetric positive definite
//! [`Kernel`]. It implements ProtoDash and ProtoGreedy of Gurumoorthy, Dhurandhar, Cecchi and Aggarwal, "Efficient Data
//! Representation by Selecting Prototypes with Importance Weights" (ICDM 2019), and goes past them: ProtoGreedy is
//! exact at ProtoDash's price, exchanges improve on both, and every run certifies how good it is.
//!
//! This crate is mathematics alone: it reads no files, prints nothing and looks at no clock. Work is shared among the
//! threads of the current `rayon` pool, and the result is the same for any number of them.
//!
//! ```
//! use ndarray::array;
//! use protodash::{Gaussian, Params, select};
//!
//! let rows = array![[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1]];
//! let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(2))?;
//! for prototype in &selection.prototypes {
//!     println!("row {} stands for {:.0} % of the data", prototype.source_index, 100.0 * prototype.share);
//! }
//! assert!(selection.explained().unwrap() > 0.95);
//! # Ok::<(), protodash::Error>(())
//! ```

mod classify;
mod cross_validation;
mod diagonal;
mod distinct;
mod energy;
mod error;
mod factor;
mod gram;
mod kernel;
mod kernel_mean;
mod methods;
mod observe;
mod oversample;
mod params;
mod per_label;
mod prepared;
mod principal;
mod problem;
mod representation;
mod rows;
mod search;
mod select;
mod selection;
mod simd;
mod weigh;

pub mod covariate_shift;
pub mod criticisms;
pub mod objective;
pub mod relate;
pub mod weights;

pub use classify::{Classification, Labelled, Predictions, classify};
pub use covariate_shift::{CovariateShift, covariate_shift};
pub use criticisms::{Criticism, criticize};
pub use cross_validation::{BandwidthCurve, BandwidthScore, Criterion, CrossValidation, Labels, cross_validate};
pub use error::{Error, Result, Role};
pub use kernel::bandwidth;
pub use kernel::{
    Cosine, Form, Gaussian, Hamming, InverseMultiquadric, Kernel, Laplacian, Linear, Matern32, Matern52, Polynomial,
    Precomputed,
};
pub use kernel_mean::{KernelMean, Precision, kernel_mean, kernel_mean_in};
pub use methods::k_medoids::{Distance, KMedoids, KMedoidsParams, k_medoids};
pub use methods::p_lasso::{Breakpoint, LassoPath, p_lasso_path};
pub use observe::{Observer, Stage, Unobserved};
pub use params::{Method, Params, TargetEnergy, Weights};
pub use per_label::{Allocation, ClassSummary, PerLabel, select_per_label};
pub use prepared::Prepared;
pub use principal::{PrincipalAxes, principal_axes};
pub use representation::{Representation, RepresentationPath, represent, represent_path};
pub use rows::{Rows, Scalar};
pub use select::{select, select_with};
pub use selection::{Energy, Prototype, Selection, Stopped, shares};

/// The README's Rust examples, which are run with the other documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
