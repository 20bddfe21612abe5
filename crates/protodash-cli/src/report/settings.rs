//! What was asked, as names with values.

use crate::json::relation::Relation;
use crate::json::{Comparison, Document, Flags, Kernel};

/// A name with a value.
pub(super) type Setting = (String, String);

/// What a selection was asked.
pub(super) fn of_selection(document: &Document) -> Vec<Setting> {
    let mut settings = of_files(&document.data);
    settings.push(setting("kernel", kernel(&document.kernel)));
    if document.kernel.name != "precomputed" {
        settings.push(setting("features", document.n_features.to_string()));
    }
    let method = match document.oversample {
        1.0 => document.method.clone(),
        factor => format!("{} oversampled {factor} times", document.method),
    };
    settings.push(setting("method", method));
    settings.push(setting("weights", document.weights.clone()));
    settings
}

/// What a comparison was asked.
pub(super) fn of_comparison(comparison: &Comparison) -> Vec<Setting> {
    let mut settings = of_files(&comparison.data);
    settings.push(setting("kernel", kernel(&comparison.kernel)));
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

/// What a relation was asked.
pub(super) fn of_relation(relation: &Relation) -> Vec<Setting> {
    let kernel = relation.tables.first().map_or_else(String::new, |table| table.kernel.name.clone());
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

/// Where rows came from.
pub(super) fn of_files(flags: &Flags) -> Vec<Setting> {
    let given = [
        ("source", Some(flags.source.clone())),
        ("target", flags.target.clone()),
        ("source rows where", flags.source_where.clone()),
        ("target rows where", flags.target_where.clone()),
        ("source sample", flags.source_sample.map(|number| number.to_string())),
        ("target sample", flags.target_sample.map(|number| number.to_string())),
    ];
    given.into_iter().filter_map(|(name, value)| value.map(|value| setting(name, value))).collect()
}

/// A kernel in words.
pub(super) fn kernel(kernel: &Kernel) -> String {
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

pub(super) fn setting(name: &str, value: String) -> Setting {
    (name.to_owned(), value)
}
