//! Kernel values from the sums over the columns, and sums of kernel values.

use super::pack::Vector;
use super::tile::{Tile, WIDTH};
use crate::simd::{Element, Simd, Work};

/// A kernel value as a function of one number, its argument.
pub(in crate::kernel_mean) trait Profile: Copy {
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector;
}

/// 2^a, with a at most 0 but for rounding: the Gaussian and the Laplacian kernel.
#[derive(Clone, Copy)]
pub(in crate::kernel_mean) struct Exponential;

impl Profile for Exponential {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector {
        simd.exp2(simd.min(argument, simd.splat(S::Element::ZERO)))
    }
}

/// (1 + √a) e^−√a, with a at least 0 but for rounding.
#[derive(Clone, Copy)]
pub(in crate::kernel_mean) struct Matern32;

impl Profile for Matern32 {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector {
        let root = simd.sqrt(simd.max(argument, simd.splat(S::Element::ZERO)));
        let factor = simd.add(simd.splat(S::Element::of(1.0)), root);
        faded(simd, factor, root)
    }
}

/// (1 + √a + a/3) e^−√a, with a at least 0 but for rounding.
#[derive(Clone, Copy)]
pub(in crate::kernel_mean) struct Matern52;

impl Profile for Matern52 {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector {
        let argument = simd.max(argument, simd.splat(S::Element::ZERO));
        let root = simd.sqrt(argument);
        let factor = simd.add(simd.splat(S::Element::of(1.0)), root);
        let factor = simd.mul_add(argument, simd.splat(S::Element::of(1.0 / 3.0)), factor);
        faded(simd, factor, root)
    }
}

/// factor · e^−root, and 0 where the factor outgrew the range in which a number times 0 is 0.
#[inline(always)]
fn faded<S: Simd>(simd: S, factor: S::Vector, root: S::Vector) -> S::Vector {
    let factor = simd.min(factor, simd.splat(S::Element::of(1e30)));
    simd.mul(factor, simd.exp2(simd.mul(root, simd.splat(S::Element::of(-std::f64::consts::LOG2_E)))))
}

/// 1/√(1 + a), with a at least 0 but for rounding.
#[derive(Clone, Copy)]
pub(in crate::kernel_mean) struct InverseMultiquadric;

impl Profile for InverseMultiquadric {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector {
        let one = simd.splat(S::Element::of(1.0));
        simd.div(one, simd.sqrt(simd.add(one, simd.max(argument, simd.splat(S::Element::ZERO)))))
    }
}

/// a^p for a whole p ≥ 1.
#[derive(Clone, Copy)]
pub(in crate::kernel_mean) struct Power(pub(in crate::kernel_mean) u32);

impl Profile for Power {
    #[inline(always)]
    fn value<S: Simd>(self, simd: S, argument: S::Vector) -> S::Vector {
        let mut power = simd.splat(S::Element::of(1.0));
        let (mut square, mut rest) = (argument, self.0);
        loop {
            if rest % 2 == 1 {
                power = simd.mul(power, square);
            }
            rest /= 2;
            if rest == 0 {
                return power;
            }
            square = simd.mul(square, square);
        }
    }
}

/// What the arguments of one panel's pairs are made of: slope · sum over the columns + offset of x + offset of y.
#[derive(Clone, Copy)]
pub(in crate::kernel_mean) struct Arguments<'a, E: Element> {
    pub(in crate::kernel_mean) slope: E,
    pub(in crate::kernel_mean) tiles: &'a [Tile<E>],
    pub(in crate::kernel_mean) x_offsets: &'a [[E; WIDTH]],
    pub(in crate::kernel_mean) y_offsets: &'a Vector<E>,
}

/// The work of adding pₓ k(x, y) to the sum of each row y, the rows x being those of all tiles.
pub(in crate::kernel_mean) struct SumRows<'a, E: Element, P> {
    pub(in crate::kernel_mean) profile: P,
    pub(in crate::kernel_mean) arguments: Arguments<'a, E>,
    pub(in crate::kernel_mean) x_weights: &'a [[E; WIDTH]],
    pub(in crate::kernel_mean) row_sums: &'a mut [f64],
}

impl<S: Simd, P: Profile> Work<S> for SumRows<'_, S::Element, P> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        let Arguments { slope, tiles, x_offsets, y_offsets } = self.arguments;
        let (slope, y_offset) = (simd.splat(slope), simd.load(&y_offsets.0));
        for ((tile, x_offsets), x_weights) in tiles.iter().zip(x_offsets).zip(self.x_weights) {
            let mut rows = simd.splat(S::Element::ZERO);
            for ((sums, &x_offset), &x_weight) in tile.iter().zip(x_offsets).zip(x_weights) {
                let offset = simd.add(simd.splat(x_offset), y_offset);
                let value = self.profile.value(simd, simd.mul_add(simd.load(sums), slope, offset));
                rows = simd.mul_add(value, simd.splat(x_weight), rows);
            }
            flush(simd, rows, self.row_sums);
        }
    }
}

/// The same, and pᵧ k(x, y) besides added to a vector of sums for each row x.
pub(in crate::kernel_mean) struct SumBoth<'a, E: Element, P> {
    pub(in crate::kernel_mean) rows: SumRows<'a, E, P>,
    pub(in crate::kernel_mean) y_weights: &'a Vector<E>,
    pub(in crate::kernel_mean) column_sums: &'a mut [Tile<E>],
}

impl<S: Simd, P: Profile> Work<S> for SumBoth<'_, S::Element, P> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        let SumRows { profile, arguments, x_weights, row_sums } = self.rows;
        let Arguments { slope, tiles, x_offsets, y_offsets } = arguments;
        let (slope, y_offset, y_weight) = (simd.splat(slope), simd.load(&y_offsets.0), simd.load(&self.y_weights.0));
        let tiles = tiles.iter().zip(x_offsets).zip(x_weights).zip(self.column_sums);
        for (((tile, x_offsets), x_weights), column_sums) in tiles {
            let mut rows = simd.splat(S::Element::ZERO);
            let pairs = tile.iter().zip(x_offsets).zip(x_weights).zip(column_sums);
            for (((sums, &x_offset), &x_weight), column_sum) in pairs {
                let offset = simd.add(simd.splat(x_offset), y_offset);
                let value = profile.value(simd, simd.mul_add(simd.load(sums), slope, offset));
                rows = simd.mul_add(value, simd.splat(x_weight), rows);
                *column_sum = simd.store(simd.mul_add(value, y_weight, simd.load(column_sum)));
            }
            flush(simd, rows, row_sums);
        }
    }
}

/// Adds a vector to sums in f64.
#[inline(always)]
fn flush<S: Simd>(simd: S, vector: S::Vector, sums: &mut [f64]) {
    let lanes = simd.store(vector);
    for (sum, value) in sums.iter_mut().zip(S::Element::lanes(&lanes)) {
        *sum += value.to_f64();
    }
}
