//! Distances of target rows from the prototypes, from random rows in expectation, and from the nearest row of all.

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use super::expected::ExpectedLeast;
use super::{SourceDistances, WeightedTargetRow};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::rows::{Rows, Scalar};
use crate::selection::Selection;
use crate::sizes::spaced_sizes;

/// Maximum number of sizes whose distances are compared.
const MOST_SIZES: usize = 30;

/// Maximum number of terms of all expected distances of a target row.
const MOST_TERMS: usize = 1_000_000;

/// Random rows are drawn from so many source rows at most,
const DRAWN_FROM: usize = 1 << 16;

/// or from so many for each prototype: among fewer, the minimum would depend on which they are.
const DRAWN_FROM_PER_PROTOTYPE: usize = 100;

/// Sets the subset that random rows are drawn from apart from the sample of target rows, which has the same seed.
const SUBSET_STREAM: u64 = 0x7375_6273;

/// The prototypes, and the rows that they are compared with.
pub(super) struct Rivals<'a, T: Scalar> {
    /// The source row of each prototype.
    chosen: Vec<usize>,
    /// The first prototypes are rows of both sides.
    n_fixed: usize,
    /// The new prototypes at each size; the last is the complete run.
    sizes: Vec<NewPrototypes>,
    /// The source rows that may be drawn.
    is_choosable: Vec<bool>,
    /// A random subset of them that stands for all.
    subset: Option<Vec<usize>>,
    /// Whether the nearest row of all is another than the target row itself.
    is_separate: bool,
    expected: ExpectedLeast,
    distances: SourceDistances<'a, T>,
}

/// The new prototypes with weight among the first ones.
struct NewPrototypes {
    n_prototypes: usize,
    /// Their positions among all prototypes, ascending.
    positions: Vec<usize>,
}

/// Sums of distances at a number of prototypes.
#[derive(Clone, Copy, Default)]
pub(super) struct DistancesAtSize {
    pub(super) n_prototypes: usize,
    /// To the nearest prototype.
    pub(super) ours: f64,
    /// To the nearest of the fixed and of random rows, in expectation.
    chance: f64,
}

impl DistancesAtSize {
    pub(super) fn nearer(&self) -> Option<f64> {
        let nearer = 1.0 - self.ours / self.chance;
        nearer.is_finite().then_some(nearer)
    }
}

/// Sums at each size, and of the distances to the nearest row that may be chosen.
pub(super) struct DistanceSums {
    pub(super) sizes: Vec<DistancesAtSize>,
    pub(super) best: f64,
}

/// What is measured of a target row.
struct MeasuredDistances {
    /// To the nearest prototype and, in expectation, to the nearest of the fixed and of random rows, at each size.
    at_sizes: Vec<(f64, f64)>,
    /// To the nearest row that may be chosen; 0 if the row itself may be.
    best: f64,
}

impl<'a, T: Scalar> Rivals<'a, T> {
    pub(super) fn new(
        selection: &Selection,
        kernel: &'a dyn Kernel<T>,
        source: Rows<'a, T>,
        is_choosable: Vec<bool>,
        (seed, is_separate): (u64, bool),
    ) -> Rivals<'a, T> {
        let prototypes = &selection.prototypes;
        let own: Vec<f64> = prototypes.iter().map(|prototype| prototype.weight).collect();
        let new = |n_prototypes: usize, weights: &[f64]| {
            let positions = (selection.n_fixed..weights.len()).filter(|position| weights[*position] > 0.0);
            NewPrototypes { n_prototypes, positions: positions.collect() }
        };
        let subset = subset(&is_choosable, DRAWN_FROM.max(DRAWN_FROM_PER_PROTOTYPE * prototypes.len()), seed);
        let n_terms = subset.as_ref().map_or(source.n_rows(), Vec::len);
        let most = (MOST_TERMS / n_terms).clamp(1, MOST_SIZES);
        let mut sizes: Vec<NewPrototypes> = spaced_sizes(prototypes.len() - 1, most - 1)
            .into_iter()
            .filter_map(|size| Some(new(size, selection.weights_at(size)?)))
            .filter(|size| !size.positions.is_empty())
            .collect();
        sizes.push(new(prototypes.len(), &own));
        let n_choosable = is_choosable.iter().filter(|choosable| **choosable).count();
        let n_drawn_from = subset.as_ref().map_or(n_choosable, Vec::len);
        let expected = ExpectedLeast::new(n_drawn_from, sizes.iter().map(|size| size.positions.len()));
        Rivals {
            chosen: prototypes.iter().map(|prototype| prototype.source_index).collect(),
            n_fixed: selection.n_fixed,
            sizes,
            is_choosable,
            subset,
            is_separate,
            expected,
            distances: SourceDistances::new(kernel, source),
        }
    }

    /// Number of rows in the subset that random rows are drawn from; `None` if they are drawn from all.
    pub(super) fn n_drawn_from(&self) -> Option<usize> {
        self.subset.as_ref().map(Vec::len)
    }

    fn distances(&self, rows: &[&[T]]) -> Vec<MeasuredDistances> {
        let Some(subset) = &self.subset else { return self.distances_from_all(rows) };
        let to_chosen = self.distances.to_some(rows, &self.chosen);
        let to_subset = self.distances.to_some(rows, subset);
        let best = match self.is_separate {
            true => self.distances.least(rows, &self.is_choosable),
            false => vec![0.0; rows.len()],
        };
        let of_row = |((to_chosen, mut drawn), best): ((Vec<f64>, Vec<f64>), f64)| {
            let to_fixed = least(&to_chosen[..self.n_fixed]);
            drawn.iter_mut().for_each(|distance| *distance = distance.min(to_fixed));
            self.measured(&to_chosen, &mut drawn, best.min(to_fixed))
        };
        to_chosen.into_iter().zip(to_subset).zip(best).map(of_row).collect()
    }

    /// The distances by those from all source rows.
    fn distances_from_all(&self, rows: &[&[T]]) -> Vec<MeasuredDistances> {
        let all_choosable = self.is_choosable.iter().all(|choosable| *choosable);
        let of_row = |mut distances: Vec<f64>| {
            let to_chosen: Vec<f64> = self.chosen.iter().map(|row| distances[*row]).collect();
            let to_fixed = least(&to_chosen[..self.n_fixed]);
            if !all_choosable {
                // The least of the fixed and of the drawn rows is the least drawn one if no row is farther than the fixed.
                let choosable = distances.iter().zip(&self.is_choosable).filter(|(_, choosable)| **choosable);
                distances = choosable.map(|(distance, _)| distance.min(to_fixed)).collect();
            }
            let best = least(&distances).min(to_fixed);
            self.measured(&to_chosen, &mut distances, best)
        };
        self.distances.to_each_of(rows).into_iter().map(of_row).collect()
    }

    fn measured(&self, to_chosen: &[f64], drawn: &mut [f64], best: f64) -> MeasuredDistances {
        let to_fixed = least(&to_chosen[..self.n_fixed]);
        let ours =
            |size: &NewPrototypes| size.positions.iter().map(|position| to_chosen[*position]).fold(to_fixed, f64::min);
        let at_sizes = self.sizes.iter().map(ours).zip(self.expected.of(drawn)).collect();
        MeasuredDistances { at_sizes, best }
    }

    /// Sums over the measured rows, each by its weight.
    pub(super) fn sums(
        &self,
        sample: &[WeightedTargetRow],
        target: Rows<'_, T>,
        observer: &mut dyn Observer,
    ) -> Result<DistanceSums> {
        let of_size = |size: &NewPrototypes| DistancesAtSize { n_prototypes: size.n_prototypes, ..Default::default() };
        let mut sums = DistanceSums { sizes: self.sizes.iter().map(of_size).collect(), best: 0.0 };
        let per_task = self.distances.rows_per_task(self.n_drawn_from());
        let per_round = per_task * rayon::current_num_threads();
        for (round, measured) in sample.chunks(per_round).enumerate() {
            check_cancelled(observer.on_progress(Stage::Baseline, (round * per_round) as u64, sample.len() as u64))?;
            let found = parallel::map(0..measured.len().div_ceil(per_task), |task| {
                let task = &measured[task * per_task..measured.len().min((task + 1) * per_task)];
                let rows: Vec<&[T]> = task.iter().map(|(row, _)| target.row(*row)).collect();
                self.distances(&rows)
            });
            for ((_, weight), found) in measured.iter().zip(found.into_iter().flatten()) {
                sums.best += weight * found.best;
                for (sum, (nearest, expected)) in sums.sizes.iter_mut().zip(found.at_sizes) {
                    sum.ours += weight * nearest;
                    sum.chance += weight * expected;
                }
            }
        }
        Ok(sums)
    }
}

fn least(distances: &[f64]) -> f64 {
    distances.iter().copied().fold(f64::INFINITY, f64::min)
}

/// A random subset of this size of the rows that may be drawn, ascending; `None` if there are no more.
fn subset(is_choosable: &[bool], size: usize, seed: u64) -> Option<Vec<usize>> {
    let choosable = || (0..is_choosable.len()).filter(|row| is_choosable[*row]);
    let n_choosable = choosable().count();
    if n_choosable <= size {
        return None;
    }
    let mut generator = ChaCha8Rng::seed_from_u64(seed ^ SUBSET_STREAM);
    let mut drawn = index::sample(&mut generator, n_choosable, size).into_vec();
    drawn.sort_unstable();
    let mut drawn = drawn.into_iter().peekable();
    let is_drawn = |(position, _): &(usize, usize)| drawn.next_if_eq(position).is_some();
    Some(choosable().enumerate().filter(is_drawn).map(|(_, row)| row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subset_has_only_rows_that_may_be_drawn() {
        let is_choosable: Vec<bool> = (0..1000).map(|row| row % 3 != 0).collect();
        assert_eq!(subset(&is_choosable, 666, 1), None);
        let drawn = subset(&is_choosable, 600, 1).unwrap();
        assert!(drawn.len() == 600 && drawn.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(drawn.iter().all(|row| is_choosable[*row]) && *drawn.last().unwrap() > 900);
        assert_ne!(subset(&is_choosable, 600, 2).unwrap(), drawn);
    }
}
