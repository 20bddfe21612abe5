//! The columns of the partial factor C for the rows of a shard: kept in f32, kept in f64, or not kept.

use std::ops::Range;

use crate::factor::Rotation;
use crate::simd::{Element, Level, Simd, Visitor, Work};

/// Rows whose sums stay in the first cache while columns pass by.
pub(super) const ROWS_PER_PASS: usize = 512;

/// A column, by its place, and what it is multiplied by.
pub(crate) type Term = (usize, f64);

/// The places and values of all entries that are not 0.
pub(super) fn terms(entries: impl IntoIterator<Item = f64>) -> Vec<Term> {
    entries.into_iter().enumerate().filter(|(_, entry)| *entry != 0.0).collect()
}

/// C, a column for each prototype.
#[derive(Debug, Clone)]
pub(super) enum Columns {
    /// Rounded to f32: half the memory, and gradients off by about 1e-7.
    Single(Vec<Vec<f32>>),
    Double(Vec<Vec<f64>>),
    /// Computed again from the data at every step.
    Dropped,
}

impl Columns {
    /// Begins a column of so many rows.
    pub(super) fn begin(&mut self, n_rows: usize) {
        match self {
            Columns::Single(columns) => columns.push(Vec::with_capacity(n_rows)),
            Columns::Double(columns) => columns.push(Vec::with_capacity(n_rows)),
            Columns::Dropped => {}
        }
    }

    /// Appends to the column begun last. What is kept of the values is what they are from here on.
    pub(super) fn append(&mut self, values: &mut [f64]) {
        match self {
            Columns::Single(columns) => append(columns, values),
            Columns::Double(columns) => append(columns, values),
            Columns::Dropped => {}
        }
    }

    /// Subtracts the sum of the terms from a value for each row of the range.
    pub(super) fn subtract(&self, rows: Range<usize>, terms: &[Term], values: &mut [f64]) {
        match self {
            Columns::Single(columns) => subtract(columns, rows, terms, values),
            Columns::Double(columns) => subtract(columns, rows, terms, values),
            Columns::Dropped => {}
        }
    }

    /// Turns the columns as a factor turned that lost a member, and lets the last one go.
    pub(super) fn rotate(&mut self, rotations: &[Rotation]) {
        match self {
            Columns::Single(columns) => rotate(columns, rotations),
            Columns::Double(columns) => rotate(columns, rotations),
            Columns::Dropped => {}
        }
    }

    /// Forgets all columns, but not how they are kept.
    pub(super) fn clear(&mut self) {
        match self {
            Columns::Single(columns) => columns.clear(),
            Columns::Double(columns) => columns.clear(),
            Columns::Dropped => {}
        }
    }
}

fn append<E: Element>(columns: &mut [Vec<E>], values: &mut [f64]) {
    let Some(column) = columns.last_mut() else { return };
    for value in values {
        let kept = E::of(*value);
        *value = kept.to_f64();
        column.push(kept);
    }
}

fn rotate<E: Element>(columns: &mut Vec<Vec<E>>, rotations: &[Rotation]) {
    for rotation in rotations {
        let (left, right) = columns.split_at_mut(rotation.column + 1);
        for (first, second) in left[rotation.column].iter_mut().zip(&mut right[0]) {
            let turned = rotation.apply(first.to_f64(), second.to_f64());
            (*first, *second) = (E::of(turned.0), E::of(turned.1));
        }
    }
    columns.pop();
}

/// Subtracts the sum of the terms, in their order for each row, a few rows at a time.
pub(super) fn subtract<E: Element>(columns: &[Vec<E>], rows: Range<usize>, terms: &[Term], values: &mut [f64]) {
    let starts = rows.clone().step_by(ROWS_PER_PASS);
    for (start, values) in starts.zip(values.chunks_mut(ROWS_PER_PASS)) {
        Level::best().visit_f64(Subtract { columns, start, terms, values });
    }
}

struct Subtract<'a, E> {
    columns: &'a [Vec<E>],
    start: usize,
    terms: &'a [Term],
    values: &'a mut [f64],
}

impl<E: Element> Visitor<f64> for Subtract<'_, E> {
    type Output = ();

    fn visit<S: Simd<Element = f64>>(self, simd: S) {
        simd.run(self);
    }
}

impl<E: Element, S: Simd<Element = f64>> Work<S> for Subtract<'_, E> {
    type Output = ();

    /// The plain loops are what the compiler makes vectors of, with the instructions that `run` switched on.
    #[inline(always)]
    fn work(self, _: S) {
        let Subtract { columns, start, terms, values } = self;
        let n_rows = values.len();
        let column = |term: Term| &columns[term.0][start..start + n_rows];
        let (fours, rest) = terms.as_chunks::<4>();
        for four in fours {
            let [a, b, c, d] = four.map(column);
            let [p, q, r, s] = four.map(|term| term.1);
            for row in 0..n_rows {
                let value = values[row] - p * a[row].to_f64() - q * b[row].to_f64();
                values[row] = value - r * c[row].to_f64() - s * d[row].to_f64();
            }
        }
        for &term in rest {
            for (value, entry) in values.iter_mut().zip(column(term)) {
                *value -= term.1 * entry.to_f64();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_subtracted_from_some_rows_whatever_their_number() {
        let columns: Vec<Vec<f64>> =
            (1..=7).map(|p| (0..1300).map(|row| f64::from(p * (row % 11))).collect()).collect();
        for n_terms in 0..=7 {
            let terms: Vec<Term> = (0..n_terms).map(|p| (p, 0.5)).collect();
            let sum: f64 = (1..=n_terms).map(|p| p as f64 * 0.5).sum();
            for rows in [0..1300, 3..4, 500..1100] {
                let expected: Vec<f64> = rows.clone().map(|row| 1.0 - sum * (row % 11) as f64).collect();
                let mut values = vec![1.0; rows.len()];
                Columns::Double(columns.clone()).subtract(rows, &terms, &mut values);
                assert_eq!(values, expected);
            }
        }
    }

    #[test]
    fn what_is_kept_in_single_precision_is_what_the_caller_goes_on_with() {
        let mut columns = Columns::Single(Vec::new());
        columns.begin(2);
        let mut values = [0.1, 0.25];
        columns.append(&mut values);
        assert_eq!(values, [f64::from(0.1_f32), 0.25]);
        let mut rest = [1.0, 1.0];
        columns.subtract(0..2, &[(0, 1.0)], &mut rest);
        assert_eq!(rest, [1.0 - f64::from(0.1_f32), 0.75]);
    }

    #[test]
    fn only_entries_that_count_are_terms() {
        assert_eq!(terms([0.0, 2.0, 0.0, -1.0]), [(1, 2.0), (3, -1.0)]);
    }
}
