//! Distances of some target rows from all source rows.

use crate::kernel::{BuiltInKernel, Distance, Kernel, SparseKernel};
use crate::kernel_mean::column;
use crate::rows::{Rows, Scalar, hamming_distance, squared_distance};
use crate::simd::{InstructionSet, Simd, Visitor, Work};

/// Number of source rows that stay in cache while target rows are compared with them.
const BLOCK: usize = 64;

/// The same for sparse rows.
const SPARSE_BLOCK: usize = 1 << 14;

/// Maximum bytes of distances that a thread holds at a time, unless a single row needs more.
const BYTES_PER_TASK: usize = 16 << 20;

/// Maximum number of target rows that a thread works on at a time.
const ROWS_PER_TASK: usize = 16;

/// The distance, which does not depend on the kernel if possible.
enum DistanceKind<'a, T: Scalar> {
    /// ‖x − z‖.
    Euclidean,
    /// The fraction of values that differ.
    Codes,
    /// √(k(x, x) + k(z, z) − 2 k(x, z)), with k(z, z) for each source row.
    FeatureSpace { kernel: &'a dyn Kernel<T>, own: Vec<f64> },
    /// ‖x − z‖ of sparse rows.
    SparseEuclidean(&'a SparseKernel),
}

/// Distances from the rows of the source.
pub(crate) struct SourceDistances<'a, T: Scalar> {
    source: Rows<'a, T>,
    measure: DistanceKind<'a, T>,
}

impl<'a, T: Scalar> SourceDistances<'a, T> {
    pub(crate) fn new(kernel: &'a dyn Kernel<T>, source: Rows<'a, T>) -> Self {
        let measure = match (kernel.built_in(), kernel.sparse().filter(|kernel| is_euclidean(kernel))) {
            (Some(kernel), _) if kernel.definition().compares_codes => DistanceKind::Codes,
            (None, Some(kernel)) => DistanceKind::SparseEuclidean(kernel),
            (Some(BuiltInKernel::Cosine(_)) | None, _) => {
                let own = source.iter().map(|row| own_similarity(kernel, row)).collect();
                DistanceKind::FeatureSpace { kernel, own }
            }
            (Some(_), _) => DistanceKind::Euclidean,
        };
        SourceDistances { source, measure }
    }

    /// The distances of one row from consecutive source rows, the first of them `first`.
    pub(crate) fn of_row(&self, row: &[T], first: usize, distances: &mut [f64]) {
        let block = first..first + distances.len();
        let own = self.own().get(block.clone()).unwrap_or_default();
        self.to_one(row, self.source.slice(block), own, distances);
    }

    /// Target rows that a thread should measure at a time, if it keeps their distances from so many rows; by default from all.
    pub(crate) fn rows_per_task(&self, n_kept: Option<usize>) -> usize {
        let n_kept = n_kept.unwrap_or(self.source.n_rows());
        (BYTES_PER_TASK / (size_of::<f64>() * n_kept)).clamp(1, ROWS_PER_TASK)
    }

    /// The distances of each row from all source rows. Reads the source once, but for sparse rows.
    pub(crate) fn to_each_of(&self, rows: &[&[T]]) -> Vec<Vec<f64>> {
        let n_source = self.source.n_rows();
        let mut distances = vec![vec![0.0; n_source]; rows.len()];
        if let DistanceKind::SparseEuclidean(kernel) = self.measure {
            // Against all rows at once, the row is stored with its zeros only once.
            let pairs = rows.iter().zip(&mut distances);
            pairs.for_each(|(row, distances)| kernel.distances(self.source, row, distances));
            return distances;
        }
        for first in (0..n_source).step_by(BLOCK) {
            let block = first..n_source.min(first + BLOCK);
            for (row, distances) in rows.iter().zip(&mut distances) {
                self.of_row(row, first, &mut distances[block.clone()]);
            }
        }
        distances
    }

    /// The distances of each row from some source rows.
    pub(crate) fn to_some(&self, rows: &[&[T]], others: &[usize]) -> Vec<Vec<f64>> {
        let mut distances = vec![Vec::with_capacity(others.len()); rows.len()];
        let (mut values, mut own, mut block) = (Vec::new(), Vec::new(), Vec::new());
        for others in others.chunks(self.rows_per_block()) {
            values.clear();
            others.iter().for_each(|other| values.extend_from_slice(self.source.row(*other)));
            let gathered = Rows::new(&values, self.source.n_columns());
            own.clear();
            own.extend(others.iter().filter_map(|other| self.own().get(*other)));
            block.resize(others.len(), 0.0);
            for (row, distances) in rows.iter().zip(&mut distances) {
                self.to_one(row, gathered, &own, &mut block);
                distances.extend_from_slice(&block);
            }
        }
        distances
    }

    /// The distance of each row from the nearest of the source rows that count. Keeps none of the others.
    pub(crate) fn least(&self, rows: &[&[T]], counts: &[bool]) -> Vec<f64> {
        let mut least = vec![f64::INFINITY; rows.len()];
        let mut distances = Vec::new();
        let per_block = self.rows_per_block();
        for (block, counts) in counts.chunks(per_block).enumerate() {
            distances.resize(counts.len(), 0.0);
            for (row, least) in rows.iter().zip(&mut least) {
                self.of_row(row, block * per_block, &mut distances);
                let counting = distances.iter().zip(counts).filter(|(_, counts)| **counts);
                *least = counting.fold(*least, |least, (distance, _)| least.min(*distance));
            }
        }
        least
    }

    /// Number of source rows that target rows are compared with at a time.
    fn rows_per_block(&self) -> usize {
        match self.measure {
            // A row is stored with its zeros for every block.
            DistanceKind::SparseEuclidean(_) => SPARSE_BLOCK,
            _ => BLOCK,
        }
    }

    /// k(z, z) for each source row, if distances need it.
    fn own(&self) -> &[f64] {
        match &self.measure {
            DistanceKind::FeatureSpace { own, .. } => own,
            _ => &[],
        }
    }

    /// The distance of each row from the nearest of some others.
    pub(crate) fn nearest(&self, rows: &[&[T]], others: &[&[T]]) -> Vec<f64> {
        let own_of = |other: &&[T]| match &self.measure {
            DistanceKind::FeatureSpace { kernel, .. } => own_similarity(*kernel, other),
            _ => 0.0,
        };
        let own: Vec<f64> = others.iter().map(own_of).collect();
        let others = others.concat();
        let others = Rows::new(&others, self.source.n_columns());
        let mut distances = vec![0.0; others.n_rows()];
        let mut nearest_of = |row: &&[T]| {
            self.to_one(row, others, &own, &mut distances);
            distances.iter().copied().fold(f64::INFINITY, f64::min)
        };
        rows.iter().map(&mut nearest_of).collect()
    }

    fn to_one(&self, row: &[T], others: Rows<'_, T>, own: &[f64], distances: &mut [f64]) {
        match &self.measure {
            DistanceKind::Euclidean => InstructionSet::best().visit_f64(EuclideanDistances { others, row, distances }),
            DistanceKind::Codes => others.iter().zip(distances).for_each(|(other, distance)| {
                *distance = hamming_distance(other, row) / row.len() as f64;
            }),
            DistanceKind::SparseEuclidean(kernel) => kernel.distances(others, row, distances),
            DistanceKind::FeatureSpace { kernel, .. } => {
                column(*kernel, others, row, distances);
                let of_row = own_similarity(*kernel, row);
                for (distance, of_other) in distances.iter_mut().zip(own) {
                    let squared = of_row + of_other - 2.0 * *distance;
                    *distance = if squared < 0.0 { 0.0 } else { squared.sqrt() };
                }
            }
        }
    }
}

fn is_euclidean(kernel: &SparseKernel) -> bool {
    kernel.formula().definition().distance == Distance::Euclidean
}

/// k(x, x), by the same loop as all other values, so that copies of a row have distance exactly 0.
fn own_similarity<T: Scalar>(kernel: &dyn Kernel<T>, row: &[T]) -> f64 {
    let mut value = [0.0];
    column(kernel, Rows::new(row, row.len()), row, &mut value);
    value[0]
}

/// ‖x − z‖ for one x and several z, with the best available instructions.
struct EuclideanDistances<'a, T> {
    others: Rows<'a, T>,
    row: &'a [T],
    distances: &'a mut [f64],
}

impl<T: Scalar> Visitor<f64> for EuclideanDistances<'_, T> {
    type Output = ();

    fn visit<S: Simd<Element = f64>>(self, simd: S) {
        simd.run(self);
    }
}

impl<S: Simd<Element = f64>, T: Scalar> Work<S> for EuclideanDistances<'_, T> {
    type Output = ();

    #[inline(always)]
    fn work(self, _: S) {
        for (other, distance) in self.others.iter().zip(self.distances) {
            *distance = squared_distance(other, self.row).sqrt();
        }
    }
}
