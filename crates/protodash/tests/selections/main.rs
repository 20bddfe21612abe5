//! The mathematics from outside, in one program: what is generic is compiled once for all of these tests.
#![allow(clippy::unwrap_used)] // a test that meets an error should fail
#![allow(clippy::print_stderr)] // what is skipped is said on stderr

mod baseline;
mod brute_force;
mod classify;
mod covariate_shift;
mod coverage;
mod cross_validation;
mod edges;
mod invariants;
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
mod samples;
mod weights_against_clarabel;
