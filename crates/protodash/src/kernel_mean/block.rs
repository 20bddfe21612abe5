//! Sums of kernel values of one pair of blocks, and how rows are divided into blocks.

use std::ops::Range;

use super::Target;
use crate::kernel::Kernel;
use crate::rows::{Rows, Scalar};

/// Sums of kernel values of blocks of rows: the hot loops implement this.
///
/// What is added depends on the blocks alone, not on the thread or on earlier sums. What [`add_cross`](PairSums::add_cross)
/// adds for a source row does not depend on the other rows of its block.
pub(super) trait PairSums: Sync {
    fn block_sizes(&self) -> BlockSizes;

    /// Bound on the difference from sums of [`evaluate`](Kernel::evaluate), for weights that sum to 1.
    fn error(&self) -> ErrorBound;

    /// Adds Σᵢ pᵢ k(xᵢ, yⱼ), over a segment of the target, to the sum of each source row of a block.
    fn add_cross(&self, segment: Range<usize>, block: Range<usize>, sums: &mut [f64]);

    /// Adds both mirrored sums of two different blocks of the target, each pair evaluated once.
    fn add_mirrored(&self, first: (Range<usize>, &mut [f64]), second: (Range<usize>, &mut [f64]));

    /// Adds the sums of a block of the target with itself.
    fn add_diagonal(&self, block: Range<usize>, sums: &mut [f64]);
}

/// A bound on an error: absolute + relative · true value.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct ErrorBound {
    pub(super) absolute: f64,
    pub(super) relative: f64,
}

impl ErrorBound {
    /// True for computations in f32. Rounding in f64 is small enough that every comparison allows for it.
    pub(crate) fn is_for_f32(self) -> bool {
        self.absolute.max(self.relative) > 1e-10
    }

    /// Bound on the distance of the true value from a computed one.
    ///
    /// |c − t| ≤ a + r|t| and |t| ≤ |c| + |c − t| give |c − t| ≤ (a + r|c|)/(1 − r).
    pub(crate) fn at(self, computed: f64) -> f64 {
        (self.absolute + self.relative * computed.abs()) / (1.0 - self.relative)
    }
}

/// How pairs are divided into tasks.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockSizes {
    /// Maximum number of rows in a block.
    pub(super) block: usize,
    /// Number of rows that a block is paired with in one task. Depends only on the target.
    pub(super) segment: usize,
    /// Pairs × columns between two calls of the observer, for each thread.
    pub(super) work_per_round: usize,
}

impl BlockSizes {
    /// Divides rows into enough blocks to keep many threads busy, but not into tiny ones.
    pub(super) fn blocks(self, n_rows: usize) -> Blocks {
        Blocks { n_rows, size: n_rows.div_ceil(20).next_multiple_of(96).min(self.block) }
    }

    /// Number of tasks between two calls of the observer.
    pub(super) fn tasks_per_round(self, blocks: Blocks, n_columns: usize) -> usize {
        let work = blocks.size * self.segment * n_columns;
        rayon::current_num_threads() * (self.work_per_round / work).clamp(1, 64)
    }
}

/// Rows divided into blocks of one size; the last may be smaller.
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

/// Sums for any kernel, by calling [`evaluate`](Kernel::evaluate) pair by pair.
pub(super) struct EvaluatedPairs<'a, T: Scalar> {
    pub(super) kernel: &'a dyn Kernel<T>,
    pub(super) target: Target<'a, T>,
    pub(super) source: Rows<'a, T>,
}

impl<T: Scalar> PairSums for EvaluatedPairs<'_, T> {
    fn block_sizes(&self) -> BlockSizes {
        // A custom kernel may be slow: a task should take well below a second even at 10 µs per pair.
        BlockSizes { block: 96, segment: 480, work_per_round: 100_000_000 }
    }

    fn error(&self) -> ErrorBound {
        ErrorBound::default()
    }

    fn add_cross(&self, segment: Range<usize>, block: Range<usize>, sums: &mut [f64]) {
        for (y, sum) in self.source.slice(block).iter().zip(sums) {
            let mut total = 0.0;
            for i in segment.clone() {
                total += self.weight(i) * self.kernel.evaluate(self.target.rows.row(i), y);
            }
            *sum += total;
        }
    }

    fn add_mirrored(&self, (first, first_sums): (Range<usize>, &mut [f64]), second: (Range<usize>, &mut [f64])) {
        for (j, second_sum) in second.0.zip(second.1) {
            let (y, weight_of_y) = (self.target.rows.row(j), self.weight(j));
            let mut total = 0.0;
            for (i, first_sum) in first.clone().zip(&mut *first_sums) {
                let value = self.kernel.evaluate(self.target.rows.row(i), y);
                *first_sum += weight_of_y * value;
                total += self.weight(i) * value;
            }
            *second_sum += total;
        }
    }

    fn add_diagonal(&self, block: Range<usize>, sums: &mut [f64]) {
        for j in block.clone() {
            let y = self.target.rows.row(j);
            for i in block.start..j {
                let value = self.kernel.evaluate(self.target.rows.row(i), y);
                sums[i - block.start] += self.weight(j) * value;
                sums[j - block.start] += self.weight(i) * value;
            }
            sums[j - block.start] += self.weight(j) * self.kernel.evaluate(y, y);
        }
    }
}

impl<T: Scalar> EvaluatedPairs<'_, T> {
    #[inline]
    fn weight(&self, row: usize) -> f64 {
        self.target.weights.map_or(1.0, |weights| weights[row])
    }
}
