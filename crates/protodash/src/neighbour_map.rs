//! A neighbour embedding: rows in two dimensions, similar ones next to each other. It does not keep large distances.

use ndarray::ArrayRef2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::kernel_map::{KernelMapRows, check_rows, kernel_map, similarities};
use crate::parallel;
use crate::rows::{CheckedPair, Rows, Scalar};
use crate::simd::widened;

/// The effective number of neighbours of a landmark, and how many of the nearest are considered for each.
const PERPLEXITY: f64 = 30.0;
const CONSIDERED: f64 = 3.0;

/// The same for a row that is placed among landmarks.
const PERPLEXITY_OF_OTHERS: f64 = 3.0;
const CONSIDERED_OF_OTHERS: usize = 10;

/// Steps with exaggerated attraction, and all steps.
const EARLY_STEPS: usize = 120;
const STEPS: usize = 500;
const EXAGGERATION: f64 = 12.0;
const LEARNING_RATE: f64 = 50.0;

/// The spread of the first places.
const FIRST_SPREAD: f64 = 1e-2;

/// Number of places whose forces are summed side by side, on every CPU, so that sums have the same bits.
const LANES: usize = 8;

/// Rows in two dimensions, similar ones next to each other.
///
/// # Examples
///
/// See [`Dataset::neighbour_map`](crate::Dataset::neighbour_map).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NeighbourMap {
    /// The place of each target row.
    pub target: Vec<[f64; 2]>,
    /// The place of each source row.
    pub source: Vec<[f64; 2]>,
}

/// Places landmarks by t-SNE (van der Maaten and Hinton, 2008), and other rows between the landmarks nearest to them.
///
/// # Formula
///
/// ```text
/// minimise Σᵢⱼ pᵢⱼ ln(pᵢⱼ / qᵢⱼ),   qᵢⱼ ∝ 1 / (1 + ‖yᵢ − yⱼ‖²),   pᵢⱼ = (p(j|i) + p(i|j)) / 2p
/// p(j|i) ∝ exp(−βᵢ ‖φ(lᵢ) − φ(lⱼ)‖²)   for the 90 nearest landmarks lⱼ of lᵢ, with βᵢ such that the perplexity is 30
/// place(x) = Σⱼ p(j|x) yⱼ              for its 10 nearest landmarks and perplexity 3; that of a landmark equal to x
/// ```
///
/// Starts from the kernel's principal components. `None` if the kernel has no values for pairs of target rows. Costs
/// p·(n + 2p) kernel values and 500·p² steps of about ten operations for p landmarks and n rows.
pub(crate) fn neighbour_map<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    rows: KernelMapRows<'_>,
    kernel: &dyn Kernel<T>,
    seed: u64,
) -> Result<Option<NeighbourMap>> {
    let start = KernelMapRows { target: rows.landmarks, source: &[], ..rows };
    let Some(start) = kernel_map(target, source, start, kernel, seed)? else { return Ok(None) };
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    check_rows(target, source, rows)?;
    let values: Vec<T> = rows.landmarks.iter().flat_map(|row| target.row(*row)).copied().collect();
    let landmarks = Landmarks::new(kernel, Rows::new(&values, target.n_columns()));
    let attraction = landmarks.attraction();
    let places = embedded(&attraction, first_places(start.target, seed));
    let place = |row: &[T]| landmarks.place(row, &places);
    let of_target = parallel::map(0..rows.target.len(), |at| place(target.row(rows.target[at])));
    let of_source = parallel::map(0..rows.source.len(), |at| place(source.row(rows.source[at])));
    let all = |places: Vec<Option<[f64; 2]>>| places.into_iter().collect::<Option<Vec<[f64; 2]>>>();
    Ok(all(of_target).zip(all(of_source)).map(|(target, source)| NeighbourMap { target, source }))
}

/// For each of some target rows, the positions among `among` of the other rows that are no farther than the `n`-th nearest of
/// them; `None` if the kernel has no values for pairs of target rows. Costs a kernel value for each pair.
pub(crate) fn nearest_rows<T: Scalar>(
    target: &ArrayRef2<T>,
    (asked, among): (&[usize], &[usize]),
    n: usize,
    kernel: &dyn Kernel<T>,
) -> Result<Option<Vec<Vec<usize>>>> {
    let checked = CheckedPair::new(target, target)?;
    let (target, _) = checked.rows();
    for (name, rows) in [("asked", asked), ("among", among)] {
        if let Some(&row) = rows.iter().find(|row| **row >= target.n_rows()) {
            return Err(Error::NoSuchTargetRow { name, row, n_target: target.n_rows() });
        }
    }
    let values: Vec<T> = among.iter().flat_map(|row| target.row(*row)).copied().collect();
    let others = Landmarks::new(kernel, Rows::new(&values, target.n_columns()));
    let near = |at: usize| {
        let distances = others.distances(target.row(asked[at]))?;
        let mut order: Vec<usize> = (0..among.len()).filter(|other| among[*other] != asked[at]).collect();
        if n == 0 || order.is_empty() {
            return Some(Vec::new());
        }
        let last = (n - 1).min(order.len() - 1);
        let (_, nth, _) =
            order.select_nth_unstable_by(last, |one, other| distances[*one].total_cmp(&distances[*other]));
        let most = distances[*nth];
        order.retain(|other| distances[*other] <= most);
        order.sort_unstable();
        Some(order)
    };
    Ok(parallel::map(0..asked.len(), near).into_iter().collect())
}

/// Rows among which others are placed.
struct Landmarks<'a, T: Scalar> {
    kernel: &'a dyn Kernel<T>,
    rows: Rows<'a, T>,
    /// The similarity of each to itself.
    own: Vec<f64>,
}

impl<'a, T: Scalar> Landmarks<'a, T> {
    fn new(kernel: &'a dyn Kernel<T>, rows: Rows<'a, T>) -> Self {
        let own = parallel::map(0..rows.n_rows(), |at| own_similarity(kernel, rows.row(at)));
        Landmarks { kernel, rows, own }
    }

    /// ‖φ(x) − φ(lⱼ)‖² for each landmark; `None` if one is unknown.
    fn distances(&self, row: &[T]) -> Option<Vec<f64>> {
        let mut values = similarities(self.kernel, self.rows, row);
        let of_row = own_similarity(self.kernel, row);
        let is_known = values.iter().chain(&self.own).all(|value| value.is_finite()) && of_row.is_finite();
        for (value, own) in values.iter_mut().zip(&self.own) {
            *value = (of_row + own - 2.0 * *value).max(0.0);
        }
        is_known.then_some(values)
    }

    /// For each landmark the others that attract it, with pᵢⱼ; a pair may be there twice.
    fn attraction(&self) -> Vec<Vec<(usize, f64)>> {
        let n = self.rows.n_rows();
        let perplexity = PERPLEXITY.min((n as f64 - 1.0) / CONSIDERED).max(1.0);
        let considered = (CONSIDERED * perplexity).ceil() as usize;
        let directed = parallel::map(0..n, |at| {
            let distances = self.distances(self.rows.row(at)).unwrap_or_default();
            near(&distances, Some(at), considered, perplexity)
        });
        let mut pairs = vec![Vec::new(); n];
        for (at, near) in directed.into_iter().enumerate() {
            for (other, probability) in near {
                let half = probability / (2.0 * n as f64);
                pairs[at].push((other, half));
                pairs[other].push((at, half));
            }
        }
        pairs
    }

    /// The place of a row, given those of the landmarks.
    fn place(&self, row: &[T], places: &[[f64; 2]]) -> Option<[f64; 2]> {
        let distances = self.distances(row)?;
        if let Some(same) = distances.iter().position(|distance| *distance == 0.0) {
            return Some(places[same]);
        }
        let near = near(&distances, None, CONSIDERED_OF_OTHERS, PERPLEXITY_OF_OTHERS);
        let along = |axis: usize| near.iter().map(|(at, probability)| probability * places[*at][axis]).sum();
        Some([along(0), along(1)])
    }
}

/// k(x, x) by the loop of all other values, so that copies of a row have distance 0.
fn own_similarity<T: Scalar>(kernel: &dyn Kernel<T>, row: &[T]) -> f64 {
    similarities(kernel, Rows::new(row, row.len()), row).first().copied().unwrap_or(f64::NAN)
}

/// The nearest of some rows with probabilities ∝ exp(−β d²) of this perplexity, in the order of their number.
fn near(distances: &[f64], own: Option<usize>, considered: usize, perplexity: f64) -> Vec<(usize, f64)> {
    let mut order: Vec<usize> = (0..distances.len()).filter(|at| Some(*at) != own).collect();
    if considered < order.len() {
        let by_distance =
            |one: &usize, other: &usize| distances[*one].total_cmp(&distances[*other]).then(one.cmp(other));
        order.select_nth_unstable_by(considered, by_distance);
        order.truncate(considered);
        order.sort_unstable();
    }
    let least = order.iter().map(|at| distances[*at]).fold(f64::INFINITY, f64::min);
    let beyond: Vec<f64> = order.iter().map(|at| distances[*at] - least).collect();
    let mean = beyond.iter().sum::<f64>() / beyond.len().max(1) as f64;
    let entropy = perplexity.ln();
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut beta = if mean > 0.0 { 1.0 / mean } else { 0.0 };
    for _ in 0..50 {
        let (sum, moment) = beyond.iter().fold((0.0, 0.0), |(sum, moment), distance| {
            let value = (-beta * distance).exp();
            (sum + value, moment + value * distance)
        });
        let found = f64::ln(sum) + beta * moment / sum;
        // NaN if there are no rows.
        if beta == 0.0 || found.is_nan() || (found - entropy).abs() <= 1e-5 {
            break;
        }
        (low, high) = if found > entropy { (beta, high) } else { (low, beta) };
        beta = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * beta };
    }
    let values: Vec<f64> = beyond.iter().map(|distance| (-beta * distance).exp()).collect();
    let sum: f64 = values.iter().sum();
    order.into_iter().zip(values).map(|(at, value)| (at, value / sum)).collect()
}

/// The principal components, small, and apart where they do not differ at all.
fn first_places(places: Vec<[f64; 2]>, seed: u64) -> Vec<[f64; 2]> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let spread = (places.iter().map(|place| place[0] * place[0]).sum::<f64>() / places.len().max(1) as f64).sqrt();
    let scale = if spread > 0.0 { FIRST_SPREAD / spread } else { 0.0 };
    let mut apart = || random.random_range(-0.01 * FIRST_SPREAD..0.01 * FIRST_SPREAD);
    places.into_iter().map(|[x, y]| [scale * x + apart(), scale * y + apart()]).collect()
}

/// The forces on a place: attraction, repulsion, and its part of the sum that normalises repulsion.
#[derive(Clone, Copy, Default)]
struct Forces {
    towards: [f64; 2],
    away: [f64; 2],
    sum: f64,
}

/// The places after gradient descent with momentum and a step size for each coordinate.
fn embedded(attraction: &[Vec<(usize, f64)>], mut places: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let n = places.len();
    let (mut moves, mut gains) = (vec![[0.0_f64; 2]; n], vec![[1.0_f64; 2]; n]);
    for step in 0..STEPS {
        let (exaggeration, momentum) = if step < EARLY_STEPS { (EXAGGERATION, 0.5) } else { (1.0, 0.8) };
        let x: Vec<f64> = places.iter().map(|place| place[0]).collect();
        let y: Vec<f64> = places.iter().map(|place| place[1]).collect();
        let forces =
            parallel::map(0..n, |at| Forces { towards: pull(&attraction[at], at, (&x, &y)), ..push(at, (&x, &y)) });
        let sum = forces.iter().map(|force| force.sum).sum::<f64>().max(f64::MIN_POSITIVE);
        for (at, force) in forces.iter().enumerate() {
            for axis in 0..2 {
                let gradient = 4.0 * (exaggeration * force.towards[axis] - force.away[axis] / sum);
                let (gain, last) = (&mut gains[at][axis], &mut moves[at][axis]);
                *gain = if (gradient > 0.0) == (*last > 0.0) { (*gain * 0.8).max(0.01) } else { *gain + 0.2 };
                *last = momentum * *last - LEARNING_RATE * *gain * gradient;
                places[at][axis] += *last;
            }
        }
    }
    places
}

/// Σⱼ pᵢⱼ (yᵢ − yⱼ) / (1 + ‖yᵢ − yⱼ‖²).
fn pull(near: &[(usize, f64)], at: usize, (x, y): (&[f64], &[f64])) -> [f64; 2] {
    near.iter().fold([0.0; 2], |sum, (other, probability)| {
        let (dx, dy) = (x[at] - x[*other], y[at] - y[*other]);
        let force = probability / (1.0 + dx * dx + dy * dy);
        [sum[0] + force * dx, sum[1] + force * dy]
    })
}

/// Σⱼ (yᵢ − yⱼ) / (1 + ‖yᵢ − yⱼ‖²)², and the sum of 1 / (1 + ‖yᵢ − yⱼ‖²) over the other places.
fn push(at: usize, (x, y): (&[f64], &[f64])) -> Forces {
    widened(
        #[inline(always)]
        || {
            let (own_x, own_y) = (x[at], y[at]);
            let mut sums = [[0.0; LANES]; 3];
            let (x_lanes, x_rest) = x.as_chunks::<LANES>();
            let (y_lanes, y_rest) = y.as_chunks::<LANES>();
            for (x, y) in x_lanes.iter().zip(y_lanes) {
                for lane in 0..LANES {
                    add_push(&mut sums, lane, [own_x - x[lane], own_y - y[lane]]);
                }
            }
            for (lane, (x, y)) in x_rest.iter().zip(y_rest).enumerate() {
                add_push(&mut sums, lane, [own_x - x, own_y - y]);
            }
            let [away_x, away_y, sum] = sums.map(|lanes| lanes.iter().sum::<f64>());
            // Without the place itself, whose term is 1.
            Forces { away: [away_x, away_y], sum: sum - 1.0, ..Forces::default() }
        },
    )
}

#[inline(always)]
fn add_push(sums: &mut [[f64; LANES]; 3], lane: usize, [dx, dy]: [f64; 2]) {
    let near = 1.0 / (1.0 + dx * dx + dy * dy);
    let squared = near * near;
    sums[0][lane] += squared * dx;
    sums[1][lane] += squared * dy;
    sums[2][lane] += near;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gaussian, Linear, Precomputed};
    use ndarray::Array2;

    fn all(n_rows: usize) -> Vec<usize> {
        (0..n_rows).collect()
    }

    /// Groups of 20 rows in six dimensions.
    fn groups(n_groups: usize) -> Array2<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let middles = Array2::from_shape_fn((n_groups, 6), |_| random.random_range(-10.0..10.0));
        Array2::from_shape_fn((20 * n_groups, 6), |(row, column)| {
            middles[[row / 20, column]] + random.random_range(-1.0..1.0)
        })
    }

    fn squared(one: [f64; 2], other: [f64; 2]) -> f64 {
        (one[0] - other[0]).powi(2) + (one[1] - other[1]).powi(2)
    }

    #[test]
    fn rows_of_a_group_are_next_to_each_other() {
        let rows = groups(9);
        let all = all(180);
        let wanted = KernelMapRows { landmarks: &all, target: &all, source: &[3] };
        let map = neighbour_map(&rows, &rows, wanted, &Gaussian::new(5.0).unwrap(), 0).unwrap().unwrap();
        assert_eq!(map.source, [map.target[3]]);
        for (at, place) in map.target.iter().enumerate() {
            let others = (0..180).filter(|other| *other != at);
            let nearest =
                others.min_by(|a, b| squared(*place, map.target[*a]).total_cmp(&squared(*place, map.target[*b])));
            assert_eq!(nearest.unwrap() / 20, at / 20, "row {at}");
        }
    }

    #[test]
    fn rows_that_are_no_landmarks_are_placed_in_their_group() {
        let rows = groups(5);
        let (all, few) = (all(100), (0..100).step_by(3).collect::<Vec<_>>());
        let wanted = KernelMapRows { landmarks: &few, target: &all, source: &[] };
        let map = neighbour_map(&rows, &rows, wanted, &Gaussian::new(5.0).unwrap(), 0).unwrap().unwrap();
        for (at, place) in map.target.iter().enumerate() {
            let nearest = few.iter().filter(|other| **other != at);
            let nearest =
                nearest.min_by(|a, b| squared(*place, map.target[**a]).total_cmp(&squared(*place, map.target[**b])));
            assert_eq!(nearest.unwrap() / 20, at / 20, "row {at}");
        }
    }

    #[test]
    fn the_map_is_the_same_for_any_number_of_threads_and_differs_between_kernels() {
        let rows = groups(3);
        let all = all(60);
        let wanted = KernelMapRows { landmarks: &all[..40], target: &all, source: &[] };
        let map = || neighbour_map(&rows, &rows, wanted, &Gaussian::new(3.0).unwrap(), 9).unwrap();
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(map), map());
        assert_ne!(neighbour_map(&rows, &rows, wanted, &Linear, 9).unwrap(), map());
    }

    #[test]
    fn few_and_equal_rows_have_places_and_unknown_similarities_none() {
        for n_rows in 1..6 {
            let rows = Array2::from_shape_fn((n_rows, 1), |(row, _)| (row / 2) as f64);
            let all = all(n_rows);
            let wanted = KernelMapRows { landmarks: &all, target: &all, source: &[] };
            let map = neighbour_map(&rows, &rows, wanted, &Gaussian::new(1.0).unwrap(), 0).unwrap().unwrap();
            assert!(map.target.iter().flatten().all(|value| value.is_finite()), "{map:?}");
            // Copies of a row are one dot.
            assert!(n_rows < 2 || map.target[0] == map.target[1]);
        }
        let (gram, across) = (Array2::eye(2), Array2::from_elem((3, 2), 0.5));
        let kernel = Precomputed::across(across.view(), gram.view()).unwrap();
        let all = all(3);
        let wanted = KernelMapRows { landmarks: &all, target: &all, source: &[0] };
        let found = neighbour_map(&kernel.target_rows(), &kernel.source_rows(), wanted, &kernel, 0);
        assert_eq!(found.unwrap(), None);
        assert_eq!(nearest_rows(&kernel.target_rows(), (&all, &all), 1, &kernel).unwrap(), None);
        let beyond = neighbour_map(&gram, &gram, KernelMapRows { target: &[7], ..wanted }, &Linear, 0).unwrap_err();
        assert_eq!(beyond, Error::NoSuchTargetRow { name: "landmarks", row: 2, n_target: 2 });
    }

    #[test]
    fn ties_with_the_last_neighbour_are_neighbours() {
        let rows = Array2::from_shape_vec((6, 1), vec![0.0, 1.0, -1.0, 1.0, 9.0, 0.5]).unwrap();
        let near =
            |n: usize| nearest_rows(&rows, (&[0, 4], &all(6)), n, &Gaussian::new(3.0).unwrap()).unwrap().unwrap();
        assert_eq!(near(1), [vec![5], vec![1, 3]]);
        assert_eq!(near(2)[0], [1, 2, 3, 5]);
        assert_eq!((near(0)[0].len(), near(99)[0].len()), (0, 5));
        let refused = nearest_rows(&rows, (&[6], &[0]), 1, &Linear).unwrap_err();
        assert_eq!(refused, Error::NoSuchTargetRow { name: "asked", row: 6, n_target: 6 });
    }

    #[test]
    fn probabilities_have_the_perplexity() {
        let distances: Vec<f64> = (0..50).map(|at| f64::from(at) * 1e-6).collect();
        let found = near(&distances, Some(0), 40, 8.0);
        let entropy: f64 = found.iter().map(|(_, p)| -p * p.max(f64::MIN_POSITIVE).ln()).sum();
        assert!((entropy.exp() - 8.0).abs() < 0.01, "{}", entropy.exp());
        assert_eq!(near(&[2.0, 2.0], None, 5, 3.0), [(0, 0.5), (1, 0.5)]);
    }
}
