//! The settings of a run, as names with values.

use protodash::ParameterValue;

use crate::document::{ComparisonDocument, DataRecord, RelationDocument, SavedKernel, SelectionDocument};
use crate::sentences::{limits_words, method_words};

/// The settings of a selection, as names with values.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, selection_settings};
///
/// let settings = selection_settings(&SelectionDocument::example());
/// assert_eq!(settings[0], ("source".to_owned(), "people.csv".to_owned()));
/// ```
#[must_use]
pub fn selection_settings(document: &SelectionDocument) -> Vec<(String, String)> {
    let mut settings = file_settings(&document.data);
    let mut add = |name: &str, value: String| settings.push((name.to_owned(), value));
    add("kernel", kernel_words(&document.kernel));
    if document.kernel.kernel.is_some() {
        add("features", document.n_features.to_string());
    }
    add("method", method_words(document));
    add("weights", format!("{}{}", document.weights, limits_words(document)));
    add("seed", document.seed.to_string());
    settings
}

/// Where rows came from and how their columns were used, as names with values.
///
/// # Examples
///
/// ```
/// use protodash_report::{DataRecord, SelectionDocument, file_settings};
///
/// let data = DataRecord { drop: vec!["name".to_owned()], ..SelectionDocument::example().data };
/// assert_eq!(file_settings(&data)[1], ("dropped columns".to_owned(), "name".to_owned()));
/// ```
#[must_use]
pub fn file_settings(data: &DataRecord) -> Vec<(String, String)> {
    let given = [
        ("source", Some(data.source.clone())),
        ("target", data.target.clone()),
        ("source rows where", data.source_where.clone()),
        ("target rows where", data.target_where.clone()),
        ("source sample", data.source_sample.map(|number| number.to_string())),
        ("target sample", data.target_sample.map(|number| number.to_string())),
        ("columns", listed(&data.columns)),
        ("dropped columns", listed(&data.drop)),
        ("categorical", listed(&data.categorical)),
        ("shown columns", listed(&data.show)),
        ("scale", data.scale.clone()),
        ("missing values", Some(data.missing.clone()).filter(|policy| policy != "error")),
        ("target weights", data.target_weight.clone()),
    ];
    given.into_iter().filter_map(|(name, value)| value.map(|value| (name.to_owned(), value))).collect()
}

/// A list of columns; only the first few of a long one.
fn listed(columns: &[String]) -> Option<String> {
    match columns {
        [] => None,
        few if few.len() <= 8 => Some(few.join(", ")),
        many => Some(format!("{} and {} more", many[..7].join(", "), many.len() - 7)),
    }
}

/// The kernel with its parameters.
///
/// # Examples
///
/// ```
/// use protodash::Gaussian;
/// use protodash_report::{SavedKernel, kernel_words};
///
/// let kernel = SavedKernel::new(Some(Gaussian::new(2.0)?.into()));
/// assert_eq!(kernel_words(&kernel), "gaussian (bandwidth 2.0000)");
/// # Ok::<(), protodash::Error>(())
/// ```
#[must_use]
pub fn kernel_words(kernel: &SavedKernel) -> String {
    let origin =
        if kernel.cross_validation.as_ref().is_some_and(|tried| !tried.is_flat()) { ", cross-validated" } else { "" };
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

/// The settings of a comparison.
pub(super) fn comparison_settings(comparison: &ComparisonDocument) -> Vec<(String, String)> {
    let mut settings = file_settings(&comparison.data);
    settings.push(setting("kernel", kernel_words(&comparison.kernel)));
    settings.push(setting("features", comparison.n_features.to_string()));
    settings.push(setting("source rows", comparison.n_source.to_string()));
    settings.push(setting("target rows", comparison.n_target.to_string()));
    if let Some(part) = comparison.holdout {
        settings.push(setting("held out", format!("{part} of the rows")));
    }
    if comparison.oversample != 1.0 {
        settings.push(setting("oversampled", format!("{} times", comparison.oversample)));
    }
    settings
}

/// The settings of a relation.
pub(super) fn relation_settings(relation: &RelationDocument) -> Vec<(String, String)> {
    let kernel = relation.tables.first().map_or_else(String::new, |table| table.kernel.name().to_owned());
    let mut settings = vec![
        setting("key", relation.key.clone()),
        setting("keys", format!("{} ({})", relation.n_keys, relation.keys)),
        setting("prototypes of each table", relation.n_prototypes.to_string()),
        setting("kernel", kernel),
        setting("method", relation.method.clone()),
        setting("weights", relation.weights.clone()),
    ];
    settings.extend(relation.keys_of.iter().map(|path| setting("only the keys of", path.clone())));
    settings
}

fn setting(name: &str, value: String) -> (String, String) {
    (name.to_owned(), value)
}
