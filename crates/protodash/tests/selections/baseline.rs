//! The comparison with random rows: against brute force, against many draws, and its invariances.

use crate::samples::{digits, random, take};
use ndarray::{Array2, array};
use protodash::{
    Baseline, BaselineParams, BuiltInKernel, Cosine, Gaussian, Hamming, InverseMultiquadric, Kernel, Laplacian, Method,
    Params, Precomputed, Prototype, Selection, TargetEnergy, Unobserved, Weights, baseline, select,
};

fn compared(rows: &Array2<f64>, kernel: &dyn Kernel<f64>, n_prototypes: usize) -> (Selection, Baseline) {
    let selection = select(rows, rows, &kernel, &Params::new(n_prototypes)).unwrap();
    let found = baseline(rows, rows, &selection, kernel, &BaselineParams::default(), &mut Unobserved).unwrap();
    (selection, found)
}

fn euclidean(x: ndarray::ArrayView1<'_, f64>, y: ndarray::ArrayView1<'_, f64>) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}

/// Σᵢ pᵢ minⱼ d(xᵢ, zⱼ).
fn sum_of_nearest(target: &Array2<f64>, source: &Array2<f64>, chosen: &[usize], weights: &[f64]) -> f64 {
    let nearest = |x| chosen.iter().map(|&j| euclidean(x, source.row(j))).fold(f64::INFINITY, f64::min);
    target.rows().into_iter().zip(weights).map(|(x, weight)| weight * nearest(x)).sum()
}

fn subsets(n: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    let of = move |bits: u32| (0..n).filter(|i| bits >> i & 1 == 1).collect::<Vec<_>>();
    (0_u32..1 << n).map(of).filter(move |subset| subset.len() == size)
}

fn chosen(selection: &Selection) -> Vec<usize> {
    selection.prototypes.iter().map(|prototype| prototype.source_index).collect()
}

#[test]
fn the_expected_distance_is_the_mean_over_all_subsets() {
    let (target, source) = (random(9, 2, 1), random(8, 2, 2));
    let weights = [0.0, 1.0, 2.0, 0.5, 3.0, 0.0, 1.0, 0.1, 5.0];
    let kernel = Gaussian::new(0.7).unwrap();
    for n_prototypes in 1..=5 {
        for weights in [None, Some(&weights[..])] {
            let mut params = Params::new(n_prototypes);
            params.target_weights = weights.map(<[f64]>::to_vec);
            let selection = select(&target, &source, &kernel, &params).unwrap();
            let mut asked = BaselineParams::default();
            asked.target_weights = params.target_weights.clone();
            let found = baseline(&target, &source, &selection, &kernel, &asked, &mut Unobserved).unwrap();
            let weights = weights.unwrap_or(&[1.0; 9]);
            let ours = sum_of_nearest(&target, &source, &chosen(&selection), weights);
            let by_chance: Vec<f64> = subsets(8, selection.prototypes.len())
                .map(|subset| sum_of_nearest(&target, &source, &subset, weights))
                .collect();
            let expected = 1.0 - ours / (by_chance.iter().sum::<f64>() / by_chance.len() as f64);
            assert!((found.nearer_than_random.unwrap() - expected).abs() < 1e-12);
            assert_eq!(found.n_rows, weights.iter().filter(|weight| **weight > 0.0).count());
        }
    }
}

#[test]
fn random_rows_are_drawn_next_to_the_fixed_and_never_from_the_excluded() {
    let (target, source) = (random(9, 2, 3), random(9, 2, 4));
    let kernel = Gaussian::new(0.7).unwrap();
    let (fixed, exclude) = ([5, 0], [2, 7]);
    let mut params = Params::new(2);
    (params.fixed, params.exclude) = (fixed.to_vec(), exclude.to_vec());
    let selection = select(&target, &source, &kernel, &params).unwrap();
    let mut asked = BaselineParams::default();
    asked.exclude = exclude.to_vec();
    asked.n_draws = 4000;
    let found = baseline(&target, &source, &selection, &kernel, &asked, &mut Unobserved).unwrap();

    let choosable = [1, 3, 4, 6, 8];
    let drawn: Vec<Vec<usize>> = subsets(choosable.len(), 2)
        .map(|subset| fixed.into_iter().chain(subset.into_iter().map(|at| choosable[at])).collect())
        .collect();
    let mean = |of: &dyn Fn(&[usize]) -> f64| drawn.iter().map(|rows| of(rows)).sum::<f64>() / drawn.len() as f64;
    let ours = sum_of_nearest(&target, &source, &chosen(&selection), &[1.0; 9]);
    let by_chance = mean(&|rows| sum_of_nearest(&target, &source, rows, &[1.0; 9]));
    assert!((found.nearer_than_random.unwrap() - (1.0 - ours / by_chance)).abs() < 1e-12);

    let explained = |rows: &[usize]| {
        let mut all = Params::new(1);
        (all.method, all.fixed) = (Method::Random, rows[..3].to_vec());
        all.exclude = (0..9).filter(|row| !rows.contains(row)).collect();
        select(&target, &source, &kernel, &all).unwrap().explained().unwrap()
    };
    let (random, expected) = (found.random_explained.unwrap(), mean(&explained));
    assert!((random - expected).abs() < 0.01, "{random} {expected}"); // an average of 4,000 draws
}

#[test]
fn a_fixed_row_without_weight_takes_the_place_of_no_random_row() {
    let mut rows = random(12, 2, 5);
    let first = rows.row(0).to_owned();
    rows.row_mut(1).assign(&first);
    let kernel = Gaussian::new(0.7).unwrap();
    let explained = |fixed: &[usize]| {
        let mut params = Params::new(2);
        params.fixed = fixed.to_vec();
        let selection = select(&rows, &rows, &kernel, &params).unwrap();
        let mut asked = BaselineParams::default();
        asked.exclude = vec![1].into_iter().filter(|row| !fixed.contains(row)).collect();
        asked.n_draws = 2000;
        baseline(&rows, &rows, &selection, &kernel, &asked, &mut Unobserved).unwrap().random_explained.unwrap()
    };
    // The copy changes nothing: the fixed rows and two others explain as much with it as without it.
    let (with, without) = (explained(&[0, 1]), explained(&[0]));
    assert!((with - without).abs() < 0.01, "{with} {without}");
}

#[test]
fn digits_agree_with_many_draws() {
    let digits = digits();
    let kernel = InverseMultiquadric::new(12.0).unwrap();
    let (selection, found) = compared(&digits, &kernel, 10);
    assert_eq!((found.n_rows, found.n_draws), (1000, 5));
    let everyone = vec![1.0; digits.nrows()];
    let ours = sum_of_nearest(&digits, &digits, &chosen(&selection), &everyone);
    let (mut distances, mut explained) = (Vec::new(), Vec::new());
    for seed in 100..160 {
        let mut params = Params::new(10);
        (params.method, params.weights, params.seed) = (Method::Random, Weights::Nonnegative, seed);
        let drawn = select(&digits, &digits, &kernel, &params).unwrap();
        distances.push(sum_of_nearest(&digits, &digits, &chosen(&drawn), &everyone));
        explained.push(drawn.explained().unwrap());
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let nearer = 1.0 - ours / mean(&distances);
    assert!((found.nearer_than_random.unwrap() - nearer).abs() < 0.01, "{found:?} {nearer}");
    assert!((found.random_explained.unwrap() - mean(&explained)).abs() < 0.02, "{found:?} {}", mean(&explained));
    // Better than random rows, whose curve is below ours at every size.
    assert!(found.nearer_than_random.unwrap() > 0.05);
    for (size, random) in found.random_explained_path.iter().enumerate() {
        assert!(*random < selection.prefix(size + 1).unwrap().explained().unwrap());
    }
}

#[test]
fn random_prototypes_are_as_near_as_random_rows() {
    let digits = take(&digits(), 0..900);
    let kernel = Gaussian::new(20.0).unwrap();
    let mut sum = 0.0;
    for seed in 0..30 {
        let mut params = Params::new(8);
        (params.method, params.weights, params.seed) = (Method::Random, Weights::Equal, seed);
        let selection = select(&digits, &digits, &kernel, &params).unwrap();
        let found = baseline(&digits, &digits, &selection, &kernel, &BaselineParams::default(), &mut Unobserved);
        sum += found.unwrap().nearer_than_random.unwrap();
    }
    assert!((sum / 30.0).abs() < 0.01, "{}", sum / 30.0);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let digits = take(&digits(), 0..1200);
    let kernel = Gaussian::new(20.0).unwrap();
    let with = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| compared(&digits, &kernel, 7).1)
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn heavy_rows_are_sampled_more_often() {
    // A tenth of the rows, near the only prototype, has almost all weight.
    let rows = Array2::from_shape_fn((3000, 1), |(row, _)| if row % 10 == 0 { row as f64 * 1e-6 } else { row as f64 });
    let kernel = Gaussian::new(1.0).unwrap();
    let mut params = Params::new(1);
    params.target_weights = Some((0..3000).map(|row| if row % 10 == 0 { 1.0 } else { 1e-9 }).collect());
    let selection = select(&rows, &rows, &kernel, &params).unwrap();
    let mut asked = BaselineParams::default();
    let unweighted = baseline(&rows, &rows, &selection, &kernel, &asked, &mut Unobserved).unwrap();
    asked.target_weights = params.target_weights;
    let weighted = baseline(&rows, &rows, &selection, &kernel, &asked, &mut Unobserved).unwrap();
    assert!(weighted.nearer_than_random.unwrap() > 0.99, "{weighted:?}");
    assert!(unweighted.nearer_than_random.unwrap() < 0.5, "{unweighted:?}");
}

#[test]
fn rows_without_weight_are_not_prototypes() {
    let rows = array![[0.0], [1.0], [10.0], [11.0]];
    let kernel = Gaussian::new(1.0).unwrap();
    let mut selection = select(&rows, &rows, &kernel, &Params::new(2)).unwrap();
    let whole = baseline(&rows, &rows, &selection, &kernel, &BaselineParams::default(), &mut Unobserved).unwrap();
    selection.prototypes[1].weight = 0.0;
    let found = baseline(&rows, &rows, &selection, &kernel, &BaselineParams::default(), &mut Unobserved).unwrap();
    assert_eq!(found.random_explained_path, whole.random_explained_path);
    assert_eq!(found.random_explained, Some(whole.random_explained_path[0]));
    // One row at distances 0, 1, 10, 11 from the others: it is no better than a random one.
    assert!(found.nearer_than_random.unwrap().abs() < 0.1);
    selection.prototypes.iter_mut().for_each(|prototype: &mut Prototype| prototype.weight = 0.0);
    let none = baseline(&rows, &rows, &selection, &kernel, &BaselineParams::default(), &mut Unobserved).unwrap();
    assert_eq!((none.nearer_than_random, none.random_explained), (None, None));
}

#[test]
fn the_distance_depends_on_the_rows_and_not_on_the_kernel() {
    let rows = random(40, 3, 5);
    let near = |selection: &Selection, kernel: &dyn Kernel<f64>| {
        let found = baseline(&rows, &rows, selection, kernel, &BaselineParams::default(), &mut Unobserved);
        found.unwrap().nearer_than_random.unwrap()
    };
    let selection = select(&rows, &rows, &Gaussian::new(1.0).unwrap(), &Params::new(4)).unwrap();
    let by_gaussian = near(&selection, &Gaussian::new(1.0).unwrap());
    assert_eq!(by_gaussian, near(&selection, &Laplacian::new(3.0).unwrap()));
    assert_ne!(by_gaussian, near(&selection, &Hamming));
    // The cosine does not depend on the length of a row.
    let stretched = Array2::from_shape_fn(rows.dim(), |(row, column)| rows[(row, column)] * (1.0 + row as f64));
    let found = baseline(&stretched, &stretched, &selection, &Cosine, &BaselineParams::default(), &mut Unobserved);
    assert!((found.unwrap().nearer_than_random.unwrap() - near(&selection, &Cosine)).abs() < 1e-7);
}

#[test]
fn kernel_matrices_have_the_distance_of_their_feature_space_or_none() {
    let (rows, others) = (random(12, 2, 3), random(7, 2, 4));
    let kernel = BuiltInKernel::from(protodash::Linear);
    let gram = |a: &Array2<f64>, b: &Array2<f64>| {
        Array2::from_shape_fn((a.nrows(), b.nrows()), |(i, j)| {
            Kernel::<f64>::evaluate(&kernel, &a.row(i).to_vec(), &b.row(j).to_vec())
        })
    };
    let itself = Precomputed::new(gram(&rows, &rows)).unwrap();
    let numbers = itself.source_rows();
    let (selection, by_matrix) = compared(&numbers, &itself, 3);
    let (_, by_rows) = compared(&rows, &kernel, 3);
    // The feature space of the linear kernel is that of the rows.
    assert!((by_matrix.nearer_than_random.unwrap() - by_rows.nearer_than_random.unwrap()).abs() < 1e-6);
    assert_eq!(by_matrix.random_explained_path.len(), selection.prototypes.len());
    let across = Precomputed::across(gram(&others, &rows), gram(&rows, &rows)).unwrap();
    let mut params = Params::new(3);
    params.target_energy = TargetEnergy::Skip;
    let (target, source) = (across.target_rows(), across.source_rows());
    let selection = select(&target, &source, &across, &params).unwrap();
    let found = baseline(&target, &source, &selection, &across, &BaselineParams::default(), &mut Unobserved).unwrap();
    assert_eq!((found.nearer_than_random, found.random_explained, found.n_draws), (None, None, 0));
}

#[test]
fn equal_rows_and_whole_sources_have_no_distance_to_compare() {
    let equal = array![[1.0], [1.0], [1.0]];
    let kernel = Gaussian::new(1.0).unwrap();
    assert_eq!(compared(&equal, &kernel, 1).1.nearer_than_random, None);
    let far = array![[0.0], [50.0], [100.0]];
    let (selection, found) = compared(&far, &kernel, 3);
    assert_eq!((selection.prototypes.len(), found.nearer_than_random), (3, None));
    assert_eq!(found.random_explained, Some(1.0));
}

#[test]
fn nearer_at_each_size_is_that_of_a_run_for_that_size() {
    let rows = random(60, 2, 21);
    let kernel = Gaussian::new(0.7).unwrap();
    let (_, found) = compared(&rows, &kernel, 12);
    let sizes: Vec<usize> = found.nearer_than_random_path.iter().map(|(size, _)| *size).collect();
    assert_eq!(sizes, (1..=12).collect::<Vec<_>>());
    for (size, nearer) in &found.nearer_than_random_path {
        let (_, alone) = compared(&rows, &kernel, *size);
        assert!((nearer - alone.nearer_than_random.unwrap()).abs() < 1e-13, "{size}: {nearer}");
    }
    assert_eq!(found.nearer_than_random_path.last().map(|(_, nearer)| *nearer), found.nearer_than_random);
    // The source represents itself, and is at distance 0.
    assert_eq!((found.best_distance, found.best_explained), (None, None));
    let everyone = vec![1.0 / 60.0; 60];
    let (selection, found) = compared(&rows, &kernel, 40);
    assert_eq!(found.nearer_than_random_path.len(), 30);
    let distance = sum_of_nearest(&rows, &rows, &chosen(&selection), &everyone);
    assert!((found.distance.unwrap() - distance).abs() < 1e-12);
}

#[test]
fn no_selection_is_better_than_all_source_rows() {
    let (target, source) = (random(40, 2, 31), random(25, 2, 32));
    let weights: Vec<f64> = (0..40).map(|row| f64::from(row % 4)).collect();
    let kernel = Gaussian::new(0.7).unwrap();
    for exclude in [vec![], vec![0, 3, 9, 11]] {
        let mut params = Params::new(3);
        (params.target_weights, params.exclude) = (Some(weights.clone()), exclude.clone());
        let run = |params: &Params| select(&target, &source, &kernel, params).unwrap();
        let selection = run(&params);
        let mut asked = BaselineParams::default();
        (asked.target_weights, asked.exclude) = (params.target_weights.clone(), exclude.clone());
        let found = baseline(&target, &source, &selection, &kernel, &asked, &mut Unobserved).unwrap();
        let all: Vec<usize> = (0..25).filter(|row| !exclude.contains(row)).collect();
        let total: f64 = weights.iter().sum();
        let nearest = sum_of_nearest(&target, &source, &all, &weights) / total;
        let ours = sum_of_nearest(&target, &source, &chosen(&selection), &weights) / total;
        assert!((found.best_distance.unwrap() - nearest).abs() < 1e-12);
        assert!((found.distance.unwrap() - ours).abs() < 1e-12 && ours > nearest);
        // As a run for all rows that improve the fit, by either method.
        params.n_prototypes = None;
        let everything = run(&params).explained().unwrap();
        assert!((found.best_explained.unwrap() - everything).abs() < 1e-12);
        params.method = Method::ProtoGreedy;
        assert!((found.best_explained.unwrap() - run(&params).explained().unwrap()).abs() < 1e-9);
        assert!(found.best_explained.unwrap() > selection.explained().unwrap());
    }
}

#[test]
fn what_all_of_many_source_rows_explain_is_not_computed() {
    let (target, source) = (random(40, 2, 41), random(1001, 2, 42));
    let kernel = Gaussian::new(0.7).unwrap();
    let selection = select(&target, &source, &kernel, &Params::new(3)).unwrap();
    let found = baseline(&target, &source, &selection, &kernel, &BaselineParams::default(), &mut Unobserved).unwrap();
    assert!(found.best_explained.is_none() && found.best_distance.is_some());
}

/// Above 65,536 rows, random rows are drawn from a subset; what the prototypes and the nearest rows contribute stays exact.
#[test]
fn random_rows_of_a_large_source_are_drawn_from_a_subset() {
    let (target, source) = (random(40, 2, 51), random(70_000, 2, 52));
    let kernel = Gaussian::new(0.7).unwrap();
    let mut params = Params::new(20);
    (params.target_energy, params.fixed, params.exclude) = (TargetEnergy::Skip, vec![69_000], (0..2000).collect());
    let selection = select(&target, &source, &kernel, &params).unwrap();
    let mut asked = BaselineParams::of_run(&params);
    let of = |asked: &BaselineParams| baseline(&target, &source, &selection, &kernel, asked, &mut Unobserved).unwrap();
    let found = of(&asked);
    assert_eq!(found.n_drawn_from, Some(65_536));
    let everyone = [1.0 / 40.0; 40];
    let ours = sum_of_nearest(&target, &source, &chosen(&selection), &everyone);
    assert!((found.distance.unwrap() - ours).abs() < 1e-12);
    let choosable: Vec<usize> = (2000..70_000).collect();
    let nearest = sum_of_nearest(&target, &source, &choosable, &everyone);
    assert!((found.best_distance.unwrap() - nearest).abs() < 1e-12);
    // The expectation over all subsets of all rows: the k-th nearest is the minimum with probability m/n (1 − k/n)^(m − 1), nearly.
    let new = selection.prototypes[1..].iter().filter(|prototype| prototype.weight > 0.0).count();
    let by_chance: f64 = (target.rows().into_iter())
        .map(|x| {
            let to_fixed = euclidean(x, source.row(69_000));
            let mut distances: Vec<f64> =
                choosable.iter().map(|&j| euclidean(x, source.row(j)).min(to_fixed)).collect();
            distances.sort_by(f64::total_cmp);
            let (n, m) = (67_999.0, new as f64);
            let nearest = |k: usize| m / n * (1.0 - k as f64 / n).max(0.0).powf(m - 1.0);
            distances.iter().enumerate().map(|(k, d)| nearest(k) * d).sum::<f64>() / 40.0
        })
        .sum();
    let expected = 1.0 - ours / by_chance;
    let nearer = found.nearer_than_random.unwrap();
    assert!((nearer - expected).abs() < 0.01 && nearer != expected, "{nearer} {expected}");
    // Another subset for another seed; all rows if the prototypes are many or those that may be chosen few.
    asked.seed += 1;
    assert!(of(&asked).nearer_than_random != found.nearer_than_random && of(&asked).distance == found.distance);
    asked.exclude = (0..4463).collect();
    assert_eq!(of(&asked).n_drawn_from, None);
}
