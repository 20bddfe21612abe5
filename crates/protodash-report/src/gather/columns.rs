//! What is typical of each column, and how far the values of single rows are from it.
//!
//! The terminal and the page both use this module, so they agree on which values are unusual.

use std::collections::HashMap;

use ndarray::ArrayView1;
use protodash::Role;
use protodash_table::{CategoryLevel, Feature};
use rayon::prelude::*;

use super::cells::TableCells;
use super::{NarrowedRows, PageObserver, RowData, begin};
use crate::error::Result;
use crate::row::Cell;
use crate::typical::{Column, Typical};

/// The columns of the target with what is typical of each, and the cells of some rows with their distance from it.
///
/// Rows are given as rows of the matrix.
///
/// # Errors
///
/// If the rows cannot be read again, or if `observer` cancels.
pub(super) fn described_rows(
    data: &RowData<'_, '_>,
    rows: &[(Role, usize)],
    observer: &mut dyn PageObserver,
) -> Result<(Vec<Column>, Vec<Vec<Cell>>)> {
    described_next_to(data, Role::Target, rows, observer)
}

/// What is typical of each column among the rows of `side`, and the cells of `rows` compared with it.
pub(crate) fn described_next_to(
    data: &RowData<'_, '_>,
    side: Role,
    rows: &[(Role, usize)],
    observer: &mut dyn PageObserver,
) -> Result<(Vec<Column>, Vec<Vec<Cell>>)> {
    if let Some(narrowed) = NarrowedRows::new(data, rows)? {
        return described_next_to(&narrowed.data(), side, rows, observer);
    }
    begin(observer, "describing columns")?;
    let summarised = summarise(data, side);
    let numbered = |(role, row): (Role, usize)| (role, data.rows(role).table_row(row));
    // The text of the most frequent code is read from a row that has it.
    let frequent: Vec<Option<u64>> = summarised.iter().map(|(_, row)| row.map(|row| numbered((side, row)).1)).collect();
    begin(observer, "reading the rows")?;
    let further = frequent.iter().flatten().map(|number| (side, *number));
    let wanted: Vec<(Role, u64)> = rows.iter().map(|row| numbered(*row)).chain(further).collect();
    let cells = TableCells::read(data.tables, &wanted)?;
    let mut summaries: Vec<ColumnSummary<'_>> = summarised.into_iter().map(|(summary, _)| summary).collect();
    for (summary, number) in summaries.iter_mut().zip(frequent) {
        let text = number.and_then(|number| cells.texts(side, summary.place.name, &[number]));
        text.into_iter().flatten().for_each(|text| summary.set_most_frequent(&text));
    }
    let mut described = vec![Vec::with_capacity(summaries.len()); rows.len()];
    for side in [Role::Source, Role::Target] {
        let places: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].0 == side).collect();
        let numbers: Vec<u64> = places.iter().map(|at| wanted[*at].1).collect();
        let of_matrix: Vec<usize> = places.iter().map(|at| rows[*at].1).collect();
        let values = data.matrices.rows(side, &of_matrix).unwrap_or_default();
        for summary in &summaries {
            let texts = cells.texts(side, summary.place.name, &numbers).unwrap_or_default();
            for (at, place) in places.iter().enumerate() {
                let text = texts.get(at).map_or("", String::as_str);
                described[*place].push(summary.cell(values.row(at), text));
            }
        }
    }
    Ok((summaries.into_iter().map(|summary| summary.column).collect(), described))
}

/// A column of the table and its columns in the matrix.
pub(super) struct ColumnPlace<'a> {
    name: &'a str,
    /// The column of its numbers or codes.
    pub(super) number: Option<usize>,
    /// The column of each of its levels.
    pub(super) levels: Vec<(usize, &'a CategoryLevel)>,
}

/// The feature columns of the table, in its order.
pub(super) fn places(features: &[Feature]) -> Vec<ColumnPlace<'_>> {
    let mut places: Vec<ColumnPlace<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (index, feature) in features.iter().enumerate() {
        let at = *known.entry(feature.column.as_str()).or_insert(places.len());
        if at == places.len() {
            places.push(ColumnPlace { name: &feature.column, number: None, levels: Vec::new() });
        }
        match &feature.level {
            Some(level) => places[at].levels.push((index, level)),
            None => places[at].number = Some(index),
        }
    }
    places
}

impl<'a> ColumnPlace<'a> {
    /// The column's name.
    pub(super) fn name(&self) -> &'a str {
        self.name
    }
}

/// The values of the rows in a column.
struct ColumnSummary<'a> {
    place: ColumnPlace<'a>,
    /// The column with what is typical of it.
    column: Column,
    /// Number of rows with each level or code.
    counts: HashMap<u64, usize>,
    n_rows: usize,
    codes: bool,
    feature: Option<&'a Feature>,
}

/// A summary of each column of the target, and for codes a row with the most frequent one.
fn summarise<'a>(data: &RowData<'a, '_>, side: Role) -> Vec<(ColumnSummary<'a>, Option<usize>)> {
    let summary = Summariser { features: data.features, codes: data.codes };
    let column = |index: usize| data.matrices.column(side, index).unwrap_or_default();
    let summarise = |place: ColumnPlace<'a>| summary.column(&column, data.rows(side).len(), place);
    places(data.features).into_par_iter().map(summarise).collect()
}

struct Summariser<'a> {
    features: &'a [Feature],
    codes: bool,
}

impl<'a> Summariser<'a> {
    /// A summary of a column of `n_rows` rows, whose values `column` returns.
    fn column(
        &self,
        column: &impl Fn(usize) -> Vec<f64>,
        n_rows: usize,
        place: ColumnPlace<'a>,
    ) -> (ColumnSummary<'a>, Option<usize>) {
        let name = place.name;
        let mut counts: HashMap<u64, usize> = HashMap::new();
        let mut example = None;
        let column = match place.number {
            Some(index) if self.codes => {
                let values = column(index);
                values.iter().for_each(|value| *counts.entry(value.to_bits()).or_default() += 1);
                // Ties go to the smallest code, so the order of the map does not matter.
                let most = counts.iter().max_by_key(|(code, count)| (**count, std::cmp::Reverse(**code)));
                let code = most.map(|(code, _)| *code);
                example = values.iter().position(|value| Some(value.to_bits()) == code);
                Column::of_levels(name, [])
            }
            Some(index) => {
                // A numeric column has at most one level: missing.
                let missing = place.levels.first().map(|(at, _)| (*at, column(*at)));
                if let Some((at, missing)) = &missing {
                    counts.insert(*at as u64, missing.iter().filter(|value| **value != 0.0).count());
                }
                let present = |row: usize| missing.as_ref().is_none_or(|(_, missing)| missing[row] == 0.0);
                let values = column(index).into_iter().enumerate().filter(|(row, _)| present(*row));
                let feature = &self.features[index];
                let values = match &feature.unit {
                    Some(unit) => values.map(|(_, value)| unit.in_file(value)).collect(),
                    None => Vec::new(),
                };
                if feature.is_date { Column::of_dates(name, values) } else { Column::of_numbers(name, values) }
            }
            None => {
                let counted = place.levels.iter().map(|(at, level)| {
                    let count = column(*at).iter().filter(|value| **value != 0.0).count();
                    counts.insert(*at as u64, count);
                    (level_text(level), count)
                });
                Column::of_levels(name, counted.collect::<Vec<_>>())
            }
        };
        let feature = place.number.map(|index| &self.features[index]);
        (ColumnSummary { place, column, counts, n_rows, codes: self.codes, feature }, example)
    }
}

pub(super) fn level_text(level: &CategoryLevel) -> &str {
    match level {
        CategoryLevel::Value(text) => text,
        CategoryLevel::Missing => "missing",
    }
}

impl ColumnSummary<'_> {
    /// Sets the text of the most frequent code.
    fn set_most_frequent(&mut self, text: &str) {
        let most = self.counts.values().copied().max().unwrap_or(0);
        let share = most as f64 / self.n_rows.max(1) as f64;
        self.column.typical = Typical::Level { level: text.to_owned(), share };
    }

    /// The cell of a row: its text, and the distance of its values in the matrix from what is typical.
    fn cell(&self, row: ArrayView1<'_, f64>, text: &str) -> Cell {
        let value = |index: usize| row[index];
        let share = |count: Option<&usize>| count.copied().unwrap_or(0) as f64 / self.n_rows.max(1) as f64;
        if let (true, Some(index)) = (self.codes, self.place.number) {
            return self.column.level(text, share(self.counts.get(&value(index).to_bits())));
        }
        if let Some((at, _)) = self.place.levels.iter().find(|(at, _)| value(*at) != 0.0) {
            return self.column.level(text, share(self.counts.get(&(*at as u64))));
        }
        match (self.feature, self.place.number) {
            (Some(feature), Some(index)) => {
                let in_file = feature.unit.as_ref().map(|unit| unit.in_file(value(index)));
                // An imputed cell says "missing" and is not unusual.
                self.column.number(text, in_file.filter(|_| text != "missing"))
            }
            // A level that is not in the source.
            _ => self.column.level(text, 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};

    fn level(name: &str) -> Feature {
        Feature::new("city", Some(CategoryLevel::Value(name.to_owned())))
    }

    fn summarised<'a>(
        rows: &Array2<f64>,
        features: &'a [Feature],
        codes: bool,
    ) -> Vec<(ColumnSummary<'a>, Option<usize>)> {
        let (summary, column) = (Summariser { features, codes }, |index: usize| rows.column(index).to_vec());
        places(features).into_iter().map(|place| summary.column(&column, rows.nrows(), place)).collect()
    }

    #[test]
    fn numbers_and_levels_are_compared_with_what_is_typical() {
        let features = [Feature::new("age", None), level("Bonn"), level("Ulm")];
        let rows = array![[20.0, 0.0, 1.0], [30.0, 0.0, 1.0], [40.0, 1.0, 0.0]];
        let found = summarised(&rows, &features, false);
        let cells: Vec<Cell> = found.iter().map(|(known, _)| known.cell(rows.row(2), "text")).collect();
        assert_eq!(cells[0].remark, "+1.2 sd"); // 10 / √(200/3)
        assert_eq!(cells[1].remark, "33.3\u{a0}% have it");
        assert_eq!(found[1].0.column, Column::of_levels("city", [("Bonn", 1), ("Ulm", 2)]));
    }

    #[test]
    fn codes_are_counted() {
        let features = [Feature::new("answer", None)];
        let rows = array![[3.0], [1.0], [3.0], [3.0]];
        let mut found = summarised(&rows, &features, true);
        let (known, example) = &mut found[0];
        assert_eq!(*example, Some(0));
        known.set_most_frequent("yes");
        assert_eq!(known.cell(rows.row(1), "no").remark, "25.0\u{a0}% have it");
        assert_eq!(known.column.level("yes", 0.75).remark, "75.0\u{a0}% have it");
    }
}
