//! Coverage of sets of rows, against distances written out pair by pair, and in comparisons of methods.

use crate::samples::{chosen, random};
use ndarray::Array2;
use protodash::compare::{CompareParams, MethodComparison, Unmetered, compare};
use protodash::{
    Error, Gaussian, Hamming, Kernel, Labels, Method, Params, RowCoverage, RowCoverageParams, Unobserved,
    random_coverage, row_coverage, select,
};

fn measured(target: &Array2<f64>, source: &Array2<f64>, rows: &[usize], params: &RowCoverageParams) -> RowCoverage {
    let kernel = Gaussian::new(1.0).unwrap();
    row_coverage((target, source), rows, None, &kernel, params, &mut Unobserved).unwrap()
}

fn distance(x: &Array2<f64>, i: usize, y: &Array2<f64>, j: usize) -> f64 {
    (&x.row(i) - &y.row(j)).mapv(|value| value * value).sum().sqrt()
}

/// The n-th nearest target row of a source row, itself left out if they are the same rows.
fn radius(target: &Array2<f64>, source: &Array2<f64>, row: usize, is_same: bool, nth: usize) -> f64 {
    let others = (0..target.nrows()).filter(|other| !is_same || *other != row);
    let mut distances: Vec<f64> = others.map(|other| distance(source, row, target, other)).collect();
    distances.sort_by(f64::total_cmp);
    distances[nth.min(distances.len()) - 1]
}

#[test]
fn figures_are_those_of_the_definition() {
    let (target, other) = (random(70, 3, 1), random(31, 3, 2) * 1.5);
    let rows = [3, 17, 30];
    for (source, is_same) in [(&target, true), (&other, false)] {
        for n_neighbours in [1, 10, 500] {
            let mut params = RowCoverageParams::default();
            params.n_neighbours = n_neighbours;
            params.target_weights = Some((0..70).map(|row| (row % 3) as f64).collect());
            let found = measured(&target, source, &rows, &params);
            let nearest =
                |i: usize| rows.iter().map(|j| distance(&target, i, source, *j)).fold(f64::INFINITY, f64::min);
            let weight = |row: usize| (row % 3) as f64;
            let total: f64 = (0..70).map(weight).sum();
            let mean = (0..70).map(|row| weight(row) * nearest(row)).sum::<f64>() / total;
            let largest = (0..70).filter(|row| weight(*row) > 0.0).map(nearest).fold(0.0, f64::max);
            let mut all: Vec<f64> = (0..70).map(|row| radius(&target, &target, row, true, n_neighbours)).collect();
            all.sort_by(f64::total_cmp);
            let median = 0.5 * (all[34] + all[35]);
            let own: f64 = rows.iter().map(|row| radius(&target, source, *row, is_same, n_neighbours)).sum();
            for (found, expected) in
                [(found.mean_distance, mean), (found.largest_distance, largest), (found.typicality, own / 3.0 / median)]
            {
                assert!((found.unwrap() - expected).abs() < 1e-12 * expected, "{found:?} {expected}");
            }
            assert_eq!((found.classes_touched, found.n_classes), (None, None));
        }
    }
}

#[test]
fn the_median_of_a_sample_is_near_that_of_all_rows_and_threads_change_nothing() {
    let rows = random(4000, 3, 5);
    let chosen: Vec<usize> = (0..30).map(|row| row * 100).collect();
    let mut params = RowCoverageParams::default();
    let in_pool = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| measured(&rows, &rows, &chosen, &params))
    };
    let sampled = in_pool(1);
    assert_eq!(sampled, in_pool(4));
    params.n_rows = 4000;
    let exact = measured(&rows, &rows, &chosen, &params);
    assert_eq!(exact.mean_distance, sampled.mean_distance);
    let ratio = exact.typicality.unwrap() / sampled.typicality.unwrap();
    assert!(ratio != 1.0 && (ratio - 1.0).abs() < 0.05, "{ratio}");
}

#[test]
fn classes_of_random_rows_have_their_expectation_over_all_subsets() {
    let rows = random(9, 2, 3);
    let labels = [0, 0, 0, 0, 1, 1, 2, 2, 7];
    let classes = Labels { target: &labels[..8], source: &labels };
    let kernel = Gaussian::new(1.0).unwrap();
    let target = rows.slice(ndarray::s![..8, ..]).to_owned();
    for n_random in 1..=9 {
        let params = RowCoverageParams::default();
        let found =
            random_coverage((&target, &rows), n_random, Some(classes), &kernel, &params, &mut Unobserved).unwrap();
        let subsets = (0_u32..1 << 9).filter(|subset| subset.count_ones() as usize == n_random);
        // Class 7 is none of the target's.
        let touched = |subset: u32| {
            [0, 1, 2].iter().filter(|class| (0..9).any(|row| subset >> row & 1 == 1 && labels[row] == **class)).count()
        };
        let (sum, count) = subsets.fold((0, 0), |(sum, count), subset| (sum + touched(subset), count + 1));
        let expected = sum as f64 / f64::from(count);
        assert!((found.classes_touched.unwrap() - expected).abs() < 1e-12);
        assert_eq!(found.n_classes, Some(3));
    }
}

#[test]
fn sets_without_rows_and_data_without_distances_have_no_figures() {
    let rows = random(5, 2, 3);
    let empty = measured(&rows, &rows, &[], &RowCoverageParams::default());
    assert_eq!((empty.mean_distance, empty.largest_distance, empty.typicality), (None, None, None));
    let equal = Array2::zeros((5, 2));
    let found = measured(&equal, &equal, &[1], &RowCoverageParams::default());
    assert_eq!((found.mean_distance, found.largest_distance, found.typicality), (Some(0.0), Some(0.0), None));
    let one = Array2::zeros((1, 2));
    assert_eq!(measured(&one, &one, &[0], &RowCoverageParams::default()).typicality, None);
}

#[test]
fn bad_calls_are_errors() {
    let (rows, kernel) = (random(5, 2, 3), Gaussian::new(1.0).unwrap());
    let refused = |chosen: &[usize], labels, params: &RowCoverageParams| {
        row_coverage((&rows, &rows), chosen, labels, &kernel, params, &mut Unobserved).unwrap_err()
    };
    let fine = RowCoverageParams::default();
    assert_eq!(refused(&[5], None, &fine), Error::NotThisSource { source_index: 5, rows: 5 });
    let labels = Labels { target: &[0; 5], source: &[0; 4] };
    assert!(matches!(refused(&[0], Some(labels), &fine), Error::WrongNumberOfLabels { given: 4, rows: 5, .. }));
    let mut bad = fine.clone();
    bad.n_draws = 0;
    assert_eq!(refused(&[0], None, &bad).to_string(), "n_draws is 0; it must be at least 1");
    bad = fine.clone();
    bad.target_weights = Some(vec![1.0; 4]);
    assert!(matches!(refused(&[0], None, &bad), Error::WrongNumberOfWeights { given: 4, rows: 5, .. }));
    let random = random_coverage((&rows, &rows), 6, None, &kernel, &fine, &mut Unobserved).unwrap_err();
    assert_eq!(random, Error::TooManyPrototypes { requested: 6, available: 5 });
}

fn compared(
    rows: &Array2<f64>,
    labels: &[usize],
    kernel: &dyn Kernel<f64>,
    params: &CompareParams,
) -> MethodComparison {
    let labels = Some(Labels { target: labels, source: labels });
    compare(rows, rows, labels, kernel, params, &mut Unmetered, &mut Unobserved).unwrap()
}

#[test]
fn a_comparison_measures_what_each_method_covers() {
    let rows = random(80, 2, 9);
    let labels: Vec<usize> = (0..80).map(|row| if row < 60 { 0 } else { row % 7 }).collect();
    let kernel = Gaussian::new(0.5).unwrap();
    let mut params = CompareParams::new(&[Method::FarthestFirst, Method::KMeans, Method::Random], &[3, 8]);
    assert_eq!(compared(&rows, &labels, &kernel, &params).results[0].coverage, None);
    params.coverage = Some(RowCoverageParams::default());
    let found = compared(&rows, &labels, &kernel, &params);
    assert_eq!((found.results.len(), found.random_coverage.len()), (6, 2));
    for result in &found.results {
        let mut alone = Params::new(result.n_prototypes);
        alone.method = result.method;
        let selection = select(&rows, &rows, &kernel, &alone).unwrap();
        let classes = Some(Labels { target: &labels, source: &labels });
        let survey = RowCoverageParams::default();
        let own =
            row_coverage((&rows, &rows), &chosen(&selection), classes, &kernel, &survey, &mut Unobserved).unwrap();
        assert_eq!(result.coverage, Some(own), "{:?}", result.method);
    }
    let expected = found.random_coverage[1].expected;
    let classes = Some(Labels { target: &labels, source: &labels });
    let survey = RowCoverageParams::default();
    let random = random_coverage((&rows, &rows), 8, classes, &kernel, &survey, &mut Unobserved).unwrap();
    assert_eq!((expected, found.random_coverage[1].n_draws), (random, 5));
    // The rows held out are neither covered nor classes to be touched.
    params.holdout = Some(0.5);
    let held_out = compared(&rows, &labels, &kernel, &params);
    assert!(held_out.results[0].coverage.unwrap().n_classes <= Some(7));
    assert_ne!(held_out.random_coverage[0].expected, found.random_coverage[0].expected);
}

#[test]
fn a_comparison_goes_on_without_k_means_where_rows_have_no_mean() {
    let rows = random(20, 2, 9).mapv(|value: f64| value.round());
    let params = CompareParams::new(&[Method::KMeans, Method::Random], &[2, 3]);
    let found = compared(&rows, &[0; 20], &Hamming, &params);
    let skipped: Vec<_> = found.skipped.iter().map(|run| (run.method, run.n_prototypes)).collect();
    assert_eq!(skipped, [(Method::KMeans, 2), (Method::KMeans, 3)]);
    assert_eq!(found.results.len(), 2);
}
