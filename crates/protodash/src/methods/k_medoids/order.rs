//! The order of the medoids: each is the one that lowers the loss of the earlier ones the most.

use super::distance::Distances;
use crate::error::Result;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::rows::Scalar;

/// Rows per task; see `nearest_medoids`.
const BLOCK: usize = 2048;

/// Medoids in greedy order, with the results of each prefix.
pub(super) struct OrderedMedoids {
    pub(super) medoids: Vec<usize>,
    /// Σ of the distances from the nearest of the first i + 1, each times the row's weight.
    pub(super) losses: Vec<f64>,
    /// The weight of the rows nearest to each of the first i + 1.
    pub(super) sizes: Vec<Vec<f64>>,
    /// For each row, the position of its nearest medoid.
    pub(super) assignment: Vec<usize>,
}

/// Orders medoids so that prefixes are sensible sets too.
///
/// How much a medoid lowers the loss never grows as others join, so an old drop is an upper bound on the new one, and few
/// are recomputed at each step. Ties go to the medoid with the lowest source index.
pub(super) fn in_greedy_order<T: Scalar>(
    distances: &Distances<'_, T>,
    mut medoids: Vec<usize>,
    observer: &mut dyn Observer,
) -> Result<OrderedMedoids> {
    medoids.sort_unstable();
    let n_medoids = medoids.len();
    let mut state = OrderingState::new(distances);
    let totals: Vec<f64> = medoids.iter().map(|&medoid| state.total(medoid)).collect();
    let first = (0..n_medoids).reduce(|best, other| if totals[other] < totals[best] { other } else { best });
    state.join(medoids.remove(first.unwrap_or(0)));
    let mut bounds: Vec<f64> = vec![f64::INFINITY; medoids.len()];
    while !medoids.is_empty() {
        check_cancelled(observer.on_progress(Stage::Search, (n_medoids - medoids.len()) as u64, n_medoids as u64))?;
        let best = largest_drop(&mut bounds, |position| state.drop(medoids[position]));
        bounds.remove(best);
        state.join(medoids.remove(best));
    }
    Ok(state.ordered)
}

/// The position with the largest drop, given upper bounds, which are replaced by the drops that are computed.
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

/// Greedy ordering in progress.
struct OrderingState<'a, 'd, T: Scalar> {
    distances: &'a Distances<'d, T>,
    /// The distance of each row from its nearest medoid.
    nearest: Vec<f64>,
    ordered: OrderedMedoids,
}

impl<'a, 'd, T: Scalar> OrderingState<'a, 'd, T> {
    fn new(distances: &'a Distances<'d, T>) -> Self {
        let n_rows = distances.n_rows();
        let ordered =
            OrderedMedoids { medoids: Vec::new(), losses: Vec::new(), sizes: Vec::new(), assignment: vec![0; n_rows] };
        OrderingState { distances, nearest: vec![f64::INFINITY; n_rows], ordered }
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
        parallel::map(0..n_rows.div_ceil(BLOCK), sum_of).iter().sum()
    }

    fn total(&self, medoid: usize) -> f64 {
        self.sum(medoid, |_, distance| distance)
    }

    fn drop(&self, medoid: usize) -> f64 {
        self.sum(medoid, |row, distance| (self.nearest[row] - distance).max(0.0))
    }

    fn join(&mut self, medoid: usize) {
        let position = self.ordered.medoids.len();
        let mut values = Vec::new();
        let column = self.distances.column(medoid, 0..self.nearest.len(), &mut values);
        let rows = self.nearest.iter_mut().zip(&mut self.ordered.assignment).zip(column);
        for ((nearest, assigned), &distance) in rows {
            if distance < *nearest {
                (*nearest, *assigned) = (distance, position);
            }
        }
        let weights = self.distances.weights();
        let mut sizes = vec![0.0; position + 1];
        self.ordered.assignment.iter().zip(weights).for_each(|(&position, weight)| sizes[position] += weight);
        self.ordered.medoids.push(medoid);
        self.ordered.sizes.push(sizes);
        let sum_of = |(block, weights): (&[f64], &[f64])| {
            block.iter().zip(weights).map(|(distance, weight)| weight * distance).sum::<f64>()
        };
        self.ordered.losses.push(self.nearest.chunks(BLOCK).zip(weights.chunks(BLOCK)).map(sum_of).sum());
    }
}
