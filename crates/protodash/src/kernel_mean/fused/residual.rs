//! Sums of the residual kernel k(x, y) − ψ(x)ᵀψ(y): features are extra columns of the register tile.

use super::centre::CentreSplit;
use super::formula::{ColumnSum, PRODUCT_OF_FEATURES, PairFormula};
use super::pack::{PackedVector, RowGroup, pack_numbers};
use super::sum_values::{Arguments, flush};
use super::sums::{COLUMNS_PER_PART, MAX_WHOLE_COLUMNS, Pairs, ROWS_PER_BATCH, Scratch, WIDE_ROWS_PER_BATCH};
use super::tile::{Tile, WIDTH, n_roundings};
use super::{Fused, PACKED_BYTES};
use crate::kernel::{Curve, CurveVisitor};
use crate::kernel_mean::block::{Blocks, PairSums};
use crate::kernel_mean::racing::{DrawnRows, FEATURE_ERROR, PairError, RacedGroup, ResidualSums, SegmentSums};
use crate::rows::Scalar;
use crate::simd::{Element, Simd, Work};

/// Maximum number of source rows per task.
const ROWS_PER_TASK: usize = 480;

impl<T: Scalar, S: Simd> ResidualSums for Fused<'_, T, S> {
    fn rows_per_task(&self, n_features: usize) -> usize {
        let fitting = PACKED_BYTES / 16 / ((self.source.n_columns() + n_features) * size_of::<S::Element>());
        (fitting / S::Element::N_LANES * S::Element::N_LANES).clamp(4 * S::Element::N_LANES, ROWS_PER_TASK)
    }

    fn pair_error(&self, n_features: usize) -> PairError {
        let of_kernel = self.error();
        let of_products = (n_roundings::<S::Element>(n_features) + 4.0) * S::Element::ROUNDOFF + FEATURE_ERROR;
        match self.kernel.direct.sum {
            // Kernels of a distance have values from 0 to 1.
            ColumnSum::SquaredDifferences | ColumnSum::AbsoluteDifferences => {
                PairError { absolute: of_kernel.absolute, relative: of_kernel.relative, product: of_products }
            }
            ColumnSum::Products => PairError { absolute: 0.0, relative: 0.0, product: of_products + 1e-12 },
        }
    }

    fn add_residuals(&self, draws: DrawnRows<'_>, group: RacedGroup<'_>, sums: &mut [SegmentSums]) {
        let x_parts = split(self.split.as_ref().map(|split| (split, split.target_norms())), draws.rows);
        let y_parts = split(self.split.as_ref().map(|split| (split, split.source_norms())), group.rows);
        let pairs = |x_is_central: bool, y_is_central: bool| {
            if x_is_central && y_is_central { self.expanded() } else { self.direct() }
        };
        self.with_scratch(|data| {
            self.with_scratch(|features| {
                for (x, x_is_central) in x_parts.iter().zip([true, false]) {
                    for (y, y_is_central) in y_parts.iter().zip([true, false]) {
                        let residuals = Residuals { fused: self, pairs: pairs(x_is_central, y_is_central) };
                        residuals.add((data, features), (draws, x), (group, y), sums);
                    }
                }
            });
        });
    }
}

/// Positions of rows within reach of the centre, and those of the others.
fn split<E: Element>(split: Option<(&CentreSplit<E>, &[E])>, rows: &[usize]) -> [Vec<usize>; 2] {
    match split {
        Some((split, norms)) => split.split_positions(rows, norms),
        None => [Vec::new(), (0..rows.len()).collect()],
    }
}

/// The residual loop of one formula.
struct Residuals<'a, 'b, T, S: Simd> {
    fused: &'b Fused<'a, T, S>,
    pairs: Pairs<'b, S>,
}

/// The factors of each draw of a batch, in the layout of its packed rows.
#[derive(Debug)]
struct DrawWeights<E> {
    inverse_sizes: Vec<[E; WIDTH]>,
    rates: Vec<[E; WIDTH]>,
    early_rates: Vec<[E; WIDTH]>,
}

impl<T: Scalar, S: Simd> Residuals<'_, '_, T, S> {
    /// Adds the sums over the draws at positions `x` to those of the rows at positions `y`.
    fn add(
        &self,
        (data, features): (&mut Scratch<S::Element>, &mut Scratch<S::Element>),
        (draws, x): (DrawnRows<'_>, &[usize]),
        (group, y): (RacedGroup<'_>, &[usize]),
        sums: &mut [SegmentSums],
    ) {
        if x.is_empty() || y.is_empty() {
            return;
        }
        let Residuals { fused, pairs } = self;
        let simd = pairs.simd;
        let along_features = Pairs { formula: PRODUCT_OF_FEATURES, rescaling: fused.direct().rescaling, ..*pairs };
        let y_rows: Vec<usize> = y.iter().map(|position| group.rows[*position]).collect();
        let y_data = fused.source_group(&y_rows);
        let y_features = RowGroup { rows: group.features, indices: &y_rows, weights: None, norms: None };
        let n_columns = fused.source.n_columns();
        let parts = Blocks {
            n_rows: n_columns,
            size: if n_columns <= MAX_WHOLE_COLUMNS { n_columns } else { COLUMNS_PER_PART },
        };
        data.start_rows(y_data, pairs.formula.y_offset);
        let mut inverse_roots: Vec<PackedVector<S::Element>> = Vec::new();
        pack_numbers(y, &mut inverse_roots, |position| S::Element::of(f64::from(group.inverse_roots[position])));
        features.y.pack(simd, y_features, 0..group.features.n_columns(), along_features.rescaling);
        let n_padded = inverse_roots.len() * S::Element::N_LANES;
        let mut totals = vec![0.0; 6 * n_padded];
        for (batch, positions) in
            x.chunks(if parts.len() == 1 { ROWS_PER_BATCH } else { WIDE_ROWS_PER_BATCH }).enumerate()
        {
            let x_rows: Vec<usize> = positions.iter().map(|position| draws.rows[*position]).collect();
            let feature_rows: Vec<usize> = positions.iter().map(|position| draws.feature_rows[*position]).collect();
            let x_data = fused.target_group(&x_rows);
            let x_features = RowGroup { rows: draws.features, indices: &feature_rows, weights: None, norms: None };
            data.start_batch(x_data, pairs.formula.x_offset, false);
            features.x.pack(simd, x_features, 0..group.features.n_columns(), along_features.rescaling);
            let weights = DrawWeights::of(draws, positions);
            for part in 0..parts.len() {
                data.x.pack(simd, x_data, parts.get(part), pairs.rescaling);
                if batch == 0 || parts.len() > 1 {
                    data.y.pack(simd, y_data, parts.get(part), pairs.rescaling);
                }
                let n_panels = data.y.len();
                for (panel, inverse_roots) in inverse_roots.iter().enumerate().take(n_panels) {
                    let slot = if parts.len() == 1 { 0 } else { panel };
                    pairs.accumulate(data, (panel, slot), part > 0, |_, _| {});
                    if part + 1 == parts.len() {
                        along_features.accumulate(features, (panel, 0), false, |_, _| {});
                        pairs.formula.curve.visit(SumPanelPowers {
                            simd,
                            formula: pairs.formula,
                            data: (data, panel, slot),
                            products: &features.tiles[..data.x.len()],
                            weights: &weights,
                            inverse_roots,
                            totals: &mut totals,
                            n_padded,
                        });
                    }
                }
            }
        }
        for (at, position) in y.iter().enumerate() {
            for (power, sum) in sums[*position].iter_mut().enumerate() {
                *sum += totals[power * n_padded + at];
            }
        }
    }
}

impl<E: Element> DrawWeights<E> {
    fn of(draws: DrawnRows<'_>, positions: &[usize]) -> Self {
        let arranged = |values: &[f32]| {
            // The padding of the last tile has u = 0.
            let mut arranged = Vec::new();
            pack_numbers(positions, &mut arranged, |position| E::of(f64::from(values[position])));
            arranged
        };
        DrawWeights {
            inverse_sizes: arranged(draws.inverse_sizes),
            rates: arranged(draws.rates),
            early_rates: arranged(draws.early_rates),
        }
    }
}

/// Adds the sums of one panel, with the kernel's curve.
struct SumPanelPowers<'a, S: Simd> {
    simd: S,
    formula: PairFormula,
    /// Scratch, the panel, and the slot of its sums over the columns.
    data: (&'a Scratch<S::Element>, usize, usize),
    products: &'a [Tile<S::Element>],
    weights: &'a DrawWeights<S::Element>,
    inverse_roots: &'a PackedVector<S::Element>,
    totals: &'a mut [f64],
    n_padded: usize,
}

impl<S: Simd> CurveVisitor for SumPanelPowers<'_, S> {
    fn visit<C: Curve>(self, curve: C) {
        let (data, panel, slot) = self.data;
        let n_tiles = data.x.len();
        let arguments = Arguments {
            slope: S::Element::of(self.formula.slope),
            tiles: &data.tiles[slot * n_tiles..][..n_tiles],
            x_offsets: &data.x_offsets,
            y_offsets: &data.y_offsets[panel],
        };
        let first = panel * S::Element::N_LANES;
        self.simd.run(SumPowers {
            curve,
            arguments,
            products: self.products,
            weights: self.weights,
            inverse_roots: self.inverse_roots,
            totals: self.totals,
            n_padded: self.n_padded,
            first,
        });
    }
}

/// Adds the powers of u and its products with the draws' rates.
struct SumPowers<'a, E: Element, C> {
    curve: C,
    arguments: Arguments<'a, E>,
    products: &'a [Tile<E>],
    weights: &'a DrawWeights<E>,
    inverse_roots: &'a PackedVector<E>,
    totals: &'a mut [f64],
    n_padded: usize,
    first: usize,
}

impl<S: Simd, C: Curve> Work<S> for SumPowers<'_, S::Element, C> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        let Arguments { slope, tiles, x_offsets, y_offsets } = self.arguments;
        let (slope, y_offset) = (simd.splat(slope), simd.load(&y_offsets.0));
        let inverse_root = simd.load(&self.inverse_roots.0);
        let DrawWeights { inverse_sizes, rates, early_rates } = self.weights;
        let of_draws = inverse_sizes.iter().zip(rates).zip(early_rates);
        for (((tile, products), x_offsets), of_draws) in tiles.iter().zip(self.products).zip(x_offsets).zip(of_draws) {
            let ((inverse_sizes, rates), early_rates) = of_draws;
            let mut sums = [simd.splat(S::Element::ZERO); 6];
            let pairs = tile.iter().zip(products).zip(x_offsets).zip(inverse_sizes).zip(rates.iter().zip(early_rates));
            for ((((sum, product), &x_offset), &inverse_size), (&rate, &early_rate)) in pairs {
                let offset = simd.add(simd.splat(x_offset), y_offset);
                let value = self.curve.value(simd, simd.mul_add(simd.load(sum), slope, offset));
                let residual = simd.sub(value, simd.load(product));
                let u = simd.mul(simd.mul(residual, simd.splat(inverse_size)), inverse_root);
                let square = simd.mul(u, u);
                sums[0] = simd.add(sums[0], u);
                sums[1] = simd.add(sums[1], square);
                sums[2] = simd.mul_add(square, u, sums[2]);
                sums[3] = simd.mul_add(square, square, sums[3]);
                sums[4] = simd.mul_add(u, simd.splat(rate), sums[4]);
                sums[5] = simd.mul_add(u, simd.splat(early_rate), sums[5]);
            }
            for (power, sum) in sums.into_iter().enumerate() {
                flush(simd, sum, &mut self.totals[power * self.n_padded + self.first..][..S::Element::N_LANES]);
            }
        }
    }
}
