//! For every row its nearest and second nearest medoid, kept up to date as medoids are exchanged.

use rayon::prelude::*;

use super::distance::Distances;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::rows::Scalar;

/// Rows of one task. Sums are added up block by block, so that they do not depend on the number of threads.
const BLOCK: usize = 2048;

/// The part of the sums behind a change that may be rounding.
const ROUNDING: f64 = 1e-13;

/// A medoid's place in the list of medoids, and the distance from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Neighbour {
    pub(super) place: usize,
    pub(super) distance: f64,
}

const NOBODY: Neighbour = Neighbour { place: usize::MAX, distance: f64::INFINITY };

/// The two nearest medoids of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nearest {
    pub(super) first: Neighbour,
    pub(super) second: Neighbour,
}

impl Nearest {
    fn of(distances: impl Iterator<Item = f64>) -> Self {
        let mut nearest = Nearest { first: NOBODY, second: NOBODY };
        for (place, distance) in distances.enumerate() {
            if distance < nearest.first.distance {
                nearest.second = nearest.first;
                nearest.first = Neighbour { place, distance };
            } else if distance < nearest.second.distance {
                nearest.second = Neighbour { place, distance };
            }
        }
        nearest
    }
}

/// What exchanging a medoid for a candidate would change.
pub(super) struct Exchange {
    /// The place of the medoid that would best go.
    pub(super) place: usize,
    /// How much the loss would change.
    pub(super) change: f64,
}

/// Medoids and everybody's two nearest of them.
pub(super) struct Neighbours {
    pub(super) medoids: Vec<usize>,
    pub(super) nearest: Vec<Nearest>,
    pub(super) is_medoid: Vec<bool>,
    /// How much each row counts.
    weights: Vec<f64>,
    /// How much the loss would grow if the medoid at each place were taken out and nothing put in.
    removal: Vec<f64>,
}

impl Neighbours {
    pub(super) fn new<T: Scalar, K: Kernel<T> + ?Sized>(
        distances: &Distances<'_, T, K>,
        medoids: Vec<usize>,
    ) -> Result<Self> {
        let n_rows = distances.n_rows();
        let nearest_of = |row: usize| Nearest::of(medoids.iter().map(|&medoid| distances.pair(medoid, row)));
        let nearest: Vec<Nearest> = (0..n_rows).into_par_iter().map(nearest_of).collect();
        if let Some(row) = nearest.iter().position(|nearest| !nearest.first.distance.is_finite()) {
            let value = nearest[row].first.distance.to_string();
            return Err(Error::KernelNotFinite { role: Role::Source, row, value });
        }
        let mut is_medoid = vec![false; n_rows];
        medoids.iter().for_each(|&medoid| is_medoid[medoid] = true);
        let weights = distances.weights().to_vec();
        let mut neighbours = Neighbours { medoids, nearest, is_medoid, weights, removal: Vec::new() };
        neighbours.sum_removals();
        Ok(neighbours)
    }

    /// Σ of the distances from the nearest medoids, each times the row's weight.
    pub(super) fn loss(&self) -> f64 {
        let sum_of = |(block, weights): (&[Nearest], &[f64])| {
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
    /// the rows o nearest to m; every term counts as much as its row o does. All but the first two sums touch one medoid for each row, so that all medoids together
    /// cost O(n) and not O(n k): the shortcut of FastPAM1 and FasterPAM.
    pub(super) fn best_exchange<T: Scalar, K: Kernel<T> + ?Sized>(
        &self,
        distances: &Distances<'_, T, K>,
        candidate: usize,
    ) -> Result<Exchange> {
        let part_of = |(index, block): (usize, &[Nearest])| {
            let mut values = Vec::new();
            let range = index * BLOCK..index * BLOCK + block.len();
            self.changes(block, &self.weights[range.clone()], distances.column(candidate, range, &mut values))
        };
        let n_blocks = self.nearest.len().div_ceil(BLOCK);
        let parts: Vec<Changes> = if n_blocks == 1 {
            vec![part_of((0, &self.nearest))]
        } else {
            self.nearest.par_chunks(BLOCK).enumerate().map(part_of).collect()
        };
        let (mut for_all, mut for_place) = (0.0, self.removal.clone());
        for part in parts {
            for_all += part.for_all;
            for_place.iter_mut().zip(part.for_place).for_each(|(sum, part)| *sum += part);
        }
        if for_all.is_nan() {
            return Err(Error::KernelNotFinite { role: Role::Source, row: candidate, value: for_all.to_string() });
        }
        let places = for_place.iter().enumerate();
        let (place, least) = places.fold(
            (0, f64::INFINITY),
            |best, (place, &change)| {
                if change < best.1 { (place, change) } else { best }
            },
        );
        // Where twins are exchanged, large sums cancel, and what is left of them is rounding.
        let rounding = ROUNDING * (self.removal[place].abs() + for_all.abs());
        Ok(Exchange { place, change: for_all + least + rounding })
    }

    fn changes(&self, block: &[Nearest], weights: &[f64], distances: &[f64]) -> Changes {
        let mut changes = Changes { for_all: 0.0, for_place: vec![0.0; self.medoids.len()] };
        for ((nearest, weight), &distance) in block.iter().zip(weights).zip(distances) {
            let Nearest { first, second } = nearest;
            if distance < first.distance {
                changes.for_all += weight * (distance - first.distance);
                changes.for_place[first.place] += weight * (first.distance - second.distance);
            } else if distance < second.distance {
                changes.for_place[first.place] += weight * (distance - second.distance);
            } else if distance.is_nan() {
                changes.for_all = f64::NAN;
            }
        }
        changes
    }

    /// Puts the candidate in the place of a medoid.
    pub(super) fn exchange<T: Scalar, K: Kernel<T> + ?Sized>(
        &mut self,
        distances: &Distances<'_, T, K>,
        place: usize,
        candidate: usize,
    ) {
        self.is_medoid[self.medoids[place]] = false;
        self.is_medoid[candidate] = true;
        self.medoids[place] = candidate;
        let medoids = &self.medoids;
        self.nearest.par_chunks_mut(BLOCK).enumerate().for_each(|(index, block)| {
            let mut values = Vec::new();
            let range = index * BLOCK..index * BLOCK + block.len();
            let column = distances.column(candidate, range.clone(), &mut values);
            for ((row, nearest), &distance) in range.zip(block).zip(column) {
                let newcomer = Neighbour { place, distance };
                let anew = || Nearest::of(medoids.iter().map(|&medoid| distances.pair(medoid, row)));
                update(nearest, newcomer, anew);
            }
        });
        self.sum_removals();
    }

    fn sum_removals(&mut self) {
        let n_medoids = self.medoids.len();
        let sums_of = |(block, weights): (&[Nearest], &[f64])| {
            let mut sums = vec![0.0; n_medoids];
            for (near, weight) in block.iter().zip(weights) {
                sums[near.first.place] += weight * (near.second.distance - near.first.distance);
            }
            sums
        };
        let blocks = self.nearest.par_chunks(BLOCK).zip(self.weights.par_chunks(BLOCK));
        let parts: Vec<Vec<f64>> = blocks.map(sums_of).collect();
        self.removal = vec![0.0; n_medoids];
        for part in parts {
            self.removal.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
    }
}

struct Changes {
    for_all: f64,
    for_place: Vec<f64>,
}

/// Brings a row's neighbours up to date when the medoid at the newcomer's place has gone and the newcomer has come.
fn update(nearest: &mut Nearest, newcomer: Neighbour, anew: impl FnOnce() -> Nearest) {
    let Nearest { first, second } = *nearest;
    if first.place == newcomer.place {
        if newcomer.distance <= second.distance {
            nearest.first = newcomer;
        } else {
            *nearest = anew();
        }
    } else if newcomer.distance < first.distance {
        *nearest = Nearest { first: newcomer, second: first };
    } else if newcomer.distance <= second.distance {
        nearest.second = newcomer;
    } else if second.place == newcomer.place {
        *nearest = anew();
    }
}
