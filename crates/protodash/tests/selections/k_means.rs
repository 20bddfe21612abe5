//! K-means as a method: the rows that it returns; its steps are tested where they are.

use crate::samples::{chosen, random, take, weights};
use ndarray::Array2;
use protodash::{
    Cosine, Error, Gaussian, Hamming, InverseMultiquadric, Kernel, Linear, Method, Params, Precomputed, Scalar,
    Selection, Stopped, Weights, select,
};

fn params(n_prototypes: usize, seed: u64) -> Params {
    let mut params = Params::new(n_prototypes);
    (params.method, params.seed) = (Method::KMeans, seed);
    params
}

fn run<T: Scalar>(rows: &Array2<T>, kernel: &dyn Kernel<T>, params: &Params) -> Selection {
    select(rows, rows, kernel, params).unwrap()
}

/// Three groups of 40, 30 and 20 rows.
fn groups() -> Array2<f64> {
    let noise = random(90, 2, 8);
    Array2::from_shape_fn((90, 2), |(row, column)| {
        let group = if row < 40 {
            0.0
        } else if row < 70 {
            1.0
        } else {
            2.0
        };
        50.0 * group * (1.0 - column as f64 * 0.4) + noise[(row, column)]
    })
}

#[test]
fn separate_groups_have_one_row_each_the_nearest_to_their_mean() {
    let rows = groups();
    let kernel = Gaussian::new(5.0).unwrap();
    let expected: Vec<usize> = [0..40, 40..70, 70..90]
        .into_iter()
        .map(|group| {
            let mean = take(&rows, group.clone()).mean_axis(ndarray::Axis(0)).unwrap();
            let distance = |row: usize| (&rows.row(row) - &mean).mapv(|value| value * value).sum();
            group.reduce(|best, row| if distance(row) < distance(best) { row } else { best }).unwrap()
        })
        .collect();
    let mut params = params(3, 0);
    params.weights = Weights::Own;
    let found = run(&rows, &kernel, &params);
    assert_eq!(chosen(&found), expected); // the largest cluster first
    for (weight, share) in weights(&found).iter().zip([40.0 / 90.0, 30.0 / 90.0, 20.0 / 90.0]) {
        assert!((weight - share).abs() < 1e-12);
    }
    // The rows do not depend on the kernel, and the default weights are the optimal ones.
    params.weights = Weights::Nonnegative;
    let linear = run(&rows, &Linear, &params);
    assert_eq!(chosen(&linear), expected);
    assert!(run(&rows, &kernel, &params).objective_final() >= found.objective_final());
}

#[test]
fn threads_change_nothing_and_the_seed_decides() {
    let rows = random(2000, 4, 2).mapv(|value| value as f32);
    let kernel = InverseMultiquadric::new(0.5).unwrap();
    let in_pool = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&rows, &kernel, &params(25, seed)))
    };
    let found = in_pool(1, 0);
    assert_eq!(found, in_pool(4, 0));
    assert_ne!(chosen(&found), chosen(&in_pool(1, 1)));
    let wide = run(&rows.mapv(f64::from), &kernel, &params(25, 0));
    assert_eq!(chosen(&wide), chosen(&found));
}

#[test]
fn cosine_averages_directions() {
    // Two directions, at very different lengths.
    let rows = Array2::from_shape_fn((40, 2), |(row, column)| {
        let angle = if row % 2 == 0 { 0.1 } else { 1.3 } + 0.001 * row as f64;
        let length = if row % 4 < 2 { 1.0 } else { 500.0 };
        length * if column == 0 { f64::cos(angle) } else { f64::sin(angle) }
    });
    for seed in 0..5 {
        let found = chosen(&run(&rows, &Cosine, &params(2, seed)));
        assert_eq!(found.iter().map(|row| row % 2).sum::<usize>(), 1, "{found:?}");
    }
}

#[test]
fn target_weights_count_if_the_target_is_the_source() {
    let rows = groups();
    let kernel = Gaussian::new(5.0).unwrap();
    let mut params = params(2, 0);
    // Without the first group, there are two.
    params.target_weights = Some((0..90).map(|row| if row < 40 { 0.0 } else { 1.0 }).collect());
    let mut found = chosen(&run(&rows, &kernel, &params));
    found.sort_unstable();
    assert!((40..70).contains(&found[0]) && found[1] >= 70, "{found:?}");
}

#[test]
fn equal_rows_are_chosen_once() {
    let rows = Array2::from_shape_fn((30, 2), |(row, _)| (row % 3) as f64);
    let mut params = params(5, 0);
    params.weights = Weights::Equal;
    let found = run(&rows, &Gaussian::new(1.0).unwrap(), &params);
    let mut set = chosen(&found);
    set.sort_unstable();
    assert_eq!((set, found.stopped), (vec![0, 1, 2], Stopped::Optimal));
}

#[test]
fn it_needs_a_number_and_rows_that_have_a_mean() {
    let (rows, kernel) = (random(12, 2, 1), Gaussian::new(1.0).unwrap());
    let refused =
        |kernel: &dyn Kernel<f64>, rows: &Array2<f64>, params: &Params| select(rows, rows, kernel, params).unwrap_err();
    let mut until_optimal = params(1, 0);
    until_optimal.n_prototypes = None;
    assert_eq!(refused(&kernel, &rows, &until_optimal), Error::NumberOfMedoidsNeeded);
    let error = refused(&Hamming, &rows, &params(2, 0));
    assert_eq!(
        error.to_string(),
        "k-means averages rows, which a kernel that compares codes does not allow; k-medoids works with any kernel"
    );
    let gram = Array2::<f64>::eye(3);
    let matrix = Precomputed::new(gram.view()).unwrap();
    let numbers = matrix.source_rows();
    assert!(matches!(refused(&matrix, &numbers, &params(2, 0)), Error::NoClusterMeans { .. }));
    assert_eq!(refused(&kernel, &(&rows * 1e200), &params(2, 0)), Error::DistanceOverflow);
    let mut given = params(2, 0);
    given.fixed = vec![0];
    assert_eq!(refused(&kernel, &rows, &given), Error::GivenRowsNotSupported { method: "k-means" });
}
