//! What is typical of each column of the rows to be represented, and how far single rows are from it.

use std::collections::HashMap;

use ndarray::{ArrayRef2, ArrayView1};
use protodash::{Role, Scalar};
use protodash_report::{Cell, Column};
use protodash_table::{CategoryLevel, Feature};
use rayon::prelude::*;

use super::cells::Cells;

/// A column of the file with its places in the matrix.
pub(super) struct Place<'a> {
    name: &'a str,
    /// Where its numbers, or its codes, are.
    number: Option<usize>,
    /// Where each of its levels is.
    levels: Vec<(usize, &'a CategoryLevel)>,
}

/// The columns of the file that are features, in its order.
pub(super) fn places(features: &[Feature]) -> Vec<Place<'_>> {
    let mut places: Vec<Place<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (index, feature) in features.iter().enumerate() {
        let at = *known.entry(feature.column.as_str()).or_insert(places.len());
        if at == places.len() {
            places.push(Place { name: &feature.column, number: None, levels: Vec::new() });
        }
        match &feature.level {
            Some(level) => places[at].levels.push((index, level)),
            None => places[at].number = Some(index),
        }
    }
    places
}

impl<'a> Place<'a> {
    /// The column's name.
    pub(super) fn name(&self) -> &'a str {
        self.name
    }
}

/// What is known of a column.
pub(super) struct Known<'a> {
    place: Place<'a>,
    /// What most rows have.
    pub(super) column: Column,
    /// How many rows have each level, or each code.
    counts: HashMap<u64, usize>,
    n_rows: usize,
    codes: bool,
    feature: Option<&'a Feature>,
}

/// Each column of the target, and for codes a row that has the most frequent one.
pub(super) fn summarise<'a, T: Scalar>(
    target: &ArrayRef2<T>,
    features: &'a [Feature],
    compares_codes: bool,
) -> Vec<(Known<'a>, Option<usize>)> {
    let summary = Summary { features, codes: compares_codes };
    places(features).into_par_iter().map(|place| summary.column(target, place)).collect()
}

struct Summary<'a> {
    features: &'a [Feature],
    /// Whether numbers are codes of categories.
    codes: bool,
}

impl<'a> Summary<'a> {
    fn column<T: Scalar>(&self, target: &ArrayRef2<T>, place: Place<'a>) -> (Known<'a>, Option<usize>) {
        let (n_rows, name) = (target.nrows(), place.name);
        let value = |row: usize, index: usize| target[(row, index)].to_f64();
        let mut counts: HashMap<u64, usize> = HashMap::new();
        let mut example = None;
        let column = match place.number {
            Some(index) if self.codes => {
                (0..n_rows).for_each(|row| *counts.entry(value(row, index).to_bits()).or_default() += 1);
                // Of codes that are equally frequent the smallest, so that the order of the map does not matter.
                let most = counts.iter().max_by_key(|(code, count)| (**count, std::cmp::Reverse(**code)));
                let code = most.map(|(code, _)| *code);
                example = (0..n_rows).find(|row| Some(value(*row, index).to_bits()) == code);
                Column::of_levels(name, [])
            }
            Some(index) => {
                let missing = place.levels.first().map(|(at, _)| *at);
                let present = |row: &usize| missing.is_none_or(|at| value(*row, at) == 0.0);
                for (at, _) in &place.levels {
                    counts.insert(*at as u64, n_rows - (0..n_rows).filter(|row| value(*row, *at) == 0.0).count());
                }
                let unit = self.features[index].unit;
                let in_file = |row: usize| unit.map_or(0.0, |unit| unit.in_file(value(row, index)));
                match unit {
                    Some(_) => Column::of_numbers(name, (0..n_rows).filter(present).map(in_file).collect()),
                    None => Column::of_numbers(name, Vec::new()),
                }
            }
            None => {
                let counted = place.levels.iter().map(|(at, level)| {
                    let count = (0..n_rows).filter(|row| value(*row, *at) != 0.0).count();
                    counts.insert(*at as u64, count);
                    (level_text(level), count)
                });
                Column::of_levels(name, counted.collect::<Vec<_>>())
            }
        };
        let feature = place.number.map(|index| &self.features[index]);
        (Known { place, column, counts, n_rows, codes: self.codes, feature }, example)
    }
}

fn level_text(level: &CategoryLevel) -> &str {
    match level {
        CategoryLevel::Value(text) => text,
        CategoryLevel::Missing => "missing",
    }
}

impl Known<'_> {
    /// The column's name.
    pub(super) fn name(&self) -> &str {
        self.place.name
    }

    /// The same column of codes, of which the most frequent is written so.
    pub(super) fn with_level(&mut self, text: &str) {
        let most = self.counts.values().copied().max().unwrap_or(0);
        let name = self.place.name.to_owned();
        self.column = Column::of_levels(&name, [(text, most), ("", self.n_rows - most)]);
        if 2 * most < self.n_rows {
            // The others together are no level.
            let share = most as f64 / self.n_rows as f64;
            self.column.typical = protodash_report::Typical::Level { level: text.to_owned(), share };
        }
    }

    /// The cell of a row: its text in the file, and how far its values in the matrix are from typical.
    pub(super) fn cell<T: Scalar>(&self, row: ArrayView1<'_, T>, text: &str) -> Cell {
        let value = |index: usize| row[index].to_f64();
        let share = |count: Option<&usize>| count.copied().unwrap_or(0) as f64 / self.n_rows.max(1) as f64;
        if let (true, Some(index)) = (self.codes, self.place.number) {
            return self.column.level(text, share(self.counts.get(&value(index).to_bits())));
        }
        if let Some((at, _)) = self.place.levels.iter().find(|(at, _)| value(*at) != 0.0) {
            return self.column.level(text, share(self.counts.get(&(*at as u64))));
        }
        match (self.feature, self.place.number) {
            (Some(feature), Some(index)) => {
                let in_file = feature.unit.map(|unit| unit.in_file(value(index)));
                // A cell that was filled in says so, and is at no distance from what it was filled in with.
                self.column.number(text, in_file.filter(|_| text != "missing"))
            }
            // A level that the source does not have.
            _ => self.column.level(text, 0.0),
        }
    }
}

/// The cells of rows of a side: of each its place in the matrix and its number in the table.
pub(super) fn cells_of<T: Scalar>(
    columns: &[Known<'_>],
    cells: &Cells,
    (role, matrix): (Role, &ArrayRef2<T>),
    rows: &[(usize, u64)],
) -> Vec<Vec<Cell>> {
    let mut described = vec![Vec::with_capacity(columns.len()); rows.len()];
    let numbers: Vec<u64> = rows.iter().map(|(_, number)| *number).collect();
    for column in columns {
        let texts = cells.texts(role, column.name(), &numbers).unwrap_or_default();
        for (place, (row, _)) in rows.iter().enumerate() {
            let text = texts.get(place).map_or("", String::as_str);
            described[place].push(column.cell(matrix.row(*row), text));
        }
    }
    described
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    fn level(name: &str) -> Feature {
        Feature::new("city", Some(CategoryLevel::Value(name.to_owned())))
    }

    #[test]
    fn numbers_and_levels_are_held_against_what_is_typical() {
        let features = [Feature::new("age", None), level("Bonn"), level("Ulm")];
        let rows = array![[20.0, 0.0, 1.0], [30.0, 0.0, 1.0], [40.0, 1.0, 0.0]];
        let found = summarise(&rows, &features, false);
        let cells: Vec<Cell> = found.iter().map(|(known, _)| known.cell(rows.row(2), "text")).collect();
        assert_eq!(cells[0].remark, "+1.2 sd"); // 10 / √(200/3)
        assert_eq!(cells[1].remark, "33.3\u{a0}% have it");
        assert_eq!(found[1].0.column, Column::of_levels("city", [("Bonn", 1), ("Ulm", 2)]));
    }

    #[test]
    fn codes_are_counted() {
        let features = [Feature::new("answer", None)];
        let rows = array![[3.0], [1.0], [3.0], [3.0]];
        let mut found = summarise(&rows, &features, true);
        let (known, example) = &mut found[0];
        assert_eq!(*example, Some(0));
        known.with_level("yes");
        assert_eq!(known.cell(rows.row(1), "no").remark, "25.0\u{a0}% have it");
        assert_eq!(known.column.level("yes", 0.75).remark, "75.0\u{a0}% have it");
    }
}
