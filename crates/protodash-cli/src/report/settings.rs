//! The settings of a run, as names with values.

use protodash_report::{ComparisonDocument, RelationDocument, file_settings, kernel_words};

/// A name with a value.
pub(super) type NamedValue = (String, String);

/// The settings of a comparison.
pub(super) fn of_comparison(comparison: &ComparisonDocument) -> Vec<NamedValue> {
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
pub(super) fn of_relation(relation: &RelationDocument) -> Vec<NamedValue> {
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

fn setting(name: &str, value: String) -> NamedValue {
    (name.to_owned(), value)
}
