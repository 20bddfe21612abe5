//! What was asked, as names with values.

use crate::document::{Document, Flags, Kernel};

/// What a selection was asked: names with values.
///
/// # Examples
///
/// ```
/// use protodash_result::{Document, selection_settings};
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// assert_eq!(selection_settings(&document)[0], ("source".to_owned(), "people.csv".to_owned()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn selection_settings(document: &Document) -> Vec<(String, String)> {
    let mut settings = file_settings(&document.data);
    let mut add = |name: &str, value: String| settings.push((name.to_owned(), value));
    add("kernel", kernel_words(&document.kernel));
    if document.kernel.name != "precomputed" {
        add("features", document.n_features.to_string());
    }
    add(
        "method",
        match document.oversample {
            1.0 => document.method.clone(),
            factor => format!("{} oversampled {factor} times", document.method),
        },
    );
    add("weights", document.weights.clone());
    settings
}

/// Where rows came from: names with values.
///
/// # Examples
///
/// ```
/// use protodash_result::{Document, file_settings};
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// assert_eq!(file_settings(&document.data).len(), 1);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn file_settings(flags: &Flags) -> Vec<(String, String)> {
    let given = [
        ("source", Some(flags.source.clone())),
        ("target", flags.target.clone()),
        ("source rows where", flags.source_where.clone()),
        ("target rows where", flags.target_where.clone()),
        ("source sample", flags.source_sample.map(|number| number.to_string())),
        ("target sample", flags.target_sample.map(|number| number.to_string())),
    ];
    given.into_iter().filter_map(|(name, value)| value.map(|value| (name.to_owned(), value))).collect()
}

/// A kernel in words.
///
/// # Examples
///
/// ```
/// use protodash_result::{Kernel, kernel_words};
///
/// let kernel = Kernel::new(Some(protodash::Form::Gaussian { bandwidth: 2.0 }));
/// assert_eq!(kernel_words(&kernel), "gaussian (bandwidth 2.0000)");
/// ```
#[must_use]
pub fn kernel_words(kernel: &Kernel) -> String {
    let mut words = kernel.name.clone();
    if let Some(bandwidth) = kernel.bandwidth {
        let origin = if kernel.cross_validation.is_some() { ", cross-validated" } else { "" };
        words += &format!(" (bandwidth {bandwidth:.4}{origin})");
    }
    if let Some(degree) = kernel.degree {
        words += &format!(" (degree {degree})");
    }
    words
}
