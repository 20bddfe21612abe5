//! Results as files: selections in the format that `protodash-result` holds, comparisons and relations beside it.

mod comparison;
mod flags;
mod read;
pub(crate) mod relation;

pub(crate) use comparison::{Chosen, Comparison, Outcome, Overlap};
pub(crate) use flags::{flags_of, to_args};
pub(crate) use protodash_result::{
    CovariateShift, Criticism, CriticismRule, CrossValidation, Document, Flags, PerLabel, Prototype, SCHEMA,
    SavedKernel, ShiftedFeature, stopped,
};
pub(crate) use read::{Saved, read, read_any};
