//! The page of a relation.

use protodash_report::{
    Attachment, Body, PairRecord, RelatedPair, RelatedTable, RelationDocument, RelationPage, Report, TableRecord,
};

use super::{json_failure, settings};
use crate::error::Failure;
use crate::terminal;

/// The page of a relation, which needs the result only.
pub(crate) fn relation_report(relation: &RelationDocument) -> Result<Report, Failure> {
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
    let mut report = Report::new(
        format!("{} tables and how they represent each other", page.tables.len()),
        Body::Relation(Box::new(page)),
    );
    report.lead.push(terminal::relation_sentence(relation));
    report.settings = settings::of_relation(relation);
    report.result =
        Some(Attachment { name: "relation.json".to_owned(), json: relation.to_json().map_err(json_failure)? });
    Ok(report)
}
