//! The stored rows of source and target, and what is known of each.

use ndarray::Array2;

use super::CANCELLED;
use super::matrix::{SparseMatrix, StoredRow};
use crate::distinct::{for_each_copy, mixed};
use crate::error::{Error, Result, Role};
use crate::kernel::bandwidth;
use crate::parallel;
use crate::rows::{PLAIN_LENGTHS, length};

/// The rows of the source, then those of the target.
#[derive(Debug)]
pub(crate) struct SparseRows {
    pub(super) source: SparseMatrix,
    /// The numbers of the source rows, and the target with its own. A row that is equal to an earlier one has the number of that.
    pub(super) source_numbers: Array2<f64>,
    pub(super) target: Option<(SparseMatrix, Array2<f64>)>,
    /// ‖x‖² of every row.
    squares: Vec<f64>,
}

impl SparseRows {
    pub(super) fn new(source: SparseMatrix, target: Option<SparseMatrix>) -> Result<Self> {
        source.check(Role::Source)?;
        if let Some(target) = &target {
            target.check(Role::Target)?;
            if target.n_columns() != source.n_columns() {
                let (target, available) = (target.n_columns(), source.n_columns());
                return Err(Error::DifferentColumns { target, available });
            }
        }
        let n_source = source.n_rows();
        let n_rows = n_source + target.as_ref().map_or(0, SparseMatrix::n_rows);
        let row = |row: usize| match (row.checked_sub(n_source), &target) {
            (Some(row), Some(target)) => target.row(row),
            _ => source.row(row),
        };
        // By the loop of all other products, so that the distance of equal rows is exactly 0.
        let squares = parallel::map(0..n_rows, |number| row(number).product(row(number)));
        let mut numbers: Vec<f64> = (0..n_rows).map(|number| number as f64).collect();
        let are_equal = |first: usize, second: usize| row(first) == row(second);
        for_each_copy(
            n_rows,
            |number| hash(row(number)),
            are_equal,
            |number, earlier| numbers[number] = earlier as f64,
        );
        let of_target = numbers.split_off(n_source);
        let column = |numbers: Vec<f64>| Array2::from_shape_fn((numbers.len(), 1), |(row, _)| numbers[row]);
        let target = target.map(|target| (target, column(of_target)));
        Ok(SparseRows { source, source_numbers: column(numbers), target, squares })
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.source.n_columns()
    }

    /// Whether the target is another matrix than the source.
    pub(crate) fn has_target(&self) -> bool {
        self.target.is_some()
    }

    /// Mean number of stored values of a row.
    pub(crate) fn mean_values(&self) -> f64 {
        let of_target = self.target.as_ref().map_or(0, |(target, _)| target.n_values());
        (self.source.n_values() + of_target) as f64 / self.squares.len() as f64
    }

    pub(super) fn n_bytes(&self) -> u64 {
        // A square and a number for each row.
        let of_rows = 2 * size_of::<f64>() * self.squares.len();
        self.source.n_bytes() + self.target.as_ref().map_or(0, |(target, _)| target.n_bytes()) + of_rows as u64
    }

    /// The stored values of the row with this number.
    #[inline]
    pub(crate) fn row(&self, number: usize) -> StoredRow<'_> {
        match (number.checked_sub(self.source.n_rows()), &self.target) {
            (Some(row), Some((target, _))) => target.row(row),
            _ => self.source.row(number),
        }
    }

    /// ‖x‖².
    #[inline]
    pub(crate) fn square(&self, number: usize) -> f64 {
        self.squares[number]
    }

    /// ‖x‖, even if its square overflows or underflows.
    #[inline]
    pub(crate) fn length(&self, number: usize) -> f64 {
        let plain = self.squares[number].sqrt();
        if PLAIN_LENGTHS.contains(&plain) { plain } else { length(self.row(number).values) }
    }

    /// ‖x − y‖² from xᵀy, and from differences where that cancels.
    #[inline]
    pub(crate) fn squared_distance(&self, product: f64, x: usize, y: usize) -> f64 {
        if x == y {
            return 0.0;
        }
        let squares = self.squares[x] + self.squares[y];
        let squared = squares - 2.0 * product;
        if squared >= CANCELLED * squares { squared } else { self.row(x).squared_difference(self.row(y)) }
    }

    /// ‖x − y‖ from xᵀy, scaled by the largest difference if the squares would overflow or underflow.
    pub(super) fn distance(&self, product: f64, x: usize, y: usize) -> f64 {
        let squared = self.squared_distance(product, x, y);
        if squared.is_normal() || x == y {
            return squared.sqrt();
        }
        let differences = || self.row(x).pairs(self.row(y)).map(|(x, y)| (x - y).abs());
        let largest = differences().fold(0.0, f64::max);
        if largest == 0.0 || largest.is_infinite() {
            return largest;
        }
        largest * differences().map(|difference| (difference / largest).powi(2)).sum::<f64>().sqrt()
    }

    /// The median distance between two rows that differ, as [`bandwidth::distinct_median`] finds it; of the source alone, or of
    /// both.
    pub(crate) fn distinct_median(&self, with_target: bool, seed: u64) -> Result<f64> {
        let numbers = |column: &Array2<f64>| column.iter().map(|number| *number as usize).collect::<Vec<_>>();
        let mut rows = numbers(&self.source_numbers);
        if let Some((_, target)) =
            self.target.as_ref().filter(|(_, target)| with_target && *target != self.source_numbers)
        {
            rows.append(&mut numbers(target));
        }
        let distance = |x: usize, y: usize| self.distance(self.row(x).product(self.row(y)), x, y);
        let are_copies = |x: usize, y: usize| x == y || bandwidth::are_copies(self.row(x).pairs(self.row(y)));
        bandwidth::distinct_median_of(&rows, seed, distance, are_copies)
    }
}

/// A hash that equal rows share.
fn hash(row: StoredRow<'_>) -> u64 {
    let entries = row.columns.iter().zip(row.values);
    entries.fold(0, |hash, (column, value)| mixed(mixed(hash, u64::from(*column)), value.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    fn matrix(rows: &[&[(u32, f64)]]) -> SparseMatrix {
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        let (columns, values) = rows.iter().flat_map(|row| row.iter().copied()).unzip();
        SparseMatrix::new(5, starts, columns, values).unwrap()
    }

    #[test]
    fn equal_rows_have_one_number_on_both_sides() {
        let source = matrix(&[&[(0, 1.0)], &[], &[(0, 1.0), (1, 0.0)], &[(1, 1.0)]]);
        let target = matrix(&[&[(2, 1.0)], &[(3, 0.0)], &[(1, 1.0)], &[(2, 1.0)]]);
        let rows = SparseRows::new(source, Some(target)).unwrap();
        assert_eq!(rows.source_numbers, array![[0.0], [1.0], [0.0], [3.0]]);
        assert_eq!(rows.target.unwrap().1, array![[4.0], [1.0], [3.0], [4.0]]);
    }

    #[test]
    fn distances_of_rows_that_nearly_cancel_come_from_differences() {
        let rows = SparseRows::new(matrix(&[&[(0, 1e8), (2, 3.0)], &[(0, 1e8), (3, 4.0)]]), None).unwrap();
        assert_eq!(rows.squared_distance(1e16, 0, 1), 25.0);
        let tiny =
            SparseRows::new(matrix(&[&[(0, 3e-200)], &[(1, 4e-200)], &[(1, 3e200)], &[(4, 4e200)]]), None).unwrap();
        assert!((tiny.distance(0.0, 0, 1) / 5e-200 - 1.0).abs() < 1e-15);
        assert!((tiny.distance(0.0, 2, 3) / 5e200 - 1.0).abs() < 1e-15);
        assert!((tiny.length(0) / 3e-200 - 1.0).abs() < 1e-15);
    }

    #[test]
    fn target_and_source_need_the_same_columns() {
        let other = SparseMatrix::new(6, vec![0, 0], vec![], vec![]).unwrap();
        let refused = SparseRows::new(matrix(&[&[]]), Some(other)).unwrap_err();
        assert_eq!(refused, Error::DifferentColumns { target: 6, available: 5 });
    }
}
