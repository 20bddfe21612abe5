//! K-Medoids: against the losses of the package `kmedoids`, against every exchange tried one by one, and against itself
//! without a matrix.

use std::io::Read;
use std::ops::ControlFlow;

use crate::samples::{digits, one_hot, random, real_data, take, testdata};
use ndarray::{Array2, array};
use proptest::prelude::*;
use protodash::{
    Cosine, Distance, Error, Gaussian, Hamming, KMedoids, KMedoidsParams, Kernel, Laplacian, Linear, Method, Observer,
    Params, Polynomial, Role, Stage, Stopped, Unobserved, Weights, k_medoids, select,
};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as usize).collect()
}

fn sorted(medoids: &[usize]) -> Vec<usize> {
    let mut sorted = medoids.to_vec();
    sorted.sort_unstable();
    sorted
}

/// The first images of MNIST's training set, or `None` after reporting that they are missing.
fn mnist(n_rows: usize) -> Option<Array2<f64>> {
    let file = std::fs::File::open(real_data("mnist/train-images-idx3-ubyte.gz")?).unwrap();
    let mut bytes = vec![0; 16 + 784 * n_rows];
    flate2::read::GzDecoder::new(file).read_exact(&mut bytes).unwrap();
    Some(Array2::from_shape_vec((n_rows, 784), bytes[16..].iter().map(|byte| f64::from(*byte)).collect()).unwrap())
}

/// From the same initial rows, FasterPAM of the package `kmedoids` 0.5.5 ends with the same medoids and no lower loss.
#[test]
fn losses_match_the_package_kmedoids() {
    let cases: Vec<Value> = serde_json::from_str(&testdata("goldens/k_medoids.json")).unwrap();
    assert_eq!(cases.len(), 28);
    let (digits, mnist) = (digits(), mnist(2000));
    for case in &cases {
        let Some(rows) = (if case["data"] == "mnist" { mnist.as_ref() } else { Some(&digits) }) else { continue };
        let gaussian = Gaussian::new(1.0).unwrap();
        let laplacian = Laplacian::new(1.0).unwrap();
        let kernel: &dyn Kernel<f64> = if case["kernel"] == "laplacian" { &laplacian } else { &gaussian };
        let initial = numbers(&case["initial"]);
        let mut params = KMedoidsParams::new(initial.len());
        params.initial = Some(initial);
        let found = k_medoids(rows, kernel, &params, &mut Unobserved).unwrap();
        let loss = case["loss"].as_f64().unwrap();
        assert!(found.loss() <= loss * (1.0 + 1e-12), "{} instead of {loss}: {case}", found.loss());
        assert_eq!(sorted(&found.medoids), numbers(&case["medoids"]));
        assert_eq!(found.n_exchanges as u64, case["n_swaps"].as_u64().unwrap());
    }
}

/// Random initial medoids are good enough: no loss is more than 3 % above the best known one.
#[test]
fn every_seed_ends_near_the_best_known_loss() {
    let cases: Vec<Value> = serde_json::from_str(&testdata("goldens/k_medoids.json")).unwrap();
    let digits = digits();
    for n_medoids in [10, 50] {
        let same = |case: &&Value| {
            case["data"] == "digits.csv" && case["kernel"] == "gaussian" && case["n_medoids"] == n_medoids
        };
        let best = cases.iter().filter(same).map(|case| case["loss"].as_f64().unwrap()).fold(f64::INFINITY, f64::min);
        for seed in 0..4 {
            let mut params = KMedoidsParams::new(n_medoids);
            params.seed = seed;
            let found = k_medoids(&digits, &Linear, &params, &mut Unobserved).unwrap();
            assert!(found.loss() < 1.03 * best, "{n_medoids} {seed}: {} {best}", found.loss());
        }
    }
}

fn kernels() -> Vec<Box<dyn Kernel<f64> + Send>> {
    vec![
        Box::new(Gaussian::new(0.7).unwrap()),
        Box::new(Laplacian::new(2.0).unwrap()),
        Box::new(Polynomial::new(2, 1.0, 0.5).unwrap()),
        Box::new(Cosine),
        Box::new(Hamming),
    ]
}

fn distance(kernel: &dyn Kernel<f64>, x: &[f64], y: &[f64]) -> f64 {
    let pairs = || x.iter().zip(y);
    match Distance::of(kernel) {
        Distance::Euclidean => pairs().map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt(),
        Distance::Manhattan => pairs().map(|(x, y)| (x - y).abs()).sum(),
        Distance::Hamming => pairs().filter(|(x, y)| x != y).count() as f64 / x.len() as f64,
        Distance::Cosine => 1.0 - kernel.evaluate(x, y),
        _ => (kernel.evaluate(x, x) + kernel.evaluate(y, y) - 2.0 * kernel.evaluate(x, y)).max(0.0).sqrt(),
    }
}

/// Σ of the distances from the nearest medoid, straight from the definition.
fn loss(rows: &Array2<f64>, kernel: &dyn Kernel<f64>, medoids: &[usize]) -> f64 {
    let row = |index: usize| rows.row(index).to_slice().unwrap();
    let nearest = |o: usize| medoids.iter().map(|&m| distance(kernel, row(o), row(m))).fold(f64::INFINITY, f64::min);
    (0..rows.nrows()).map(nearest).sum()
}

fn find(rows: &Array2<f64>, kernel: &dyn Kernel<f64>, n_medoids: usize, seed: u64, memory: u64) -> KMedoids {
    let mut params = KMedoidsParams::new(n_medoids);
    (params.seed, params.matrix_memory) = (seed, memory);
    k_medoids(rows, kernel, &params, &mut Unobserved).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_exchange_improves_the_loss_and_the_matrix_changes_nothing(
        n_rows in 2..28_usize,
        n_medoids in 1..6_usize,
        seed in 0..1000_u64,
        categorical in any::<bool>(),
    ) {
        let n_medoids = n_medoids.min(n_rows);
        let rows = if categorical { one_hot(n_rows, &[3, 2, 4], seed) } else { random(n_rows, 3, seed) };
        for kernel in kernels() {
            let found = find(&rows, &*kernel, n_medoids, seed, u64::MAX);
            prop_assert_eq!(&find(&rows, &*kernel, n_medoids, seed, 0), &found);
            let total = loss(&rows, &*kernel, &found.medoids);
            prop_assert!((found.loss() - total).abs() <= 1e-9 * total.max(1.0));
            for position in 0..n_medoids {
                for candidate in (0..n_rows).filter(|row| !found.medoids.contains(row)) {
                    let mut exchanged = found.medoids.clone();
                    exchanged[position] = candidate;
                    prop_assert!(loss(&rows, &*kernel, &exchanged) >= total - 1e-9 * total.max(1.0));
                }
            }
            for size in 1..=n_medoids {
                let beginning = loss(&rows, &*kernel, &found.medoids[..size]);
                prop_assert!((found.losses[size - 1] - beginning).abs() <= 1e-9 * beginning.max(1.0));
                prop_assert!((found.shares(size).unwrap().iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn digits_without_a_matrix_and_on_any_number_of_threads_are_the_same() {
    let digits = take(&digits(), 0..700);
    let kernel = Polynomial::new(2, 0.01, 1.0).unwrap();
    let with = find(&digits, &kernel, 20, 3, u64::MAX);
    for n_threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        assert_eq!(pool.install(|| find(&digits, &kernel, 20, 3, 0)), with);
    }
    // The greedy order: no other medoid would have lowered the loss of the first three as much as the fourth.
    for other in &with.medoids[4..] {
        let three_and_other = [&with.medoids[..3], &[*other]].concat();
        assert!(loss(&digits, &kernel, &three_and_other) >= with.losses[3] * (1.0 - 1e-12));
    }
}

#[test]
fn more_rows_than_a_block_holds() {
    let rows = random(5000, 2, 9);
    let found = find(&rows, &Linear, 7, 1, 0);
    let total = loss(&rows, &Linear, &found.medoids);
    assert!((found.loss() - total).abs() < 1e-9 * total);
    let nearest = |o: usize, position: usize| {
        let row = |index: usize| rows.row(index).to_slice().unwrap();
        distance(&Linear, row(o), row(found.medoids[position]))
    };
    for row in 0..5000 {
        let assigned = nearest(row, found.assignment[row]);
        assert!((0..7).all(|position| assigned <= nearest(row, position)));
    }
}

#[test]
fn as_many_medoids_as_rows_have_no_loss() {
    let rows = array![[0.0], [0.0], [5.0]];
    let found = find(&rows, &Linear, 3, 0, u64::MAX);
    assert_eq!((sorted(&found.medoids), found.loss()), (vec![0, 1, 2], 0.0));
}

/// As a method of `select` the medoids are the same rows, with any weights; their own are shares of the source.
#[test]
fn a_selection_has_the_medoids_with_any_weights() {
    let digits = take(&digits(), 0..400);
    let target = take(&crate::samples::digits(), 400..900);
    for kernel in [&Gaussian::new(25.0).unwrap() as &dyn Kernel<f64>, &Laplacian::new(200.0).unwrap()] {
        let found = find(&digits, kernel, 12, 5, u64::MAX);
        let mut params = Params::new(12);
        (params.method, params.seed) = (Method::KMedoids, 5);
        for weights in [Weights::Nonnegative, Weights::Convex, Weights::Equal, Weights::Own] {
            params.weights = weights;
            let selection = select(&target, &digits, kernel, &params).unwrap();
            assert_eq!(crate::samples::chosen(&selection), found.medoids);
            assert_eq!(selection.stopped, Stopped::NPrototypes);
            for size in (1..=12).filter(|_| weights == Weights::Own) {
                assert_eq!(selection.weights_at(size).unwrap(), found.shares(size).unwrap());
            }
        }
    }
}

#[test]
fn a_selection_without_a_number_is_rejected() {
    let rows = random(20, 2, 1);
    let mut params = Params::with_min_gain(0.1);
    params.method = Method::KMedoids;
    let error = select(&rows, &rows, &Linear, &params).unwrap_err();
    assert_eq!(error, Error::NumberOfMedoidsNeeded);
    assert_eq!(
        error.to_string(),
        "k-medoids, coverage and k-means find sets of a given size; the number of prototypes must be given"
    );
}

#[test]
fn invalid_parameters_and_kernels_are_rejected() {
    let rows = array![[0.0], [1.0], [2.0]];
    let refused = |n_medoids: usize, initial: Option<Vec<usize>>| {
        let mut params = KMedoidsParams::new(n_medoids);
        params.initial = initial;
        k_medoids(&rows, &Linear, &params, &mut Unobserved).unwrap_err()
    };
    assert_eq!(refused(0, None), Error::NoPrototypes);
    assert_eq!(refused(4, None), Error::TooManyPrototypes { requested: 4, available: 3 });
    for initial in [vec![0], vec![0, 3], vec![1, 1], vec![0, 1, 1]] {
        let given = initial.len();
        assert_eq!(refused(2, Some(initial)), Error::BadInitialMedoids { given, requested: 2, rows: 3 });
    }
    let error = refused(2, Some(vec![2]));
    assert_eq!(
        error.to_string(),
        "there are 1 initial medoids; there must be 2 different ones, each a row number below 3"
    );
    struct NotFinite;
    impl Kernel<f64> for NotFinite {
        fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
            if x == y { 1.0 } else { f64::NAN }
        }
    }
    for n_medoids in [1, 2] {
        let error = k_medoids(&rows, &NotFinite, &KMedoidsParams::new(n_medoids), &mut Unobserved).unwrap_err();
        assert!(matches!(error, Error::KernelNotFinite { .. }), "{error}");
    }
}

#[test]
fn an_observer_sees_all_stages_and_can_stop_each() {
    struct StopAt(Stage);
    impl Observer for StopAt {
        fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
            assert!(done <= total);
            if stage == self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let rows = random(50, 2, 1);
    for stage in [Stage::Distances, Stage::Swap, Stage::Search] {
        let stopped = k_medoids(&rows, &Linear, &KMedoidsParams::new(3), &mut StopAt(stage));
        assert_eq!(stopped, Err(Error::Cancelled));
    }
}

/// A row of weight 2 counts as two equal rows, one of weight 0 as none.
#[test]
fn a_weight_equals_that_many_copies() {
    let rows = random(40, 3, 9).mapv(|value| (10.0 * value).round()); // whole numbers, so that all sums are exact
    let weights: Vec<f64> = (0..40).map(|row| f64::from(row % 4)).collect();
    let repeated: Vec<usize> = (0..40).flat_map(|row| vec![row; row % 4]).collect();
    let many = Array2::from_shape_fn((repeated.len(), 3), |(row, column)| rows[[repeated[row], column]]);
    for n_medoids in [1, 2, 5] {
        let initial: Vec<usize> = (0..n_medoids).map(|position| 4 * position + 1).collect();
        let mut params = KMedoidsParams::new(n_medoids);
        params.row_weights = Some(weights.clone());
        params.initial = Some(initial.clone());
        let weighted = k_medoids(&rows, &Laplacian::new(1.0).unwrap(), &params, &mut Unobserved).unwrap();
        let position = |row: &usize| repeated.iter().position(|other| other == row).unwrap();
        params.row_weights = None;
        params.initial = Some(initial.iter().map(position).collect());
        let plain = k_medoids(&many, &Laplacian::new(1.0).unwrap(), &params, &mut Unobserved).unwrap();
        assert_eq!(weighted.losses, plain.losses, "{n_medoids}");
        assert_eq!(weighted.shares(n_medoids), plain.shares(n_medoids), "{n_medoids}");
    }
}

/// One medoid of 0, 1 and 10, which count 1, 1 and 5: the sums are 1·1 + 5·10, 1·1 + 5·9 and 10 + 9.
#[test]
fn the_heavy_row_is_the_centre() {
    let rows = array![[0.0], [1.0], [10.0]];
    let mut params = KMedoidsParams::new(1);
    params.row_weights = Some(vec![1.0, 1.0, 5.0]);
    let found = k_medoids(&rows, &Linear, &params, &mut Unobserved).unwrap();
    assert_eq!((found.medoids.as_slice(), found.loss()), (&[2][..], 19.0));
}

/// If the source is its own target, target weights apply to its rows; otherwise only to the target.
#[test]
fn target_weights_apply_to_a_source_that_is_its_own_target() {
    let rows = array![[0.0], [1.0], [10.0]];
    let mut params = Params::new(1);
    (params.method, params.weights) = (Method::KMedoids, Weights::Own);
    params.target_weights = Some(vec![1.0, 1.0, 6.0]);
    let kernel = Gaussian::new(20.0).unwrap();
    let own = select(&rows, &rows, &kernel, &params).unwrap();
    assert_eq!(crate::samples::chosen(&own), [2]);
    let other = select(&array![[0.0], [1.0], [11.0]], &rows, &kernel, &params).unwrap();
    assert_eq!(crate::samples::chosen(&other), [1]);
    params.n_prototypes = Some(2);
    let both = select(&rows, &rows, &kernel, &params).unwrap();
    assert_eq!(both.prototypes.iter().map(|prototype| prototype.weight).collect::<Vec<_>>(), [0.75, 0.25]);
}

#[test]
fn invalid_weights_are_rejected() {
    let rows = array![[0.0], [1.0]];
    let refused = |weights: &[f64]| {
        let mut params = KMedoidsParams::new(1);
        params.row_weights = Some(weights.to_vec());
        k_medoids(&rows, &Linear, &params, &mut Unobserved).unwrap_err()
    };
    assert_eq!(refused(&[1.0]), Error::WrongNumberOfWeights { role: Role::Source, given: 1, rows: 2 });
    assert_eq!(refused(&[1.0, -1.0]), Error::BadWeight { role: Role::Source, row: 1, value: "-1".into() });
    assert_eq!(refused(&[0.0, 0.0]), Error::NoWeight { role: Role::Source });
}

#[test]
fn equal_rows_are_not_exchanged_forever() {
    let close =
        [0.489_826_810_424_553_56, -0.421_751_874_576_063_1, -0.941_297_833_548_793_2, -0.421_773_483_393_012_96];
    let pairs = Array2::from_shape_fn((24, 2), |(row, column)| {
        let kind = (row % 12) as f64;
        if column == 0 { (1.7 * kind).sin() + (row / 12) as f64 * 1e-6 } else { (2.3 * kind).cos() }
    });
    let tables = [
        (array![[0.1], [0.3], [0.7], [0.1 + 1e-9]], 3),
        (array![[close[0]], [close[1]], [close[2]], [close[3]], [0.489_887_198_450_942]], 3),
        (pairs, 12),
    ];
    for (rows, n_medoids) in tables {
        for seed in 0..20 {
            let mut params = Params::new(n_medoids);
            (params.method, params.seed) = (Method::KMedoids, seed);
            let selection = select(&rows, &rows, &Gaussian::new(1.0).unwrap(), &params).unwrap();
            assert_eq!(selection.prototypes.len(), n_medoids);
        }
    }
}
