//! K-means++ and Lloyd's steps; knows rows, weights and a seed, and nothing of kernels.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result};
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::rows::{Rows, Scalar, squared_distance};
use crate::simd::widened;

/// A step must lower the sum of squared distances by more than this fraction of it.
const SMALLEST_DROP: f64 = 1e-4;

/// Rows that stay in cache while they are compared with one centre after the other.
const BLOCK: usize = 64;

/// Centres, and the rows nearest to each.
pub(super) struct Clustering {
    /// Row-major.
    centres: Vec<f64>,
    n_columns: usize,
    /// The total weight of each cluster.
    pub(super) sizes: Vec<f64>,
    /// Σ wᵢ ‖xᵢ − c(xᵢ)‖² before the first step and after each.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(super) losses: Vec<f64>,
}

impl Clustering {
    pub(super) fn n_centres(&self) -> usize {
        self.centres.len() / self.n_columns
    }

    pub(super) fn centre(&self, position: usize) -> &[f64] {
        &self.centres[position * self.n_columns..][..self.n_columns]
    }
}

/// The nearest centre of a row and its squared distance.
type NearestCentre = (usize, f64);

/// Clusters of the rows; fewer than `n_centres` if there are fewer different rows.
///
/// # Formula
///
/// ```text
/// min Σᵢ wᵢ minⱼ ‖xᵢ − cⱼ‖²
/// ```
///
/// up to Lloyd's steps, none of which raises the sum: each row goes to its nearest centre, the first if tied, and each centre
/// to the mean of its rows. A centre without rows goes to the row that adds most to the sum. Sums are over rows in their order,
/// one thread for each centre, so that the number of threads changes nothing.
///
/// # Errors
///
/// [`Error::DistanceOverflow`], or [`Error::Cancelled`] when the observer stops the run.
pub(super) fn cluster<T: Scalar>(
    rows: Rows<'_, T>,
    weights: &[f64],
    (n_centres, seed): (usize, u64),
    observer: &mut dyn Observer,
) -> Result<Clustering> {
    let centres = plus_plus(rows, weights, (n_centres, seed), observer)?;
    let n_columns = rows.n_columns();
    let mut found = Clustering { centres, n_columns, sizes: Vec::new(), losses: Vec::new() };
    let mut nearest = assigned(rows, &found);
    loop {
        let loss = loss(&nearest, weights);
        if !loss.is_finite() {
            return Err(Error::DistanceOverflow);
        }
        let is_small = found.losses.last().is_some_and(|before| before - loss <= SMALLEST_DROP * before);
        found.losses.push(loss);
        let step = found.losses.len() as u64;
        check_cancelled(observer.on_progress(Stage::Clusters, step, step + 1))?;
        if is_small {
            break;
        }
        move_centres(&mut found, rows, weights, &nearest);
        let moved = assigned(rows, &found);
        let is_same = nearest.iter().zip(&moved).all(|(before, after)| before.0 == after.0);
        nearest = moved;
        if is_same {
            break;
        }
    }
    found.sizes = vec![0.0; found.n_centres()];
    nearest.iter().zip(weights).for_each(|((centre, _), weight)| found.sizes[*centre] += weight);
    Ok(found)
}

/// K-means++: each next centre is a row drawn with a probability in proportion to wᵢ times its squared distance from the
/// nearest centre before it.
fn plus_plus<T: Scalar>(
    rows: Rows<'_, T>,
    weights: &[f64],
    (n_centres, seed): (usize, u64),
    observer: &mut dyn Observer,
) -> Result<Vec<f64>> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut centres: Vec<f64> = Vec::with_capacity(n_centres * rows.n_columns());
    let mut distances = vec![1.0; rows.n_rows()];
    for position in 0..n_centres {
        check_cancelled(observer.on_progress(Stage::Clusters, position as u64, n_centres as u64))?;
        let Some(row) = drawn(&mut generator, &distances, weights)? else { break };
        let centre: Vec<f64> = rows.row(row).iter().map(|value| value.to_f64()).collect();
        parallel::map_chunks(&mut distances, BLOCK, |block, distances| {
            let rows = rows.slice(block * BLOCK..block * BLOCK + distances.len());
            widened(
                #[inline(always)]
                || {
                    for (row, distance) in rows.iter().zip(distances) {
                        let from_new = squared_distance(row, &centre);
                        // Before the first centre, distances are only probabilities.
                        if position == 0 || from_new < *distance {
                            *distance = from_new;
                        }
                    }
                },
            );
        });
        centres.extend(centre);
    }
    Ok(centres)
}

/// A row drawn in proportion to its distance times its weight; `None` if all of these are 0.
fn drawn(generator: &mut ChaCha8Rng, distances: &[f64], weights: &[f64]) -> Result<Option<usize>> {
    let parts = || distances.iter().zip(weights).map(|(distance, weight)| distance * weight);
    let total: f64 = parts().sum();
    if !total.is_finite() {
        return Err(Error::DistanceOverflow);
    }
    let at = generator.random::<f64>() * total;
    let mut below = 0.0;
    let mut last = None;
    for (row, part) in parts().enumerate().filter(|(_, part)| *part > 0.0) {
        below += part;
        last = Some(row);
        if at < below {
            break;
        }
    }
    Ok(last)
}

/// The nearest centre of each row, the first if tied.
fn assigned<T: Scalar>(rows: Rows<'_, T>, found: &Clustering) -> Vec<NearestCentre> {
    let mut nearest: Vec<NearestCentre> = vec![(0, f64::INFINITY); rows.n_rows()];
    let centres = Rows::new(&found.centres, found.n_columns);
    parallel::map_chunks(&mut nearest, BLOCK, |block, nearest| {
        let rows = rows.slice(block * BLOCK..block * BLOCK + nearest.len());
        widened(
            #[inline(always)]
            || {
                for (position, centre) in centres.iter().enumerate() {
                    for (row, nearest) in rows.iter().zip(&mut *nearest) {
                        let distance = squared_distance(row, centre);
                        if distance < nearest.1 {
                            *nearest = (position, distance);
                        }
                    }
                }
            },
        );
    });
    nearest
}

/// Σ wᵢ ‖xᵢ − c(xᵢ)‖². Rows of weight 0 do not count, however far they are.
fn loss(nearest: &[NearestCentre], weights: &[f64]) -> f64 {
    let counting = nearest.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    counting.map(|((_, distance), weight)| weight * distance).sum()
}

/// Moves each centre to the mean of its rows, and those without rows to the rows that add most to the loss.
fn move_centres<T: Scalar>(found: &mut Clustering, rows: Rows<'_, T>, weights: &[f64], nearest: &[NearestCentre]) {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); found.n_centres()];
    for (row, ((centre, _), weight)) in nearest.iter().zip(weights).enumerate() {
        if *weight > 0.0 {
            members[*centre].push(row);
        }
    }
    let mut farthest: Vec<usize> = Vec::new();
    if members.iter().any(Vec::is_empty) {
        let part = |row: usize| weights[row] * nearest[row].1;
        farthest = (0..rows.n_rows()).filter(|row| part(*row) > 0.0).collect();
        farthest.sort_by(|a, b| part(*a).total_cmp(&part(*b)).then(b.cmp(a)));
    }
    // The last is the farthest. A cluster without rows stays where it is if no row is left.
    members.iter_mut().filter(|members| members.is_empty()).for_each(|members| members.extend(farthest.pop()));
    let means = parallel::map(0..members.len(), |centre| mean(rows, &members[centre], weights));
    for (centre, mean) in found.centres.chunks_exact_mut(found.n_columns).zip(means) {
        mean.into_iter().for_each(|mean| centre.copy_from_slice(&mean));
    }
}

/// The weighted mean of some rows; `None` if there are none.
fn mean<T: Scalar>(rows: Rows<'_, T>, members: &[usize], weights: &[f64]) -> Option<Vec<f64>> {
    let total: f64 = members.iter().map(|row| weights[*row]).sum();
    let mut mean = vec![0.0; rows.n_columns()];
    for &row in members {
        let share = weights[row] / total;
        mean.iter_mut().zip(rows.row(row)).for_each(|(mean, value)| *mean += share * value.to_f64());
    }
    (!members.is_empty()).then_some(mean)
}

/// The first of the open rows nearest to a centre.
pub(super) fn nearest_open_row<T: Scalar>(rows: Rows<'_, T>, centre: &[f64], is_open: &[bool]) -> Option<usize> {
    let distances: Vec<f64> = parallel::map(0..rows.n_rows(), |row| match is_open[row] {
        true => squared_distance(rows.row(row), centre),
        false => f64::INFINITY,
    });
    let open = (0..rows.n_rows()).filter(|row| is_open[*row]);
    open.reduce(|best, row| if distances[row] < distances[best] { row } else { best })
}

/// The initial centres, one after the other.
#[cfg(test)]
pub(super) fn start(rows: Rows<'_, f64>, weights: &[f64], draw: (usize, u64)) -> Vec<Vec<f64>> {
    let centres = plus_plus(rows, weights, draw, &mut crate::observe::Unobserved).unwrap_or_default();
    centres.chunks_exact(rows.n_columns()).map(<[f64]>::to_vec).collect()
}
