//! The order in which finished medoids are handed out: each next one lowers the loss of those before it the most.

use rayon::prelude::*;

use super::distance::Distances;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, go_on};
use crate::rows::Scalar;

/// Rows of one task; see `neighbours`.
const BLOCK: usize = 2048;

/// Medoids in greedy order, with what the first i + 1 of them come to.
pub(super) struct Ordered {
    pub(super) medoids: Vec<usize>,
    /// Σ of the distances from the nearest of the first i + 1, each times the row's weight.
    pub(super) losses: Vec<f64>,
    /// How much the rows count that are nearest to each of the first i + 1.
    pub(super) sizes: Vec<Vec<f64>>,
    /// For each row the place of its nearest medoid.
    pub(super) assignment: Vec<usize>,
}

/// Orders medoids so that their beginnings are sensible sets too.
///
/// The drop of the loss that a medoid brings never grows as others join, so that an old drop is a bound for the new
/// one, and few are computed again at each step. Ties go to the medoid with the lowest source index.
pub(super) fn in_greedy_order<T: Scalar, K: Kernel<T> + ?Sized>(
    distances: &Distances<'_, T, K>,
    mut medoids: Vec<usize>,
    observer: &mut dyn Observer,
) -> Result<Ordered> {
    medoids.sort_unstable();
    let n_medoids = medoids.len();
    let mut state = State::new(distances);
    let totals: Vec<f64> = medoids.iter().map(|&medoid| state.total(medoid)).collect();
    let first = (0..n_medoids).reduce(|best, other| if totals[other] < totals[best] { other } else { best });
    state.join(medoids.remove(first.unwrap_or(0)));
    let mut bounds: Vec<f64> = vec![f64::INFINITY; medoids.len()];
    while !medoids.is_empty() {
        go_on(observer.on_progress(Stage::Search, (n_medoids - medoids.len()) as u64, n_medoids as u64))?;
        let best = largest_drop(&mut bounds, |place| state.drop(medoids[place]));
        bounds.remove(best);
        state.join(medoids.remove(best));
    }
    Ok(state.ordered)
}

/// The place with the largest drop, given bounds that are replaced by the drops themselves where they are computed.
fn largest_drop(bounds: &mut [f64], drop_of: impl Fn(usize) -> f64) -> usize {
    let mut exact = vec![false; bounds.len()];
    loop {
        let best = (0..bounds.len()).reduce(|best, other| if bounds[other] > bounds[best] { other } else { best });
        let best = best.unwrap_or(0);
        if exact[best] {
            return best;
        }
        bounds[best] = drop_of(best);
        exact[best] = true;
    }
}

struct State<'a, 'd, T, K: ?Sized> {
    distances: &'a Distances<'d, T, K>,
    /// The distance of each row from its nearest medoid.
    nearest: Vec<f64>,
    ordered: Ordered,
}

impl<'a, 'd, T: Scalar, K: Kernel<T> + ?Sized> State<'a, 'd, T, K> {
    fn new(distances: &'a Distances<'d, T, K>) -> Self {
        let n_rows = distances.n_rows();
        let ordered =
            Ordered { medoids: Vec::new(), losses: Vec::new(), sizes: Vec::new(), assignment: vec![0; n_rows] };
        State { distances, nearest: vec![f64::INFINITY; n_rows], ordered }
    }

    /// Σ f(row, distance from the medoid) times the row's weight, block by block.
    fn sum(&self, medoid: usize, term: impl Fn(usize, f64) -> f64 + Sync) -> f64 {
        let (n_rows, weights) = (self.nearest.len(), self.distances.weights());
        let sum_of = |index: usize| {
            let range = index * BLOCK..n_rows.min((index + 1) * BLOCK);
            let mut values = Vec::new();
            let column = self.distances.column(medoid, range.clone(), &mut values);
            range.zip(column).map(|(row, distance)| weights[row] * term(row, *distance)).sum::<f64>()
        };
        let parts: Vec<f64> = (0..n_rows.div_ceil(BLOCK)).into_par_iter().map(sum_of).collect();
        parts.iter().sum()
    }

    fn total(&self, medoid: usize) -> f64 {
        self.sum(medoid, |_, distance| distance)
    }

    fn drop(&self, medoid: usize) -> f64 {
        self.sum(medoid, |row, distance| (self.nearest[row] - distance).max(0.0))
    }

    fn join(&mut self, medoid: usize) {
        let place = self.ordered.medoids.len();
        let mut values = Vec::new();
        let column = self.distances.column(medoid, 0..self.nearest.len(), &mut values);
        let rows = self.nearest.iter_mut().zip(&mut self.ordered.assignment).zip(column);
        for ((nearest, assigned), &distance) in rows {
            if distance < *nearest {
                (*nearest, *assigned) = (distance, place);
            }
        }
        let weights = self.distances.weights();
        let mut sizes = vec![0.0; place + 1];
        self.ordered.assignment.iter().zip(weights).for_each(|(&place, weight)| sizes[place] += weight);
        self.ordered.medoids.push(medoid);
        self.ordered.sizes.push(sizes);
        let sum_of = |(block, weights): (&[f64], &[f64])| {
            block.iter().zip(weights).map(|(distance, weight)| weight * distance).sum::<f64>()
        };
        self.ordered.losses.push(self.nearest.chunks(BLOCK).zip(weights.chunks(BLOCK)).map(sum_of).sum());
    }
}
