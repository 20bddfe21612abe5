//! The sums of one pair of blocks: everything hot happens below this line.

use std::ops::Range;

use super::Target;
use crate::kernel::Kernel;
use crate::rows::{Rows, Scalar};

/// Rows cut into blocks of one size, the last as large as is left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blocks {
    pub(super) n_rows: usize,
    pub(super) size: usize,
}

impl Blocks {
    pub(super) fn len(self) -> usize {
        self.n_rows.div_ceil(self.size)
    }

    pub(super) fn get(self, index: usize) -> Range<usize> {
        index * self.size..self.n_rows.min((index + 1) * self.size)
    }
}

/// Adds one partial sum for each row.
pub(super) fn add(sums: &mut [f64], partial: &[f64]) {
    sums.iter_mut().zip(partial).for_each(|(sum, partial)| *sum += partial);
}

/// Adds Σᵢ pᵢ k(xᵢ, yⱼ), over the target rows of `range`, to the sum of each row yⱼ.
pub(super) fn add_cross<T: Scalar, K: Kernel<T> + ?Sized>(
    kernel: &K,
    target: Target<'_, T>,
    range: Range<usize>,
    source: Rows<'_, T>,
    sums: &mut [f64],
) {
    for (y, sum) in source.iter().zip(sums) {
        let mut total = 0.0;
        for i in range.clone() {
            total += weight(target, i) * kernel.evaluate(target.rows.row(i), y);
        }
        *sum += total;
    }
}

/// Adds both mirrored sums of two different blocks of the same rows, each pair evaluated once.
pub(super) fn add_mirrored<T: Scalar, K: Kernel<T> + ?Sized>(
    kernel: &K,
    target: Target<'_, T>,
    (first, first_sums): (Range<usize>, &mut [f64]),
    (second, second_sums): (Range<usize>, &mut [f64]),
) {
    for (j, second_sum) in second.zip(second_sums) {
        let (y, weight_of_y) = (target.rows.row(j), weight(target, j));
        let mut total = 0.0;
        for (i, first_sum) in first.clone().zip(&mut *first_sums) {
            let value = kernel.evaluate(target.rows.row(i), y);
            *first_sum += weight_of_y * value;
            total += weight(target, i) * value;
        }
        *second_sum += total;
    }
}

/// Adds the sums of a block with itself.
pub(super) fn add_diagonal<T: Scalar, K: Kernel<T> + ?Sized>(
    kernel: &K,
    target: Target<'_, T>,
    block: Range<usize>,
    sums: &mut [f64],
) {
    for j in block.clone() {
        let y = target.rows.row(j);
        for i in block.start..j {
            let value = kernel.evaluate(target.rows.row(i), y);
            sums[i - block.start] += weight(target, j) * value;
            sums[j - block.start] += weight(target, i) * value;
        }
        sums[j - block.start] += weight(target, j) * kernel.evaluate(y, y);
    }
}

#[inline]
fn weight<T>(target: Target<'_, T>, row: usize) -> f64 {
    target.weights.map_or(1.0, |weights| weights[row])
}
