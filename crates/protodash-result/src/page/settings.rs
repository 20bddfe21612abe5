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
/// let settings = selection_settings(&document);
/// assert_eq!(settings[0], ("source".to_owned(), "people.csv".to_owned()));
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
    add("seed", document.seed.to_string());
    settings
}

/// Where rows came from and what became of their columns: names with values.
///
/// # Examples
///
/// ```
/// use protodash_result::{Document, file_settings};
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// let flags = protodash_result::Flags { drop: vec!["name".to_owned()], ..document.data };
/// assert_eq!(file_settings(&flags)[1], ("left out".to_owned(), "name".to_owned()));
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
        ("columns", listed(&flags.columns)),
        ("left out", listed(&flags.drop)),
        ("codes", listed(&flags.categorical)),
        ("scale", flags.scale.clone()),
        ("missing values", Some(flags.missing.clone()).filter(|policy| policy != "error")),
        ("target weights", flags.target_weight.clone()),
    ];
    given.into_iter().filter_map(|(name, value)| value.map(|value| (name.to_owned(), value))).collect()
}

/// Columns that are named in a list; of many the first.
fn listed(columns: &[String]) -> Option<String> {
    match columns {
        [] => None,
        few if few.len() <= 8 => Some(few.join(", ")),
        many => Some(format!("{} and {} more", many[..7].join(", "), many.len() - 7)),
    }
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
