//! What was asked, as names with values.

use protodash::ParameterValue;

use crate::document::{Document, Flags, SavedKernel};

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
    if document.kernel.kernel.is_some() {
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
/// use protodash::Gaussian;
/// use protodash_result::{SavedKernel, kernel_words};
///
/// let kernel = SavedKernel::new(Some(Gaussian::new(2.0)?.into()));
/// assert_eq!(kernel_words(&kernel), "gaussian (bandwidth 2.0000)");
/// # Ok::<(), protodash::Error>(())
/// ```
#[must_use]
pub fn kernel_words(kernel: &SavedKernel) -> String {
    let origin = if kernel.cross_validation.is_some() { ", cross-validated" } else { "" };
    let described = kernel.parameters().into_iter().map(|(name, value)| match value {
        ParameterValue::Whole(value) => format!("{name} {value}"),
        ParameterValue::Number(value) if name == "bandwidth" => format!("{name} {value:.4}{origin}"),
        ParameterValue::Number(value) => format!("{name} {value:.4}"),
    });
    let described: Vec<String> = described.collect();
    if described.is_empty() {
        kernel.name().to_owned()
    } else {
        format!("{} ({})", kernel.name(), described.join(", "))
    }
}
