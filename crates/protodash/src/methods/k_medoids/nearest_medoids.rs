//! The nearest and second nearest medoid of every row, updated as medoids are exchanged.

use super::distance::Distances;
use crate::error::{Error, Result, Role};
use crate::parallel;
use crate::rows::Scalar;

/// Rows per task. Sums are added block by block, so that they do not depend on the number of threads.
pub(super) const BLOCK: usize = 2048;

/// Maximum relative rounding error of a change of the loss; sums of few terms have less.
const ROUNDING: f64 = 1e-13;

/// A medoid's position in the list of medoids, and the distance from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NearMedoid {
    pub(super) position: usize,
    pub(super) distance: f64,
}

const NO_MEDOID: NearMedoid = NearMedoid { position: usize::MAX, distance: f64::INFINITY };

/// The two nearest medoids of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TwoNearest {
    pub(super) first: NearMedoid,
    pub(super) second: NearMedoid,
}

impl TwoNearest {
    fn of(distances: impl Iterator<Item = f64>) -> Self {
        let mut nearest = TwoNearest { first: NO_MEDOID, second: NO_MEDOID };
        for (position, distance) in distances.enumerate() {
            if distance < nearest.first.distance {
                nearest.second = nearest.first;
                nearest.first = NearMedoid { position, distance };
            } else if distance < nearest.second.distance {
                nearest.second = NearMedoid { position, distance };
            }
        }
        nearest
    }
}

/// The best exchange of a medoid for a candidate.
pub(super) struct MedoidExchange {
    /// The position of the medoid to replace.
    pub(super) position: usize,
    /// The change of the loss.
    pub(super) change: f64,
}

/// Medoids, and the two nearest of them for every row.
pub(super) struct NearestMedoids {
    pub(super) medoids: Vec<usize>,
    pub(super) nearest: Vec<TwoNearest>,
    pub(super) is_medoid: Vec<bool>,
    /// Row weights.
    weights: Vec<f64>,
    /// The increase of the loss if the medoid at each position were removed.
    removal: Vec<f64>,
}

impl NearestMedoids {
    pub(super) fn new<T: Scalar>(distances: &Distances<'_, T>, medoids: Vec<usize>) -> Result<Self> {
        let n_rows = distances.n_rows();
        let nearest_of = |row: usize| TwoNearest::of(medoids.iter().map(|&medoid| distances.pair(medoid, row)));
        let nearest = parallel::map(0..n_rows, nearest_of);
        if let Some(row) = nearest.iter().position(|nearest| !nearest.first.distance.is_finite()) {
            let value = nearest[row].first.distance.to_string();
            return Err(Error::KernelNotFinite { role: distances.role(), row, value });
        }
        let mut is_medoid = vec![false; distances.n_candidates()];
        medoids.iter().for_each(|&medoid| is_medoid[medoid] = true);
        let weights = distances.weights().to_vec();
        let mut nearest_medoids = NearestMedoids { medoids, nearest, is_medoid, weights, removal: Vec::new() };
        nearest_medoids.sum_removals();
        Ok(nearest_medoids)
    }

    /// Σ of the distances from the nearest medoids, each times the row's weight.
    pub(super) fn loss(&self) -> f64 {
        let sum_of = |(block, weights): (&[TwoNearest], &[f64])| {
            block.iter().zip(weights).map(|(nearest, weight)| weight * nearest.first.distance).sum::<f64>()
        };
        self.nearest.chunks(BLOCK).zip(self.weights.chunks(BLOCK)).map(sum_of).sum()
    }

    /// The best exchange of any medoid for one candidate, in one pass over the rows.
    ///
    /// # Formula
    ///
    /// ```text
    /// change(m, c) = Σ removal(m) + Σ [d(o, c) < d₁(o)] (d(o, c) − d₁(o))
    ///              + Σ over o nearest to m: d₁(o) − d₂(o) if d(o, c) < d₁(o), d(o, c) − d₂(o) if d₁(o) ≤ d(o, c) < d₂(o)
    /// ```
    ///
    /// with d₁ and d₂ the distances from the nearest and second nearest medoid, and removal(m) = Σ d₂(o) − d₁(o) over
    /// the rows o nearest to m; every term has the weight of its row o. Except in the first two sums each row affects only
    /// one medoid, so that all medoids together cost O(n) and not O(n k): the shortcut of FastPAM1 and FasterPAM.
    pub(super) fn best_exchange<T: Scalar>(
        &self,
        distances: &Distances<'_, T>,
        candidate: usize,
    ) -> Result<MedoidExchange> {
        let n_rows = self.nearest.len();
        let part_of = |index: usize| {
            let mut values = Vec::new();
            let range = index * BLOCK..n_rows.min((index + 1) * BLOCK);
            let (nearest, weights) = (&self.nearest[range.clone()], &self.weights[range.clone()]);
            self.changes(nearest, weights, distances.column(candidate, range, &mut values))
        };
        let n_blocks = n_rows.div_ceil(BLOCK);
        let parts = if n_blocks == 1 { vec![part_of(0)] } else { parallel::map(0..n_blocks, part_of) };
        let (mut for_all, mut for_position) = (0.0, self.removal.clone());
        for part in parts {
            for_all += part.for_all;
            for_position.iter_mut().zip(part.for_position).for_each(|(sum, part)| *sum += part);
        }
        if for_all.is_nan() {
            return Err(Error::KernelNotFinite { role: Role::Source, row: candidate, value: for_all.to_string() });
        }
        let positions = for_position.iter().enumerate();
        let (position, least) =
            positions.fold(
                (0, f64::INFINITY),
                |best, (position, &change)| {
                    if change < best.1 { (position, change) } else { best }
                },
            );
        // If equal rows are exchanged, large sums cancel and only rounding errors are left.
        let of_sums = f64::EPSILON * (n_rows + self.medoids.len() + 8) as f64;
        let rounding = ROUNDING.min(of_sums) * (self.removal[position].abs() + for_all.abs());
        Ok(MedoidExchange { position, change: for_all + least + rounding })
    }

    fn changes(&self, block: &[TwoNearest], weights: &[f64], distances: &[f64]) -> LossChanges {
        let mut changes = LossChanges { for_all: 0.0, for_position: vec![0.0; self.medoids.len()] };
        for ((nearest, weight), &distance) in block.iter().zip(weights).zip(distances) {
            let TwoNearest { first, second } = nearest;
            if distance < first.distance {
                changes.for_all += weight * (distance - first.distance);
                changes.for_position[first.position] += weight * (first.distance - second.distance);
            } else if distance < second.distance {
                changes.for_position[first.position] += weight * (distance - second.distance);
            } else if distance.is_nan() {
                changes.for_all = f64::NAN;
            }
        }
        changes
    }

    /// Replaces a medoid by the candidate.
    pub(super) fn exchange<T: Scalar>(&mut self, distances: &Distances<'_, T>, position: usize, candidate: usize) {
        self.is_medoid[self.medoids[position]] = false;
        self.is_medoid[candidate] = true;
        self.medoids[position] = candidate;
        let medoids = &self.medoids;
        parallel::map_chunks(&mut self.nearest, BLOCK, |index, block| {
            let mut values = Vec::new();
            let range = index * BLOCK..index * BLOCK + block.len();
            let column = distances.column(candidate, range.clone(), &mut values);
            for ((row, nearest), &distance) in range.zip(block).zip(column) {
                let new = NearMedoid { position, distance };
                let search = || TwoNearest::of(medoids.iter().map(|&medoid| distances.pair(medoid, row)));
                update(nearest, new, search);
            }
        });
        self.sum_removals();
    }

    fn sum_removals(&mut self) {
        let n_medoids = self.medoids.len();
        let sums_of = |block: usize| {
            let range = block * BLOCK..self.nearest.len().min((block + 1) * BLOCK);
            let mut sums = vec![0.0; n_medoids];
            for (near, weight) in self.nearest[range.clone()].iter().zip(&self.weights[range]) {
                sums[near.first.position] += weight * (near.second.distance - near.first.distance);
            }
            sums
        };
        let parts = parallel::map(0..self.nearest.len().div_ceil(BLOCK), sums_of);
        self.removal = vec![0.0; n_medoids];
        for part in parts {
            self.removal.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
    }
}

struct LossChanges {
    for_all: f64,
    for_position: Vec<f64>,
}

/// Updates a row after the medoid at a position was replaced by `new`; `search` computes its two nearest from scratch.
fn update(nearest: &mut TwoNearest, new: NearMedoid, search: impl FnOnce() -> TwoNearest) {
    let TwoNearest { first, second } = *nearest;
    if first.position == new.position {
        if new.distance <= second.distance {
            nearest.first = new;
        } else {
            *nearest = search();
        }
    } else if new.distance < first.distance {
        *nearest = TwoNearest { first: new, second: first };
    } else if new.distance <= second.distance {
        nearest.second = new;
    } else if second.position == new.position {
        *nearest = search();
    }
}
