//! Find a few weighted rows that represent a data set.
//!
//! # The problem
//!
//! A table with a million rows is too long to read. Averages hide detail, and a random sample misses rare rows.
//! [`select`] picks a handful of rows, the *prototypes*, and gives each a *weight*: together they are distributed like
//! the whole table, and each is a real row that you can inspect.
//!
//! There are two roles. The *target* is the data to represent, the *source* the data to choose from. Often they are the
//! same rows, which summarises a table. When they differ, the prototypes are the source rows that look like the target,
//! and their weights correct a covariate shift.
//!
//! In the language of kernels: `select` chooses source rows `L` and weights `w ≥ 0` so that the weighted prototypes'
//! kernel mean embedding is as close as possible to the target's. It maximises
//!
//! ```text
//! l(w) = μᵀw − ½ wᵀKw        MMD²(w) = ‖μ‖² − 2 l(w)
//! ```
//!
//! where `μ` is the mean similarity of each prototype to the target and `K` the prototypes' similarity to each other.
//! The methods are those of Gurumoorthy, Dhurandhar, Cecchi and Aggarwal, "Efficient Data Representation by Selecting
//! Prototypes with Importance Weights" (ICDM 2019), and several others to compare them with.
//!
//! # The smallest example
//!
//! ```
//! use ndarray::array;
//! use protodash::{Gaussian, Params, select};
//!
//! // Three points near (1, 2) and two near (8, 9).
//! let rows = array![[1.0, 2.0], [1.1, 2.1], [0.9, 1.8], [8.0, 9.0], [8.2, 9.1]];
//! let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(2))?;
//!
//! let [first, second] = &selection.prototypes[..] else { unreachable!("two were requested") };
//! assert_eq!((first.source_index, second.source_index), (0, 3)); // one row of each group
//! assert!((first.share - 0.6).abs() < 0.01); // the first represents three fifths of the rows
//! assert!(selection.explained().is_some_and(|explained| explained > 0.95));
//! # Ok::<(), protodash::Error>(())
//! ```
//!
//! # Reading the result
//!
//! | in [`Selection`] | means |
//! | --- | --- |
//! | `prototypes[i].source_index` | which source row, counted from 0, in order of choice |
//! | `prototypes[i].weight`, `share` | how much it counts; its share of the sum of all weights |
//! | `objective[i]` | the objective after `i + 1` prototypes: where the curve flattens, more rows no longer help |
//! | [`explained()`](Selection::explained) | the share of the target's embedding that the prototypes reproduce, at most 1 |
//! | [`mmd2()`](Selection::mmd2) | the squared distance that is left |
//! | `stopped` | why the run ended: the number was reached, the gain became too small, or nothing is left to gain |
//! | [`prefix(k)`](Selection::prefix) | the first `k` prototypes with the weights they had then |
//!
//! [`baseline`](baseline()) compares this with random rows, [`represent`] finds the prototype that represents each row,
//! [`row_coverage`] how many classes the prototypes touch, [`criticize`] the rows represented worst, and [`covariate_shift`](covariate_shift()) measures the effect of the
//! weights on the means of the source.
//!
//! # Which method
//!
//! | [`Method`] | use it |
//! | --- | --- |
//! | `ProtoDash` | first: fast, and one run covers every smaller number |
//! | `ProtoGreedy` | for a slightly better set at about the same cost, except close to the optimum |
//! | `Swap` | for the best set: never worse than the two above, and much slower |
//! | `Coverage` | to classify by the nearest prototype: near all rows like k-medoids |
//! | `FarthestFirst` | to label a few rows so that every class or small group has one; not a summary |
//! | `L2c`, `PLasso`, `KMedoids`, `KMeans`, `Random` | to compare with the paper's and other tools' methods |
//!
//! # Which kernel
//!
//! | [`Kernel`] | for |
//! | --- | --- |
//! | [`Gaussian`], [`Laplacian`], [`Matern32`], [`Matern52`], [`InverseMultiquadric`] | numbers on comparable scales; [`auto`](bandwidth::BandwidthRule::Auto) is a good first bandwidth, [`cross_validate`] a better one |
//! | [`Hamming`] | categories as codes |
//! | [`Cosine`] | embeddings and other directions |
//! | [`Linear`], [`Polynomial`] | matching means or low moments only |
//! | [`SparseKernel`] | rows that are mostly zeros, such as word counts: linear, cosine and the kernels of Euclidean distances |
//! | [`Precomputed`] | a matrix of similarities |
//! | your own type | anything else that is symmetric and positive semi-definite: one method to write |
//!
//! A narrow kernel spreads prototypes out, a wide one matches the overall mean. Scale columns first unless their units
//! are comparable.
//!
//! # Guarantees
//!
//! - **Deterministic.** Same input, same result to the last bit, for any number of threads. Randomness has a seed.
//! - **Exact.** Weights are the optimum, not an approximation, unless you ask for equal weights. f32 data is searched in
//!   f32 where that is safe; rows, weights and objective are those of f64, whatever the method.
//! - **Certified.** With non-negative weights no set of the same size, by any method, has an objective above `f(L) /
//!   explained`. [`Stopped::Optimal`] means that no source row can improve the fit.
//! - **Bounded memory.** Never an n × n matrix that does not fit: the data, a few numbers per row, and 4 to 8 bytes per source
//!   row and prototype, up to [`Params::column_memory`]; as much for distances, which k-medoids and cross-validation keep.
//! - **No panics on input.** Wrong input is an [`Error`] that says what was given and what is allowed.
//! - **No side effects.** No files, no output, no clock, no global state. Work runs on the current `rayon` pool; an
//!   [`Observer`] sees progress and can stop a run.
//!
//! # Where to look next
//!
//! - `examples/` in this crate's folder: `summarise`, `choosing_m`, `criticisms`, `explain`, `constraints`, `covariate_shift`
//!   and `custom_kernel` are short programs on real data: `cargo run --release -p protodash --example summarise`.
//! - [`explain()`] for single rows, each by the few rows that resemble it; [`Params::fixed`] and [`Params::exclude`] for rows that
//!   are prototypes from the start or must not be chosen, [`Params::resume`] to continue a run, [`Params::quotas`] and
//!   [`Params::budget`] for what the sample must have and may cost, [`Params::max_weight`] and [`Params::min_effective`] for
//!   weights that do not rest on a few rows.
//! - [`Prepared`] for many selections from the same data, [`select_with`] for progress, [`select_per_label`] for
//!   prototypes of every class, [`relate`] for several tables about the same things, [`classify`] for prototypes as a
//!   classifier.
//! - [`cluster`] to divide the search between processes or machines, with the same result to the last bit.
//! - The `protodash` command and the Python package of the same repository do all of this from files and arrays.

mod baseline;
mod centred;
mod choice;
mod classify;
mod compiled;
mod constraints;
mod cost_estimate;
mod cross_validation;
mod dataset;
mod diagonal;
mod distinct;
mod energy;
mod error;
mod estimate;
mod explain;
mod factor;
mod figures;
mod given_rows;
mod gram;
mod kernel;
mod kernel_map;
mod kernel_mean;
mod method_feature;
mod methods;
mod neighbour_map;
mod observe;
mod oversample;
mod parallel;
mod params;
mod per_label;
mod prepared;
mod principal;
mod problem;
mod representation;
mod requested_number;
mod role;
mod row_coverage;
mod rows;
mod search;
mod select;
mod selection;
mod simd;
mod similarity;
mod sizes;
mod sparse_row;
mod verify;
mod weigh;
mod words;

pub mod cluster;
pub mod compare;
pub mod covariate_shift;
pub mod criticisms;
pub mod objective;
pub mod relate;
pub mod weights;

pub use baseline::{Baseline, BaselineParams, baseline};
pub use choice::Choice;
pub use classify::{Classification, Labelled, Predictions, class_probabilities, classify};
pub use constraints::{Budget, ConstraintError, ConstraintReport, Quota, QuotaCount};
pub use cost_estimate::CostEstimate;
pub use covariate_shift::{CovariateShift, covariate_shift};
pub use criticisms::{Criticism, criticize, criticize_path};
pub use cross_validation::{BandwidthCurve, BandwidthScore, Criterion, CrossValidation, Labels, cross_validate};
pub use dataset::{Dataset, Worker};
pub use error::{Error, MatrixProblem, MatrixRole, Result, Role};
pub use estimate::{RowValues, WeightedEstimate, estimate};
pub use explain::{ExplainParams, Explanation, Explanations, explain};
pub use figures::FigureErrors;
pub use kernel::bandwidth;
pub use kernel::built_in::*; // BuiltInKernel and one type for each kernel that it lists
pub use kernel::{
    Distance, Kernel, KernelDefinition, KernelSpec, Parameter, ParameterDefault, ParameterValue, Precomputed,
    SparseError, SparseKernel, SparseMatrix,
};
pub use kernel_map::{KernelMap, KernelMapRows};
pub use kernel_mean::{KernelMean, Precision, kernel_mean, kernel_mean_in};
pub use method_feature::MethodFeature;
pub use methods::k_medoids::{KMedoids, KMedoidsParams, k_medoids};
pub use methods::p_lasso::{Breakpoint, LassoPath, p_lasso_path};
pub use neighbour_map::NeighbourMap;
pub use observe::{Observer, Stage, Unobserved};
pub use params::{Means, Method, Params, TargetEnergy, Weights};
pub use per_label::{Allocation, ClassNumberError, ClassNumbers, ClassSummary, PerLabel, select_per_label};
pub use prepared::Prepared;
pub use principal::{PrincipalAxes, principal_axes};
pub use representation::{
    NearestChange, NearestChanges, Representation, RepresentationPath, represent, represent_path,
    represent_path_per_label, represent_per_label,
};
pub use requested_number::RequestedNumber;
pub use row_coverage::{RowCoverage, RowCoverageParams, random_coverage, row_coverage};
pub use rows::Scalar;
pub use select::{select, select_with};
pub use selection::{Energy, MeansUsed, Prototype, Selection, Stopped, shares};
pub use similarity::similarity_order;
pub use sizes::spaced_sizes;
pub use verify::{explained_of, objective_of, verify};

/// The README's Rust examples, which are run with the other documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
