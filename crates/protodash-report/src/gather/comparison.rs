//! The reports of a comparison and of related tables.

use std::collections::BTreeMap;

use protodash_table::Setting;

use super::settings::{comparison_settings, relation_settings};
use super::{ImageShape, attachment_name, file_name};
use crate::comparison::ComparisonPage;
use crate::document::{ComparisonDocument, PairRecord, RelationDocument, TableRecord};
use crate::error::Result;
use crate::image::Images;
use crate::relation::{RelatedPair, RelatedTable, RelationPage};
use crate::report::{Attachment, Body, Report};
use crate::reproduce::{comparison_calls, relation_calls};
use crate::sentences::{comparison_sentence, coverage_sentence, relation_sentence};

/// The report of a comparison; `images` are those of the chosen rows, by row of the source, and of this shape. `write` writes
/// a setting as in [`coverage_sentence`].
///
/// # Errors
///
/// If the result cannot be written as JSON.
pub fn comparison_report(
    comparison: &ComparisonDocument,
    images: (Images, BTreeMap<u64, usize>),
    image_shape: Option<ImageShape>,
    write: impl Fn(&Setting) -> Option<String>,
) -> Result<Report> {
    let (images, image_of) = images;
    let calls = comparison_calls(comparison, image_shape);
    let page = ComparisonPage { document: comparison.clone(), images, image_of };
    let title = format!("Methods on {}", file_name(&comparison.data.source));
    let mut report = Report::new(title, Body::Comparison(Box::new(page)));
    report.lead.push(comparison_sentence(comparison));
    report.lead.extend(coverage_sentence(comparison, write));
    report.notes.clone_from(&comparison.notes);
    report.settings = comparison_settings(comparison);
    report.calls = calls;
    let name = attachment_name(&comparison.data.source, "methods");
    report.result = Some(Attachment { name, json: comparison.to_json()? });
    Ok(report)
}

/// The report of related tables.
///
/// # Errors
///
/// If the result cannot be written as JSON.
pub fn relation_report(relation: &RelationDocument) -> Result<Report> {
    let place = |name: &str| relation.tables.iter().position(|table| table.name == name);
    let table = |table: &TableRecord| RelatedTable {
        name: table.name.clone(),
        n_keys: table.n_keys,
        n_features: table.n_features,
        explained: table.explained,
        average_rank: table.average_rank,
    };
    let pair = |pair: &PairRecord| {
        Some(RelatedPair {
            target: place(&pair.target)?,
            source: place(&pair.source)?,
            n_keys: pair.n_keys,
            explained: pair.explained,
            own_explained: pair.own_explained,
            rank: pair.rank,
        })
    };
    let page = RelationPage {
        tables: relation.tables.iter().map(table).collect(),
        pairs: relation.pairs.iter().filter_map(pair).collect(),
        n_edges: relation.edges.len(),
        remark: String::new(),
    };
    let title = format!("{} tables and how they represent each other", page.tables.len());
    let mut report = Report::new(title, Body::Relation(Box::new(page)));
    report.lead.push(relation_sentence(relation));
    report.settings = relation_settings(relation);
    report.notes.clone_from(&relation.notes);
    report.calls = relation_calls(relation);
    report.result = Some(Attachment { name: "relation.json".to_owned(), json: relation.to_json()? });
    Ok(report)
}
