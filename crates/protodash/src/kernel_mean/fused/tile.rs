//! Sums over the columns of two groups of rows: a vector of rows y against twelve rows x, in registers.

use std::marker::PhantomData;

use super::formula::ColumnSum;
use super::pack::PackedVector;
use crate::simd::{Element, Simd, Work};

/// Rows x per tile.
pub(super) const WIDTH: usize = 12;

/// One value for each pair of a vector of rows y and [`WIDTH`] rows x.
pub(super) type Tile<E> = [<E as Element>::Lanes; WIDTH];

/// A sum over the columns of a pair of rows.
pub(super) trait Statistic {
    /// The sum with one more column.
    fn add<S: Simd>(simd: S, sum: S::Vector, x: S::Vector, y: S::Vector) -> S::Vector;
}

/// xᵀy.
pub(super) struct Product;

impl Statistic for Product {
    #[inline(always)]
    fn add<S: Simd>(simd: S, sum: S::Vector, x: S::Vector, y: S::Vector) -> S::Vector {
        simd.mul_add(x, y, sum)
    }
}

/// ‖x − y‖².
pub(super) struct SquaredDifferences;

impl Statistic for SquaredDifferences {
    #[inline(always)]
    fn add<S: Simd>(simd: S, sum: S::Vector, x: S::Vector, y: S::Vector) -> S::Vector {
        let difference = simd.sub(x, y);
        simd.mul_add(difference, difference, sum)
    }
}

/// Σ|xᵢ − yᵢ|.
pub(super) struct AbsoluteDifferences;

impl Statistic for AbsoluteDifferences {
    #[inline(always)]
    fn add<S: Simd>(simd: S, sum: S::Vector, x: S::Vector, y: S::Vector) -> S::Vector {
        simd.add(sum, simd.abs(simd.sub(x, y)))
    }
}

/// Sums over some columns: one panel of rows y against tiles of rows x.
pub(super) struct Accumulate<'a, E: Element, Q> {
    y: &'a [PackedVector<E>],
    x: &'a [[E; WIDTH]],
    tiles: &'a mut [Tile<E>],
    add_to_tiles: bool,
    statistic: PhantomData<Q>,
}

impl<'a, E: Element, Q> Accumulate<'a, E, Q> {
    /// `y` and `x` have one entry per column, `x` tile after tile. With `add_to_tiles` the sums are added to those of
    /// earlier columns.
    pub(super) fn new(
        y: &'a [PackedVector<E>],
        x: &'a [[E; WIDTH]],
        tiles: &'a mut [Tile<E>],
        add_to_tiles: bool,
    ) -> Self {
        debug_assert_eq!(x.len(), y.len() * tiles.len());
        Accumulate { y, x, tiles, add_to_tiles, statistic: PhantomData }
    }
}

impl ColumnSum {
    /// Sums over the columns of one panel of rows y and tiles of rows x; see [`Accumulate::new`].
    pub(super) fn accumulate<S: Simd>(
        self,
        simd: S,
        y: &[PackedVector<S::Element>],
        x: &[[S::Element; WIDTH]],
        tiles: &mut [Tile<S::Element>],
        add_to_tiles: bool,
    ) {
        match self {
            ColumnSum::Products => simd.run(Accumulate::<_, Product>::new(y, x, tiles, add_to_tiles)),
            ColumnSum::SquaredDifferences => {
                simd.run(Accumulate::<_, SquaredDifferences>::new(y, x, tiles, add_to_tiles))
            }
            ColumnSum::AbsoluteDifferences => {
                simd.run(Accumulate::<_, AbsoluteDifferences>::new(y, x, tiles, add_to_tiles))
            }
        }
    }
}

impl<S: Simd, Q: Statistic> Work<S> for Accumulate<'_, S::Element, Q> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        for (x, tile) in self.x.chunks_exact(self.y.len()).zip(self.tiles) {
            match S::N_SUMS {
                12 => in_groups::<S, Q, 12>(simd, self.y, x, tile, self.add_to_tiles),
                6 => in_groups::<S, Q, 6>(simd, self.y, x, tile, self.add_to_tiles),
                _ => in_groups::<S, Q, 2>(simd, self.y, x, tile, self.add_to_tiles),
            }
        }
    }
}

/// Sums a tile in groups of as many rows x as there are registers for sums.
#[inline(always)]
fn in_groups<S: Simd, Q: Statistic, const N_SUMS: usize>(
    simd: S,
    y: &[PackedVector<S::Element>],
    x: &[[S::Element; WIDTH]],
    tile: &mut Tile<S::Element>,
    add_to_tiles: bool,
) {
    let (groups, _) = tile.as_chunks_mut::<N_SUMS>();
    let per_sum = S::Element::TERMS_PER_SUM;
    let n_columns = per_sum.min(y.len());
    for (group, kept) in groups.iter_mut().enumerate() {
        for (part, (y, x)) in y.chunks(n_columns).zip(x.chunks(n_columns)).enumerate() {
            let adds = add_to_tiles || part > 0;
            let mut sums = [simd.splat(S::Element::ZERO); N_SUMS];
            if adds && per_sum == usize::MAX {
                for (sum, kept) in sums.iter_mut().zip(&*kept) {
                    *sum = simd.load(kept);
                }
            }
            for (y, x) in y.iter().zip(x) {
                let y = simd.load(&y.0);
                let x = &x.as_chunks::<N_SUMS>().0[group];
                for (sum, &x) in sums.iter_mut().zip(x) {
                    *sum = Q::add(simd, *sum, simd.splat(x), y);
                }
            }
            for (sum, kept) in sums.into_iter().zip(kept.iter_mut()) {
                let sum = if adds && per_sum != usize::MAX { simd.add(simd.load(kept), sum) } else { sum };
                *kept = simd.store(sum);
            }
        }
    }
}

/// Maximum number of roundings of a term of a sum over the columns, directly or as part of a partial sum.
///
/// In f32 this is the worst case, since the errors of rows with the same difference in every column do not cancel. f64
/// has digits to spare and its results count as exact; there errors are assumed to be independent.
pub(super) fn n_roundings<E: Element>(n_columns: usize) -> f64 {
    match E::TERMS_PER_SUM {
        usize::MAX => (n_columns as f64).sqrt(),
        per_sum => (n_columns.min(per_sum) + n_columns.div_ceil(per_sum)) as f64,
    }
}
