//! Racing chooses the rows of the full mean, with its weights and objective, from fewer pairs.

use std::io::Read;

use ndarray::{Array2, Axis};
use protodash::{
    Gaussian, InverseMultiquadric, Kernel, Laplacian, Linear, Means, Method, Params, Polynomial, Scalar, Selection,
    TargetEnergy, Unobserved, Weights, baseline, kernel_mean, select,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::samples::{chosen, one_hot, random, real_data, weights};

/// Rows around random centres.
fn mixture(n_rows: usize, n_columns: usize, seed: u64) -> Array2<f64> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let centres = random(20, n_columns, seed + 1000) * 3.0;
    let mut rows = random(n_rows, n_columns, seed + 2000);
    for mut row in rows.rows_mut() {
        row += &centres.row(generator.random_range(0..20));
    }
    rows
}

/// Rows with a few extreme values in every column.
fn heavy_tailed(n_rows: usize, n_columns: usize, seed: u64) -> Array2<f64> {
    random(n_rows, n_columns, seed).mapv(|value| (1.5 * value).tan().clamp(-40.0, 40.0))
}

/// Both selections, after checking that they are the same.
fn same<T: Scalar>(
    name: &str,
    (target, source): (&Array2<T>, &Array2<T>),
    kernel: &dyn Kernel<T>,
    params: &Params,
) -> (Selection, Selection) {
    let mut params = params.clone();
    params.means = Means::Full;
    let full = select(target, source, kernel, &params).unwrap();
    params.means = Means::Racing;
    let raced = select(target, source, kernel, &params).unwrap();
    assert_eq!((full.means.kind, raced.means.kind), (Means::Full, Means::Racing), "{name}");
    assert_eq!(chosen(&full), chosen(&raced), "{name}");
    for (one, other) in weights(&full).into_iter().zip(weights(&raced)) {
        assert!((one - other).abs() < 1e-9, "{name}: weights {one} {other}");
    }
    for (one, other) in full.objective.iter().zip(&raced.objective) {
        assert!((one - other).abs() < 1e-11, "{name}: objectives {one} {other}");
    }
    assert_eq!(full.stopped, raced.stopped, "{name}");
    (full, raced)
}

fn params(n_prototypes: usize, method: Method, seed: u64) -> Params {
    let mut params = Params::new(n_prototypes);
    (params.method, params.seed) = (method, seed);
    params
}

#[test]
fn mixtures_need_only_a_fraction_of_the_pairs() {
    let rows = mixture(20_000, 8, 1);
    let kernel = Gaussian::new(3.0).unwrap();
    for (method, seed) in [(Method::ProtoDash, 0), (Method::ProtoDash, 1), (Method::ProtoGreedy, 2)] {
        let (_, raced) = same("mixture", (&rows, &rows), &kernel, &params(15, method, seed));
        let part = raced.means.pairs as f64 / 4e8;
        assert!(part < 0.2, "{method:?}: {part}");
        assert!(raced.means.n_exact < 1000 && raced.means.confidence > 0.999_998);
    }
}

#[test]
fn narrow_kernels_and_heavy_tails_choose_the_same_rows() {
    let rows = heavy_tailed(8000, 4, 2);
    for bandwidth in [0.1, 1.0, 5.0] {
        let kernel = Gaussian::new(bandwidth).unwrap();
        for method in [Method::ProtoDash, Method::ProtoGreedy] {
            same("heavy tails", (&rows, &rows), &kernel, &params(20, method, 3));
        }
    }
    same("laplacian", (&rows, &rows), &Laplacian::new(4.0).unwrap(), &params(20, Method::ProtoDash, 0));
    same("multiquadric", (&rows, &rows), &InverseMultiquadric::new(0.5).unwrap(), &params(20, Method::ProtoDash, 0));
}

#[test]
fn equal_rows_are_merged() {
    let rows = one_hot(9000, &[4, 3, 6, 5], 4);
    let kernel = Gaussian::new(0.8).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        same("one-hot", (&rows, &rows), &kernel, &params(25, method, 1));
    }
}

#[test]
fn a_separate_weighted_target_chooses_the_same_rows() {
    let (target, source) = (mixture(7000, 5, 5), mixture(5000, 5, 6));
    let kernel = Gaussian::new(1.5).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        let mut params = params(20, method, 2);
        let (full, raced) = same("another target", (&target, &source), &kernel, &params);
        let (exact, estimate) = (full.target_energy.unwrap(), raced.target_energy.unwrap());
        let error = estimate.standard_error.unwrap();
        assert!((exact.value - estimate.value).abs() < 5.0 * error, "{exact:?} {estimate:?}");
        params.target_weights = Some((0..7000).map(|row| f64::from(row % 5)).collect());
        params.target_energy = TargetEnergy::Skip;
        let (_, raced) = same("weighted target", (&target, &source), &kernel, &params);
        assert_eq!(raced.target_energy, None);
        params.weights = Weights::Convex;
        same("convex weights", (&target, &source), &kernel, &params);
    }
}

#[test]
fn f32_data_choose_the_same_rows_with_the_same_bits() {
    let rows = mixture(10_000, 6, 7).mapv(|value| value as f32);
    let kernel = Gaussian::new(2.0).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        let (full, raced) = same("f32", (&rows, &rows), &kernel, &params(20, method, 4));
        assert_eq!(weights(&full), weights(&raced));
        assert_eq!(full.objective, raced.objective);
    }
}

/// Ten times a Gaussian, not built in.
struct Custom(Gaussian);

impl Kernel<f64> for Custom {
    fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
        10.0 * self.0.evaluate(x, y)
    }
}

#[test]
fn custom_and_polynomial_kernels_race() {
    let rows = mixture(4000, 3, 8);
    let custom = Custom(Gaussian::new(2.0).unwrap());
    same("custom", (&rows, &rows), &custom, &params(10, Method::ProtoDash, 0));
    same("cubic", (&rows, &rows), &Polynomial::new(3, 0.1, 1.0).unwrap(), &params(6, Method::ProtoGreedy, 0));
}

#[test]
fn kernels_without_pairs_and_other_methods_do_not_race() {
    let rows = mixture(600, 3, 9);
    let mut asked = params(5, Method::ProtoDash, 0);
    asked.means = Means::Racing;
    let kernels: [&dyn Kernel<f64>; 2] = [&Linear, &Polynomial::new(2, 0.5, 1.0).unwrap()];
    for kernel in kernels {
        let means = select(&rows, &rows, kernel, &asked).unwrap().means;
        assert_eq!((means.kind, means.pairs), (Means::Full, 0));
    }
    asked.method = Method::Swap;
    let swapped = select(&rows, &rows, &Gaussian::new(2.0).unwrap(), &asked).unwrap();
    assert_eq!((swapped.means.kind, swapped.means.pairs), (Means::Full, 600 * 601 / 2));
    // Too few rows for a race to pay off.
    let auto = select(&rows, &rows, &Gaussian::new(2.0).unwrap(), &params(5, Method::ProtoDash, 0)).unwrap();
    assert_eq!(auto.means.kind, Means::Full);
}

/// The mean of a polynomial of degree 2 follows from the target's moments.
#[test]
fn quadratic_kernels_need_no_pairs() {
    let (target, source) = (mixture(300, 4, 20), mixture(50, 4, 21));
    for kernel in [Polynomial::new(2, 0.3, 1.0).unwrap(), Polynomial::new(1, 2.0, 0.5).unwrap()] {
        let means = kernel_mean(&target, &source, &kernel).unwrap();
        for (mean, y) in means.iter().zip(source.rows()) {
            let evaluate = |x: ndarray::ArrayView1<'_, f64>| kernel.evaluate(&x.to_vec(), &y.to_vec());
            let exact = target.rows().into_iter().map(evaluate).sum::<f64>() / 300.0;
            assert!((mean - exact).abs() < 1e-12 * exact.abs(), "{mean} {exact}");
        }
    }
}

#[test]
fn a_race_that_costs_too_much_ends_with_all_means() {
    // 1,500 rows and 60 prototypes: landmarks alone take a third of all pairs.
    let rows = mixture(1500, 4, 10);
    let (_, raced) =
        same("too few rows", (&rows, &rows), &Gaussian::new(0.7).unwrap(), &params(60, Method::ProtoDash, 0));
    assert_eq!(raced.means.n_exact, 1500);
    // In f32, with an error bound for the means that take the place of the upper bounds.
    let rows = rows.mapv(|value| value as f32);
    for (method, n_prototypes) in [(Method::ProtoDash, 60), (Method::ProtoGreedy, 25)] {
        let kernel = Gaussian::new(0.7).unwrap();
        let (full, raced) = same("too few f32 rows", (&rows, &rows), &kernel, &params(n_prototypes, method, 0));
        assert_eq!(raced.means.n_exact, 1500);
        assert_eq!((weights(&full), &full.objective), (weights(&raced), &raced.objective));
    }
}

/// Under a kernel so narrow that hardly any draw says anything, all means are cheaper than a race, though sizes speak for one.
#[test]
fn a_race_that_will_not_pay_ends_before_the_limit() {
    let rows = heavy_tailed(26_000, 200, 14).mapv(|value| value as f32);
    let kernel = Gaussian::new(12.0).unwrap();
    let mut asked = params(8, Method::ProtoDash, 0);
    let auto = select(&rows, &rows, &kernel, &asked).unwrap();
    asked.means = Means::Racing;
    let raced = select(&rows, &rows, &kernel, &asked).unwrap();
    assert_eq!((auto.means.kind, auto.means.n_exact), (Means::Racing, 26_000));
    assert_eq!((chosen(&auto), weights(&auto)), (chosen(&raced), weights(&raced)));
    let all = 26_000 * 26_001 / 2;
    assert!(auto.means.pairs < all + all / 5, "{} of {all}", auto.means.pairs);
    assert!(raced.means.pairs > auto.means.pairs + all / 4, "{} of {all}", raced.means.pairs);
}

/// The full mean of rows that repeat takes as few pairs as there are pairs of distinct rows.
#[test]
fn few_distinct_rows_are_not_raced_by_default() {
    let rows = one_hot(60_000, &[5, 7, 9], 3);
    let asked = params(5, Method::ProtoDash, 0);
    let auto = select(&rows, &rows, &Gaussian::new(0.8).unwrap(), &asked).unwrap();
    assert_eq!(auto.means.kind, Means::Full);
}

#[test]
fn copies_of_earlier_rows_are_not_raced() {
    let few = mixture(3000, 3, 15);
    let twice: Vec<usize> = (0..3000).chain((0..3000).step_by(2)).collect();
    let rows = few.select(Axis(0), &twice);
    let kernel = Gaussian::new(2.0).unwrap();
    let mut asked = params(6, Method::ProtoDash, 0);
    let pairs = |asked: &Params| same("copies", (&few, &rows), &kernel, asked).1.means.pairs;
    let with_copies = pairs(&asked);
    // The same rows as candidates, but raced all the same, since excluded rows count for the unit of slopes.
    asked.exclude = (3000..4500).collect();
    let excluded = pairs(&asked);
    assert!(with_copies + 1500 * 1000 <= excluded, "{with_copies} {excluded}");
    asked.exclude = vec![0];
    assert!(chosen(&same("an excluded original", (&few, &rows), &kernel, &asked).1).iter().all(|row| *row != 0));
}

#[test]
fn results_are_bit_identical_for_any_number_of_threads() {
    let rows = mixture(9000, 5, 11);
    let kernel = Gaussian::new(2.0).unwrap();
    let mut asked = params(12, Method::ProtoDash, 6);
    asked.means = Means::Racing;
    let run = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| select(&rows, &rows, &kernel, &asked).unwrap())
    };
    let one = run(1);
    assert!(one.means.n_exact < 9000);
    assert_eq!(one, run(3));
}

#[test]
fn a_tolerance_computes_less_and_bounds_the_loss() {
    let rows = mixture(12_000, 6, 12);
    let kernel = Gaussian::new(2.0).unwrap();
    let mut asked = params(20, Method::ProtoDash, 0);
    asked.means = Means::Racing;
    let exact = select(&rows, &rows, &kernel, &asked).unwrap();
    asked.tolerance = 0.3;
    let near = select(&rows, &rows, &kernel, &asked).unwrap();
    assert!(near.means.pairs < exact.means.pairs, "{} {}", near.means.pairs, exact.means.pairs);
    assert!(near.objective_final() > 0.95 * exact.objective_final());
    // The first step has no prototypes: its gain must be within the tolerance of the best.
    assert!(near.objective[0] >= 0.7 * exact.objective[0]);
    // Each later step: the gradient of the chosen row against the largest, from the data.
    let means = kernel_mean(&rows, &rows, &kernel).unwrap();
    for size in 1..20 {
        let weights = near.weights_at(size).unwrap();
        let gradient = |row: usize| {
            let terms = near.prototypes[..size].iter().zip(weights);
            let similarity =
                |index: usize| kernel.evaluate(rows.row(row).as_slice().unwrap(), rows.row(index).as_slice().unwrap());
            means[row] - terms.map(|(prototype, weight)| weight * similarity(prototype.source_index)).sum::<f64>()
        };
        let best = (0..12_000).map(gradient).fold(0.0, f64::max);
        let taken = gradient(near.prototypes[size].source_index);
        assert!(taken >= 0.7 * best - 1e-12, "step {size}: {taken} {best}");
    }
}

#[test]
fn estimates_agree_with_the_exact_figures() {
    let rows = mixture(10_000, 5, 13);
    let kernel = Gaussian::new(2.0).unwrap();
    for seed in 0..4 {
        let (full, raced) = same("estimates", (&rows, &rows), &kernel, &params(10, Method::ProtoDash, seed));
        let (exact, estimate) = (full.target_energy.unwrap(), raced.target_energy.unwrap());
        let error = estimate.standard_error.unwrap();
        assert!((exact.value - estimate.value).abs() < 5.0 * error, "{exact:?} {estimate:?}");
        // Far closer than a sample of as many rows alone, whose error is about 1 %.
        assert!(error < 1e-3 * exact.value, "{error} {}", exact.value);
        let identity = estimate.value - 2.0 * raced.objective_final();
        assert!((raced.mmd2().unwrap() - identity.max(0.0)).abs() < 1e-15);
        assert!(raced.certified().unwrap() <= full.explained().unwrap());
        assert!(raced.explained_standard_error().is_some() && raced.kernel_mean().is_none());
        // Means of random rows are computed when they are needed.
        let mut compare = protodash::BaselineParams::default();
        compare.n_rows = 100;
        let of = |selection: &Selection| baseline(&rows, &rows, selection, &kernel, &compare, &mut Unobserved).unwrap();
        let (one, other) = (of(&full).random_explained.unwrap(), of(&raced).random_explained.unwrap());
        assert!((one - other).abs() < 5.0 * raced.explained_standard_error().unwrap() + 1e-12, "{one} {other}");
    }
}

/// The Letters data, without their labels.
fn letters() -> Option<Array2<f64>> {
    let path = real_data("letter/letter-recognition.data")?;
    let text = std::fs::read_to_string(path).unwrap();
    let numbers = |line: &str| line.split(',').skip(1).map(|cell| cell.parse().unwrap()).collect::<Vec<f64>>();
    Some(crate::samples::from_rows(text.lines().map(numbers).collect()))
}

#[test]
fn letters_choose_the_same_rows() {
    let Some(rows) = letters() else { return };
    for (bandwidth, n_prototypes) in [(8.0, 60), (4.0, 20)] {
        let kernel = Gaussian::new(bandwidth).unwrap();
        for method in [Method::ProtoDash, Method::ProtoGreedy] {
            same("letters", (&rows, &rows), &kernel, &params(n_prototypes, method, 5));
        }
    }
    let (target, source) = (rows.select(Axis(0), &(0..9000).collect::<Vec<_>>()), rows);
    same(
        "letters, another target",
        (&target, &source),
        &Gaussian::new(6.0).unwrap(),
        &params(20, Method::ProtoDash, 5),
    );
}

#[test]
fn letters_choose_the_same_rows_for_many_prototypes() {
    let Some(rows) = letters() else { return };
    let kernel = Gaussian::new(8.0).unwrap();
    let (_, raced) = same("300 letters", (&rows, &rows), &kernel, &params(300, Method::ProtoDash, 5));
    assert_eq!(raced.prototypes.len(), 300);
}

#[test]
fn digits_that_represent_others_are_the_same_rows() {
    let Some(rows) = handwritten() else { return };
    let part = |range: std::ops::Range<usize>| rows.select(Axis(0), &range.collect::<Vec<_>>());
    let (target, source) = (part(0..6000), part(6000..10_000));
    for (method, bandwidth) in [(Method::ProtoDash, 2500.0), (Method::ProtoDash, 1250.0), (Method::ProtoGreedy, 2500.0)]
    {
        let kernel = Gaussian::new(bandwidth).unwrap();
        same("other digits", (&target, &source), &kernel, &params(15, method, 2));
    }
}

/// The first 10,000 MNIST digits of the test set.
fn handwritten() -> Option<Array2<f32>> {
    let path = real_data("mnist/t10k-images-idx3-ubyte.gz")?;
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    let values: Vec<f32> = bytes[16..].iter().map(|byte| f32::from(*byte)).collect();
    Some(Array2::from_shape_vec((10_000, 784), values).unwrap())
}

#[test]
fn digits_choose_the_same_rows() {
    let Some(rows) = handwritten() else { return };
    let rows = rows.select(Axis(0), &(0..4000).collect::<Vec<_>>());
    same("digits", (&rows, &rows), &Gaussian::new(2500.0).unwrap(), &params(10, Method::ProtoDash, 1));
}
