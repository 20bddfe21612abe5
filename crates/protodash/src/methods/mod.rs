//! How rows are chosen: one file for each method, named as the paper names it.

mod lazy;

pub(crate) mod k_medoids;
pub(crate) mod protodash;
pub(crate) mod protogreedy;
pub(crate) mod swap;
