//! A finished result: the JSON that it is kept as, the sentences that say what it came to, and the page gathered from it.
//!
//! [`Document`] is the JSON format. [`selection_sentence`] and its like speak of it. [`selection_report`] turns it, with
//! the data that it was made from if they are there, into what `protodash-report` draws. The command and the Python
//! package share all this, so that their files, words and pages are the same.
//!
//! This crate reads and writes no file and chooses no prototypes.

mod document;
mod error;
pub mod numbers;
mod page;
mod sentences;

pub use document::{
    BandwidthPoint, Class, CovariateShift, Criticism, CriticismRule, CrossValidation, Document, Flags, Layout,
    PerLabel, Prototype, SCHEMA, SavedKernel, ShiftedFeature, stopped,
};
pub use error::{Error, Result};
pub use page::{
    Cells, ImageShape, Origin, Tables, WHAT_ADDS_DATA, Watcher, attachment_name, file_name, file_settings,
    kernel_words, selection_report, selection_settings,
};
pub use sentences::{
    Asked, bandwidth_sentence, criticisms_sentence, selection_sentence, settings_sentence, shift_sentence,
};
