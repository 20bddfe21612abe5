//! Related tables in words: the sentence that names the best representative, the settings, and the table.

use crate::document::{EdgeRecord, RelationDocument, TableRecord};
use crate::numbers::{count, counted, plain_percent};
use crate::sentences::listed;
use crate::tables::TextColumn;

/// The tables by average rank, each with its best representative.
#[must_use]
pub fn relation_columns(relation: &RelationDocument) -> Vec<TextColumn> {
    let tables = in_order(relation);
    let best: Vec<Option<&EdgeRecord>> =
        tables.iter().map(|table| relation.edges.iter().find(|edge| edge.target == table.name)).collect();
    let n_shared = |edge: &EdgeRecord| {
        let same = |target: &str, source: &str| target == edge.target && source == edge.source;
        let pair = relation.pairs.iter().find(|pair| same(&pair.target, &pair.source));
        pair.map_or_else(String::new, |pair| count(pair.n_keys as u64))
    };
    let of_edge = |show: &dyn Fn(&EdgeRecord) -> String| {
        best.iter().map(|edge| edge.map_or_else(String::new, show)).collect::<Vec<_>>()
    };
    let of_table = |show: &dyn Fn(&TableRecord) -> String| tables.iter().map(|table| show(table)).collect::<Vec<_>>();
    let column = |header, is_number, cells| TextColumn { header, is_number, cells };
    vec![
        column("table", false, of_table(&|table| table.name.clone())),
        column("keys", true, of_table(&|table| count(table.n_keys as u64))),
        column("average rank", true, of_table(&|table| rank(table.average_rank))),
        column("by itself", true, of_table(&|table| plain_percent(table.explained))),
        column("best represented by", false, of_edge(&|edge| edge.source.clone())),
        column("explains", true, of_edge(&|edge| plain_percent(edge.explained))),
        column("shared keys", true, of_edge(&n_shared)),
    ]
}

/// The table that represents the others best, and the keys behind the comparison.
#[must_use]
pub fn relation_sentence(relation: &RelationDocument) -> String {
    let n_tables = relation.tables.len();
    let n_possible = n_tables * (n_tables - 1);
    let first = best_of_all(relation);
    let rests = match relation.keys.as_str() {
        "all" => format!("all pairs are compared on all {}", counted(relation.n_keys as u64, "key")),
        _ => {
            let n_keys = || relation.pairs.iter().map(|pair| pair.n_keys as u64);
            let (least, most) = (n_keys().min().unwrap_or(0), n_keys().max().unwrap_or(0));
            format!("each pair is compared on the keys both tables share ({} to {})", count(least), count(most))
        }
    };
    match n_possible - relation.pairs.len() {
        0 => format!("{first}; {rests}"),
        lacking => format!("{first}; {rests}; {} of {n_possible} pairs share no key", count(lacking as u64)),
    }
}

/// The table or tables with the best average rank.
fn best_of_all(relation: &RelationDocument) -> String {
    let tables = in_order(relation);
    let Some(best) = tables.first() else { return String::new() };
    let equal: Vec<&str> = tables
        .iter()
        .filter(|table| table.average_rank == best.average_rank)
        .map(|table| table.name.as_str())
        .collect();
    let rank = rank(best.average_rank);
    match &equal[..] {
        [name] => format!("{name} represents the other tables best, with an average rank of {rank}"),
        several if several.len() <= 4 => format!("{} share the best average rank, {rank}", listed(several, "and")),
        several => format!("{} tables share the best average rank, {rank}", several.len()),
    }
}

/// The kernel, the number of prototypes, the method and the weights.
#[must_use]
pub fn relation_settings_sentence(relation: &RelationDocument) -> String {
    let kernel = relation.tables.first().map_or("", |table| table.kernel.name());
    let is_short = |table: &TableRecord| table.prototypes.len() < relation.n_prototypes;
    format!(
        "{kernel} kernel, {}{} per table, {}, {} weights",
        if relation.tables.iter().any(is_short) { "at most " } else { "" },
        counted(relation.n_prototypes as u64, "prototype"),
        relation.method,
        relation.weights
    )
}

/// The tables by average rank, then by name.
fn in_order(relation: &RelationDocument) -> Vec<&TableRecord> {
    let mut tables: Vec<&TableRecord> = relation.tables.iter().collect();
    let rank = |table: &TableRecord| table.average_rank.unwrap_or(f64::INFINITY);
    tables.sort_by(|one, other| rank(one).total_cmp(&rank(other)).then_with(|| one.name.cmp(&other.name)));
    tables
}

fn rank(rank: Option<f64>) -> String {
    rank.map_or_else(String::new, |rank| format!("{rank:.2}"))
}
