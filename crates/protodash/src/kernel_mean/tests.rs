use super::*;
use crate::kernel::{Gaussian, Linear};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random(n_values: usize, seed: u64) -> Vec<f64> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    (0..n_values).map(|_| generator.random_range(-1.0..1.0)).collect()
}

/// One sum for each source row, with nothing clever about it.
fn naive(target: Target<'_, f64>, source: Rows<'_, f64>, kernel: &impl Kernel<f64>) -> Vec<f64> {
    let n_target = target.rows.n_rows();
    let weight = |i: usize| target.weights.map_or(1.0 / n_target as f64, |weights| weights[i]);
    let similarity = |y: &[f64]| (0..n_target).map(|i| weight(i) * kernel.evaluate(target.rows.row(i), y)).sum();
    source.iter().map(similarity).collect()
}

fn watched(target: Target<'_, f64>, source: Rows<'_, f64>, kernel: &impl Kernel<f64>) -> Vec<f64> {
    mean_over_target(target, source, kernel, (Stage::KernelMean, &mut Unobserved)).unwrap()
}

fn assert_close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).for_each(|(a, b)| assert!((a - b).abs() < 1e-13, "{a} {b}"));
}

#[test]
fn blocks_and_mirrors_give_the_naive_mean() {
    // Sizes on both sides of the block and segment borders.
    let kernel = Gaussian::new(0.7).unwrap();
    for (n_target, n_source) in [(1, 1), (255, 257), (256, 256), (2049, 3), (700, 513)] {
        let (target, source) = (random(n_target * 3, 1), random(n_source * 3, 2));
        let weights = normalised(random(n_target, 3));
        for weights in [None, Some(&weights[..])] {
            let target = Target { rows: Rows::new(&target, 3), weights };
            let source = Rows::new(&source, 3);
            assert_close(&watched(target, source, &kernel), &naive(target, source, &kernel));
            assert_close(&watched(target, target.rows, &kernel), &naive(target, target.rows, &kernel));
        }
    }
}

fn normalised(values: Vec<f64>) -> Vec<f64> {
    let total: f64 = values.iter().map(|value| value.abs()).sum();
    values.iter().map(|value| value.abs() / total).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let values = random(1500 * 4, 4);
    let rows = Rows::new(&values, 4);
    let target = Target { rows, weights: None };
    let kernel = Gaussian::new(1.0).unwrap();
    let in_pool = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| (watched(target, rows, &kernel), watched(target, rows.slice(1..1400), &kernel)))
    };
    assert_eq!(in_pool(1), in_pool(5));
}

#[test]
fn a_source_row_has_the_same_bits_in_any_company() {
    // What a shard computes for its rows must not depend on which other rows it holds.
    let (target, source) = (random(5000 * 2, 5), random(600 * 2, 6));
    let target = Target { rows: Rows::new(&target, 2), weights: None };
    let source = Rows::new(&source, 2);
    let kernel = Gaussian::new(1.0).unwrap();
    let whole = watched(target, source, &kernel);
    let parts = [0..7, 7..300, 300..600].map(|part| watched(target, source.slice(part), &kernel));
    assert_eq!(whole, parts.concat());
}

#[test]
fn sums_of_whole_numbers_are_exact() {
    let values: Vec<f64> = (0..1000).map(|i| f64::from(i % 7)).collect();
    let rows = Rows::new(&values, 1);
    let means = watched(Target { rows, weights: None }, rows, &Linear);
    let sum: f64 = values.iter().sum();
    means.iter().zip(&values).for_each(|(mean, value)| assert_eq!(*mean, value * sum / 1000.0));
}

#[test]
fn an_observer_can_stop_it() {
    struct Stop;
    impl Observer for Stop {
        fn on_progress(&mut self, _: Stage, _: u64, _: u64) -> std::ops::ControlFlow<()> {
            std::ops::ControlFlow::Break(())
        }
    }
    let values = random(10, 7);
    let rows = Rows::new(&values, 1);
    let stopped = mean_over_target(Target { rows, weights: None }, rows, &Linear, (Stage::KernelMean, &mut Stop));
    assert_eq!(stopped, Err(Error::Cancelled));
}
