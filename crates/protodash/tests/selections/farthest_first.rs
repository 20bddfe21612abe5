//! Farthest-first: against Gonzalez' traversal written out, against the best sets of all, and on skewed mixtures.

use crate::samples::{chosen, one_hot, random, take};
use ndarray::Array2;
use protodash::{
    ConstraintError, Cosine, Error, Gaussian, Hamming, InverseMultiquadric, Kernel, Labels, Laplacian, Linear, Method,
    Params, Polynomial, Quota, RowCoverageParams, Scalar, Selection, Stopped, Unobserved, Weights, kernel_mean,
    random_coverage, row_coverage, select,
};

fn params(n_prototypes: usize) -> Params {
    let mut params = Params::new(n_prototypes);
    params.method = Method::FarthestFirst;
    params
}

fn run<T: Scalar>(rows: &Array2<T>, kernel: &dyn Kernel<T>, params: &Params) -> Selection {
    select(rows, rows, kernel, params).unwrap()
}

/// The distance that does not depend on the bandwidth.
fn distance(kernel: &dyn Kernel<f64>, x: &[f64], y: &[f64]) -> f64 {
    let pairs = || x.iter().zip(y);
    match kernel.built_in().map(|kernel| kernel.definition().name) {
        Some("hamming") => pairs().filter(|(x, y)| x != y).count() as f64 / x.len() as f64,
        None | Some("cosine") => {
            (kernel.evaluate(x, x) + kernel.evaluate(y, y) - 2.0 * kernel.evaluate(x, y)).max(0.0).sqrt()
        }
        _ => pairs().map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt(),
    }
}

/// All distances, pair by pair.
fn distances(rows: &Array2<f64>, kernel: &dyn Kernel<f64>) -> Array2<f64> {
    let row = |row: usize| rows.row(row).to_vec();
    Array2::from_shape_fn((rows.nrows(), rows.nrows()), |(i, j)| distance(kernel, &row(i), &row(j)))
}

/// max_i min_{j ∈ set} d(i, j).
fn radius(distances: &Array2<f64>, set: &[usize]) -> f64 {
    let nearest = |row: usize| set.iter().map(|other| distances[(row, *other)]).fold(f64::INFINITY, f64::min);
    (0..distances.nrows()).map(nearest).fold(0.0, f64::max)
}

/// A kernel of the caller: its distance is that of its feature space.
struct Circular;

impl Kernel<f64> for Circular {
    fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
        ((x[0] - y[0]).cos() - 1.0).exp()
    }
}

fn kernels() -> Vec<Box<dyn Kernel<f64>>> {
    vec![
        Box::new(Gaussian::new(0.4).unwrap()),
        Box::new(InverseMultiquadric::new(2.0).unwrap()),
        Box::new(Laplacian::new(1.0).unwrap()),
        Box::new(Polynomial::new(2, 1.0, 0.5).unwrap()),
        Box::new(Linear),
        Box::new(Cosine),
        Box::new(Hamming),
        Box::new(Circular),
    ]
}

#[test]
fn rows_are_those_of_the_traversal_written_out() {
    for seed in 0..4 {
        for kernel in kernels() {
            for rows in [random(40, 3, seed), one_hot(40, &[2, 3, 4], seed)] {
                let found = chosen(&run(&rows, &*kernel, &params(12)));
                let means = kernel_mean(&rows, &rows, &*kernel).unwrap();
                let largest = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert!(means[found[0]] >= largest - 1e-12 * largest.abs());
                let distances = distances(&rows, &*kernel);
                for step in 1..found.len() {
                    let nearest = |row: usize| {
                        found[..step].iter().map(|other| distances[(row, *other)]).fold(f64::INFINITY, f64::min)
                    };
                    let farthest = (0..40).map(nearest).fold(0.0, f64::max);
                    let next = nearest(found[step]);
                    assert!(next > 0.0 && next >= farthest * (1.0 - 1e-9), "{next} {farthest}");
                    // One-hot rows tie exactly; the distance of a kernel has rounding.
                    if kernel.built_in().is_some_and(|kernel| kernel.definition().name != "cosine") {
                        assert_eq!((0..40).find(|row| nearest(*row) >= next), Some(found[step]));
                    }
                }
            }
        }
    }
}

#[test]
fn the_largest_distance_is_at_most_twice_the_smallest_possible() {
    for seed in 0..6 {
        let rows = random(11, 2, seed);
        let kernel = Gaussian::new(1.0).unwrap();
        let distances = distances(&rows, &kernel);
        for n_prototypes in 1..=4 {
            let found = chosen(&run(&rows, &kernel, &params(n_prototypes)));
            let subsets = (0_u32..1 << 11).filter(|subset| subset.count_ones() as usize == n_prototypes);
            let set = |subset: u32| (0..11).filter(|row| subset >> row & 1 == 1).collect::<Vec<usize>>();
            let smallest = subsets.map(|subset| radius(&distances, &set(subset))).fold(f64::INFINITY, f64::min);
            assert!(radius(&distances, &found) <= 2.0 * smallest + 1e-12);
        }
    }
}

#[test]
fn a_run_for_fewer_is_a_prefix_and_threads_and_f32_change_nothing() {
    let narrow = random(3000, 5, 1).mapv(|value| value as f32);
    let wide = narrow.mapv(f64::from);
    let kernel = InverseMultiquadric::new(0.5).unwrap();
    let in_pool = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&narrow, &kernel, &params(40)))
    };
    let found = in_pool(1);
    assert_eq!(found, in_pool(4));
    assert_eq!(chosen(&found), chosen(&run(&wide, &kernel, &params(40))));
    for size in [1, 7, 40] {
        assert_eq!(found.prefix(size).unwrap().prototypes, run(&narrow, &kernel, &params(size)).prototypes);
    }
}

#[test]
fn fixed_rows_come_first_and_excluded_rows_are_not_chosen() {
    let (rows, kernel) = (random(60, 2, 5), Gaussian::new(0.5).unwrap());
    let free = chosen(&run(&rows, &kernel, &params(8)));
    let mut given = params(6);
    (given.fixed, given.exclude) = (free[..2].to_vec(), vec![free[2]]);
    let found = chosen(&run(&rows, &kernel, &given));
    assert_eq!((&found[..2], found.len()), (&free[..2], 8));
    assert!(!found.contains(&free[2]));
    given.exclude.clear();
    assert_eq!(chosen(&run(&rows, &kernel, &given)), free); // the same traversal
    // A fixed row that the traversal would not begin with.
    let distances = distances(&rows, &kernel);
    given.fixed = vec![17];
    let found = chosen(&run(&rows, &kernel, &given));
    let farthest = (0..60).fold(0, |best, row| if distances[(row, 17)] > distances[(best, 17)] { row } else { best });
    assert_eq!(found[..2], [17, farthest]);
}

#[test]
fn the_order_ends_when_every_row_equals_a_prototype() {
    let rows = Array2::from_shape_fn((30, 2), |(row, _)| (row % 4) as f64);
    let mut all = params(10);
    all.weights = Weights::Equal;
    let found = run(&rows, &Gaussian::new(1.0).unwrap(), &all);
    let mut set = chosen(&found);
    set.sort_unstable();
    // Nothing is left to choose.
    assert_eq!((set, found.stopped), (vec![0, 1, 2, 3], Stopped::Optimal));
    let (one, kernel) = (take(&rows, [2, 2, 2]), Gaussian::new(1.0).unwrap());
    assert_eq!(chosen(&run(&one, &kernel, &params(3))), [0]);
}

/// Clusters of very different sizes: the first has most of the rows, the others a few each.
fn skewed(n_clusters: usize) -> (Array2<f64>, Vec<usize>) {
    let labels: Vec<usize> =
        (0..n_clusters).flat_map(|cluster| vec![cluster; if cluster == 0 { 1500 } else { 3 }]).collect();
    let noise = random(labels.len(), 4, 3);
    let rows = Array2::from_shape_fn((labels.len(), 4), |(row, column)| {
        let cluster = labels[row] as f64;
        60.0 * (cluster * (column as f64 + 1.3)).sin() + noise[(row, column)]
    });
    (rows, labels)
}

#[test]
fn it_touches_every_cluster_of_a_skewed_mixture_and_random_rows_do_not() {
    let (rows, labels) = skewed(60);
    let kernel = InverseMultiquadric::new(5.0).unwrap();
    let classes = Some(Labels { target: &labels, source: &labels });
    let survey = RowCoverageParams::default();
    let covered = |method| {
        let mut params = params(60);
        params.method = method;
        let found = chosen(&run(&rows, &kernel, &params));
        row_coverage((&rows, &rows), &found, classes, &kernel, &survey, &mut Unobserved).unwrap()
    };
    let (farthest, random) = (covered(Method::FarthestFirst), covered(Method::Random));
    assert_eq!((farthest.classes_touched, farthest.n_classes), (Some(60.0), Some(60)));
    assert!(random.classes_touched.unwrap() < 15.0);
    assert!(farthest.largest_distance < random.largest_distance);
    let expected = random_coverage((&rows, &rows), 60, classes, &kernel, &survey, &mut Unobserved).unwrap();
    assert!((random.classes_touched.unwrap() - expected.classes_touched.unwrap()).abs() < 8.0);
}

#[test]
fn quotas_and_too_large_numbers_are_refused() {
    let (rows, kernel) = (random(20, 2, 5), Gaussian::new(0.5).unwrap());
    let mut params = params(3);
    params.quotas = vec![Quota { name: "first".to_owned(), rows: vec![0, 1], at_least: 1, at_most: None }];
    let refused = select(&rows, &rows, &kernel, &params).unwrap_err();
    assert_eq!(refused, Error::Constraint(ConstraintError::Method { method: "farthest-first" }));
    params.quotas.clear();
    params.n_prototypes = Some(21);
    let refused = select(&rows, &rows, &kernel, &params).unwrap_err();
    assert_eq!(refused, Error::TooManyPrototypes { requested: 21, available: 20 });
}
