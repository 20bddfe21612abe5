//! Sums over draws of the residual kernel: the loops of racing implement this.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::bound::{PairError, SegmentSums};
use super::order::DRAWS_PER_BATCH;
use crate::kernel_mean::block::EvaluatedPairs;
use crate::rows::{Rows, Scalar, product};

/// The draws of one level from the target.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernel_mean) struct DrawnRows<'a> {
    /// The target row of each draw.
    pub(in crate::kernel_mean) rows: &'a [usize],
    /// 1/q of each.
    pub(in crate::kernel_mean) inverse_sizes: &'a [f32],
    /// π of each.
    pub(in crate::kernel_mean) rates: &'a [f32],
    /// Ωπ of each.
    pub(in crate::kernel_mean) early_rates: &'a [f32],
    /// ψ of each.
    pub(in crate::kernel_mean) features: Rows<'a, f32>,
}

/// Some source rows whose means are not exact.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernel_mean) struct RacedGroup<'a> {
    pub(in crate::kernel_mean) rows: &'a [usize],
    /// 1/√s of each.
    pub(in crate::kernel_mean) inverse_roots: &'a [f32],
    pub(in crate::kernel_mean) features: Rows<'a, f32>,
    /// The row of `features` of each.
    pub(in crate::kernel_mean) feature_rows: &'a [usize],
}

/// Sums over draws of u = k⊥(x, y)/(q √s), its powers, and its products with π and Ωπ.
///
/// The sums of a source row depend on the draws alone, not on the other rows of the group or on the thread.
pub(in crate::kernel_mean) trait ResidualSums: Sync {
    /// Source rows of one task.
    fn rows_per_task(&self, n_features: usize) -> usize;

    /// Memory that a draw takes once it is loaded.
    fn bytes_per_draw(&self, n_features: usize) -> usize;

    /// How far a value of the residual kernel may be from the exact one.
    fn pair_error(&self, n_features: usize) -> PairError;

    /// Prepares the draws of a level, if they are not prepared yet.
    fn load(&self, level: usize, draws: DrawnRows<'_>);

    /// Batches that the draws of a loaded level are divided into, in a fixed way.
    fn n_batches(&self, level: usize) -> usize;

    /// Adds Σu, Σu², Σu³, Σu⁴, Σπu and ΣΩπu over some batches of a loaded level to the sums of each row.
    fn add_residuals(&self, level: usize, batches: Range<usize>, group: RacedGroup<'_>, sums: &mut [SegmentSums]);
}

/// Error of a product of features, relative to √(k(x, x) k(y, y)), whatever computes it: they are rounded to f32, also where s
/// is computed from them, and the landmarks' factor is not exact.
pub(in crate::kernel_mean) const FEATURE_ERROR: f64 = 2.0 * f32::EPSILON as f64 + 1e-7;

/// The draws of each level, prepared when the first row reaches it.
pub(in crate::kernel_mean) struct DrawStore<P>(Mutex<Vec<Option<Arc<[P]>>>>);

impl<P> Default for DrawStore<P> {
    fn default() -> Self {
        DrawStore(Mutex::default())
    }
}

impl<P> DrawStore<P> {
    /// Whether the level is loaded.
    pub(in crate::kernel_mean) fn has(&self, level: usize) -> bool {
        self.levels().get(level).is_some_and(Option::is_some)
    }

    /// Keeps the batches of a level.
    pub(in crate::kernel_mean) fn put(&self, level: usize, batches: Vec<P>) {
        let mut levels = self.levels();
        let n_levels = levels.len().max(level + 1);
        levels.resize_with(n_levels, || None);
        levels[level] = Some(batches.into());
    }

    /// The batches of a level; none if it is not loaded.
    pub(in crate::kernel_mean) fn get(&self, level: usize) -> Arc<[P]> {
        self.levels().get(level).cloned().flatten().unwrap_or_else(|| Arc::new([]))
    }

    fn levels(&self) -> std::sync::MutexGuard<'_, Vec<Option<Arc<[P]>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The plain loop, for any kernel.
pub(super) struct EvaluatedResiduals<'a, T: Scalar> {
    pub(super) pairs: EvaluatedPairs<'a, T>,
    pub(super) drawn: DrawStore<EvaluatedDraw>,
}

/// A draw as the plain loop needs it.
pub(super) struct EvaluatedDraw {
    row: usize,
    inverse_size: f64,
    rate: f64,
    early_rate: f64,
    features: Vec<f32>,
}

impl<T: Scalar> ResidualSums for EvaluatedResiduals<'_, T> {
    fn rows_per_task(&self, _: usize) -> usize {
        // A custom kernel may be slow, as for the full mean.
        8
    }

    fn bytes_per_draw(&self, n_features: usize) -> usize {
        size_of::<EvaluatedDraw>() + n_features * size_of::<f32>()
    }

    fn pair_error(&self, _: usize) -> PairError {
        PairError { absolute: 0.0, relative: 0.0, product: FEATURE_ERROR + 1e-12 }
    }

    fn load(&self, level: usize, draws: DrawnRows<'_>) {
        if self.drawn.has(level) {
            return;
        }
        let draw = |(place, row): (usize, &usize)| EvaluatedDraw {
            row: *row,
            inverse_size: draws.inverse_sizes[place].into(),
            rate: draws.rates[place].into(),
            early_rate: draws.early_rates[place].into(),
            features: draws.features.row(place).to_vec(),
        };
        self.drawn.put(level, draws.rows.iter().enumerate().map(draw).collect());
    }

    fn n_batches(&self, level: usize) -> usize {
        self.drawn.get(level).len().div_ceil(DRAWS_PER_BATCH)
    }

    fn add_residuals(&self, level: usize, batches: Range<usize>, group: RacedGroup<'_>, sums: &mut [SegmentSums]) {
        let draws = self.drawn.get(level);
        let draws = &draws[batches.start * DRAWS_PER_BATCH..draws.len().min(batches.end * DRAWS_PER_BATCH)];
        let rows = group.rows.iter().zip(group.feature_rows).zip(group.inverse_roots);
        for (((&row, &feature_row), &inverse_root), sums) in rows.zip(sums) {
            let (y, features) = (self.pairs.source.row(row), group.features.row(feature_row));
            for draw in draws {
                let projected = product(&draw.features[..], features);
                let value = self.pairs.kernel.evaluate(self.pairs.target.rows.row(draw.row), y) - projected;
                let u = value * draw.inverse_size * f64::from(inverse_root);
                let square = u * u;
                let terms = [u, square, square * u, square * square, draw.rate * u, draw.early_rate * u];
                sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
            }
        }
    }
}
