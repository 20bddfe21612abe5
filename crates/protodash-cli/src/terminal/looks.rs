//! What a row looks like: its cells as in the file, those first in which it differs most from the rest of the source.

use std::collections::HashMap;

use arrow_array::RecordBatch;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use ndarray::{ArrayRef2, ArrayView1};
use protodash::{Role, Scalar};
use protodash_table::Feature;
use rayon::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::grid::cut;
use crate::data::Data;
use protodash::Dataset;

/// A cell longer than this is cut.
const CELL: usize = 28;
/// As many of the most telling cells are tried when a longer one does not fit.
const TRIED: usize = 12;

/// The cells of a row that are features.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Look {
    /// `name value` of each cell with how telling it is, in the order of the file.
    cells: Vec<(String, f64)>,
}

impl Look {
    /// Whether there is nothing to show.
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All cells if they fit into `width`, else the most telling ones that do.
    pub(super) fn fit(&self, width: usize) -> String {
        let joined = |cells: &[&str]| cells.join(", ");
        let all = joined(&self.cells.iter().map(|(cell, _)| cell.as_str()).collect::<Vec<_>>());
        if all.width() <= width {
            return all;
        }
        let mut order: Vec<&(String, f64)> = self.cells.iter().collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut shown: Vec<&str> = Vec::new();
        for (cell, _) in order.into_iter().take(TRIED) {
            let longer: Vec<&str> = shown.iter().copied().chain([cell.as_str()]).collect();
            if joined(&longer).width() <= width || shown.is_empty() {
                shown = longer;
            }
        }
        joined(&shown)
    }
}

/// What the columns of the source are like on the whole, against which single rows are held.
pub(crate) struct Looks<'a> {
    data: &'a Data,
    /// The columns of the file that are features, in its order, each with its columns in the matrix.
    columns: Vec<(&'a str, Vec<usize>)>,
    /// Mean and standard deviation of each column of the matrix.
    spread: Vec<(f64, f64)>,
}

impl<'a> Looks<'a> {
    /// What is typical of the source; there is nothing to say about kernel matrices and pictures.
    pub(crate) fn new(data: &'a Data) -> Looks<'a> {
        let mut columns: Vec<(&str, Vec<usize>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        if data.tables.source.image_shape().is_none() {
            for (index, feature) in data.features.iter().enumerate() {
                let place = *places.entry(feature.column.as_str()).or_insert(columns.len());
                if place == columns.len() {
                    columns.push((&feature.column, Vec::new()));
                }
                columns[place].1.push(index);
            }
        }
        let spread = match &data.matrices {
            _ if columns.is_empty() => Vec::new(),
            Dataset::F32 { source, .. } => spread(source),
            Dataset::F64 { source, .. } => spread(source),
            Dataset::Precomputed(_) | Dataset::Custom { .. } => Vec::new(),
        };
        Looks { data, columns, spread }
    }

    /// What some rows of a side look like, given as rows of the matrix and, in the same order, as read from the file.
    pub(crate) fn of(&self, role: Role, rows: &[usize], cells: &RecordBatch) -> Vec<Look> {
        match &self.data.matrices {
            Dataset::F32 { source, target, .. } => {
                self.look(side(source, target.as_deref(), role), source, rows, cells)
            }
            Dataset::F64 { source, target, .. } => {
                self.look(side(source, target.as_deref(), role), source, rows, cells)
            }
            Dataset::Precomputed(_) | Dataset::Custom { .. } => vec![Look::default(); rows.len()],
        }
    }

    fn look<T: Scalar>(
        &self,
        side: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        rows: &[usize],
        cells: &RecordBatch,
    ) -> Vec<Look> {
        let codes = self.data.matrices.kernel().is_some_and(|kernel| kernel.definition().compares_codes);
        let mut looks = vec![Look::default(); rows.len()];
        for (name, indices) in &self.columns {
            let Some(column) = cells.column_by_name(name) else { continue };
            let options = FormatOptions::default().with_null("missing");
            let Ok(formatter) = ArrayFormatter::try_new(column, &options) else { continue };
            for (place, (look, &row)) in looks.iter_mut().zip(rows).enumerate() {
                let telling = if codes {
                    indices.iter().map(|&index| rarity(share_of(source, index, side[(row, index)]))).fold(0.0, f64::max)
                } else {
                    self.distance(side.row(row), indices)
                };
                let text = formatter.value(place).to_string();
                let text = text.strip_suffix(".0").unwrap_or(&text);
                look.cells.push((format!("{name} {}", cut(text, CELL)), telling));
            }
        }
        looks
    }

    /// How far a row is from the middle of a column, in standard deviations; for a level, how rare it is.
    fn distance<T: Scalar>(&self, row: ArrayView1<'_, T>, indices: &[usize]) -> f64 {
        let telling = |&index: &usize| {
            let ((mean, deviation), value) = (self.spread[index], row[index].to_f64());
            match &self.data.features[index] {
                Feature { level: Some(_), .. } if value == 0.0 => 0.0,
                Feature { level: Some(_), .. } => rarity(mean),
                _ if deviation > 0.0 => ((value - mean) / deviation).abs(),
                _ => 0.0,
            }
        };
        indices.iter().map(telling).fold(0.0, f64::max)
    }
}

fn side<'m, T>(source: &'m ArrayRef2<T>, target: Option<&'m ArrayRef2<T>>, role: Role) -> &'m ArrayRef2<T> {
    match (role, target) {
        (Role::Target, Some(target)) => target,
        _ => source,
    }
}

/// How surprising a level is that this part of the source has: what a 1 is in standard deviations of a 0/1 column.
fn rarity(share: f64) -> f64 {
    // A level that the source does not have at all is as rare as one in a million.
    let share = share.clamp(1e-6, 1.0);
    ((1.0 - share) / share).sqrt()
}

/// The part of the source that has this value.
fn share_of<T: Scalar>(source: &ArrayRef2<T>, index: usize, value: T) -> f64 {
    source.column(index).iter().filter(|other| **other == value).count() as f64 / source.nrows() as f64
}

/// Mean and standard deviation of each column.
fn spread<T: Scalar>(matrix: &ArrayRef2<T>) -> Vec<(f64, f64)> {
    let n_rows = matrix.nrows() as f64;
    // Sums of deviations from the first row stay small where sums of values would cancel.
    let first: Vec<f64> = matrix.row(0).iter().map(|value| value.to_f64()).collect();
    let zero = || vec![(0.0, 0.0); first.len()];
    let add = |mut sums: Vec<(f64, f64)>, row: ArrayView1<'_, T>| {
        for ((sum, value), first) in sums.iter_mut().zip(row).zip(&first) {
            let deviation = value.to_f64() - first;
            *sum = (sum.0 + deviation, sum.1 + deviation * deviation);
        }
        sums
    };
    let merge = |a: Vec<(f64, f64)>, b: Vec<(f64, f64)>| a.iter().zip(b).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect();
    // Chunks of a fixed size, merged in order, so that the sums do not depend on the number of threads.
    let chunks: Vec<Vec<(f64, f64)>> = matrix
        .axis_chunks_iter(ndarray::Axis(0), 4096)
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|chunk| chunk.rows().into_iter().fold(zero(), add))
        .collect();
    let sums: Vec<(f64, f64)> = chunks.into_iter().fold(zero(), merge);
    let describe = |((sum, squares), first): ((f64, f64), &f64)| {
        let mean = sum / n_rows;
        (first + mean, (squares / n_rows - mean * mean).max(0.0).sqrt())
    };
    sums.into_iter().zip(&first).map(describe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn the_most_telling_cells_come_first_when_not_all_fit() {
        let cells = [("age 80", 2.5), ("city Ulm", 0.1), ("income 20,000", 1.0)];
        let look = Look { cells: cells.map(|(cell, telling)| (cell.to_owned(), telling)).to_vec() };
        assert_eq!(look.fit(40), "age 80, city Ulm, income 20,000");
        assert_eq!(look.fit(25), "age 80, income 20,000");
        assert_eq!(look.fit(17), "age 80, city Ulm");
        assert_eq!(look.fit(3), "age 80");
    }

    #[test]
    fn spread_is_mean_and_standard_deviation() {
        let spread = spread(&array![[1e9, 5.0], [1e9 + 2.0, 5.0]]);
        assert_eq!(spread, [(1e9 + 1.0, 1.0), (5.0, 0.0)]);
    }

    #[test]
    fn a_rare_level_is_as_telling_as_the_same_number_of_deviations() {
        assert_eq!(rarity(0.5), 1.0);
        assert_eq!(rarity(0.1), 3.0);
    }
}
