//! Cross-validation of the bandwidth: scores, reproducibility, errors.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::samples::{cells, digits, random, take};
use ndarray::{Array2, array};
use protodash::bandwidth::{Metric, median};
use protodash::{
    BandwidthCurve, BuiltInKernel, Criterion, CrossValidation, Error, Gaussian, InverseMultiquadric, Kernel, Labels,
    Laplacian, Matern32, Matern52, Observer, Params, Result, Stage, TargetEnergy, Unobserved, cross_validate, select,
};

fn settings(multiples: &[f64]) -> CrossValidation {
    let mut settings = CrossValidation::default();
    settings.multiples = multiples.to_vec();
    settings
}

fn curve(
    rows: &Array2<f64>,
    labels: Option<&[usize]>,
    n_prototypes: usize,
    settings: &CrossValidation,
) -> BandwidthCurve {
    let labels = labels.map(|labels| Labels { target: labels, source: labels });
    let params = Params::new(n_prototypes);
    cross_validate(rows, rows, labels, &Gaussian::new, &params, settings, &mut Unobserved).unwrap()
}

#[test]
fn digits_are_classified_and_represented_best_at_a_medium_bandwidth() {
    let digits = take(&digits(), 0..600);
    let labels: Vec<usize> = cells("digits.csv").1[..600].iter().map(|row| row[0].parse().unwrap()).collect();
    let all = CrossValidation::default();
    for (labels, criterion) in [(Some(&labels[..]), Criterion::Error), (None, Criterion::Distance)] {
        let curve = curve(&digits, labels, 30, &all);
        assert_eq!((curve.criterion, curve.n_folds, curve.n_rows), (criterion, 5, 600));
        assert_eq!(curve.scores.len(), 11);
        let widest = curve.scores[10];
        assert_eq!((widest.multiple, widest.bandwidth), (4.0, 4.0 * curve.scores[6].bandwidth));
        assert!((1.0..=2.0).contains(&(curve.scores[6].multiple + 1e-12)));
        let best = curve.best();
        assert!(best.multiple < 1.5, "{best:?}");
        assert!(best.score + 2.0 * best.standard_error < widest.score, "{best:?} {widest:?}");
        assert!(curve.scores.iter().all(|score| score.score >= best.score && score.standard_error > 0.0));
    }
}

/// With every training row a prototype, the score is that of plain nearest neighbours for any bandwidth, and the tie
/// goes to the bandwidth closest to the median.
#[test]
fn with_all_rows_as_prototypes_the_bandwidth_does_not_matter() {
    let rows = random(50, 2, 4);
    let mut settings = settings(&[0.125]);
    settings.n_folds = 50; // leave one out
    let found = curve(&rows, None, 50, &settings);
    let distance = |i: usize, j: usize| {
        let difference = &rows.row(i) - &rows.row(j);
        difference.dot(&difference).sqrt()
    };
    let nearest = |i: usize| (0..50).filter(|&j| j != i).map(|j| distance(i, j)).fold(f64::INFINITY, f64::min);
    let expected = (0..50).map(nearest).sum::<f64>() / 50.0;
    assert!((found.scores[0].score - expected).abs() < 1e-12, "{} {expected}", found.scores[0].score);
    settings.multiples = vec![0.02, 0.03, 0.01];
    assert_eq!(curve(&rows, None, 50, &settings).best().multiple, 0.03);
}

#[test]
fn the_seed_decides_and_threads_do_not() {
    let rows = random(300, 3, 6);
    let mut settings = settings(&[0.5, 1.0]);
    settings.n_rows = 100;
    let first = curve(&rows, None, 10, &settings);
    assert_eq!(first.n_rows, 100);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.install(|| curve(&rows, None, 10, &settings)), first);
    settings.seed = 1;
    assert_ne!(curve(&rows, None, 10, &settings), first);
}

#[test]
fn every_kernel_with_a_bandwidth_has_a_curve() {
    fn check<K: Kernel<f64>>(kernel_at: fn(f64) -> Result<K>, metric: Metric) {
        let (target, source) = (random(80, 2, 1), random(60, 2, 2));
        let params = Params::new(8);
        let found =
            cross_validate(&target, &source, None, &kernel_at, &params, &settings(&[0.5, 1.0]), &mut Unobserved);
        let found = found.unwrap();
        assert_eq!(found.scores[1].bandwidth, median(&target, &source, metric, 0).unwrap());
        assert!(found.best().score > 0.0);
    }
    check(Gaussian::new, Metric::Euclidean);
    check(Laplacian::new, Metric::Manhattan);
    check(Matern32::new, Metric::Euclidean);
    check(Matern52::new, Metric::Euclidean);
    check(InverseMultiquadric::new, Metric::Euclidean);
}

#[test]
fn target_weights_apply_to_held_out_rows() {
    // The rows at 100 have no weight: nothing is chosen for them, and being far from them has no cost.
    let mut rows = random(60, 1, 3);
    rows.rows_mut().into_iter().step_by(2).for_each(|mut row| row[0] = 100.0);
    let mut params = Params::new(5);
    params.target_weights = Some((0..60).map(|row| f64::from(row % 2)).collect());
    let settings = settings(&[1.0]);
    let weighted = cross_validate(&rows, &rows, None, &Gaussian::new, &params, &settings, &mut Unobserved).unwrap();
    assert!(weighted.best().score < 1.0, "{}", weighted.best().score);
}

#[test]
fn a_bandwidth_that_chooses_nothing_is_never_the_best() {
    let mut params = Params::with_min_gain(0.2);
    params.n_prototypes = Some(3);
    let rows = random(40, 1, 5);
    // So narrow a kernel has kernel means of 1/n, and the first gain is ½/n² · n.
    let found = cross_validate(&rows, &rows, None, &Gaussian::new, &params, &settings(&[1e-9, 4.0]), &mut Unobserved);
    let found = found.unwrap();
    assert_eq!((found.scores[0].score, found.scores[0].standard_error), (f64::INFINITY, f64::INFINITY));
    assert_eq!(found.best().multiple, 4.0);
}

#[test]
fn invalid_settings_are_rejected() {
    let rows = array![[0.0], [1.0], [2.0]];
    let refused = |settings: &CrossValidation, labels: Option<Labels<'_>>| {
        let params = Params::new(1);
        let refused = cross_validate(&rows, &rows, labels, &Gaussian::new, &params, settings, &mut Unobserved);
        refused.unwrap_err().to_string()
    };
    let mut folds = settings(&[1.0]);
    assert_eq!(refused(&folds, None), "cross-validation divides the target rows into 5 folds, but there are 3 rows");
    folds.n_folds = 1;
    assert_eq!(refused(&folds, None), "the number of folds is 1; it must be at least 2");
    folds.n_folds = 3;
    let labels = Labels { target: &[0, 1], source: &[0, 1, 1] };
    assert_eq!(refused(&folds, Some(labels)), "there are 2 labels for 3 target rows; there must be one for each");
    folds.multiples = vec![1.0, 0.0];
    assert_eq!(refused(&folds, None), "a multiple of the median is 0; it must be finite and above 0");
    folds.multiples.clear();
    assert_eq!(refused(&folds, None), "the number of bandwidths is 0; it must be at least 1");
}

#[test]
fn an_observer_receives_progress_and_can_stop_the_search() {
    struct StopAtFifth;
    impl Observer for StopAtFifth {
        fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
            assert_eq!((stage.to_string(), total), ("cross-validation".to_owned(), 10));
            if done == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let rows = random(30, 1, 2);
    let (params, settings) = (Params::new(3), settings(&[0.5, 1.0]));
    let stopped = cross_validate(&rows, &rows, None, &Gaussian::new, &params, &settings, &mut StopAtFifth);
    assert_eq!(stopped.unwrap_err(), Error::Cancelled);
}

/// Counts the kernel values that are computed.
struct Counting<'a> {
    kernel: InverseMultiquadric,
    n_values: &'a AtomicU64,
}

impl Kernel<f64> for Counting<'_> {
    fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
        self.n_values.fetch_add(1, Ordering::Relaxed);
        self.kernel.evaluate(x, y)
    }
}

/// The kernel values of one selection, those of an affordable search for the bandwidth, and its curve.
fn n_kernel_values(target: &Array2<f64>, source: &Array2<f64>, n_prototypes: usize) -> (u64, u64, BandwidthCurve) {
    let mut params = Params::new(n_prototypes);
    params.target_energy = TargetEnergy::Skip;
    let n_values = AtomicU64::new(0);
    let kernel_at = |bandwidth: f64| -> Result<Counting<'_>> {
        Ok(Counting { kernel: InverseMultiquadric::new(bandwidth)?, n_values: &n_values })
    };
    select(target, source, &kernel_at(0.3).unwrap(), &params).unwrap();
    let of_selection = n_values.swap(0, Ordering::Relaxed);
    let settings = CrossValidation::default().affordable((target.nrows(), source.nrows()), n_prototypes);
    let curve = cross_validate(target, source, None, &kernel_at, &params, &settings, &mut Unobserved).unwrap();
    (of_selection, n_values.into_inner(), curve)
}

/// Folds and bandwidths together cost no more kernel values than five selections, target = source or not. It was 8.8 for 10
/// prototypes of 1,000 rows, and 15.6 for 500 of 3,000.
#[test]
fn the_search_costs_at_most_five_selections() {
    let sizes =
        [(40, 4), (200, 40), (500, 10), (500, 100), (1000, 10), (1000, 200), (1500, 150), (1500, 300), (2200, 10)];
    for (n_rows, n_prototypes) in sizes {
        let (rows, other) = (random(n_rows, 3, 5), random(n_rows / 2, 3, 6));
        for target in [&rows, &other] {
            let (of_selection, of_search, curve) = n_kernel_values(target, &rows, n_prototypes);
            let shape = (curve.scores.len(), curve.n_folds, curve.n_rows);
            assert!(of_search <= 5 * of_selection, "{n_rows}, {n_prototypes}: {of_search} {of_selection} {shape:?}");
            assert!(of_search > of_selection, "{n_rows}, {n_prototypes}: {of_search} {of_selection} {shape:?}");
            assert!(shape.0 >= 7 && shape.1 >= 2 && shape.2 >= (target.nrows() / 2).min(250), "{n_rows}: {shape:?}");
        }
    }
}

/// The steps and weights of hundreds of prototypes take longer than the kernel values.
#[test]
fn many_prototypes_are_searched_with_fewer() {
    let settings = |n_rows, m| CrossValidation::default().affordable((n_rows, n_rows), m);
    for (n_rows, n_prototypes) in [(1000, 200), (3000, 500), (5000, 500), (20_000, 5_000)] {
        let found = settings(n_rows, n_prototypes);
        let (most, share) = (found.most_prototypes.unwrap(), n_prototypes as f64 / n_rows as f64);
        assert!(most as f64 <= share.max(0.1) * found.n_rows as f64 + 1.0, "{found:?}");
        // Weights take the third power of the number of prototypes.
        let n_runs = (found.multiples.len() * found.n_folds) as f64;
        assert!(n_runs * (most as f64).powi(3) < 5.0 * (n_prototypes as f64).powi(3), "{found:?}");
    }
    assert_eq!(settings(60_000, 10).most_prototypes, None);
}

/// Distances that are looked up give the scores of distances that are computed again, whatever the kernel's distance.
#[test]
fn shared_distances_change_nothing() {
    let (target, source) = (random(90, 620, 3), random(70, 620, 4));
    let kernels: [&dyn Fn(f64) -> Result<BuiltInKernel>; 3] = [
        &|bandwidth| Ok(Gaussian::new(bandwidth)?.into()),
        &|bandwidth| Ok(InverseMultiquadric::new(bandwidth)?.into()),
        &|bandwidth| Ok(Laplacian::new(bandwidth)?.into()),
    ];
    let classes = [90, 70].map(|n_rows| (0..n_rows).map(|row| row * 5 % 3).collect::<Vec<usize>>());
    for kernel_at in kernels {
        for of in [&target, &source] {
            let by_label = Labels { target: &classes[usize::from(of.nrows() == 70)], source: &classes[1] };
            for labels in [None, Some(by_label)] {
                let with = |column_memory: u64| {
                    let mut params = Params::new(6);
                    params.column_memory = column_memory;
                    let settings = CrossValidation::default();
                    cross_validate(of, &source, labels, &kernel_at, &params, &settings, &mut Unobserved).unwrap()
                };
                let (shared, again) = (with(1 << 30), with(0));
                assert_eq!(shared.best().multiple, again.best().multiple);
                for (shared, again) in shared.scores.iter().zip(&again.scores) {
                    assert!((shared.score - again.score).abs() <= 1e-12 * again.score, "{shared:?} {again:?}");
                }
            }
        }
    }
}

/// Every second bandwidth is tried first, then the neighbours of the best.
#[test]
fn a_stride_finds_the_best_bandwidth_with_fewer_tries() {
    let rows = take(&digits(), 0..400);
    let mut all = CrossValidation::default();
    let every = curve(&rows, None, 20, &all);
    all.stride = 2;
    let some = curve(&rows, None, 20, &all);
    assert!((7..=8).contains(&some.scores.len()), "{some:?}");
    assert!(some.scores.iter().all(|score| every.scores.contains(score)));
    assert_eq!(some.best(), every.best());
    assert!(some.scores.windows(2).all(|pair| pair[0].multiple < pair[1].multiple));
    all.stride = 0;
    let refused =
        cross_validate(&rows, &rows, None, &Gaussian::new, &Params::new(2), &all, &mut Unobserved).unwrap_err();
    assert!(refused.to_string().contains("stride"), "{refused}");
}

/// Of bandwidths with equal scores an arbitrary one was used, the median distance, and called the best.
#[test]
fn bandwidths_that_all_tie_leave_the_rule_auto() {
    // Two classes far apart: every bandwidth classifies every held-out row correctly.
    let rows = Array2::from_shape_fn((40, 1), |(row, _)| (row % 2) as f64 * 100.0 + row as f64 * 0.01);
    let classes: Vec<usize> = (0..40).map(|row| row % 2).collect();
    let labels = Some(Labels { target: &classes, source: &classes });
    let settings = settings(&[0.5, 1.0, 2.0]);
    let found =
        cross_validate(&rows, &rows, labels, &Gaussian::new, &Params::new(4), &settings, &mut Unobserved).unwrap();
    assert!(found.is_flat() && found.scores.iter().all(|score| score.score == 0.0));
    assert_eq!((found.best().multiple, found.bandwidth()), (1.0, found.scores[0].bandwidth)); // half the median
    let waves = Array2::from_shape_fn((60, 2), |(row, column)| (row as f64 * (0.7 + column as f64)).sin());
    let clear =
        cross_validate(&waves, &waves, None, &Gaussian::new, &Params::new(4), &settings, &mut Unobserved).unwrap();
    assert!(!clear.is_flat() && clear.bandwidth() == clear.best().bandwidth);
}

/// Fixed, excluded and resumed rows were looked up among the rows of a fold, and limits checked against its size.
#[test]
fn parameters_that_name_source_rows_are_not_applied_in_folds() {
    let rows = random(60, 2, 8);
    let settings = settings(&[0.25, 0.5, 1.0]);
    let searched = |params: &Params| {
        cross_validate(&rows, &rows, None, &Gaussian::new, params, &settings, &mut Unobserved).unwrap()
    };
    let plain = searched(&Params::new(6));
    let mut given = Params::new(4);
    (given.fixed, given.exclude, given.resume) = (vec![59, 0], (40..58).collect(), vec![3]);
    assert_eq!(searched(&given), plain); // two fixed rows and four others are six prototypes
    // Five folds leave 48 of the 60 rows, too few for these limits.
    let mut limited = Params::new(58);
    let free = searched(&limited);
    (limited.max_weight, limited.min_effective) = (Some(0.02), Some(55.0));
    assert_eq!(searched(&limited), free);
    // They are still checked.
    given.fixed = vec![60];
    let refused = cross_validate(&rows, &rows, None, &Gaussian::new, &given, &settings, &mut Unobserved);
    assert_eq!(refused.unwrap_err(), Error::NoSuchRow { name: "fixed", row: 60, n_source: 60 });
}

#[test]
fn too_few_rows_to_use_and_an_impossible_median_are_named() {
    let rows = random(20, 1, 3);
    let refused = |settings: &CrossValidation| {
        let params = Params::new(2);
        let refused = cross_validate(&rows, &rows, None, &Gaussian::new, &params, settings, &mut Unobserved);
        refused.unwrap_err().to_string()
    };
    let mut few = settings(&[1.0]);
    few.n_rows = 4;
    assert_eq!(refused(&few), "the number of rows to use is 4; it must be at least the number of folds");
    let mut median = settings(&[1.0]);
    median.median = Some(f64::NAN);
    assert_eq!(refused(&median), "the median distance is NaN; it must be finite and above 0");
}
