//! Sums of the kernel values of sparse rows.
//!
//! Pairs are computed for a panel of rows y at a time: the columns that one of them stores get consecutive places, each with
//! the values of all rows of the panel. A row x then takes one lookup for each of its values, for all of the panel.

use std::ops::Range;

use super::Target;
use super::block::{BlockSizes, Blocks, ErrorBound, PairSums};
use super::fused::{FusedKernel, PairFormula};
use crate::error::Result;
use crate::kernel::{BuiltInKernel, CANCELLED, Curve, CurveVisitor, SparseKernel, SparseRows, number};
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::rows::{Rows, Scalar};
use crate::simd::{AlignedLanes, InstructionSet, Simd, Visitor, Work, widened};

/// Rows of a panel: two vectors of sums, whose additions overlap.
const PANEL: usize = 16;
/// Lanes of a vector of f64.
const LANES: usize = 8;
/// Rows read between two calls of the observer where no pairs are needed.
const ROWS_PER_ROUND: usize = 1 << 18;

/// Whether the mean of a kernel of sparse rows needs no pairs.
pub(super) fn needs_no_pairs(kernel: &SparseKernel) -> bool {
    matches!(kernel.formula(), BuiltInKernel::Linear(_) | BuiltInKernel::Cosine(_))
}

/// Σᵢ pᵢ k(xᵢ, yⱼ) for each source row, as (Σᵢ pᵢ xᵢ)ᵀ yⱼ, with rows of length 1 for the cosine; p is 1 where there are no
/// weights. `None` if the kernel needs pairs.
///
/// Costs one pass over the stored values of target and source.
pub(super) fn sums_without_pairs<T: Scalar>(
    kernel: &SparseKernel,
    target: Target<'_, T>,
    source: Rows<'_, T>,
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<Option<Vec<f64>>> {
    if !needs_no_pairs(kernel) {
        return Ok(None);
    }
    let rows = kernel.rows();
    let factor = |row: usize| match kernel.formula() {
        BuiltInKernel::Cosine(_) => Some(rows.length(row)).filter(|length| *length > 0.0).map_or(0.0, f64::recip),
        _ => 1.0,
    };
    let mut total = vec![0.0; rows.n_columns()];
    for (at, row) in target.rows.iter().map(number).enumerate() {
        if at % ROWS_PER_ROUND == 0 {
            check_cancelled(observer.on_progress(stage, 0, 2))?;
        }
        let factor = factor(row) * target.weights.map_or(1.0, |weights| weights[at]);
        let stored = rows.row(row);
        stored.columns.iter().zip(stored.values).for_each(|(column, value)| total[*column as usize] += factor * value);
    }
    let mut sums = Vec::with_capacity(source.n_rows());
    let rounds = Blocks { n_rows: source.n_rows(), size: ROWS_PER_ROUND };
    for round in 0..rounds.len() {
        check_cancelled(observer.on_progress(stage, 1, 2))?;
        sums.append(&mut parallel::map(rounds.get(round), |at| {
            let row = number(source.row(at));
            rows.row(row).product_with_dense(&total) * factor(row)
        }));
    }
    check_cancelled(observer.on_progress(stage, 2, 2))?;
    Ok(Some(sums))
}

/// Sums over all pairs, for kernels of the Euclidean distance.
pub(super) struct SparsePairs<'a, T> {
    rows: &'a SparseRows,
    formula: PairFormula,
    target: Target<'a, T>,
    source: Rows<'a, T>,
}

impl<'a, T: Scalar> SparsePairs<'a, T> {
    /// `None` for other kernels.
    pub(super) fn new(kernel: &'a SparseKernel, target: Target<'a, T>, source: Rows<'a, T>) -> Option<Self> {
        let formula = kernel.formula().loop_formula().filter(|_| !needs_no_pairs(kernel)).and_then(FusedKernel::of)?;
        Some(SparsePairs { rows: kernel.rows(), formula: formula.direct, target, source })
    }

    fn weight(&self, row: usize) -> f64 {
        self.target.weights.map_or(1.0, |weights| weights[row])
    }

    /// Calls `visit` with each row of `firsts`, the panel of rows that it is compared with, and their kernel values.
    fn for_each_panel(
        &self,
        seconds: Rows<'_, T>,
        firsts: impl Fn(Range<usize>) -> Range<usize>,
        mut visit: impl FnMut(usize, Range<usize>, &[f64; PANEL]),
    ) {
        let mut panel = RowPanel::new(self.rows);
        let mut values = Vec::new();
        for start in (0..seconds.n_rows()).step_by(PANEL) {
            let members = start..seconds.n_rows().min(start + PANEL);
            panel.fill(seconds.slice(members.clone()).iter().map(number));
            let firsts = firsts(members.clone());
            let rows = self.target.rows.slice(firsts.clone());
            values.resize(firsts.len(), [0.0; PANEL]);
            widened(
                #[inline(always)]
                || rows.iter().zip(&mut values).for_each(|(x, values)| *values = panel.squared_distances(number(x))),
            );
            InstructionSet::best().visit_f64(CurveOfPairs { formula: self.formula, values: &mut values });
            firsts.zip(&values).for_each(|(first, values)| visit(first, members.clone(), values));
        }
    }
}

impl<T: Scalar> PairSums for SparsePairs<'_, T> {
    fn block_sizes(&self) -> BlockSizes {
        // The rows are row numbers, of one column.
        BlockSizes { block: 512, segment: 2048, work_per_round: 5_000_000 }
    }

    fn error(&self) -> ErrorBound {
        ErrorBound::default()
    }

    fn add_cross(&self, segment: Range<usize>, block: Range<usize>, sums: &mut [f64]) {
        self.for_each_panel(
            self.source.slice(block),
            |_| segment.clone(),
            |first, members, values| {
                let weight = self.weight(first);
                sums[members].iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
            },
        );
    }

    fn add_mirrored(&self, (first, first_sums): (Range<usize>, &mut [f64]), second: (Range<usize>, &mut [f64])) {
        let (block, sums) = second;
        let rows = self.target.rows.slice(block.clone());
        self.for_each_panel(
            rows,
            |_| first.clone(),
            |row, members, values| {
                let weight = self.weight(row);
                let mut mirrored = 0.0;
                for (member, value) in members.zip(values) {
                    sums[member] += weight * value;
                    mirrored += self.weight(block.start + member) * value;
                }
                first_sums[row - first.start] += mirrored;
            },
        );
    }

    fn add_diagonal(&self, block: Range<usize>, sums: &mut [f64]) {
        let rows = self.target.rows.slice(block.clone());
        let firsts = |members: Range<usize>| block.start..block.start + members.end;
        self.for_each_panel(rows, firsts, |row, members, values| {
            let (first, weight) = (row - block.start, self.weight(row));
            for (member, value) in members.zip(values).filter(|(member, _)| first <= *member) {
                sums[member] += weight * value;
                if first < member {
                    sums[first] += self.weight(block.start + member) * value;
                }
            }
        });
    }
}

/// The values of some rows y, column by column.
struct RowPanel<'a> {
    rows: &'a SparseRows,
    members: Vec<usize>,
    /// ‖y‖².
    squares: [f64; PANEL],
    /// For each column, its place among those that a row of the panel stores; 0 if none does.
    places: Vec<u32>,
    /// The columns of the places from 1 on.
    columns: Vec<u32>,
    /// The values of all rows at each place; those of place 0 are 0.
    values: Vec<AlignedLanes<[f64; PANEL]>>,
}

impl<'a> RowPanel<'a> {
    fn new(rows: &'a SparseRows) -> Self {
        let places = vec![0; rows.n_columns()];
        RowPanel { rows, members: Vec::new(), squares: [0.0; PANEL], places, columns: Vec::new(), values: Vec::new() }
    }

    fn fill(&mut self, members: impl Iterator<Item = usize>) {
        self.columns.iter().for_each(|column| self.places[*column as usize] = 0);
        self.columns.clear();
        self.values.clear();
        self.values.push(AlignedLanes([0.0; PANEL]));
        self.members.clear();
        self.members.extend(members);
        self.squares = [0.0; PANEL];
        for (lane, &member) in self.members.iter().enumerate() {
            self.squares[lane] = self.rows.square(member);
            let row = self.rows.row(member);
            for (&column, &value) in row.columns.iter().zip(row.values) {
                let place = &mut self.places[column as usize];
                if *place == 0 {
                    *place = self.values.len() as u32;
                    self.columns.push(column);
                    self.values.push(AlignedLanes([0.0; PANEL]));
                }
                self.values[*place as usize].0[lane] = value;
            }
        }
    }

    /// ‖x − y‖² for each y, the same to the last bit as [`SparseRows::squared_distance`].
    #[inline(always)]
    fn squared_distances(&self, x: usize) -> [f64; PANEL] {
        let row = self.rows.row(x);
        let mut products = [0.0; PANEL];
        for (column, value) in row.columns.iter().zip(row.values) {
            let of_panel = &self.values[self.places[*column as usize] as usize].0;
            for lane in 0..PANEL {
                products[lane] += value * of_panel[lane];
            }
        }
        let square = self.rows.square(x);
        let (mut squared, mut is_cancelled) = ([0.0; PANEL], false);
        for lane in 0..PANEL {
            let squares = square + self.squares[lane];
            squared[lane] = squares - 2.0 * products[lane];
            is_cancelled |= squared[lane] < CANCELLED * squares || squared[lane].is_nan();
        }
        if is_cancelled {
            for ((squared, product), y) in squared.iter_mut().zip(products).zip(&self.members) {
                *squared = self.rows.squared_distance(product, x, *y);
            }
        }
        squared
    }
}

/// Replaces squared distances by kernel values.
struct CurveOfPairs<'a> {
    formula: PairFormula,
    values: &'a mut [[f64; PANEL]],
}

impl Visitor<f64> for CurveOfPairs<'_> {
    type Output = ();

    fn visit<S: Simd<Element = f64>>(self, simd: S) {
        simd.run(self);
    }
}

impl<S: Simd<Element = f64>> Work<S> for CurveOfPairs<'_> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        let CurveOfPairs { formula, values } = self;
        formula.curve.visit(CurveOfVectors { simd, slope: formula.slope, values });
    }
}

struct CurveOfVectors<'a, S> {
    simd: S,
    slope: f64,
    values: &'a mut [[f64; PANEL]],
}

impl<S: Simd<Element = f64>> CurveVisitor for CurveOfVectors<'_, S> {
    #[inline(always)]
    fn visit<C: Curve>(self, curve: C) {
        let CurveOfVectors { simd, slope, values } = self;
        let slope = simd.splat(slope);
        for values in values.as_flattened_mut().chunks_exact_mut(LANES) {
            let argument = simd.mul(simd.load_slice(values), slope);
            values.copy_from_slice(&simd.store(curve.value(simd, argument)).0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, KernelSpec, ParameterValue, SparseMatrix};

    /// Rows of 1 to 7 values in 23 columns; every fifth is nearly the one before it, and every eleventh has no value.
    fn matrix(n_rows: usize, seed: usize) -> SparseMatrix {
        let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in 0..n_rows {
            let (like, moved) = if row % 5 == 4 { (row - 1, 1e-7) } else { (row, 0.0) };
            for place in 0..if row % 11 == 10 { 0 } else { 1 + like % 7 } {
                columns.push(((like * 7 + place * place * 3 + seed) % 23) as u32);
                values.push(((like * 31 + place * 17 + seed) as f64 * 0.37).sin() + 1.1 + moved);
            }
            starts.push(values.len());
        }
        SparseMatrix::new(23, starts, columns, values).unwrap()
    }

    #[test]
    fn sums_over_all_pairs_are_those_of_evaluated_pairs() {
        for name in ["gaussian", "matern32", "matern52", "inverse-multiquadric"] {
            let spec = KernelSpec::new(name).unwrap().with_parameter("bandwidth", ParameterValue::Number(0.8)).unwrap();
            let kernel = SparseKernel::new(matrix(83, 0), Some(matrix(61, 5)), &spec, 0).unwrap();
            let values = |numbers: &ndarray::ArrayRef2<f64>| numbers.iter().copied().collect::<Vec<f64>>();
            let (source, target) = (values(kernel.source_rows()), values(kernel.target_rows()));
            let (source, target) = (Rows::new(&source, 1), Rows::new(&target, 1));
            let weights: Vec<f64> = (0..61).map(|row| f64::from(row % 4)).collect();
            for weights in [None, Some(&weights[..])] {
                let target = Target { rows: target, weights };
                let pairs = SparsePairs::new(&kernel, target, source).unwrap();
                let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
                let sum = |range: Range<usize>, y: &[f64]| -> f64 {
                    range.map(|i| weight(i) * kernel.evaluate(target.rows.row(i), y)).sum()
                };
                let mut cross = vec![0.0; 40];
                pairs.add_cross(3..58, 2..42, &mut cross);
                for (place, found) in cross.iter().enumerate() {
                    let expected = sum(3..58, source.row(2 + place));
                    assert!((found - expected).abs() <= 1e-13 * expected, "{name}: {found} {expected}");
                }
                let (mut first, mut second, mut own) = (vec![0.0; 20], vec![0.0; 33], vec![0.0; 33]);
                pairs.add_mirrored((1..21, &mut first), (25..58, &mut second));
                pairs.add_diagonal(25..58, &mut own);
                let of = |start: usize, others: &Range<usize>| {
                    let others = others.clone();
                    move |place: usize| sum(others.clone(), target.rows.row(start + place))
                };
                let checks = [(&first, 1, 25..58), (&second, 25, 1..21), (&own, 25, 25..58)];
                for (found, start, others) in &checks {
                    let expected = (0..found.len()).map(of(*start, others));
                    for (found, expected) in found.iter().zip(expected) {
                        assert!((found - expected).abs() <= 1e-13 * expected, "{name}: {found} {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_panel_has_the_distances_of_single_pairs_to_the_last_bit() {
        let kernel = SparseKernel::new(matrix(60, 1), None, &KernelSpec::new("gaussian").unwrap(), 0).unwrap();
        let rows = kernel.rows();
        let mut panel = RowPanel::new(rows);
        for members in [0..16, 16..32, 50..57] {
            panel.fill(members.clone());
            for x in 0..60 {
                let found = panel.squared_distances(x);
                for (y, found) in members.clone().zip(found) {
                    let expected = rows.squared_distance(rows.row(x).product(rows.row(y)), x, y);
                    assert_eq!(found.to_bits(), expected.to_bits(), "{x} {y}");
                }
            }
        }
    }

    #[test]
    fn means_without_pairs_are_those_of_evaluated_pairs() {
        for name in ["linear", "cosine"] {
            let spec = KernelSpec::new(name).unwrap();
            let kernel = SparseKernel::new(matrix(30, 0), None, &spec, 0).unwrap();
            let numbers: Vec<f64> = kernel.source_rows().iter().copied().collect();
            let rows = Rows::new(&numbers, 1);
            let weights: Vec<f64> = (0..30).map(f64::from).collect();
            let target = Target { rows, weights: Some(&weights) };
            let watch = (Stage::KernelMean, &mut crate::observe::Unobserved as &mut dyn Observer);
            let sums = sums_without_pairs(&kernel, target, rows, watch).unwrap().unwrap();
            for (row, found) in sums.into_iter().enumerate() {
                let expected: f64 = (0..30).map(|i| weights[i] * kernel.evaluate(rows.row(i), rows.row(row))).sum();
                assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{name}: {found} {expected}");
            }
        }
    }
}
