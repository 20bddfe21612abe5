use super::*;
use crate::kernel::{Cosine, Gaussian, Hamming, Laplacian, Linear, Polynomial};
use crate::observe::Unobserved;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random(n_values: usize, seed: u64) -> Vec<f64> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    (0..n_values).map(|_| generator.random_range(-1.0..1.0)).collect()
}

/// Reference implementation: one plain sum for each source row.
fn naive(target: Target<'_, f64>, source: Rows<'_, f64>, kernel: &impl Kernel<f64>) -> Vec<f64> {
    let n_target = target.rows.n_rows();
    let weight = |i: usize| target.weights.map_or(1.0 / n_target as f64, |weights| weights[i]);
    let similarity = |y: &[f64]| (0..n_target).map(|i| weight(i) * kernel.evaluate(target.rows.row(i), y)).sum();
    source.iter().map(similarity).collect()
}

fn computed(target: Target<'_, f64>, source: Rows<'_, f64>, kernel: &impl Kernel<f64>) -> Vec<f64> {
    mean_over_target(target, source, kernel, (Stage::KernelMean, &mut Unobserved)).unwrap()
}

fn assert_close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).for_each(|(a, b)| assert!((a - b).abs() < 1e-13, "{a} {b}"));
}

#[test]
fn cross_and_symmetric_sums_give_the_naive_mean() {
    // Sizes on both sides of the block and segment boundaries.
    let kernel = Gaussian::new(0.7).unwrap();
    for (n_target, n_source) in [(1, 1), (95, 97), (96, 96), (3841, 3), (700, 2001)] {
        let (target, source) = (random(n_target * 3, 1), random(n_source * 3, 2));
        let weights = normalised(random(n_target, 3));
        for weights in [None, Some(&weights[..])] {
            let target = Target { rows: Rows::new(&target, 3), weights };
            let source = Rows::new(&source, 3);
            assert_close(&computed(target, source, &kernel), &naive(target, source, &kernel));
            assert_close(&computed(target, target.rows, &kernel), &naive(target, target.rows, &kernel));
        }
    }
}

/// Hides the loop formula of a kernel, which forces the general path.
struct Opaque<K>(K);

impl<K: Kernel<f64>> Kernel<f64> for Opaque<K> {
    fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
        self.0.evaluate(x, y)
    }
}

#[test]
fn a_kernel_without_a_formula_gives_the_naive_mean() {
    let (target, source) = (random(1000 * 2, 1), random(130 * 2, 2));
    let weights = normalised(random(1000, 3));
    let kernel = Opaque(Gaussian::new(0.7).unwrap());
    for weights in [None, Some(&weights[..])] {
        let target = Target { rows: Rows::new(&target, 2), weights };
        let source = Rows::new(&source, 2);
        assert_close(&computed(target, source, &kernel), &naive(target, source, &kernel));
        assert_close(&computed(target, target.rows, &kernel), &naive(target, target.rows, &kernel));
    }
}

#[test]
fn kernels_that_need_no_pairs_give_the_naive_mean() {
    let mut target = random(600 * 3, 1);
    target[30..33].fill(0.0); // a row of zeros has no direction
    let (levels, source) = (target.iter().map(|value| (value * 2.0).round()).collect::<Vec<f64>>(), random(50 * 3, 2));
    let weights = normalised(random(600, 3));
    for weights in [None, Some(&weights[..])] {
        let target = Target { rows: Rows::new(&target, 3), weights };
        for source in [Rows::new(&source, 3), target.rows] {
            assert_close(&computed(target, source, &Linear), &naive(target, source, &Linear));
            assert_close(&computed(target, source, &Cosine), &naive(target, source, &Cosine));
        }
        let target = Target { rows: Rows::new(&levels, 3), weights };
        assert_close(&computed(target, target.rows, &Hamming), &naive(target, target.rows, &Hamming));
        assert_close(&computed(target, Rows::new(&source, 3), &Hamming), &[0.0; 50]);
    }
}

fn normalised(values: Vec<f64>) -> Vec<f64> {
    let total: f64 = values.iter().map(|value| value.abs()).sum();
    values.iter().map(|value| value.abs() / total).collect()
}

/// One kernel for each way of computing a mean.
fn one_of_each_kind() -> Vec<Box<dyn Kernel<f64> + Send>> {
    vec![
        Box::new(Gaussian::new(1.0).unwrap()),
        // So narrow that most rows are beyond the reach of the centre.
        Box::new(Gaussian::new(0.01).unwrap()),
        Box::new(Laplacian::new(1.0).unwrap()),
        Box::new(Polynomial::new(2, 0.3, 1.0).unwrap()),
        Box::new(Cosine),
        Box::new(Hamming),
        Box::new(Opaque(Gaussian::new(1.0).unwrap())),
    ]
}

#[test]
fn means_are_bit_identical_for_any_number_of_threads() {
    let values = random(1500 * 4, 4);
    let rows = Rows::new(&values, 4);
    let weights = normalised(random(1500, 5));
    for kernel in one_of_each_kind() {
        for weights in [None, Some(&weights[..])] {
            let target = Target { rows, weights };
            let in_pool = |n_threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
                pool.install(|| (computed(target, rows, &kernel), computed(target, rows.slice(1..1400), &kernel)))
            };
            assert_eq!(in_pool(1), in_pool(5));
        }
    }
}

#[test]
fn the_mean_of_a_source_row_does_not_depend_on_the_other_source_rows() {
    // Otherwise results would depend on how rows are divided into shards.
    let (target, mut source) = (random(5000 * 2, 5), random(600 * 2, 6));
    source[1000] = 1e9; // beyond the reach of the centre with any bandwidth
    let target = Target { rows: Rows::new(&target, 2), weights: None };
    let source = Rows::new(&source, 2);
    for kernel in one_of_each_kind() {
        for level in InstructionSet::available() {
            for precision in [Precision::Single, Precision::Double] {
                let computed = |source| {
                    let watch = (Stage::KernelMean, &mut Unobserved as &mut dyn Observer);
                    mean_by(target, source, &kernel, (level, precision), watch).unwrap().0
                };
                let parts = [0..7, 7..300, 300..600].map(|part| computed(source.slice(part)));
                assert_eq!(computed(source), parts.concat(), "{level:?} {precision:?}");
            }
        }
    }
}

#[test]
fn sums_of_whole_numbers_are_exact() {
    let values: Vec<f64> = (0..1000).map(|i| f64::from(i % 7)).collect();
    let rows = Rows::new(&values, 1);
    let means = computed(Target { rows, weights: None }, rows, &Linear);
    let sum: f64 = values.iter().sum();
    means.iter().zip(&values).for_each(|(mean, value)| assert_eq!(*mean, value * sum / 1000.0));
}

#[test]
fn ties_between_one_hot_rows_are_exact_on_every_path() {
    // Sums of whole numbers are exact, so every path agrees to the last bit.
    let one_hot = |n_rows: usize| -> Vec<f64> {
        (0..n_rows)
            .flat_map(|row| (0..30).map(move |column| f64::from(u8::from((row * 7 + row / 3) % 30 == column))))
            .collect()
    };
    let (target, source) = (one_hot(1300), one_hot(250));
    let (target, source) = (Target { rows: Rows::new(&target, 30), weights: None }, Rows::new(&source, 30));
    let polynomial = Polynomial::new(3, 2.0, 1.0).unwrap();
    for level in InstructionSet::available() {
        let computed = |source, kernel: &dyn Kernel<f64>| {
            let watch = (Stage::KernelMean, &mut Unobserved as &mut dyn Observer);
            mean_by(target, source, kernel, (level, Precision::Double), watch).unwrap().0
        };
        for source in [source, target.rows] {
            assert_eq!(computed(source, &polynomial), computed(source, &Opaque(polynomial)));
            assert_eq!(computed(source, &Linear), computed(source, &Opaque(Linear)));
        }
    }
}

#[test]
fn an_observer_can_stop_the_computation() {
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

#[test]
fn the_observer_is_called_many_times() {
    #[derive(Default)]
    struct Count(Vec<(u64, u64)>);
    impl Observer for Count {
        fn on_progress(&mut self, _: Stage, done: u64, total: u64) -> std::ops::ControlFlow<()> {
            self.0.push((done, total));
            std::ops::ControlFlow::Continue(())
        }
    }
    // 2000² pairs of 800 columns take about a second without vector instructions, and a custom kernel may be slower.
    let values = random(2000 * 800, 7);
    let rows = Rows::new(&values, 800);
    let gaussian = Gaussian::new(10.0).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let calls = |kernel: &dyn Kernel<f64>, target, source| {
        let mut count = Count::default();
        let target = Target { rows: target, weights: None };
        pool.install(|| mean_over_target(target, source, kernel, (Stage::KernelMean, &mut count)).unwrap());
        let (done, total) = count.0[count.0.len() - 1];
        assert!(count.0.is_sorted() && done == total && count.0[0] == (0, total));
        count.0.len()
    };
    assert!(calls(&gaussian, rows, rows) >= 3);
    assert!(calls(&gaussian, rows, rows.slice(1..1999)) >= 4);
    assert!(calls(&Opaque(gaussian), rows.slice(0..500), rows.slice(0..600)) >= 4);
}
