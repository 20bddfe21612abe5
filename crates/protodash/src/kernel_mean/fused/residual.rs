//! Sums of the residual kernel k(x, y) − ψ(x)ᵀψ(y): the features are a few more columns of the register tile.

use std::ops::Range;

use super::centre::CentreSplit;
use super::formula::{ColumnSum, PRODUCT_OF_FEATURES, PairFormula};
use super::pack::{PackedPanels, PackedVector, Rescaling, RowGroup, pack_numbers};
use super::sum_values::{CurveArguments, flush};
use super::sums::{COLUMNS_PER_PART, MAX_WHOLE_COLUMNS, Pairs, ROWS_PER_BATCH, Scratch, WIDE_ROWS_PER_BATCH};
use super::tile::{Tile, WIDTH, n_roundings};
use super::{Fused, PACKED_BYTES};
use crate::kernel::{Curve, CurveVisitor};
use crate::kernel_mean::block::{Blocks, PairSums};
use crate::kernel_mean::racing::{DrawnRows, FEATURE_ERROR, PairError, RacedGroup, ResidualSums, SegmentSums};
use crate::parallel;
use crate::rows::{Rows, Scalar};
use crate::simd::{Element, Simd, Work};

/// Source rows of a task, at most.
const ROWS_PER_TASK: usize = 480;
/// Features are packed as they are.
const AS_THEY_ARE: Rescaling<'_> = Rescaling { centre: None, scale: 1.0 };

/// Some draws of a level, packed once for all tasks.
pub(super) struct PackedDraws<E: Element> {
    /// Target rows.
    rows: Vec<usize>,
    /// Whether they are within reach of the centre.
    are_central: bool,
    /// The rows as the formula of two rows like them needs them; `None` if they are too wide to be packed at once.
    data: Option<PackedPanels<[E; WIDTH]>>,
    features: PackedPanels<[E; WIDTH]>,
    weights: DrawWeights<E>,
}

impl<T: Scalar, S: Simd> ResidualSums for Fused<'_, T, S> {
    fn rows_per_task(&self, n_features: usize) -> usize {
        let fitting = PACKED_BYTES / 16 / ((self.source.n_columns() + n_features) * size_of::<S::Element>());
        (fitting / S::Element::N_LANES * S::Element::N_LANES).clamp(4 * S::Element::N_LANES, ROWS_PER_TASK)
    }

    fn bytes_per_draw(&self, n_features: usize) -> usize {
        let n_columns = if self.parts().len() == 1 { self.source.n_columns() } else { 0 };
        (n_columns + n_features + 3) * size_of::<S::Element>() + size_of::<usize>()
    }

    fn pair_error(&self, n_features: usize) -> PairError {
        let of_kernel = self.error();
        let of_products = (n_roundings::<S::Element>(n_features) + 4.0) * S::Element::ROUNDOFF + FEATURE_ERROR;
        match self.kernel.direct.sum {
            // Curves of a distance have values from 0 to 1.
            ColumnSum::SquaredDifferences | ColumnSum::AbsoluteDifferences => {
                PairError { absolute: of_kernel.absolute, relative: of_kernel.relative, product: of_products }
            }
            ColumnSum::Products => PairError { absolute: 0.0, relative: 0.0, product: of_products + 1e-12 },
        }
    }

    fn load(&self, level: usize, draws: DrawnRows<'_>) {
        if self.drawn.has(level) {
            return;
        }
        let parts = split(self.split.as_ref().map(|split| (split, split.target_norms())), draws.rows);
        let rows_per_batch = if self.parts().len() == 1 { ROWS_PER_BATCH } else { WIDE_ROWS_PER_BATCH };
        let batches = parts.iter().zip([true, false]);
        let batches: Vec<(&[usize], bool)> = batches
            .flat_map(|(places, central)| places.chunks(rows_per_batch).map(move |places| (places, central)))
            .collect();
        let packed = parallel::map(0..batches.len(), |batch| {
            let (places, central) = batches[batch];
            self.packed(draws, places, central)
        });
        self.drawn.put(level, packed);
    }

    fn n_batches(&self, level: usize) -> usize {
        self.drawn.get(level).len()
    }

    fn add_residuals(&self, level: usize, batches: Range<usize>, group: RacedGroup<'_>, sums: &mut [SegmentSums]) {
        let draws = self.drawn.get(level);
        let y_parts = split(self.split.as_ref().map(|split| (split, split.source_norms())), group.rows);
        self.with_scratch(|data| {
            self.with_scratch(|features| {
                for (y, y_are_central) in y_parts.iter().zip([true, false]) {
                    // Batches in which rows of both kinds meet the other kind take the direct formula.
                    for draws in draws[batches.clone()].chunk_by(|a, b| a.are_central == b.are_central) {
                        let both = y_are_central && draws[0].are_central;
                        let pairs = if both { self.expanded() } else { self.direct() };
                        let residuals = Residuals { fused: self, pairs };
                        residuals.add((data, features), draws, (group, y), sums);
                    }
                }
            });
        });
    }
}

impl<T: Scalar, S: Simd> Fused<'_, T, S> {
    /// The columns that are packed at a time.
    fn parts(&self) -> Blocks {
        let n_columns = self.source.n_columns();
        Blocks { n_rows: n_columns, size: if n_columns <= MAX_WHOLE_COLUMNS { n_columns } else { COLUMNS_PER_PART } }
    }

    /// The draws at some places.
    fn packed(&self, draws: DrawnRows<'_>, places: &[usize], are_central: bool) -> PackedDraws<S::Element> {
        let rows: Vec<usize> = places.iter().map(|place| draws.rows[*place]).collect();
        let pairs = if are_central { self.expanded() } else { self.direct() };
        let data = (self.parts().len() == 1).then(|| {
            let mut panels = PackedPanels::new();
            panels.pack(self.simd, self.target_group(&rows), self.parts().get(0), pairs.rescaling);
            panels
        });
        let mut features = PackedPanels::new();
        features.pack(self.simd, feature_group(draws.features, places), 0..draws.features.n_columns(), AS_THEY_ARE);
        PackedDraws { rows, are_central, data, features, weights: DrawWeights::of(draws, places) }
    }
}

/// Places of rows within reach of the centre, and of the others.
fn split<E: Element>(split: Option<(&CentreSplit<E>, &[E])>, rows: &[usize]) -> [Vec<usize>; 2] {
    match split {
        Some((split, norms)) => split.split_positions(rows, norms),
        None => [Vec::new(), (0..rows.len()).collect()],
    }
}

fn feature_group<'a, E>(features: Rows<'a, f32>, indices: &'a [usize]) -> RowGroup<'a, f32, E> {
    RowGroup { rows: features, indices, weights: None, norms: None }
}

/// The residual loop of one formula.
struct Residuals<'a, 'b, T, S: Simd> {
    fused: &'b Fused<'a, T, S>,
    pairs: Pairs<'b, S>,
}

/// The numbers of each draw of a batch, arranged as its rows are packed.
#[derive(Debug)]
struct DrawWeights<E> {
    inverse_sizes: Vec<[E; WIDTH]>,
    rates: Vec<[E; WIDTH]>,
    early_rates: Vec<[E; WIDTH]>,
}

impl<T: Scalar, S: Simd> Residuals<'_, '_, T, S> {
    /// Adds the sums over the draws to those of the rows at places `y`.
    fn add(
        &self,
        (data, features): (&mut Scratch<S::Element>, &mut Scratch<S::Element>),
        draws: &[PackedDraws<S::Element>],
        (group, y): (RacedGroup<'_>, &[usize]),
        sums: &mut [SegmentSums],
    ) {
        if y.is_empty() {
            return;
        }
        let Residuals { fused, pairs } = self;
        let simd = pairs.simd;
        let along_features = Pairs { formula: PRODUCT_OF_FEATURES, rescaling: AS_THEY_ARE, ..*pairs };
        let y_rows: Vec<usize> = y.iter().map(|place| group.rows[*place]).collect();
        let y_feature_rows: Vec<usize> = y.iter().map(|place| group.feature_rows[*place]).collect();
        let y_data = fused.source_group(&y_rows);
        let parts = fused.parts();
        data.start_rows(y_data, pairs.formula.y_offset);
        let mut inverse_roots: Vec<PackedVector<S::Element>> = Vec::new();
        pack_numbers(y, &mut inverse_roots, |place| S::Element::of(f64::from(group.inverse_roots[place])));
        let n_features = group.features.n_columns();
        features.y.pack(simd, feature_group(group.features, &y_feature_rows), 0..n_features, AS_THEY_ARE);
        let n_padded = inverse_roots.len() * S::Element::N_LANES;
        let mut totals = vec![0.0; 6 * n_padded];
        for (at, batch) in draws.iter().enumerate() {
            let x_data = fused.target_group(&batch.rows);
            data.start_batch(x_data, pairs.formula.x_offset, false);
            // Rows near the centre are packed for the expanded formula.
            let ready = batch.data.as_ref().filter(|_| batch.are_central == (pairs.formula != fused.kernel.direct));
            for part in 0..parts.len() {
                if ready.is_none() {
                    data.x.pack(simd, x_data, parts.get(part), pairs.rescaling);
                }
                if at == 0 || parts.len() > 1 {
                    data.y.pack(simd, y_data, parts.get(part), pairs.rescaling);
                }
                let n_panels = data.y.len();
                for (panel, inverse_roots) in inverse_roots.iter().enumerate().take(n_panels) {
                    let kept = if parts.len() == 1 { 0 } else { panel };
                    let Scratch { x, y, tiles, .. } = &mut *data;
                    let x = ready.unwrap_or(x);
                    pairs.accumulate_panel((x, y.panel(panel)), (tiles, kept), part > 0, |_, _| {});
                    if part + 1 == parts.len() {
                        let Scratch { y, tiles, .. } = &mut *features;
                        along_features.accumulate_panel(
                            (&batch.features, y.panel(panel)),
                            (tiles, 0),
                            false,
                            |_, _| {},
                        );
                        pairs.formula.curve.visit(SumPanelPowers {
                            simd,
                            formula: pairs.formula,
                            data: (data, panel, kept),
                            products: &features.tiles[..batch.features.len()],
                            weights: &batch.weights,
                            inverse_roots,
                            totals: &mut totals,
                            n_padded,
                        });
                    }
                }
            }
        }
        for (at, place) in y.iter().enumerate() {
            for (power, sum) in sums[*place].iter_mut().enumerate() {
                *sum += totals[power * n_padded + at];
            }
        }
    }
}

impl<E: Element> DrawWeights<E> {
    fn of(draws: DrawnRows<'_>, places: &[usize]) -> Self {
        let arranged = |values: &[f32]| {
            // The padding of the last tile has u = 0.
            let mut arranged = Vec::new();
            pack_numbers(places, &mut arranged, |place| E::of(f64::from(values[place])));
            arranged
        };
        DrawWeights {
            inverse_sizes: arranged(draws.inverse_sizes),
            rates: arranged(draws.rates),
            early_rates: arranged(draws.early_rates),
        }
    }
}

/// The sums of one panel, for the curve of the kernel.
struct SumPanelPowers<'a, S: Simd> {
    simd: S,
    formula: PairFormula,
    /// Scratch, the panel, and where its sums over the columns are.
    data: (&'a Scratch<S::Element>, usize, usize),
    products: &'a [Tile<S::Element>],
    weights: &'a DrawWeights<S::Element>,
    inverse_roots: &'a PackedVector<S::Element>,
    totals: &'a mut [f64],
    n_padded: usize,
}

impl<S: Simd> CurveVisitor for SumPanelPowers<'_, S> {
    fn visit<C: Curve>(self, curve: C) {
        let (data, panel, kept) = self.data;
        let n_tiles = self.products.len();
        let arguments = CurveArguments {
            slope: S::Element::of(self.formula.slope),
            tiles: &data.tiles[kept * n_tiles..][..n_tiles],
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
    arguments: CurveArguments<'a, E>,
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
        let CurveArguments { slope, tiles, x_offsets, y_offsets } = self.arguments;
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
