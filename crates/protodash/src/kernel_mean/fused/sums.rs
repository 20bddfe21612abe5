//! Sums of kernel values of one group of rows against another.

use super::formula::{PairFormula, RowOffset};
use super::pack::{PackedPanels, PackedVector, Rescaling, RowGroup, pack_numbers};
use super::sum_values::{CurveArguments, SumBoth, SumRows};
use super::tile::{Tile, WIDTH};
use crate::kernel::{Curve, CurveVisitor};
use crate::kernel_mean::block::Blocks;
use crate::rows::Scalar;
use crate::simd::{Element, Simd};

/// Rows with at most this many columns are packed whole.
pub(super) const MAX_WHOLE_COLUMNS: usize = 1024;
/// Number of columns packed at a time for wider rows.
pub(super) const COLUMNS_PER_PART: usize = 512;
/// Memory for one batch of packed rows x, which stays in the L2 cache while the next batch is prefetched.
const BATCH_BYTES: usize = 256 << 10;
/// Rows x per batch: eight tiles, so that the sums of a panel fit the L1 cache.
pub(super) const ROWS_PER_BATCH: usize = 8 * WIDTH;
/// Rows x per batch of wide rows, where all rows y must be packed again for each batch.
pub(super) const WIDE_ROWS_PER_BATCH: usize = 40 * WIDTH;

/// Panels summed for the rows x before the sums are added to a total; there are at most 60 panels in f32. See
/// [`Element::TERMS_PER_SUM`].
const PANELS_PER_SUM: usize = 8;
/// Number of columns from which a single tile takes long enough to be a share.
const MIN_SHARE_COLUMNS: usize = 128;

/// Packed rows x, and one panel of packed rows y.
type PackedPair<'a, E> = (&'a PackedPanels<[E; WIDTH]>, &'a [PackedVector<E>]);

/// The sums of consecutive rows of a matrix.
pub(super) struct RowSums<'a> {
    /// Row of the first sum.
    first: usize,
    sums: &'a mut [f64],
}

impl<'a> RowSums<'a> {
    pub(super) fn new(first: usize, sums: &'a mut [f64]) -> Self {
        RowSums { first, sums }
    }

    fn add(&mut self, row: usize, value: f64) {
        self.sums[row - self.first] += value;
    }

    /// These sums, reborrowed.
    pub(super) fn reborrow(&mut self) -> RowSums<'_> {
        RowSums { first: self.first, sums: self.sums }
    }
}

/// A formula, ready to be applied to groups of rows.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'a, S> {
    pub(super) simd: S,
    pub(super) formula: PairFormula,
    pub(super) rescaling: Rescaling<'a>,
}

impl<S: Simd> Pairs<'_, S> {
    /// Adds Σₓ pₓ k(x, y) to the sum of each row y and, if there are sums for x, Σᵧ pᵧ k(x, y) to that of each row x.
    ///
    /// The sum of a row y does not depend on the other rows y.
    pub(super) fn add<T: Scalar>(
        self,
        scratch: &mut Scratch<S::Element>,
        (x, mut x_sums): (RowGroup<'_, T, S::Element>, Option<RowSums<'_>>),
        (y, mut y_sums): (RowGroup<'_, T, S::Element>, RowSums<'_>),
    ) {
        if x.indices.is_empty() || y.indices.is_empty() {
            return;
        }
        let n_columns = y.rows.n_columns();
        let parts = Blocks {
            n_rows: n_columns,
            size: if n_columns <= MAX_WHOLE_COLUMNS { n_columns } else { COLUMNS_PER_PART },
        };
        let fitting = BATCH_BYTES / (n_columns * size_of::<S::Element>()) / WIDTH * WIDTH;
        let batch_size = if parts.len() == 1 { fitting.clamp(2 * WIDTH, ROWS_PER_BATCH) } else { WIDE_ROWS_PER_BATCH };
        scratch.start_rows(y, self.formula.y_offset);
        for (batch, indices) in x.indices.chunks(batch_size).enumerate() {
            let next = x.indices.get((batch + 1) * batch_size..).unwrap_or_default();
            let next = RowGroup { indices: &next[..next.len().min(batch_size)], ..x };
            let x = RowGroup { indices, ..x };
            scratch.start_batch(x, self.formula.x_offset, x_sums.is_some());
            // Whole rows y stay packed for all batches.
            let pack_y = (batch == 0 || parts.len() > 1).then_some(y);
            self.add_batch(scratch, (x, next), pack_y, parts);
            if let Some(x_sums) = &mut x_sums {
                scratch.flush_columns(indices, x_sums);
            }
        }
        for (&row, sum) in y.indices.iter().zip(&scratch.row_sums) {
            y_sums.add(row, *sum);
        }
    }

    /// Adds one batch of rows x against all rows y, over all columns; meanwhile prefetches the next batch.
    fn add_batch<T: Scalar>(
        self,
        scratch: &mut Scratch<S::Element>,
        (x, next): (RowGroup<'_, T, S::Element>, RowGroup<'_, T, S::Element>),
        pack_y: Option<RowGroup<'_, T, S::Element>>,
        parts: Blocks,
    ) {
        for part in 0..parts.len() {
            let columns = parts.get(part);
            scratch.x.pack(self.simd, x, columns.clone(), self.rescaling);
            if let Some(y) = pack_y {
                scratch.y.pack(self.simd, y, columns, self.rescaling);
            }
            let n_panels = scratch.y.len();
            for panel in 0..n_panels {
                // With several parts every panel needs its own slot; otherwise all share one, which stays in the L1 cache.
                let slot = if parts.len() == 1 { 0 } else { panel };
                self.accumulate(scratch, (panel, slot), part > 0, |share, n_shares| {
                    next.prefetch_share(panel * n_shares + share, n_panels * n_shares);
                });
                if part + 1 == parts.len() {
                    self.sum(scratch, panel, slot);
                    if (panel + 1) % PANELS_PER_SUM == 0 {
                        scratch.total_columns();
                    }
                }
            }
        }
    }

    /// Sums over the packed columns, in shares; calls `before` before each.
    pub(super) fn accumulate(
        self,
        scratch: &mut Scratch<S::Element>,
        (panel, slot): (usize, usize),
        add_to_tiles: bool,
        before: impl Fn(usize, usize),
    ) {
        let Scratch { x, y, tiles, .. } = scratch;
        self.accumulate_panel((x, y.panel(panel)), (tiles, slot), add_to_tiles, before);
    }

    /// Accumulates rows x and one panel of rows y, wherever they are packed.
    pub(super) fn accumulate_panel(
        self,
        (x, y): PackedPair<'_, S::Element>,
        (tiles, slot): (&mut Vec<Tile<S::Element>>, usize),
        add_to_tiles: bool,
        before: impl Fn(usize, usize),
    ) {
        let n_tiles = x.len();
        let tiles_end = (slot + 1) * n_tiles;
        if tiles.len() < tiles_end {
            tiles.resize(tiles_end, [S::Element::ZERO.splat(); WIDTH]);
        }
        let tiles = &mut tiles[slot * n_tiles..tiles_end];
        let tiles_per_share = if y.len() < MIN_SHARE_COLUMNS { n_tiles } else { 1 };
        let x = x.values().chunks_exact(tiles_per_share * y.len());
        let n_shares = x.len();
        for (share, (x, tiles)) in x.zip(tiles.chunks_mut(tiles_per_share)).enumerate() {
            before(share, n_shares);
            self.formula.sum.accumulate(self.simd, y, x, tiles, add_to_tiles);
        }
    }

    /// Turns the sums over the columns into kernel values and adds these up.
    fn sum(self, scratch: &mut Scratch<S::Element>, panel: usize, slot: usize) {
        self.formula.curve.visit(SumPanel { pairs: self, scratch, panel, slot });
    }
}

/// Adds the kernel values of one panel, with the kernel's curve.
struct SumPanel<'a, 'b, S: Simd> {
    pairs: Pairs<'a, S>,
    scratch: &'b mut Scratch<S::Element>,
    panel: usize,
    slot: usize,
}

impl<S: Simd> CurveVisitor for SumPanel<'_, '_, S> {
    fn visit<C: Curve>(self, curve: C) {
        let SumPanel { pairs, scratch, panel, slot } = self;
        let Scratch { x, tiles, row_sums, column_sums, .. } = scratch;
        let n_tiles = x.len();
        let arguments = CurveArguments {
            slope: S::Element::of(pairs.formula.slope),
            tiles: &tiles[slot * n_tiles..][..n_tiles],
            x_offsets: &scratch.x_offsets,
            y_offsets: &scratch.y_offsets[panel],
        };
        let n_lanes = S::Element::N_LANES;
        let row_sums = &mut row_sums[panel * n_lanes..][..n_lanes];
        let rows = SumRows { curve, arguments, x_weights: &scratch.x_weights, row_sums };
        if column_sums.is_empty() {
            pairs.simd.run(rows);
        } else {
            pairs.simd.run(SumBoth { rows, y_weights: &scratch.y_weights[panel], column_sums });
        }
    }
}

/// Buffers reused for every pair of groups. Their size depends on the groups, not on the data.
pub(super) struct Scratch<E: Element> {
    pub(super) x: PackedPanels<[E; WIDTH]>,
    x_weights: Vec<[E; WIDTH]>,
    pub(super) x_offsets: Vec<[E; WIDTH]>,
    pub(super) y: PackedPanels<PackedVector<E>>,
    y_weights: Vec<PackedVector<E>>,
    pub(super) y_offsets: Vec<PackedVector<E>>,
    /// Sums over the columns: for each slot, one tile per tile of rows x.
    pub(super) tiles: Vec<Tile<E>>,
    /// Sums of kernel values for each row y.
    row_sums: Vec<f64>,
    /// Sums of kernel values for each row x of the batch, as vectors still to be reduced; empty if not needed.
    column_sums: Vec<Tile<E>>,
    /// Totals of `column_sums`; empty in f64.
    column_totals: Vec<Tile<E>>,
}

impl<E: Element> Scratch<E> {
    pub(super) fn new() -> Self {
        Scratch {
            x: PackedPanels::new(),
            x_weights: Vec::new(),
            x_offsets: Vec::new(),
            y: PackedPanels::new(),
            y_weights: Vec::new(),
            y_offsets: Vec::new(),
            tiles: Vec::new(),
            row_sums: Vec::new(),
            column_sums: Vec::new(),
            column_totals: Vec::new(),
        }
    }

    pub(super) fn start_rows<T>(&mut self, y: RowGroup<'_, T, E>, offset: RowOffset) {
        pack_numbers(y.indices, &mut self.y_weights, |row| y.weight(row));
        pack_numbers(y.indices, &mut self.y_offsets, |row| y.offset(row, offset));
        self.row_sums.clear();
        self.row_sums.resize(y.indices.len().next_multiple_of(E::N_LANES), 0.0);
    }

    pub(super) fn start_batch<T>(&mut self, x: RowGroup<'_, T, E>, offset: RowOffset, with_column_sums: bool) {
        // The padding of the last tile has weight 0.
        pack_numbers(x.indices, &mut self.x_weights, |row| x.weight(row));
        pack_numbers(x.indices, &mut self.x_offsets, |row| x.offset(row, offset));
        self.column_sums.clear();
        self.column_totals.clear();
        if with_column_sums {
            self.column_sums.resize(x.indices.len().div_ceil(WIDTH), [E::ZERO.splat(); WIDTH]);
        }
        if E::TERMS_PER_SUM < usize::MAX {
            self.column_totals.clone_from(&self.column_sums);
        }
    }

    /// Moves the sums of the last few panels to the totals.
    fn total_columns(&mut self) {
        let vectors = self.column_sums.as_flattened_mut().iter_mut().zip(self.column_totals.as_flattened_mut());
        for (sums, totals) in vectors {
            for (sum, total) in E::lanes_mut(sums).iter_mut().zip(E::lanes_mut(totals)) {
                *total = E::of(total.to_f64() + sum.to_f64());
                *sum = E::ZERO;
            }
        }
    }

    fn flush_columns(&self, indices: &[usize], sums: &mut RowSums<'_>) {
        let in_lanes = |vector: &E::Lanes| -> f64 { E::lanes(vector).iter().map(|value| value.to_f64()).sum() };
        let mut totals = self.column_totals.as_flattened().iter();
        for (&row, vector) in indices.iter().zip(self.column_sums.as_flattened()) {
            sums.add(row, totals.next().map_or(0.0, in_lanes) + in_lanes(vector));
        }
    }
}
