//! What the landmarks' features tell of rows: the part of the mean that is exact, and how large residuals can be.

use super::{LandmarkFeatures, PairError, Race, RaceTarget};
use crate::error::Result;
use crate::kernel::{Kernel, has_unit_diagonal};
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::rows::{Scalar, product};

/// Rows whose features are summed one after another. The last bits of the mean depend on it.
const ROWS_PER_SUM: usize = 2048;
/// Rows whose features are in memory at once. Results do not depend on it.
const ROWS_PER_BLOCK: usize = 8 * ROWS_PER_SUM;

/// Some source rows with their features.
pub(crate) struct AnchoredRows {
    pub(super) rows: Vec<usize>,
    /// ψ, row after row.
    pub(super) features: Vec<f32>,
    /// ψᵀψ̄, with the rounding that does not depend on the mean, and √s, not rounded down.
    pub(super) anchors: Vec<(f64, f32)>,
    /// Number of rows whose features were newly computed.
    pub(super) n_computed: usize,
}

impl<T: Scalar> Race<'_, T> {
    /// Some source rows, in source order, with their features.
    pub(crate) fn anchored(&self, rows: &[usize]) -> AnchoredRows {
        let width = self.n_feature_columns();
        let n_kept = rows.partition_point(|row| *row < self.kept_features.len() / width);
        let (kept, others) = rows.split_at(n_kept);
        let mut features = Vec::with_capacity(rows.len() * width);
        kept.iter().for_each(|row| features.extend(&self.kept_features[row * width..][..width]));
        features.resize(rows.len() * width, 0.0);
        self.features.write_some(self.kernel, self.source, others, &mut features[n_kept * width..]);
        let of_any_pair = self.error.of_any_pair();
        let anchor = |place: usize| {
            let features = &features[place * width..][..width];
            let MeasuredRow { root, length } =
                measured(self.kernel, self.source.row(rows[place]), features, of_any_pair);
            let error = self.error.absolute + self.error.product * length * self.mean_length;
            (product(features, &self.mean_features) + error, root)
        };
        let anchors = parallel::map(0..rows.len(), anchor);
        AnchoredRows { rows: rows.to_vec(), features, anchors, n_computed: others.len() }
    }
}

/// What the features leave of the target.
pub(super) struct MeasuredTarget {
    /// Σ pᵢ ψ(xᵢ).
    pub(super) mean_features: Vec<f64>,
    /// Σ pᵢ √k(xᵢ, xᵢ).
    pub(super) mean_length: f64,
    /// √s of each row, not rounded down.
    pub(super) roots: Vec<f32>,
}

impl MeasuredTarget {
    /// Calls `visit` with the features of all rows, some at a time.
    pub(super) fn new<T: Scalar>(
        (kernel, features): (&dyn Kernel<T>, &LandmarkFeatures<T>),
        target: &RaceTarget<'_, T>,
        error: PairError,
        mut visit: impl FnMut(&[f32]),
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        let (rows, width) = (target.rows(), features.n_features().max(1));
        let (mut mean_features, mut mean_length) = (vec![0.0; width], 0.0);
        let mut roots = Vec::with_capacity(rows.n_rows());
        let of_any_pair = error.of_any_pair();
        let mut places = vec![0.0; ROWS_PER_BLOCK.min(rows.n_rows()) * width];
        for first in (0..rows.n_rows()).step_by(ROWS_PER_BLOCK) {
            check_cancelled(observer.on_progress(Stage::KernelMean, 0, rows.n_rows() as u64))?;
            let some = rows.slice(first..rows.n_rows().min(first + ROWS_PER_BLOCK));
            let places = &mut places[..some.n_rows() * width];
            features.write(kernel, some, places);
            let sums = parallel::map_chunks(places, ROWS_PER_SUM * width, |at, features| {
                let mut sums = PartialSums { features: vec![0.0; width], length: 0.0, roots: Vec::new() };
                for (row, features) in (at * ROWS_PER_SUM..).zip(features.chunks_exact(width)) {
                    let weight = target.weight(first + row);
                    let MeasuredRow { root, length } = measured(kernel, some.row(row), features, of_any_pair);
                    let terms = sums.features.iter_mut().zip(features);
                    terms.for_each(|(sum, feature)| *sum += weight * f64::from(*feature));
                    sums.length += weight * length;
                    sums.roots.push(root);
                }
                sums
            });
            for sums in sums {
                mean_features.iter_mut().zip(sums.features).for_each(|(mean, sum)| *mean += sum);
                mean_length += sums.length;
                roots.extend(sums.roots);
            }
            visit(places);
        }
        Ok(MeasuredTarget { mean_features, mean_length, roots })
    }
}

/// Sums over some target rows.
struct PartialSums {
    features: Vec<f64>,
    length: f64,
    roots: Vec<f32>,
}

/// What the features of a row leave of it.
struct MeasuredRow {
    /// √s, with the margin for rounding.
    root: f32,
    /// √k(x, x).
    length: f64,
}

fn measured<T: Scalar>(kernel: &dyn Kernel<T>, row: &[T], features: &[f32], error: f64) -> MeasuredRow {
    let diagonal = if has_unit_diagonal(kernel) { 1.0 } else { kernel.evaluate(row, row).max(0.0) };
    let left = (diagonal - product(features, features)).max(0.0) + error * diagonal;
    MeasuredRow { root: (left.sqrt() as f32).next_up(), length: diagonal.sqrt() }
}
