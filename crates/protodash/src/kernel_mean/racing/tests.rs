use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::kernel::{Gaussian, InverseMultiquadric, Laplacian, Polynomial};
use crate::kernel_mean::{Target, mean_over_target};
use crate::observe::Unobserved;

/// Rows around a few centres, with a few far away.
fn clustered(n_rows: usize, n_columns: usize, seed: u64) -> Vec<f64> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let centres: Vec<f64> = (0..8 * n_columns).map(|_| generator.random_range(-3.0..3.0)).collect();
    let mut values = Vec::with_capacity(n_rows * n_columns);
    for row in 0..n_rows {
        let (centre, pack_numbers) = (generator.random_range(0..8), if row % 50 == 0 { 6.0 } else { 1.0 });
        for column in 0..n_columns {
            let noise: f64 = (0..4).map(|_| generator.random_range(-0.7..0.7)).sum();
            values.push(centres[centre * n_columns + column] + pack_numbers * noise);
        }
    }
    values
}

/// The target with its equal rows merged, for as long as the tests run.
fn merged<T: Scalar>(target: Target<'_, T>) -> RaceTarget<'_, T> {
    RaceTarget::new(target, Box::leak(Box::new(MergedTarget::of(target))))
}

/// A kernel that is not built in.
struct Custom(Gaussian);

impl<T: Scalar> Kernel<T> for Custom {
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        2.0 * self.0.evaluate(x, y)
    }
}

/// All source rows with their features, after the first level.
fn all_rows<T: Scalar>(race: &Race<'_, T>) -> (Vec<usize>, AnchoredRows, Vec<RacedRow>) {
    let all: Vec<usize> = (0..race.n_source()).collect();
    let anchored = race.anchored(&all);
    let start = race.start(0..all.len()).unwrap();
    let states = start.rows.iter().map(PackedRow::unpack).collect();
    (all, anchored, states)
}

/// How often an upper bound at any level is below the exact mean, and the bounds' mean distance from it at the last level.
fn failures<T: Scalar>(
    kernel: &dyn Kernel<T>,
    target: Target<'_, T>,
    source: Rows<'_, T>,
    seeds: std::ops::Range<u64>,
    failure: f64,
) -> (usize, usize, f64) {
    let exact = mean_over_target(target, source, kernel, (Stage::KernelMean, &mut Unobserved)).unwrap();
    let race_target = merged(target);
    let (mut n_failures, mut n_bounds, mut width) = (0, 0, 0.0);
    for seed in seeds {
        let mut race = Race::new(kernel, &race_target, source, seed, &mut Unobserved).unwrap();
        // For one row instead of all, which makes failures frequent enough to be seen.
        race.penalty = (BETS.len() as f64 / failure).ln();
        let (all, anchored, mut states) = all_rows(&race);
        let mut fails = vec![false; states.len()];
        for _ in 0..race.order.levels.len() {
            for (row, mean) in race.means(&anchored, &all, &states).into_iter().enumerate() {
                fails[row] |= mean.upper < exact[row];
            }
            race.refine(&anchored, &all, &mut states, &mut Unobserved).unwrap();
        }
        let excess =
            race.means(&anchored, &all, &states).into_iter().zip(&exact).map(|(mean, exact)| mean.upper - exact);
        width += excess.sum::<f64>() / states.len() as f64;
        n_failures += fails.iter().filter(|fails| **fails).count();
        n_bounds += fails.len();
    }
    (n_failures, n_bounds, width)
}

/// The bound at confidence 1 − δ for a single row fails at most that often at any level: here δ = 5 %. At the confidence of a
/// race it never does.
#[test]
fn upper_bounds_are_above_the_mean_as_often_as_proven() {
    let values = clustered(4000, 4, 1);
    let rows = Rows::new(&values, 4);
    let target = Target { rows, weights: None };
    let some = rows.slice(0..600);
    // From wide to so narrow that hardly any draw is near a row.
    for bandwidth in [3.0, 1.0, 0.3, 0.05] {
        let kernel = Gaussian::new(bandwidth).unwrap();
        let (n_failures, n_bounds, _) = failures(&kernel, target, some, 0..12, 0.05);
        assert!(n_failures as f64 <= 0.05 * n_bounds as f64, "bandwidth {bandwidth}: {n_failures} of {n_bounds}");
        let (n_failures, ..) = failures(&kernel, target, some, 100..104, 1e-9);
        assert_eq!(n_failures, 0, "bandwidth {bandwidth}");
    }
}

/// Puts the target in another order: landmarks, features and residual sizes stay, and the theorem is about the order alone.
fn redraw<'a, T: Scalar>(
    race: &mut Race<'a, T>,
    target: &'a RaceTarget<'a, T>,
    (roots, features): (&[f32], &[f32]),
    seed: u64,
) {
    race.order = TargetOrder::new(|row| target.weight(row), roots, usize::MAX, seed);
    race.loops = loops(race.kernel, target, race.source);
    let width = race.n_feature_columns();
    for level in 0..race.order.levels.len() {
        let segment = race.order.segment(level);
        let rows = &race.order.rows[segment.clone()];
        let of_draws: Vec<f32> = rows.iter().flat_map(|row| &features[row * width..][..width]).copied().collect();
        let draws = DrawnRows {
            rows,
            inverse_sizes: &race.order.inverse_sizes[segment.clone()],
            rates: &race.order.rates[segment.clone()],
            early_rates: &race.order.early_rates[segment],
            features: Rows::new(&of_draws, width),
        };
        race.loops.load(level, draws);
    }
}

/// The bounds over thousands of orders: of small targets with one level and of larger ones with several, from wide kernels to such
/// that hardly any row is similar to another, and far from the origin, where rows of f32 are rounded.
#[test]
fn upper_bounds_hold_over_thousands_of_orders() {
    /// Rows whose bounds are checked.
    const CHECKED: usize = 16;
    /// Probabilities that the bound of one row fails; the last is that of a race for these rows.
    const FAILURES: [f64; 3] = [0.5, 0.05, FAILURE / CHECKED as f64];
    /// The number of orders.
    fn check<T: Scalar>(values: &[T], n_seeds: u64, n_levels: usize) -> u64 {
        let rows = Rows::new(values, 2);
        let target = merged(Target { rows, weights: None });
        let checked: Vec<usize> = (0..CHECKED).map(|at| at * rows.n_rows() / CHECKED).collect();
        let places: Vec<usize> = (0..CHECKED).collect();
        let bandwidths = [3.0, 0.5, 0.05, 0.002];
        for bandwidth in bandwidths {
            let kernel = Gaussian::new(bandwidth).unwrap();
            let of_target = Target { rows, weights: None };
            let exact = mean_over_target(of_target, rows, &kernel, (Stage::KernelMean, &mut Unobserved)).unwrap();
            let mut race = Race::new(&kernel, &target, rows, 7, &mut Unobserved).unwrap();
            let anchored = race.anchored(&checked);
            let mut features = Vec::new();
            let keep = |some: &[f32]| features.extend_from_slice(some);
            let measured =
                MeasuredTarget::new((&kernel, &race.features), &target, race.error, keep, &mut Unobserved).unwrap();
            let mut n_failures = [0; FAILURES.len()];
            for seed in 0..n_seeds {
                redraw(&mut race, &target, (&measured.roots, &features), seed);
                assert_eq!(race.order.levels.len(), n_levels);
                let mut states = vec![RacedRow::default(); CHECKED];
                let mut fails = [[false; CHECKED]; FAILURES.len()];
                while race.can_refine(&states[0]) {
                    race.refine(&anchored, &places, &mut states, &mut Unobserved).unwrap();
                    for (failure, fails) in FAILURES.into_iter().zip(&mut fails) {
                        race.penalty = (BETS.len() as f64 / failure).ln();
                        let means = race.means(&anchored, &places, &states);
                        for (place, mean) in means.into_iter().enumerate() {
                            fails[place] |= mean.upper < exact[checked[place]];
                        }
                    }
                }
                for (n_failures, fails) in n_failures.iter_mut().zip(fails) {
                    *n_failures += fails.into_iter().filter(|fails| *fails).count();
                }
            }
            let n_bounds = (n_seeds as usize * CHECKED) as f64;
            for (failure, n_failures) in FAILURES.into_iter().zip(n_failures) {
                assert!(
                    n_failures as f64 <= failure * n_bounds,
                    "bandwidth {bandwidth}: {n_failures} of {n_bounds} at {failure}"
                );
            }
        }
        n_seeds * bandwidths.len() as u64
    }
    let mut n_orders = 0;
    for (n_rows, n_seeds, n_levels) in [(300, 900, 1), (4000, 150, 3)] {
        let values: Vec<f64> = clustered(n_rows, 2, 20).into_iter().map(|value| 1000.0 + value).collect();
        let single: Vec<f32> = values.iter().map(|value| *value as f32).collect();
        n_orders += check(&values, n_seeds, n_levels) + check(&single, n_seeds, n_levels);
    }
    assert!(n_orders > 8000);
}

#[test]
fn upper_bounds_hold_for_every_kernel_and_type() {
    let values = clustered(3500, 5, 2);
    let single: Vec<f32> = values.iter().map(|value| *value as f32).collect();
    let (double, single) = (Rows::new(&values, 5), Rows::new(&single, 5));
    fn check<T: Scalar>(rows: Rows<'_, T>) {
        let kernels: [&dyn Kernel<T>; 4] = [
            &Laplacian::new(3.0).unwrap(),
            &InverseMultiquadric::new(0.8).unwrap(),
            &Polynomial::new(3, 0.2, 1.0).unwrap(),
            &Custom(Gaussian::new(1.5).unwrap()),
        ];
        for (at, kernel) in kernels.into_iter().enumerate() {
            let weights: Vec<f64> = (0..3500).map(|row| f64::from(row % 4) / 5250.0).collect();
            for weights in [None, Some(&weights[..])] {
                let target = Target { rows, weights };
                let (n_failures, n_bounds, _) = failures(kernel, target, rows.slice(0..200), 0..2, 0.05);
                assert!(n_failures as f64 <= 0.05 * n_bounds as f64, "kernel {at}: {n_failures} of {n_bounds}");
            }
        }
    }
    check(double);
    check(single);
}

#[test]
fn more_draws_lower_the_upper_bounds() {
    let values = clustered(6000, 3, 3);
    let rows = Rows::new(&values, 3);
    let target = merged(Target { rows, weights: None });
    let kernel = Gaussian::new(1.0).unwrap();
    let race = Race::new(&kernel, &target, rows, 5, &mut Unobserved).unwrap();
    let (all, anchored, mut states) = all_rows(&race);
    let slack = |mean: &MeanUpperBound| mean.upper - mean.estimate;
    let total = |states: &[RacedRow]| race.means(&anchored, &all, states).iter().map(slack).sum::<f64>();
    let first = total(&states);
    let mut n_pairs = 0;
    while race.can_refine(&states[0]) {
        n_pairs += race.refine(&anchored, &all, &mut states, &mut Unobserved).unwrap();
    }
    assert!(total(&states) < 0.5 * first, "{} {first}", total(&states));
    let last = race.order.levels.last().unwrap().n_draws;
    assert_eq!(n_pairs, (6000 * (last - race.order.levels[0].n_draws)) as u64);
}

/// What a row adds up to depends neither on the other rows nor on how they are divided into tasks.
#[test]
fn a_row_has_the_same_bits_alone() {
    let values = clustered(5000, 6, 4);
    let rows = Rows::new(&values, 6);
    let target = merged(Target { rows, weights: None });
    let kernel = Gaussian::new(2.0).unwrap();
    let race = Race::new(&kernel, &target, rows, 1, &mut Unobserved).unwrap();
    let (all, anchored, start) = all_rows(&race);
    let mut together = start.clone();
    while race.can_refine(&together[0]) {
        race.refine(&anchored, &all, &mut together, &mut Unobserved).unwrap();
    }
    for row in [0, 17, 480, 4999] {
        let anchored = race.anchored(&[row]);
        let mut alone = [start[row]];
        while race.can_refine(&alone[0]) {
            race.refine(&anchored, &[0], &mut alone, &mut Unobserved).unwrap();
        }
        assert_eq!(alone[0], together[row]);
    }
    let threads = rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap();
    let start = threads.install(|| {
        let race = Race::new(&kernel, &target, rows, 1, &mut Unobserved).unwrap();
        race.start(0..5000).unwrap()
    });
    assert_eq!(start, race.start(0..5000).unwrap());
}

/// Features that are not kept are computed again, to the last bit; so is the start of a race after it was handed over.
#[test]
fn what_is_not_kept_is_computed_again() {
    let values = clustered(4000, 5, 9);
    let rows = Rows::new(&values, 5);
    let target = merged(Target { rows, weights: None });
    let kernel = Gaussian::new(1.0).unwrap();
    let mut race = Race::new(&kernel, &target, rows, 1, &mut Unobserved).unwrap();
    let some: Vec<usize> = (0..4000).step_by(3).collect();
    let kept = race.anchored(&some);
    assert_eq!(kept.n_computed, 0);
    let width = race.n_feature_columns();
    race.kept_features.truncate(1000 * width);
    let computed = race.anchored(&some);
    assert_eq!(computed.n_computed, some.iter().filter(|row| **row >= 1000).count());
    assert_eq!((computed.features, computed.anchors), (kept.features, kept.anchors));
    let part = race.start(100..250).unwrap();
    let whole = race.start(0..4000).unwrap();
    assert_eq!(part.rows, whole.rows[100..250]);
    assert_eq!(part.slack, whole.slack[100..250]);
    assert_eq!(part.upper_bounds, whole.upper_bounds[100..250]);
    assert_eq!(race.start(0..4000).unwrap(), whole);
}

/// Packing a row raises its bound a little, once; the bound follows from what is kept to the last bit.
#[test]
fn kept_rows_have_bounds_that_are_hardly_larger() {
    let values = clustered(4000, 4, 12);
    let rows = Rows::new(&values, 4);
    let target = merged(Target { rows, weights: None });
    // The values of the polynomial are far from 1.
    let kernels: [&dyn Kernel<f64>; 2] = [&Gaussian::new(1.0).unwrap(), &Polynomial::new(3, 50.0, 1.0).unwrap()];
    for kernel in kernels {
        let race = Race::new(kernel, &target, rows, 2, &mut Unobserved).unwrap();
        let (all, anchored, mut states) = all_rows(&race);
        while race.can_refine(&states[0]) {
            race.refine(&anchored, &all, &mut states, &mut Unobserved).unwrap();
            let means = race.means(&anchored, &all, &states);
            let upper: Vec<f64> = means.iter().map(|mean| mean.upper).collect();
            let kept = race.kept(&anchored, &states, &upper);
            states = kept.iter().map(|kept| kept.row.unpack()).collect();
            let slack: Vec<f32> = kept.iter().map(|kept| kept.slack).collect();
            let again = race.kept_bounds(&anchored, &states, &slack);
            let by_sums = race.means(&anchored, &all, &states);
            for (row, kept) in kept.iter().enumerate() {
                let width = upper[row] - means[row].estimate;
                assert_eq!(kept.upper.to_bits(), again[row].to_bits());
                assert!(
                    kept.upper >= upper[row]
                        && kept.upper <= upper[row] + 1e-6 * width.abs() + 1e-12 * upper[row].abs()
                );
                assert!(by_sums[row].upper >= upper[row] && by_sums[row].upper <= upper[row] + 0.02 * width);
            }
        }
    }
}

/// The loops in registers and the plain loop add up the same.
#[test]
fn the_fused_loop_agrees_with_the_plain_one() {
    let values = clustered(3000, 7, 6);
    let rows = Rows::new(&values, 7);
    let target = merged(Target { rows, weights: None });
    let kernels: [&dyn Kernel<f64>; 3] =
        [&Gaussian::new(2.0).unwrap(), &Laplacian::new(8.0).unwrap(), &Polynomial::new(3, 0.05, 1.0).unwrap()];
    for kernel in kernels {
        let fused = Race::new(kernel, &target, rows, 1, &mut Unobserved).unwrap();
        let mut plain = Race::new(kernel, &target, rows, 1, &mut Unobserved).unwrap();
        let pairs = EvaluatedPairs { kernel, target: target.unweighted(), source: rows };
        plain.loops = Box::new(EvaluatedResiduals { pairs, drawn: DrawStore::default() });
        let some: Vec<usize> = (0..3000).step_by(60).collect();
        let places: Vec<usize> = (0..some.len()).collect();
        let anchored = fused.anchored(&some);
        let mut states = vec![RacedRow::default(); some.len()];
        let mut by_plain = states.clone();
        while fused.can_refine(&states[0]) {
            fused.refine(&anchored, &places, &mut states, &mut Unobserved).unwrap();
            plain.refine(&anchored, &places, &mut by_plain, &mut Unobserved).unwrap();
            let (means, by_plain) =
                (fused.means(&anchored, &places, &states), fused.means(&anchored, &places, &by_plain));
            for (one, other) in means.iter().zip(&by_plain) {
                assert!((one.upper - other.upper).abs() < 1e-4 * other.upper.abs(), "{one:?} {other:?}");
                let slack = |mean: &MeanUpperBound| mean.upper - mean.estimate;
                assert!((slack(one) - slack(other)).abs() < 1e-4 * slack(other).abs(), "{one:?} {other:?}");
            }
        }
    }
}
