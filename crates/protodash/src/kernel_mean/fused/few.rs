//! Sums over many rows for a few others: the few are packed eight to a vector, the many are streamed once, unpacked.

use super::formula::{ColumnSum, FusedKernel, PairFormula};
use super::pack::PackedVector;
use super::tile::{AbsoluteDifferences, Product, SquaredDifferences, Statistic};
use crate::kernel::{Curve, CurveVisitor, LoopFormula};
use crate::rows::{Rows, Scalar};
use crate::simd::{AlignedLanes, Element, InstructionSet, Simd, Visitor, Work};

/// Rows in a vector of f64.
const N_LANES: usize = <f64 as Element>::N_LANES;

/// A few rows, ready to be compared with many in f64, with distances from differences.
pub(in crate::kernel_mean) struct FewRows {
    formula: PairFormula,
    n_rows: usize,
    n_columns: usize,
    /// For each eight rows one vector per column.
    vectors: Vec<PackedVector<f64>>,
}

impl FewRows {
    /// `None` for a kernel that the fused loops do not compute.
    pub(in crate::kernel_mean) fn new<T: Scalar>(formula: LoopFormula, rows: &[&[T]]) -> Option<Self> {
        let formula = FusedKernel::of(formula)?.direct;
        let n_columns = rows.first()?.len();
        let vectors = rows.chunks(N_LANES).flat_map(|rows| {
            let lane = move |column: usize, lane: usize| rows.get(lane).map_or(0.0, |row| row[column].to_f64());
            (0..n_columns)
                .map(move |column| PackedVector(AlignedLanes(std::array::from_fn(|place| lane(column, place)))))
        });
        Some(FewRows { formula, n_rows: rows.len(), n_columns, vectors: vectors.collect() })
    }

    /// Σᵢ pᵢ k(xᵢ, y) over these rows x for each of the few rows y; p is 1 where there are no weights.
    ///
    /// The sum of a row y does not depend on the other rows y.
    pub(in crate::kernel_mean) fn sums<T: Scalar>(&self, rows: Rows<'_, T>, weights: Option<&[f64]>) -> Vec<f64> {
        let mut sums = Vec::with_capacity(self.n_rows.next_multiple_of(N_LANES));
        for y in self.vectors.chunks_exact(self.n_columns) {
            sums.extend(InstructionSet::best().visit_f64(SumFew { formula: self.formula, y, rows, weights }));
        }
        sums.truncate(self.n_rows);
        sums
    }
}

/// The sums of eight rows.
#[derive(Clone, Copy)]
struct SumFew<'a, T> {
    formula: PairFormula,
    y: &'a [PackedVector<f64>],
    rows: Rows<'a, T>,
    weights: Option<&'a [f64]>,
}

impl<T: Scalar> Visitor<f64> for SumFew<'_, T> {
    type Output = [f64; N_LANES];

    fn visit<S: Simd<Element = f64>>(self, simd: S) -> Self::Output {
        simd.run(self)
    }
}

impl<S: Simd<Element = f64>, T: Scalar> Work<S> for SumFew<'_, T> {
    type Output = [f64; N_LANES];

    #[inline(always)]
    fn work(self, simd: S) -> Self::Output {
        let mut sums = [0.0; N_LANES];
        self.formula.curve.visit(CurveOfFew { few: self, simd, sums: &mut sums });
        sums
    }
}

struct CurveOfFew<'a, 'b, T, S> {
    few: SumFew<'a, T>,
    simd: S,
    sums: &'b mut [f64; N_LANES],
}

impl<T: Scalar, S: Simd<Element = f64>> CurveVisitor for CurveOfFew<'_, '_, T, S> {
    #[inline(always)]
    fn visit<C: Curve>(self, curve: C) {
        let CurveOfFew { few, simd, sums } = self;
        let total = match few.formula.sum {
            ColumnSum::Products => few.total::<S, C, Product>(simd, curve),
            ColumnSum::SquaredDifferences => few.total::<S, C, SquaredDifferences>(simd, curve),
            ColumnSum::AbsoluteDifferences => few.total::<S, C, AbsoluteDifferences>(simd, curve),
        };
        *sums = simd.store(total).0;
    }
}

impl<T: Scalar> SumFew<'_, T> {
    #[inline(always)]
    fn total<S: Simd<Element = f64>, C: Curve, Q: Statistic>(self, simd: S, curve: C) -> S::Vector {
        match S::N_SUMS {
            12 => self.total_by::<S, C, Q, 12>(simd, curve),
            6 => self.total_by::<S, C, Q, 6>(simd, curve),
            _ => self.total_by::<S, C, Q, 2>(simd, curve),
        }
    }

    /// A few rows x at a time, with their sums over the columns in registers.
    #[inline(always)]
    fn total_by<S: Simd<Element = f64>, C: Curve, Q: Statistic, const N: usize>(self, simd: S, curve: C) -> S::Vector {
        let mut total = simd.splat(0.0);
        let whole = self.rows.n_rows() / N * N;
        for first in (0..whole).step_by(N) {
            total = self.add::<S, C, Q, N>(simd, curve, first, total);
        }
        for row in whole..self.rows.n_rows() {
            total = self.add::<S, C, Q, 1>(simd, curve, row, total);
        }
        total
    }

    #[inline(always)]
    fn add<S: Simd<Element = f64>, C: Curve, Q: Statistic, const N: usize>(
        self,
        simd: S,
        curve: C,
        first: usize,
        mut total: S::Vector,
    ) -> S::Vector {
        let x: [&[T]; N] = std::array::from_fn(|row| &self.rows.row(first + row)[..self.y.len()]);
        let mut sums = [simd.splat(0.0); N];
        for (column, y) in self.y.iter().enumerate() {
            let y = simd.load(&y.0);
            for (sum, x) in sums.iter_mut().zip(x) {
                *sum = Q::add(simd, *sum, simd.splat(x[column].to_f64()), y);
            }
        }
        let (slope, constant) = (simd.splat(self.formula.slope), simd.splat(self.formula.x_offset.constant));
        for (row, sum) in sums.into_iter().enumerate() {
            let value = curve.value(simd, simd.mul_add(sum, slope, constant));
            let weight = self.weights.map_or(1.0, |weights| weights[first + row]);
            total = simd.mul_add(value, simd.splat(weight), total);
        }
        total
    }
}
