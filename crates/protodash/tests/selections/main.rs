//! Tests of the public API, in one program, so that generic code is compiled once for all of them.
#![allow(clippy::unwrap_used)] // a test that meets an error should fail
#![allow(clippy::print_stderr)] // skipped tests are reported on stderr

mod baseline;
mod brute_force;
mod classify;
mod compare;
mod constraints;
mod covariate_shift;
mod coverage;
mod cross_validation;
mod edges;
mod explain;
mod farthest_first;
mod given_rows;
mod invariants;
mod k_means;
mod k_medoids;
mod math_claims;
mod methods;
mod p_lasso;
mod per_label;
mod precision;
mod quadratic_programme;
mod racing;
mod reference;
mod regression;
mod relate;
mod row_coverage;
mod samples;
mod sparse;
mod weight_limits;
mod weights_against_clarabel;
