//! Kernel means and columns in f32 choose the rows and weights of f64, on random and on real data.

use crate::samples::{cells, chosen, digits, from_rows, one_hot, random, weights};
use ndarray::Array2;
use proptest::prelude::*;
use protodash::{
    FigureErrors, Gaussian, InverseMultiquadric, Kernel, Laplacian, Matern32, Method, Params, Precision, Scalar,
    Selection, Weights, select,
};

/// A kernel without a known formula: the whole run is in f64, pair by pair.
struct Opaque<K>(K);

impl<T: Scalar, K: Kernel<T>> Kernel<T> for Opaque<K> {
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        self.0.evaluate(x, y)
    }
}

/// Asserts that two runs chose the same rows with the same weights, for as long as a step gains more than rounding.
fn assert_same(fast: &Selection, slow: &Selection, what: &str) {
    let scale = slow.objective_final().abs();
    // The first step always counts; under Σw = 1 it may lower the objective.
    let n_clear = 1 + slow.prototypes.iter().skip(1).take_while(|prototype| prototype.gain > 1e-11 * scale).count();
    assert!(fast.prototypes.len() >= n_clear, "{what}: {:?} {:?}", chosen(fast), chosen(slow));
    let (fast, slow) = (fast.prefix(n_clear).unwrap(), slow.prefix(n_clear).unwrap());
    assert_eq!(chosen(&fast), chosen(&slow), "{what}");
    // Rows that are close together have a nearly singular Gram matrix, which turns the last bits of a mean, which
    // depend on the order of summation, into a millionth of a weight. The objective is not affected.
    for (fast, slow) in weights(&fast).iter().zip(weights(&slow)) {
        assert!((fast - slow).abs() <= 1e-5, "{what}: {fast} {slow}");
    }
    for (fast, slow) in fast.objective.iter().zip(&slow.objective) {
        assert!((fast - slow).abs() <= 1e-11 * scale, "{what}: {fast} {slow}");
    }
}

/// Runs both greedy methods with f32 where possible, and in f64.
fn check<K: Kernel<f32> + Kernel<f64> + Copy>(target: &Array2<f64>, source: &Array2<f64>, kernel: K, params: &Params) {
    let (target_f32, source_f32) = (target.mapv(|value| value as f32), source.mapv(|value| value as f32));
    let same = std::ptr::eq(target, source);
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        for precision in [Precision::Single, Precision::Double] {
            let mut params = params.clone();
            (params.method, params.precision) = (method, Some(precision));
            let what = format!("{method:?} {precision:?}");
            let target = if same { &source_f32 } else { &target_f32 };
            let fast = select(target, &source_f32, &kernel, &params).unwrap();
            assert_same(&fast, &select(target, &source_f32, &Opaque(kernel), &params).unwrap(), &what);
        }
    }
}

/// Rows around a few centres.
fn clustered(n_rows: usize, n_columns: usize, seed: u64) -> Array2<f64> {
    let mut rows = random(n_rows, n_columns, seed);
    for (index, mut row) in rows.rows_mut().into_iter().enumerate() {
        row += (index % 5) as f64 * if seed.is_multiple_of(2) { 0.4 } else { 3.0 };
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, rng_seed: prop::test_runner::RngSeed::Fixed(11), ..Default::default() })]

    #[test]
    fn random_rows_are_chosen_as_in_double_precision(
        shape in (2..200_usize, 2..200_usize, 1..12_usize),
        seed in any::<u64>(),
        part in prop_oneof![Just(0.1), Just(0.4), Just(1.0), Just(4.0)],
        which in 0..4_usize,
        convex in any::<bool>(),
        within in any::<bool>(),
    ) {
        let (n_target, n_source, n_columns) = shape;
        let (target, source) = (clustered(n_target, n_columns, seed), clustered(n_source, n_columns, seed ^ 1));
        let target = if within { &source } else { &target };
        let bandwidth = part * (n_columns as f64).sqrt();
        let mut params = Params::new(25.min(n_source));
        params.weights = if convex { Weights::Convex } else { Weights::Nonnegative };
        params.target_weights = seed.is_multiple_of(3).then(|| (0..target.nrows()).map(|i| (i % 4) as f64 + 0.5).collect());
        match which {
            0 => check(target, &source, Gaussian::new(bandwidth).unwrap(), &params),
            1 => check(target, &source, Laplacian::new(2.0 * bandwidth).unwrap(), &params),
            2 => check(target, &source, Matern32::new(bandwidth).unwrap(), &params),
            _ => check(target, &source, InverseMultiquadric::new(bandwidth).unwrap(), &params),
        }
    }
}

#[test]
fn digits_are_chosen_as_in_double_precision() {
    let digits = digits();
    for part in [0.1, 0.5, 1.0, 2.0] {
        check(&digits, &digits, Gaussian::new(part * 49.09).unwrap(), &Params::new(100));
    }
}

#[test]
fn a_table_of_patients_is_chosen_as_in_double_precision() {
    let (_, rows) = cells("breast_cancer.csv");
    let numbers = |row: &Vec<String>| row.iter().filter_map(|cell| cell.parse().ok()).collect::<Vec<f64>>();
    let rows = from_rows(rows.iter().map(numbers).collect());
    for bandwidth in [30.0, 300.0, 3000.0] {
        check(&rows, &rows, Gaussian::new(bandwidth).unwrap(), &Params::new(60));
        check(&rows, &rows, Laplacian::new(bandwidth).unwrap(), &Params::new(60));
    }
}

#[test]
fn hundreds_of_tied_one_hot_rows_are_chosen_as_in_double_precision() {
    // Gradients that are equal in f64 differ in f32: all of them must be recomputed.
    let rows = one_hot(900, &[2, 3, 2], 5);
    check(&rows, &rows, Gaussian::new(1.0).unwrap(), &Params::new(12));
    let corners = Array2::from_shape_fn((256, 8), |(row, column)| f64::from((row >> column) as u32 & 1));
    check(&corners, &corners, Gaussian::new(1.0).unwrap(), &Params::new(40));
}

#[test]
fn the_result_bounds_the_error_of_its_means() {
    let rows = clustered(300, 5, 3);
    let kernel = Gaussian::new(2.0).unwrap();
    let double = select(&rows, &rows, &kernel, &Params::new(5)).unwrap();
    assert_eq!(double.kernel_mean_error, 0.0);
    let rows_f32 = rows.mapv(|value| value as f32);
    let single = select(&rows_f32, &rows_f32, &kernel, &Params::new(5)).unwrap();
    assert!(single.kernel_mean_error > 0.0 && single.kernel_mean_error < 1e-5);
    let mut params = Params::new(5);
    params.precision = Some(Precision::Double);
    let exact = select(&rows_f32, &rows_f32, &kernel, &params).unwrap();
    for (rough, exact) in single.kernel_mean().unwrap().iter().zip(exact.kernel_mean().unwrap()) {
        assert!((rough - exact).abs() <= single.kernel_mean_error);
    }
    let energies = [&single, &exact].map(|selection| selection.target_energy.unwrap().value);
    assert!((energies[0] - energies[1]).abs() <= single.kernel_mean_error);
}

/// The objective of f32 data is that of f64; ‖μ‖², MMD² and the share explained are within their bounds, also if the energy
/// takes means of its own.
#[test]
fn figures_of_f32_are_within_their_bounds() {
    let (target, source) = (clustered(400, 4, 2), clustered(150, 4, 3));
    let [target, source] = [target, source].map(|rows| rows.mapv(|value| value as f32));
    for (kernel, bandwidth) in [("wide", 3.0), ("narrow", 0.1)] {
        for target in [&target, &source] {
            let run = |precision| {
                let mut params = Params::new(8);
                params.precision = Some(precision);
                select(target, &source, &Gaussian::new(bandwidth).unwrap(), &params).unwrap()
            };
            let (rough, exact) = (run(Precision::Single), run(Precision::Double));
            assert_eq!(exact.error_bounds, FigureErrors::default());
            let bounds = rough.error_bounds;
            assert_eq!(bounds.objective, 0.0);
            for (rough, exact) in rough.objective.iter().zip(&exact.objective) {
                assert!((rough - exact).abs() <= 1e-12 * exact, "{kernel}: {rough} {exact}");
            }
            let energy = rough.target_energy.unwrap().value;
            assert!((energy - exact.target_energy.unwrap().value).abs() <= bounds.target_energy);
            assert!(bounds.target_energy > 0.0 && bounds.target_energy < 1e-3 * energy, "{kernel}: {bounds:?}");
            assert!((rough.mmd2().unwrap() - exact.mmd2().unwrap()).abs() <= bounds.mmd2());
            let (share, true_share) = (rough.explained().unwrap(), exact.explained().unwrap());
            assert!((share - true_share).abs() <= bounds.explained(share, energy));
        }
    }
}

#[test]
fn results_in_single_precision_are_bit_identical_for_any_number_of_threads() {
    let rows = clustered(1500, 6, 9).mapv(|value| value as f32);
    let kernel = Gaussian::new(1.5).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        let runs = [1, 2, 5].map(|n_threads| {
            let mut params = Params::new(30);
            params.method = method;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| select(&rows, &rows, &kernel, &params)).unwrap()
        });
        assert_eq!(runs[0], runs[1]);
        assert_eq!(runs[0], runs[2]);
    }
}

/// Which kernel means are computed in f64, and with which others, depends on how the columns are stored.
#[test]
fn results_do_not_depend_on_the_memory_for_columns() {
    let rows = digits().mapv(|value| value as f32);
    let source = rows.slice(ndarray::s![..900, ..]).to_owned();
    for (method, width) in [(Method::ProtoDash, 25.0), (Method::ProtoGreedy, 25.0), (Method::ProtoDash, 60.0)] {
        for target in [&source, &rows] {
            let with = |column_memory: u64| {
                let mut params = Params::new(80);
                (params.method, params.column_memory) = (method, column_memory);
                select(target, &source, &Gaussian::new(width).unwrap(), &params).unwrap()
            };
            let plenty = with(1 << 30);
            for memory in [0, 900 * 4 * 10, 900 * 4 * 50] {
                assert_eq!(with(memory), plenty, "{method:?} at {width} with {memory} bytes");
            }
        }
    }
}
