//! Sums of kernel values, from the sums over the columns.

use super::pack::PackedVector;
use super::tile::{Tile, WIDTH};
use crate::kernel::Curve;
use crate::simd::{Element, Simd, Work};

/// What the curve's arguments for one panel's pairs consist of: slope · sum over the columns + offset of x + offset of y.
#[derive(Clone, Copy)]
pub(in crate::kernel_mean) struct CurveArguments<'a, E: Element> {
    pub(in crate::kernel_mean) slope: E,
    pub(in crate::kernel_mean) tiles: &'a [Tile<E>],
    pub(in crate::kernel_mean) x_offsets: &'a [[E; WIDTH]],
    pub(in crate::kernel_mean) y_offsets: &'a PackedVector<E>,
}

/// Adds pₓ k(x, y) to the sum of each row y, for the rows x of all tiles.
pub(in crate::kernel_mean) struct SumRows<'a, E: Element, C> {
    pub(in crate::kernel_mean) curve: C,
    pub(in crate::kernel_mean) arguments: CurveArguments<'a, E>,
    pub(in crate::kernel_mean) x_weights: &'a [[E; WIDTH]],
    pub(in crate::kernel_mean) row_sums: &'a mut [f64],
}

impl<S: Simd, C: Curve> Work<S> for SumRows<'_, S::Element, C> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        let CurveArguments { slope, tiles, x_offsets, y_offsets } = self.arguments;
        let (slope, y_offset) = (simd.splat(slope), simd.load(&y_offsets.0));
        for ((tile, x_offsets), x_weights) in tiles.iter().zip(x_offsets).zip(self.x_weights) {
            let mut rows = simd.splat(S::Element::ZERO);
            for ((sums, &x_offset), &x_weight) in tile.iter().zip(x_offsets).zip(x_weights) {
                let offset = simd.add(simd.splat(x_offset), y_offset);
                let value = self.curve.value(simd, simd.mul_add(simd.load(sums), slope, offset));
                rows = simd.mul_add(value, simd.splat(x_weight), rows);
            }
            flush(simd, rows, self.row_sums);
        }
    }
}

/// Adds what [`SumRows`] adds, and pᵧ k(x, y) to a vector of sums for each row x.
pub(in crate::kernel_mean) struct SumBoth<'a, E: Element, C> {
    pub(in crate::kernel_mean) rows: SumRows<'a, E, C>,
    pub(in crate::kernel_mean) y_weights: &'a PackedVector<E>,
    pub(in crate::kernel_mean) column_sums: &'a mut [Tile<E>],
}

impl<S: Simd, C: Curve> Work<S> for SumBoth<'_, S::Element, C> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        let SumRows { curve, arguments, x_weights, row_sums } = self.rows;
        let CurveArguments { slope, tiles, x_offsets, y_offsets } = arguments;
        let (slope, y_offset, y_weight) = (simd.splat(slope), simd.load(&y_offsets.0), simd.load(&self.y_weights.0));
        let tiles = tiles.iter().zip(x_offsets).zip(x_weights).zip(self.column_sums);
        for (((tile, x_offsets), x_weights), column_sums) in tiles {
            let mut rows = simd.splat(S::Element::ZERO);
            let pairs = tile.iter().zip(x_offsets).zip(x_weights).zip(column_sums);
            for (((sums, &x_offset), &x_weight), column_sum) in pairs {
                let offset = simd.add(simd.splat(x_offset), y_offset);
                let value = curve.value(simd, simd.mul_add(simd.load(sums), slope, offset));
                rows = simd.mul_add(value, simd.splat(x_weight), rows);
                *column_sum = simd.store(simd.mul_add(value, y_weight, simd.load(column_sum)));
            }
            flush(simd, rows, row_sums);
        }
    }
}

/// Adds a vector to sums in f64.
#[inline(always)]
pub(super) fn flush<S: Simd>(simd: S, vector: S::Vector, sums: &mut [f64]) {
    let lanes = simd.store(vector);
    for (sum, value) in sums.iter_mut().zip(S::Element::lanes(&lanes)) {
        *sum += value.to_f64();
    }
}
