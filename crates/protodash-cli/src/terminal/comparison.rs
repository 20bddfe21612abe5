//! A comparison of methods: one table per number of prototypes, and the rows that methods share.

use anstyle::Style;

use super::grid::{GridColumn, render};
use protodash_report::numbers::count;
use protodash_report::{ComparisonDocument, OverlapRecord, TextColumn, comparison_columns, coverage_columns};

const NAME: usize = 24;

/// A table for each number of prototypes, and the rows that methods share at the largest one.
pub(crate) fn comparison_tables(comparison: &ComparisonDocument) -> String {
    let mut text = String::new();
    for overlap in &comparison.overlap {
        if comparison.at(overlap.n_prototypes).is_empty() {
            continue;
        }
        text += &heading(overlap.n_prototypes);
        text += &outcomes_table(comparison, overlap.n_prototypes);
        let coverage = coverage_columns(comparison, overlap.n_prototypes);
        if !coverage.is_empty() {
            text.push('\n');
            text += &grid(coverage);
        }
        text.push('\n');
    }
    if let Some(overlap) = comparison.overlap.last().filter(|overlap| overlap.methods.len() > 1) {
        text += &overlap_table(overlap);
        text.push('\n');
    }
    text
}

fn heading(n_prototypes: usize) -> String {
    const BOLD: Style = Style::new().bold();
    let noun = if n_prototypes == 1 { "prototype" } else { "prototypes" };
    format!("{BOLD}{} {noun}{BOLD:#}\n", count(n_prototypes as u64))
}

fn outcomes_table(comparison: &ComparisonDocument, n_prototypes: usize) -> String {
    grid(comparison_columns(comparison, n_prototypes))
}

fn grid(columns: Vec<TextColumn>) -> String {
    let column = |column: TextColumn| match column.is_number {
        true => GridColumn::right(column.header, column.cells),
        false => GridColumn::left(column.header, column.cells, NAME),
    };
    render(&columns.into_iter().map(column).collect::<Vec<_>>(), &[])
}

/// How many rows each pair of methods shares.
fn overlap_table(overlap: &OverlapRecord) -> String {
    const NUMBERS: [&str; 12] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
    let names = overlap.methods.iter().enumerate().map(|(place, method)| format!("{} {method}", place + 1));
    let mut columns = vec![GridColumn::left("shared rows", names.collect(), NAME)];
    for (place, number) in (0..overlap.methods.len()).zip(NUMBERS) {
        let cells = overlap.shared.iter().map(|row| count(row[place] as u64)).collect();
        columns.push(GridColumn::right(number, cells));
    }
    render(&columns, &[])
}
