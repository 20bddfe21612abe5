//! Rows packed in the order in which the tiles read them: panels of a few rows, column by column.

use std::ops::Range;
use std::slice::ChunksExactMut;

use super::formula::RowOffset;
use super::tile::WIDTH;
use crate::kernel_mean::block::Blocks;
use crate::parallel;
use crate::rows::{Rows, Scalar};
use crate::simd::{AlignedLanes, Element, Simd, Work, prefetch, transposed};

/// Columns staged at a time: enough for sequential reads, few enough for the L1 cache.
const STAGED_COLUMNS: usize = 128;

/// Bytes of a row prefetched at a time.
const PREFETCH_BYTES: usize = 512;
/// Rows per task when norms are computed.
const ROWS_PER_TASK: usize = 512;
/// Columns packed at a time when norms are computed.
const COLUMNS_PER_PASS: usize = 512;

/// Some rows of a matrix, in the order of their indices.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowGroup<'a, T, E> {
    pub(super) rows: Rows<'a, T>,
    pub(super) indices: &'a [usize],
    /// Weight of each row of the matrix; 1 if there are none.
    pub(super) weights: Option<&'a [f64]>,
    /// Σx² of each rescaled row of the matrix, if the formula needs it.
    pub(super) norms: Option<&'a [E]>,
}

impl<T, E: Element> RowGroup<'_, T, E> {
    /// Prefetches a share of the rows, if they are too long for the hardware prefetcher.
    pub(super) fn prefetch_share(&self, share: usize, n_shares: usize) {
        let n_columns = self.rows.n_columns();
        if n_columns * size_of::<T>() < PREFETCH_BYTES {
            return;
        }
        let piece = PREFETCH_BYTES / size_of::<T>();
        let n_pieces = n_columns.div_ceil(piece);
        let total = self.indices.len() * n_pieces;
        for index in share * total / n_shares..(share + 1) * total / n_shares {
            let row = self.rows.row(self.indices[index / n_pieces]);
            let start = index % n_pieces * piece;
            prefetch(&row[start..n_columns.min(start + piece)]);
        }
    }

    pub(super) fn weight(&self, row: usize) -> E {
        E::of(self.weights.map_or(1.0, |weights| weights[row]))
    }

    pub(super) fn offset(&self, row: usize, offset: RowOffset) -> E {
        match self.norms {
            // An overflowing norm is infinite, and 0 times infinity is not 0.
            Some(norms) if offset.factor != 0.0 => E::of(offset.factor * norms[row].to_f64() + offset.constant),
            _ => E::of(offset.constant),
        }
    }
}

/// How values are rescaled when packed: scale · (x − centre).
#[derive(Debug, Clone, Copy)]
pub(super) struct Rescaling<'a> {
    pub(super) centre: Option<&'a [f64]>,
    pub(super) scale: f64,
}

/// One column of a panel: the values of a few rows, contiguous in memory.
pub(super) trait PackedColumn<E>: Copy {
    const N_ROWS: usize;
    fn all(value: E) -> Self;
    fn rows(&self) -> &[E];
    fn rows_mut(&mut self) -> &mut [E];
}

/// Rows x, each broadcast by the tile.
impl<E: Element> PackedColumn<E> for [E; WIDTH] {
    const N_ROWS: usize = WIDTH;

    #[inline(always)]
    fn all(value: E) -> Self {
        [value; WIDTH]
    }

    #[inline(always)]
    fn rows(&self) -> &[E] {
        self
    }

    #[inline(always)]
    fn rows_mut(&mut self) -> &mut [E] {
        self
    }
}

/// Rows y, one in each lane.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct PackedVector<E: Element>(pub(super) E::Lanes);

impl<E: Element> PackedColumn<E> for PackedVector<E> {
    const N_ROWS: usize = E::N_LANES;

    #[inline(always)]
    fn all(value: E) -> Self {
        PackedVector(value.splat())
    }

    #[inline(always)]
    fn rows(&self) -> &[E] {
        E::lanes(&self.0)
    }

    #[inline(always)]
    fn rows_mut(&mut self) -> &mut [E] {
        E::lanes_mut(&mut self.0)
    }
}

/// Rows packed into panels of a few rows.
pub(super) struct PackedPanels<P> {
    /// One packed column for each column of each panel.
    values: Vec<P>,
    n_panels: usize,
    depth: usize,
}

impl<P> PackedPanels<P> {
    pub(super) fn new() -> Self {
        PackedPanels { values: Vec::new(), n_panels: 0, depth: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.n_panels
    }

    /// The packed columns of one panel.
    pub(super) fn panel(&self, index: usize) -> &[P] {
        &self.values[index * self.depth..][..self.depth]
    }

    /// The packed columns of all panels.
    pub(super) fn values(&self) -> &[P] {
        &self.values
    }

    /// Replaces the contents by some columns of some rows. The last panel is padded with 0.
    pub(super) fn pack<S: Simd, T: Scalar>(
        &mut self,
        simd: S,
        group: RowGroup<'_, T, S::Element>,
        columns: Range<usize>,
        rescaling: Rescaling<'_>,
    ) where
        P: PackedColumn<S::Element>,
    {
        self.depth = columns.len();
        self.n_panels = group.indices.len().div_ceil(P::N_ROWS);
        self.values.resize(self.n_panels * self.depth, P::all(S::Element::ZERO));
        let panels = self.values.chunks_exact_mut(self.depth);
        simd.run(Pack { panels, group, columns, rescaling });
    }
}

impl<E: Element> PackedPanels<PackedVector<E>> {
    /// Adds the squares of the packed columns of each row, padding included.
    pub(super) fn add_squares<S: Simd<Element = E>>(&self, simd: S, norms: &mut [f64]) {
        simd.run(AddSquares { panels: self, norms });
    }
}

/// Arranges a number for each row as the rows are packed, padded with 0.
pub(super) fn pack_numbers<E: Element, P: PackedColumn<E>>(
    indices: &[usize],
    panels: &mut Vec<P>,
    number: impl Fn(usize) -> E,
) {
    panels.clear();
    for indices in indices.chunks(P::N_ROWS) {
        let mut panel = P::all(E::ZERO);
        panel.rows_mut().iter_mut().zip(indices).for_each(|(place, &index)| *place = number(index));
        panels.push(panel);
    }
}

struct Pack<'a, 'b, T, E, P> {
    panels: ChunksExactMut<'a, P>,
    group: RowGroup<'b, T, E>,
    columns: Range<usize>,
    rescaling: Rescaling<'b>,
}

impl<S: Simd, T: Scalar, P: PackedColumn<S::Element>> Work<S> for Pack<'_, '_, T, S::Element, P> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        match S::Element::N_LANES {
            8 => self.pack::<S, 8>(simd),
            _ => self.pack::<S, 16>(simd),
        }
    }
}

impl<T: Scalar, E: Element, P: PackedColumn<E>> Pack<'_, '_, T, E, P> {
    #[inline(always)]
    fn pack<S: Simd<Element = E>, const N_LANES: usize>(self, simd: S) {
        let Pack { panels, group, columns, rescaling } = self;
        let mut staged = AlignedLanes([[E::ZERO; STAGED_COLUMNS]; N_LANES]);
        let after_vectors = columns.end - columns.len() % N_LANES;
        let indices = group.indices.chunks(P::N_ROWS).zip((P::N_ROWS..).step_by(P::N_ROWS));
        for (panel, (indices, next)) in panels.zip(indices) {
            // Rows of the next panel are prefetched while those of this one are packed.
            let next = group.indices.get(next..).unwrap_or_default();
            let (in_vectors, rest) = panel.split_at_mut(after_vectors - columns.start);
            // A panel wider than a vector is packed as several square blocks.
            for place in (0..P::N_ROWS).step_by(N_LANES) {
                let n_places = N_LANES.min(P::N_ROWS - place);
                let indices = indices.get(place..).unwrap_or_default();
                // Only the last panel needs padding.
                staged.0[..n_places].iter_mut().skip(indices.len()).for_each(|row| row.fill(E::ZERO));
                for (piece, start) in
                    in_vectors.chunks_mut(STAGED_COLUMNS).zip((columns.start..).step_by(STAGED_COLUMNS))
                {
                    let columns = start..start + piece.len();
                    for (row, staged) in staged.0[..n_places].iter_mut().enumerate().take(indices.len()) {
                        if let Some(&index) = next.get(place + row) {
                            prefetch(&group.rows.row(index)[columns.clone()]);
                        }
                        rescaling.stage(group.rows.row(indices[row]), columns.clone(), staged);
                    }
                    transpose(simd, &staged.0, place, piece);
                }
            }
            rescaling.pack_remainder(group.rows, indices, after_vectors, rest);
        }
    }
}

impl Rescaling<'_> {
    /// Writes scale · (x − centre) for some columns of a row, computed in f64 until the end.
    #[inline(always)]
    fn stage<E: Element, T: Scalar>(self, row: &[T], columns: Range<usize>, staged: &mut [E]) {
        let values = staged.iter_mut().zip(&row[columns.clone()]);
        match self.centre {
            Some(centre) => {
                for ((staged, value), centre) in values.zip(&centre[columns]) {
                    *staged = E::of((value.to_f64() - centre) * self.scale);
                }
            }
            None => values.for_each(|(staged, value)| *staged = E::of(value.to_f64() * self.scale)),
        }
    }

    /// Packs the columns that do not fill a vector, value by value.
    #[inline(always)]
    fn pack_remainder<E: Element, T: Scalar, P: PackedColumn<E>>(
        self,
        rows: Rows<'_, T>,
        indices: &[usize],
        start: usize,
        pieces: &mut [P],
    ) {
        for (column, piece) in (start..).zip(pieces) {
            *piece = P::all(E::ZERO);
            let centre = self.centre.map_or(0.0, |centre| centre[column]);
            for (place, &index) in piece.rows_mut().iter_mut().zip(indices) {
                *place = E::of((rows.row(index)[column].to_f64() - centre) * self.scale);
            }
        }
    }
}

/// Transposes staged rows into packed columns, where the first of them becomes row `place` of the panel.
#[inline(always)]
fn transpose<S: Simd, P: PackedColumn<S::Element>, const N_LANES: usize>(
    simd: S,
    staged: &[[S::Element; STAGED_COLUMNS]; N_LANES],
    place: usize,
    pieces: &mut [P],
) {
    for (vector, pieces) in pieces.chunks_exact_mut(N_LANES).enumerate() {
        let mut rows = [simd.splat(S::Element::ZERO); N_LANES];
        for (row, staged) in rows.iter_mut().zip(staged) {
            *row = simd.load_slice(&staged[vector * N_LANES..]);
        }
        for (piece, column) in pieces.iter_mut().zip(transposed(simd, rows)) {
            let lanes = simd.store(column);
            let (places, values) = (&mut piece.rows_mut()[place..], S::Element::lanes(&lanes));
            match places.first_chunk_mut::<N_LANES>() {
                Some(places) => places.copy_from_slice(values),
                None => places.iter_mut().zip(values).for_each(|(place, value)| *place = *value),
            }
        }
    }
}

/// Σx² of each rescaled row of a matrix.
///
/// In f64 the squares are added in the order and with the rounding of the product tile, so that the distance of a row to
/// itself is exactly 0. For f32 they are added in f64: the error of a norm affects all distances of its row the same way
/// and would not average out in a mean, as the errors of products do.
pub(super) fn squared_norms<S: Simd, T: Scalar>(
    simd: S,
    rows: Rows<'_, T>,
    rescaling: Rescaling<'_>,
) -> Vec<S::Element> {
    let blocks = Blocks { n_rows: rows.n_rows(), size: ROWS_PER_TASK };
    let norms = |block: usize| {
        let indices: Vec<usize> = blocks.get(block).collect();
        let group = RowGroup { rows, indices: &indices, weights: None, norms: None };
        let mut norms = vec![0.0; indices.len().next_multiple_of(S::Element::N_LANES)];
        let mut panels = PackedPanels::<PackedVector<S::Element>>::new();
        for start in (0..rows.n_columns()).step_by(COLUMNS_PER_PASS) {
            let columns = start..rows.n_columns().min(start + COLUMNS_PER_PASS);
            panels.pack(simd, group, columns, rescaling);
            panels.add_squares(simd, &mut norms);
        }
        norms[..indices.len()].iter().map(|norm| S::Element::of(*norm)).collect::<Vec<_>>()
    };
    parallel::map(0..blocks.len(), norms).concat()
}

struct AddSquares<'a, E: Element> {
    panels: &'a PackedPanels<PackedVector<E>>,
    norms: &'a mut [f64],
}

impl<S: Simd> Work<S> for AddSquares<'_, S::Element> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        for (index, norms) in self.norms.chunks_exact_mut(S::Element::N_LANES).enumerate() {
            for piece in self.panels.panel(index) {
                for (norm, &value) in norms.iter_mut().zip(piece.rows()) {
                    *norm = simd.mul_add_one(value.to_f64(), value.to_f64(), *norm);
                }
            }
        }
    }
}
