//! Results as files: what the flags of a call become in them, and reading them back.

mod data;
mod read;

pub(crate) use data::{data_record, to_args};
pub(crate) use read::{Saved, read, read_any};

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use protodash_report::Kernel;

    use crate::args::KernelName;

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
