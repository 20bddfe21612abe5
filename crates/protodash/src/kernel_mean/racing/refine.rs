//! More draws for some source rows.

use std::ops::Range;

use super::bound::SegmentSums;
use super::residual::{DrawnRows, RacedGroup};
use super::{AnchoredRows, MeanUpperBound, Race, RacedRow};
use crate::error::Result;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::rows::{Rows, Scalar};

/// Tasks between two calls of the observer, for each thread.
const TASKS_PER_ROUND: usize = 8;
/// Batches of draws of one task. The last bits of results depend on it.
const BATCHES_PER_TASK: usize = 32;

impl AnchoredRows {
    /// Kernel values with the landmarks that these rows took.
    pub(crate) fn n_computed(&self) -> usize {
        self.n_computed
    }
}

impl<T: Scalar> Race<'_, T> {
    /// Number of landmarks, each of which takes a kernel value for each row whose features are computed.
    pub(crate) fn n_landmarks(&self) -> usize {
        self.features.n_landmarks()
    }

    /// What the draws so far say about the means of some rows.
    pub(crate) fn means(&self, anchored: &AnchoredRows, places: &[usize], states: &[RacedRow]) -> Vec<MeanUpperBound> {
        parallel::map(0..places.len(), |at| {
            let place = places[at];
            self.mean(&states[place], anchored.anchors[place])
        })
    }

    /// Takes the rows at some places to their next level; rows at the last one stay. Returns the number of kernel values.
    pub(crate) fn refine(
        &self,
        anchored: &AnchoredRows,
        places: &[usize],
        states: &mut [RacedRow],
        observer: &mut dyn Observer,
    ) -> Result<u64> {
        let mut places: Vec<usize> = places.iter().copied().filter(|place| self.can_refine(&states[*place])).collect();
        places.sort_by_key(|place| states[*place].level);
        let mut n_pairs = 0;
        for places in
            places.chunk_by(|a, b| states[*a].level == states[*b].level).map(<[usize]>::to_vec).collect::<Vec<_>>()
        {
            let level = usize::from(states[places[0]].level);
            self.load(level);
            self.refine_level(level, anchored, &places, states, observer)?;
            n_pairs += (places.len() * self.order.segment(level).len()) as u64;
        }
        Ok(n_pairs)
    }

    /// Refines rows of one level.
    fn refine_level(
        &self,
        level: usize,
        anchored: &AnchoredRows,
        places: &[usize],
        states: &mut [RacedRow],
        observer: &mut dyn Observer,
    ) -> Result<()> {
        let n_threads = rayon::current_num_threads();
        let n_batches = self.loops.n_batches(level);
        let parts = n_batches.div_ceil(BATCHES_PER_TASK);
        let mut per_task = self.loops.rows_per_task(self.n_feature_columns());
        if parts < n_threads {
            // Few rows are shared between the threads; what a row adds up to does not depend on it.
            per_task = per_task.min(places.len().div_ceil(n_threads).next_multiple_of(16));
        }
        let groups: Vec<&[usize]> = places.chunks(per_task).collect();
        let per_round = (TASKS_PER_ROUND * n_threads).div_ceil(parts);
        for (round, groups_here) in groups.chunks(per_round).enumerate() {
            check_cancelled(observer.on_progress(Stage::KernelMean, (round * per_round) as u64, groups.len() as u64))?;
            let sums = parallel::map(0..groups_here.len() * parts, |task| {
                let first = task % parts * BATCHES_PER_TASK;
                let batches = first..n_batches.min(first + BATCHES_PER_TASK);
                self.task_sums(level, batches, anchored, groups_here[task / parts])
            });
            for (places, sums) in groups_here.iter().zip(sums.chunks(parts)) {
                for (at, place) in places.iter().enumerate() {
                    let mut total = [0.0; 6];
                    for part in sums {
                        total.iter_mut().zip(part[at]).for_each(|(total, sum)| *total += sum);
                    }
                    states[*place].sums.add(&total);
                    states[*place].level += 1;
                }
            }
        }
        Ok(())
    }

    /// The sums of some rows over some batches of draws.
    fn task_sums(
        &self,
        level: usize,
        batches: Range<usize>,
        anchored: &AnchoredRows,
        places: &[usize],
    ) -> Vec<SegmentSums> {
        let rows: Vec<usize> = places.iter().map(|place| anchored.rows[*place]).collect();
        let inverse = |root: f32| if root > f32::MIN_POSITIVE { root.recip() } else { 0.0 };
        let inverse_roots: Vec<f32> = places.iter().map(|place| inverse(anchored.anchors[*place].1)).collect();
        let group = RacedGroup {
            rows: &rows,
            inverse_roots: &inverse_roots,
            features: Rows::new(&anchored.features, self.n_feature_columns()),
            feature_rows: places,
        };
        let mut sums = vec![[0.0; 6]; places.len()];
        self.loops.add_residuals(level, batches, group, &mut sums);
        sums
    }

    /// Prepares the draws of a level.
    fn load(&self, level: usize) {
        if self.loops.n_batches(level) > 0 {
            return;
        }
        let segment = self.order.segment(level);
        let rows = &self.order.rows[segment.clone()];
        let mut features = vec![0.0; rows.len() * self.n_feature_columns()];
        self.features.write_some(self.kernel, self.target, rows, &mut features);
        let draws = DrawnRows {
            rows,
            inverse_sizes: &self.order.inverse_sizes[segment.clone()],
            rates: &self.order.rates[segment.clone()],
            early_rates: &self.order.early_rates[segment],
            features: Rows::new(&features, self.n_feature_columns()),
        };
        self.loops.load(level, draws);
    }
}
