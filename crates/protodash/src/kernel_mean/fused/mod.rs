//! Sums of kernel values for kernels with a [`LoopFormula`]: tiles in registers, never a matrix of kernel values.
//!
//! Rows are packed into panels a block at a time. A tile of pairs is summed over the columns in registers, turned into
//! kernel values and added to the sums of its rows. No `unsafe` here: vectors come from [`crate::simd`].

mod centre;
mod few;
mod formula;
mod pack;
mod project;
mod residual;
mod sum_values;
mod sums;
mod tile;

pub(super) use self::few::FewRows;
pub(super) use self::formula::{ColumnSum, FusedKernel, PairFormula};
pub(super) use self::project::{FeatureMap, ROWS_AT_A_TIME, feature_map};

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use self::centre::{CentreSplit, SplitRows};
use self::pack::{Rescaling, RowGroup};
use self::residual::PackedDraws;
use self::sums::{Pairs, ROWS_PER_BATCH, RowSums, Scratch, WIDE_ROWS_PER_BATCH};
use self::tile::n_roundings;
use super::block::{BlockSizes, ErrorBound, PairSums, add};
use super::racing::{DrawStore, ResidualSums};
use super::{Precision, Target};
use crate::kernel::LoopFormula;
use crate::rows::{Rows, Scalar, TypedRows};
use crate::simd::{Element, InstructionSet, Simd, Visitor};

/// Memory for the packed rows of a block.
const PACKED_BYTES: usize = 4 << 20;
/// Upper bound on pairs × columns per task, so that the observer is called often enough on wide data too.
const WORK_PER_TASK: usize = 2_000_000_000;
/// Pairs × columns between two calls of the observer, for each thread.
const WORK_PER_ROUND: usize = 1_500_000_000;

/// The loops of a kernel: sums of its values, and of its residuals after projection onto landmarks.
pub(super) trait FusedLoops: PairSums + ResidualSums {}

impl<T: Scalar, S: Simd> FusedLoops for Fused<'_, T, S> {}

/// The loops for a kernel, or `None` if the fused loops cannot compute it. `source` is `None` if it is the target.
pub(super) fn pair_sums<'a, T: Scalar>(
    formula: LoopFormula,
    target: Target<'a, T>,
    source: Option<Rows<'a, T>>,
    arithmetic: (InstructionSet, Precision),
) -> Option<Box<dyn FusedLoops + 'a>> {
    let fused = FusedKernel::of(formula)?;
    let weights = target.weights;
    match (target.rows.typed(), source.map(Rows::typed)) {
        (TypedRows::Single(rows), None) => of_f32(fused, Target { rows, weights }, None, arithmetic),
        (TypedRows::Single(rows), Some(TypedRows::Single(source))) => {
            of_f32(fused, Target { rows, weights }, Some(source), arithmetic)
        }
        (TypedRows::Double(rows), None) => of_f64(fused, Target { rows, weights }, None, arithmetic),
        (TypedRows::Double(rows), Some(TypedRows::Double(source))) => {
            of_f64(fused, Target { rows, weights }, Some(source), arithmetic)
        }
        // Target and source have the same type.
        (TypedRows::Single(_), Some(TypedRows::Double(_))) | (TypedRows::Double(_), Some(TypedRows::Single(_))) => None,
    }
}

#[inline(never)]
fn of_f32<'a>(
    kernel: FusedKernel,
    target: Target<'a, f32>,
    source: Option<Rows<'a, f32>>,
    arithmetic: (InstructionSet, Precision),
) -> Option<Box<dyn FusedLoops + 'a>> {
    pair_sums_of(kernel, target, source, arithmetic)
}

#[inline(never)]
fn of_f64<'a>(
    kernel: FusedKernel,
    target: Target<'a, f64>,
    source: Option<Rows<'a, f64>>,
    arithmetic: (InstructionSet, Precision),
) -> Option<Box<dyn FusedLoops + 'a>> {
    pair_sums_of(kernel, target, source, arithmetic)
}

fn pair_sums_of<'a, T: Scalar>(
    kernel: FusedKernel,
    target: Target<'a, T>,
    source: Option<Rows<'a, T>>,
    (level, precision): (InstructionSet, Precision),
) -> Option<Box<dyn FusedLoops + 'a>> {
    let start = FusedStart { kernel, target, source };
    Some(match precision {
        Precision::Single if kernel.fits_single() => level.visit_f32(start),
        _ => level.visit_f64(start),
    })
}

/// What is known before the instruction set is chosen.
struct FusedStart<'a, T> {
    kernel: FusedKernel,
    target: Target<'a, T>,
    source: Option<Rows<'a, T>>,
}

impl<'a, T: Scalar, E: Element> Visitor<E> for FusedStart<'a, T> {
    type Output = Box<dyn FusedLoops + 'a>;

    fn visit<S: Simd<Element = E>>(self, simd: S) -> Self::Output {
        let FusedStart { kernel, target, source } = self;
        let split = kernel.expanded.map(|expanded| CentreSplit::new(simd, expanded.scale, target.rows, source));
        let source = source.unwrap_or(target.rows);
        let (scratch, drawn) = (Mutex::default(), DrawStore::default());
        Box::new(Fused { simd, kernel, target, source, split, scratch, drawn })
    }
}

struct Fused<'a, T, S: Simd> {
    simd: S,
    kernel: FusedKernel,
    target: Target<'a, T>,
    source: Rows<'a, T>,
    /// Which rows the expanded formula is accurate enough for, if the kernel has one.
    split: Option<CentreSplit<S::Element>>,
    /// Idle buffers: at most one for each thread.
    scratch: Mutex<Vec<Scratch<S::Element>>>,
    /// The draws of each level of a race.
    drawn: DrawStore<PackedDraws<S::Element>>,
}

impl<T: Scalar, S: Simd> PairSums for Fused<'_, T, S> {
    fn block_sizes(&self) -> BlockSizes {
        let n_columns = self.source.n_columns();
        // Larger blocks use each packed row for more pairs, but must not exceed a few megabytes.
        let fitting = PACKED_BYTES / (n_columns * size_of::<S::Element>()) / ROWS_PER_BATCH * ROWS_PER_BATCH;
        let block = fitting.clamp(WIDE_ROWS_PER_BATCH, 10 * ROWS_PER_BATCH);
        let segment = (WORK_PER_TASK / (block * n_columns))
            .next_multiple_of(ROWS_PER_BATCH)
            .clamp(ROWS_PER_BATCH, 40 * ROWS_PER_BATCH);
        BlockSizes { block, segment, work_per_round: WORK_PER_ROUND }
    }

    fn error(&self) -> ErrorBound {
        let n_columns = self.source.n_columns();
        let from_products = self.split.as_ref().map_or(0.0, |split| split.largest_error(n_columns));
        // A sum of differences has the roundings of the sum, two for a squared difference and three for the argument. The
        // effect on a kernel value is largest, e⁻¹, where the argument is 1; all curves of the distance stay below that.
        let from_differences = (n_roundings::<S::Element>(n_columns) + 5.0) * S::Element::ROUNDOFF * (-1.0_f64).exp();
        // The weight, and additions of up to twelve values of a tile or sixteen vectors, before sums are in f64.
        let from_adding = 18.0 * S::Element::ROUNDOFF;
        ErrorBound {
            absolute: from_differences,
            relative: from_products + S::Element::EXP2_ERROR + from_adding + 1e-13,
        }
    }

    fn add_cross(&self, segment: Range<usize>, block: Range<usize>, sums: &mut [f64]) {
        let mut sums = RowSums::new(block.start, sums);
        let (target, source) = (self.split_target(segment), self.split_source(block));
        self.with_scratch(|scratch| {
            for (x, y, pairs) in self.combinations(&target, &source) {
                pairs.add(scratch, (self.target_group(x), None), (self.source_group(y), sums.reborrow()));
            }
        });
    }

    fn add_mirrored(&self, first: (Range<usize>, &mut [f64]), second: (Range<usize>, &mut [f64])) {
        let (mut x_sums, mut y_sums) = (RowSums::new(first.0.start, first.1), RowSums::new(second.0.start, second.1));
        let (first, second) = (self.split_target(first.0), self.split_target(second.0));
        self.with_scratch(|scratch| {
            for (x, y, pairs) in self.combinations(&first, &second) {
                let x = (self.target_group(x), Some(x_sums.reborrow()));
                pairs.add(scratch, x, (self.target_group(y), y_sums.reborrow()));
            }
        });
    }

    fn add_diagonal(&self, block: Range<usize>, sums: &mut [f64]) {
        let first = block.start;
        let mut mirrored = vec![0.0; block.len()];
        let SplitRows { central, distant } = self.split_target(block);
        self.with_scratch(|scratch| {
            self.add_triangle(scratch, self.expanded(), &central, (first, sums, &mut mirrored));
            self.add_triangle(scratch, self.direct(), &distant, (first, sums, &mut mirrored));
            let x = (self.target_group(&central), Some(RowSums::new(first, &mut mirrored)));
            self.direct().add(scratch, x, (self.target_group(&distant), RowSums::new(first, sums)));
        });
        add(sums, &mirrored);
    }
}

impl<T: Scalar, S: Simd> Fused<'_, T, S> {
    /// Adds the sums over all pairs of a list: each batch of rows with the rows before it, and with itself.
    fn add_triangle(
        &self,
        scratch: &mut Scratch<S::Element>,
        pairs: Pairs<'_, S>,
        list: &[usize],
        (first, sums, mirrored): (usize, &mut [f64], &mut [f64]),
    ) {
        for (start, batch) in (0..).step_by(ROWS_PER_BATCH).zip(list.chunks(ROWS_PER_BATCH)) {
            let batch = self.target_group(batch);
            let before = (self.target_group(&list[..start]), Some(RowSums::new(first, mirrored)));
            pairs.add(scratch, before, (batch, RowSums::new(first, sums)));
            pairs.add(scratch, (batch, None), (batch, RowSums::new(first, sums)));
        }
    }

    /// The four combinations of central and distant rows, each with its formula.
    fn combinations<'b>(&'b self, x: &'b SplitRows, y: &'b SplitRows) -> [(&'b [usize], &'b [usize], Pairs<'b, S>); 4] {
        [
            (&x.central, &y.central, self.expanded()),
            (&x.distant, &y.central, self.direct()),
            (&x.central, &y.distant, self.direct()),
            (&x.distant, &y.distant, self.direct()),
        ]
    }

    /// The formula for two rows near the centre.
    fn expanded(&self) -> Pairs<'_, S> {
        match (&self.split, self.kernel.expanded) {
            (Some(split), Some(expanded)) => {
                Pairs { simd: self.simd, formula: expanded.formula, rescaling: split.rescaling() }
            }
            _ => self.direct(),
        }
    }

    /// The formula for any two rows.
    fn direct(&self) -> Pairs<'_, S> {
        let rescaling = Rescaling { centre: None, scale: 1.0 };
        Pairs { simd: self.simd, formula: self.kernel.direct, rescaling }
    }

    fn target_group<'b>(&'b self, indices: &'b [usize]) -> RowGroup<'b, T, S::Element> {
        let norms = self.split.as_ref().map(CentreSplit::target_norms);
        RowGroup { rows: self.target.rows, indices, weights: self.target.weights, norms }
    }

    fn source_group<'b>(&'b self, indices: &'b [usize]) -> RowGroup<'b, T, S::Element> {
        let norms = self.split.as_ref().map(CentreSplit::source_norms);
        RowGroup { rows: self.source, indices, weights: None, norms }
    }

    fn split_target(&self, rows: Range<usize>) -> SplitRows {
        match &self.split {
            Some(split) => split.split(rows, split.target_norms()),
            None => SplitRows { central: Vec::new(), distant: rows.collect() },
        }
    }

    fn split_source(&self, rows: Range<usize>) -> SplitRows {
        match &self.split {
            Some(split) => split.split(rows, split.source_norms()),
            None => SplitRows { central: Vec::new(), distant: rows.collect() },
        }
    }

    /// Runs a task with an idle buffer. A lock poisoned by a panic is harmless: every task overwrites its buffer.
    fn with_scratch(&self, task: impl FnOnce(&mut Scratch<S::Element>)) {
        let idle = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let reused = idle().pop();
        let mut scratch = reused.unwrap_or_else(Scratch::new);
        task(&mut scratch);
        idle().push(scratch);
    }
}

#[cfg(test)]
mod tests;
