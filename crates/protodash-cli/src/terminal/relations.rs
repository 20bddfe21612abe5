//! Related tables: their average ranks, and the best representative of each.

use super::grid::{Column, render};
use super::{listed, sentence_line};
use crate::json::relation::{Relation, Table};
use protodash_result::numbers::{count, counted, percent};

/// Names longer than this are cut.
const NAME: usize = 32;

/// The table, the sentence and the settings.
pub(crate) fn relation_shown(relation: &Relation, width: usize) -> String {
    let mut text = relation_table(relation, width);
    text.push('\n');
    text += &sentence_line(&relation_sentence(relation));
    text += &sentence_line(&settings(relation));
    text
}

/// The tables by average rank, each with its best representative.
fn relation_table(relation: &Relation, width: usize) -> String {
    let tables = in_order(relation);
    let limit = NAME.min(width / 4).max(8);
    let best: Vec<_> =
        tables.iter().map(|table| relation.edges.iter().find(|edge| edge.target == table.name)).collect();
    let pair =
        |target: &str, source: &str| relation.pairs.iter().find(|pair| pair.target == target && pair.source == source);
    let shared = best.iter().map(|edge| {
        let pair = edge.and_then(|edge| pair(&edge.target, &edge.source));
        pair.map_or_else(String::new, |pair| count(pair.n_keys as u64))
    });
    let of_edge = |show: fn(&crate::json::relation::Edge) -> String| {
        best.iter().map(|edge| edge.map_or_else(String::new, show)).collect::<Vec<_>>()
    };
    let columns = [
        Column::left("table", tables.iter().map(|table| table.name.clone()).collect(), limit),
        Column::right("keys", tables.iter().map(|table| count(table.n_keys as u64)).collect()),
        Column::right("average rank", tables.iter().map(|table| rank(table.average_rank)).collect()),
        Column::right("by itself", tables.iter().map(|table| percent(table.explained)).collect()),
        Column::left("best represented by", of_edge(|edge| edge.source.clone()), limit),
        Column::right("explains", of_edge(|edge| percent(edge.explained))),
        Column::right("shared keys", shared.collect()),
    ];
    render(&columns, &[])
}

/// The table that represents the others best, and the keys behind the comparison.
pub(crate) fn relation_sentence(relation: &Relation) -> String {
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
fn best_of_all(relation: &Relation) -> String {
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
        several if several.len() <= 4 => format!("{} share the best average rank, {rank}", listed(several)),
        several => format!("{} tables share the best average rank, {rank}", several.len()),
    }
}

fn settings(relation: &Relation) -> String {
    let kernel = relation.tables.first().map_or("", |table| table.kernel.name());
    let is_short = |table: &Table| table.prototypes.len() < relation.n_prototypes;
    format!(
        "{kernel} kernel, {}{} per table, {}, {} weights",
        if relation.tables.iter().any(is_short) { "at most " } else { "" },
        counted(relation.n_prototypes as u64, "prototype"),
        relation.method,
        relation.weights
    )
}

/// The tables by average rank, then by name.
fn in_order(relation: &Relation) -> Vec<&Table> {
    let mut tables: Vec<&Table> = relation.tables.iter().collect();
    let rank = |table: &Table| table.average_rank.unwrap_or(f64::INFINITY);
    tables.sort_by(|one, other| rank(one).total_cmp(&rank(other)).then_with(|| one.name.cmp(&other.name)));
    tables
}

fn rank(rank: Option<f64>) -> String {
    rank.map_or_else(String::new, |rank| format!("{rank:.2}"))
}
