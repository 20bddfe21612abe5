//! Results as files: selections in the format that `protodash-result` holds, comparisons and relations beside it.

mod comparison;
mod flags;
mod read;
pub(crate) mod relation;

pub(crate) use comparison::{Chosen, Comparison, Outcome, Overlap};
pub(crate) use flags::{flags_of, to_args};
pub(crate) use protodash_result::{
    CovariateShift, Criticism, CriticismRule, CrossValidation, Document, Flags, Kernel, PerLabel, Prototype, SCHEMA,
    ShiftedFeature, stopped,
};
pub(crate) use read::{Saved, read, read_any};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::KernelName;
    use clap::ValueEnum;

    #[test]
    fn every_kernel_of_the_flag_has_a_place_in_the_format() {
        for name in KernelName::value_variants() {
            let (bandwidth, scale, offset) = (Some(2.0), Some(0.5), Some(1.0));
            let bare = Kernel::new(None);
            let saved = Kernel { name: name.word().to_owned(), bandwidth, degree: Some(3), scale, offset, ..bare };
            assert_eq!(saved.form().map(|form| Kernel::new(form).name), Ok(name.word().to_owned()));
        }
    }
}
