//! Columns stored in panels, in the order in which a pass over all of them reads memory.
//!
//! A panel holds a few columns. Within it, the entries of a short run of rows in all its columns are adjacent, followed
//! by the next run: a pass reads memory sequentially and keeps the sums of the rows in registers. Column-major storage
//! would miss at every page and spill the sums to the cache.

use std::ops::Range;

use crate::factor::Rotation;
use crate::simd::{Element, InstructionSet, Simd, Visitor, Work, prefetch};

/// Maximum number of columns in a panel: large enough that a pass rarely starts a new one, small enough to waste little
/// memory.
const MAX_WIDTH: usize = 24;
/// Maximum number of lanes of [`Element::Lanes`].
const MAX_LANES: usize = 16;
/// Vectors of rows summed at a time: independent sums hide the latency of the additions.
const VECTORS: usize = 2;
/// Prefetch distance, in vectors.
const AHEAD: usize = 32;

/// The position of a column and its factor in a sum.
pub(crate) type Term = (usize, f64);

/// The position of a column and its factors in two sums.
pub(crate) type DoubleTerm = (usize, [f64; 2]);

/// The terms of two sums as one list.
pub(super) fn paired(first: &[Term], second: &[Term]) -> Vec<DoubleTerm> {
    let n_positions = first.iter().chain(second).map(|term| term.0 + 1).max().unwrap_or(0);
    let mut all = vec![[0.0; 2]; n_positions];
    first.iter().for_each(|&(position, factor)| all[position][0] = factor);
    second.iter().for_each(|&(position, factor)| all[position][1] = factor);
    all.into_iter().enumerate().filter(|(_, factors)| *factors != [0.0; 2]).collect()
}

/// The positions and values of all non-zero entries.
pub(super) fn terms(entries: impl IntoIterator<Item = f64>) -> Vec<Term> {
    entries.into_iter().enumerate().filter(|(_, entry)| *entry != 0.0).collect()
}

/// Columns of equal length.
#[derive(Debug, Clone)]
pub(super) struct ColumnPanels<E: Element> {
    n_rows: usize,
    n_columns: usize,
    panels: Vec<ColumnPanel<E>>,
}

#[derive(Debug, Clone)]
struct ColumnPanel<E: Element> {
    /// The position of its first column.
    first: usize,
    width: usize,
    /// For each run of `ROWS_PER_RUN` rows, their entries in each of the columns.
    entries: Vec<[E::Lanes; VECTORS]>,
}

impl<E: Element> ColumnPanels<E> {
    /// Number of rows whose entries are adjacent.
    const ROWS_PER_RUN: usize = VECTORS * E::N_LANES;

    /// No columns yet.
    pub(super) fn new(n_rows: usize) -> Self {
        ColumnPanels { n_rows, n_columns: 0, panels: Vec::new() }
    }

    /// Number of columns.
    pub(super) fn len(&self) -> usize {
        self.n_columns
    }

    /// Adds a column of zeros. At most `n_to_come` columns follow, this one included: no memory is allocated for more.
    pub(super) fn begin(&mut self, n_to_come: usize) {
        let capacity = self.panels.last().map_or(0, |panel| panel.first + panel.width);
        if self.n_columns == capacity {
            // Doubling wastes little memory if it is unknown how many columns will follow.
            let width = capacity.clamp(1, MAX_WIDTH).min(n_to_come.max(1));
            let entries = vec![[E::ZERO.splat(); VECTORS]; self.n_rows.div_ceil(Self::ROWS_PER_RUN) * width];
            self.panels.push(ColumnPanel { first: capacity, width, entries });
        }
        self.n_columns += 1;
    }

    /// Sets entries of the last column from row `start` on, and rounds the values to what is stored.
    pub(super) fn put(&mut self, start: usize, values: &mut [f64]) {
        let Some(position) = self.n_columns.checked_sub(1) else { return };
        let (panel, column) = self.locate(position);
        let ColumnPanel { width, entries, .. } = &mut self.panels[panel];
        for (row, value) in (start..).zip(values) {
            let stored = E::of(*value);
            *value = stored.to_f64();
            let run = &mut entries[row / Self::ROWS_PER_RUN * *width + column];
            E::lanes_mut(&mut run[row % Self::ROWS_PER_RUN / E::N_LANES])[row % E::N_LANES] = stored;
        }
    }

    /// Subtracts the sum of the terms, whose positions are ascending, from a value for each row of the range.
    ///
    /// # Panics
    ///
    /// If the start of the range is not a multiple of `ROWS_PER_RUN`.
    pub(super) fn subtract(&self, rows: Range<usize>, terms: &[Term], values: &mut [f64]) {
        self.subtract_from(rows, terms, [values]);
    }

    /// Subtracts terms from two values of each row, with a factor for each, in one pass.
    ///
    /// # Panics
    ///
    /// As [`subtract`](Self::subtract).
    pub(super) fn subtract_both(&self, rows: Range<usize>, terms: &[DoubleTerm], values: [&mut [f64]; 2]) {
        self.subtract_from(rows, terms, values);
    }

    fn subtract_from<F: Factors<R>, const R: usize>(
        &self,
        rows: Range<usize>,
        terms: &[(usize, F)],
        values: [&mut [f64]; R],
    ) {
        let fitting = values.iter().all(|values| values.len() == rows.len());
        assert!(
            rows.start.is_multiple_of(Self::ROWS_PER_RUN) && fitting,
            "{rows:?} must start at a multiple of {} and match the values",
            Self::ROWS_PER_RUN
        );
        if !terms.is_empty() {
            InstructionSet::best().visit_f64(Subtract { panels: &self.panels, start: rows.start, terms, values });
        }
    }

    /// Drops all columns.
    pub(super) fn clear(&mut self) {
        *self = ColumnPanels::new(self.n_rows);
    }

    /// Applies the rotations of a factor that lost a member, and drops the last column.
    pub(super) fn rotate(&mut self, rotations: &[Rotation]) {
        for rotation in rotations {
            let [first, second] = [rotation.column, rotation.column + 1].map(|position| self.locate(position));
            for run in 0..self.n_rows.div_ceil(Self::ROWS_PER_RUN) {
                let [mut a, mut b] = [first, second].map(|at| *self.entries(at, run));
                for (a, b) in a.iter_mut().zip(&mut b) {
                    for (a, b) in E::lanes_mut(a).iter_mut().zip(E::lanes_mut(b)) {
                        let turned = rotation.apply(a.to_f64(), b.to_f64());
                        (*a, *b) = (E::of(turned.0), E::of(turned.1));
                    }
                }
                (*self.entries(first, run), *self.entries(second, run)) = (a, b);
            }
        }
        self.n_columns = self.n_columns.saturating_sub(1);
    }

    /// The panel of a column, and its position there.
    fn locate(&self, position: usize) -> (usize, usize) {
        let panel = self.panels.partition_point(|panel| panel.first <= position) - 1;
        (panel, position - self.panels[panel].first)
    }

    fn entries(&mut self, (panel, column): (usize, usize), run: usize) -> &mut [E::Lanes; VECTORS] {
        let ColumnPanel { width, entries, .. } = &mut self.panels[panel];
        &mut entries[run * *width + column]
    }
}

/// The factors of a column in R sums.
trait Factors<const R: usize>: Copy {
    fn each(self) -> [f64; R];
}

impl Factors<1> for f64 {
    #[inline(always)]
    fn each(self) -> [f64; 1] {
        [self]
    }
}

impl Factors<2> for [f64; 2] {
    #[inline(always)]
    fn each(self) -> [f64; 2] {
        self
    }
}

struct Subtract<'a, E: Element, F, const R: usize> {
    panels: &'a [ColumnPanel<E>],
    start: usize,
    terms: &'a [(usize, F)],
    values: [&'a mut [f64]; R],
}

impl<E: Element, F: Factors<R>, const R: usize> Visitor<f64> for Subtract<'_, E, F, R> {
    type Output = ();

    fn visit<S: Simd<Element = f64>>(self, simd: S) {
        simd.run(self);
    }
}

impl<E: Element, F: Factors<R>, const R: usize, S: Simd<Element = f64>> Work<S> for Subtract<'_, E, F, R> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        let Subtract { panels, start, mut terms, mut values } = self;
        let rows_per_run = VECTORS * E::N_LANES;
        let n_rows = values[0].len();
        for panel in panels {
            let (here, later) = terms.split_at(terms.partition_point(|term| term.0 < panel.first + panel.width));
            terms = later;
            if here.is_empty() {
                continue;
            }
            for first_row in (0..n_rows).step_by(rows_per_run) {
                let entries = &panel.entries[(start + first_row) / rows_per_run * panel.width..];
                let sums = sums::<E, F, S, R>(simd, entries, panel.first, here);
                for (values, sums) in values.iter_mut().zip(&sums) {
                    let values = &mut values[first_row..n_rows.min(first_row + rows_per_run)];
                    for (values, sums) in values.chunks_mut(E::N_LANES).zip(sums) {
                        values.iter_mut().zip(sums).for_each(|(value, sum)| *value -= sum);
                    }
                }
            }
        }
    }
}

/// R sums of the terms for the run of rows at the start of `entries`.
#[inline(always)]
fn sums<E: Element, F: Factors<R>, S: Simd, const R: usize>(
    simd: S,
    entries: &[[E::Lanes; VECTORS]],
    first: usize,
    terms: &[(usize, F)],
) -> [[[f64; MAX_LANES]; VECTORS]; R] {
    let mut all = [[[0.0; MAX_LANES]; VECTORS]; R];
    for &(position, factors) in terms {
        if let Some(ahead) = entries.get(position - first + AHEAD) {
            prefetch(ahead);
        }
        let entries = &entries[position - first];
        for (sums, factor) in all.iter_mut().zip(factors.each()) {
            for (sums, entries) in sums.iter_mut().zip(entries) {
                for (sum, entry) in sums.iter_mut().zip(E::lanes(entries)) {
                    *sum = simd.mul_add_one(factor, entry.to_f64(), *sum);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Column p has p · (row mod 11) in every row.
    fn columns<E: Element>(n_rows: usize, n_columns: usize, room: usize) -> ColumnPanels<E> {
        let mut panels = ColumnPanels::new(n_rows);
        for p in 0..n_columns {
            panels.begin(room.saturating_sub(p));
            let mut values: Vec<f64> = (0..n_rows).map(|row| (p * (row % 11)) as f64).collect();
            let (head, tail) = values.split_at_mut(n_rows / 3);
            panels.put(0, head);
            panels.put(n_rows / 3, tail);
        }
        panels
    }

    fn check<E: Element>(n_rows: usize) {
        for room in [0, 5, 70] {
            let panels = columns::<E>(n_rows, 70, room);
            for positions in [0..0, 0..1, 0..70, 3..4, 30..40, 69..70] {
                let terms: Vec<Term> = positions.map(|position| (position, 0.5)).collect();
                let sum: f64 = terms.iter().map(|(position, factor)| *position as f64 * factor).sum();
                for rows in [0..n_rows, 32..n_rows, 32..n_rows - 1, 32..33] {
                    let expected: Vec<f64> = rows.clone().map(|row| 1.0 - sum * (row % 11) as f64).collect();
                    let mut values = vec![1.0; rows.len()];
                    panels.subtract(rows.clone(), &terms, &mut values);
                    assert_eq!(values, expected);
                    let (mut both, others) = ([vec![1.0; rows.len()], vec![3.0; rows.len()]], [(2, 2.0)]);
                    let [first, second] = &mut both;
                    panels.subtract_both(rows.clone(), &paired(&terms, &others), [first, second]);
                    assert_eq!(both[0], expected);
                    assert_eq!(both[1], rows.map(|row| 3.0 - 4.0 * (row % 11) as f64).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn terms_are_subtracted_from_any_range_of_rows() {
        for n_rows in [40, 64, 79, 1300] {
            check::<f32>(n_rows);
            check::<f64>(n_rows);
        }
    }

    #[test]
    fn no_memory_is_allocated_for_columns_that_cannot_follow() {
        let capacity = |panels: &ColumnPanels<f32>| panels.panels.iter().map(|panel| panel.width).sum::<usize>();
        assert_eq!(capacity(&columns(8, 70, 70)), 70);
        assert_eq!(capacity(&columns(8, 100, 100)), 100);
        assert_eq!(capacity(&columns(8, 3, usize::MAX)), 4); // 1, 1, 2
        assert_eq!(capacity(&columns(8, 65, usize::MAX)), 80); // 1, 1, 2, 4, 8, 16, 24, 24
    }

    #[test]
    fn rotations_are_applied_and_the_last_column_dropped() {
        let mut panels = columns::<f64>(20, 4, 4);
        let mut factor = crate::factor::Factor::default();
        for row in [[1.0, 0.0, 0.0, 0.0], [0.5, 2.0, 0.0, 0.0], [0.1, 0.2, 1.5, 0.0], [0.3, 0.1, 0.7, 1.1]] {
            let position = row.iter().rposition(|value| *value != 0.0).unwrap();
            factor.push_row(&row[..position], row[position]);
        }
        let rotations = factor.remove(1);
        let mut expected = [0.0, 1.0, 2.0, 3.0].map(|p| p * 9.0); // row 9
        for rotation in &rotations {
            let turned = rotation.apply(expected[rotation.column], expected[rotation.column + 1]);
            (expected[rotation.column], expected[rotation.column + 1]) = turned;
        }
        panels.rotate(&rotations);
        let entry = |position| {
            let mut values = [0.0; 10];
            panels.subtract(0..10, &[(position, -1.0)], &mut values);
            values[9]
        };
        assert_eq!([0, 1, 2].map(entry), expected[..3]);
        panels.begin(1); // reuses the memory of the dropped one
        panels.put(0, &mut [5.0; 20]);
        assert_eq!(panels.panels.iter().map(|panel| panel.width).sum::<usize>(), 4);
    }

    #[test]
    fn zeros_are_not_terms() {
        assert_eq!(terms([0.0, 2.0, 0.0, -1.0]), [(1, 2.0), (3, -1.0)]);
        assert_eq!(
            paired(&[(1, 2.0), (3, -1.0)], &[(3, 5.0), (4, 6.0)]),
            [(1, [2.0, 0.0]), (3, [-1.0, 5.0]), (4, [0.0, 6.0])]
        );
    }
}
