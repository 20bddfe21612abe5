//! Methods whose order does not depend on weights, the rules that weight any method's rows, and oversampling.

use std::ops::ControlFlow;

use crate::samples::{chosen, digits, one_hot, random, take, weights};
use ndarray::{Array1, Array2, Axis};
use protodash::objective::objective;
use protodash::weights::{convex, nonnegative};
use protodash::{
    Error, Gaussian, Kernel, Linear, Method, Observer, Params, Prototype, Selection, Stopped, Unobserved, Weights,
    kernel_mean, represent, select, select_with,
};

const EVERY_METHOD: [Method; 7] = [
    Method::ProtoDash,
    Method::ProtoGreedy,
    Method::Swap,
    Method::L2c,
    Method::PLasso,
    Method::FarthestFirst,
    Method::Random,
];
const EVERY_RULE: [Weights; 5] = [Weights::Nonnegative, Weights::Convex, Weights::Equal, Weights::Shares, Weights::Own];

fn params(method: Method, n_prototypes: usize) -> Params {
    let mut params = Params::new(n_prototypes);
    params.method = method;
    params
}

/// Kernel means and Gram matrix of some source rows, value by value.
fn written_out(
    target: &Array2<f64>,
    source: &Array2<f64>,
    kernel: &dyn Kernel<f64>,
    rows: &[usize],
) -> (Array1<f64>, Array2<f64>) {
    let means = Array1::from(kernel_mean(target, source, kernel).unwrap()).select(Axis(0), rows);
    let row = |row: usize| source.row(rows[row]).to_vec();
    let gram = Array2::from_shape_fn((rows.len(), rows.len()), |(i, j)| kernel.evaluate(&row(i), &row(j)));
    (means, gram)
}

/// The weights that `rule` gives to these rows, computed independently of the library.
fn expected_weights(
    (target, source): (&Array2<f64>, &Array2<f64>),
    kernel: &dyn Kernel<f64>,
    rows: &[usize],
    (method, rule): (Method, Weights),
) -> Vec<f64> {
    let (means, gram) = written_out(target, source, kernel, rows);
    match rule {
        Weights::Own if method == Method::L2c => vec![1.0 / rows.len() as f64; rows.len()],
        Weights::Convex => convex(means.view(), gram.view()).unwrap(),
        Weights::Equal => vec![1.0 / rows.len() as f64; rows.len()],
        Weights::Shares => {
            let prototype = |&source_index: &usize| Prototype { source_index, weight: 1.0, share: 0.0, gain: 0.0 };
            let prototypes: Vec<Prototype> = rows.iter().map(prototype).collect();
            let counts = represent(target, source, &prototypes, kernel, &mut Unobserved).unwrap().n_represented;
            counts.iter().map(|count| *count as f64 / target.nrows() as f64).collect()
        }
        _ => nonnegative(means.view(), gram.view()).unwrap(),
    }
}

#[test]
fn any_rule_weights_every_prefix_of_any_methods_rows() {
    let digits = digits();
    let data = [
        (take(&digits, 0..90), take(&digits, 60..120)),
        (random(50, 3, 1), random(40, 3, 2) + 0.3),
        (one_hot(60, &[2, 3, 2], 3), one_hot(40, &[2, 3, 2], 4)),
    ];
    let kernels: [&dyn Kernel<f64>; 3] = [&Gaussian::new(25.0).unwrap(), &Gaussian::new(0.7).unwrap(), &Linear];
    for ((target, source), kernel) in data.iter().zip(kernels) {
        for method in EVERY_METHOD {
            for rule in EVERY_RULE {
                if (method, rule) == (Method::PLasso, Weights::Own) {
                    continue; // see the tests of the path
                }
                // The lasso path skips some numbers of the one-hot rows.
                let is_linear = kernel.built_in() == Some(Linear.into());
                let size = if is_linear { 3 } else { 8 };
                let mut params = params(method, size);
                params.weights = rule;
                let selection = select(target, source, kernel, &params).unwrap();
                let rows = chosen(&selection);
                assert!(!rows.is_empty());
                for size in 1..=rows.len() {
                    let expected = expected_weights((target, source), kernel, &rows[..size], (method, rule));
                    let (means, gram) = written_out(target, source, kernel, &rows[..size]);
                    let reached = objective(means.view(), gram.view(), Array1::from(expected.clone()).view()).unwrap();
                    assert!((selection.objective[size - 1] - reached).abs() < 1e-9, "{method:?} {rule:?} {size}");
                    // If rows are linearly dependent, as one-hot rows are, optimal weights are not unique.
                    if !is_linear {
                        let ours = selection.weights_at(size).unwrap();
                        let close = ours.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6);
                        assert!(close, "{method:?} {rule:?} {size}: {ours:?} {expected:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn rules_that_do_not_affect_the_choice_weight_the_same_rows() {
    let rows = take(&digits(), 0..120);
    let kernel = Gaussian::new(25.0).unwrap();
    for method in EVERY_METHOD {
        let mut params = params(method, 10);
        let free = select(&rows, &rows, &kernel, &params).unwrap();
        for rule in [Weights::Equal, Weights::Shares, Weights::Own] {
            params.weights = rule;
            let other = select(&rows, &rows, &kernel, &params).unwrap();
            assert_eq!(chosen(&other), chosen(&free), "{method:?} {rule:?}");
            assert!(other.objective_final() <= free.objective_final() + 1e-12);
            assert!((weights(&other).iter().sum::<f64>() - 1.0).abs() < 1e-12 || rule == Weights::Own, "{method:?}");
        }
    }
}

#[test]
fn shares_count_target_weights() {
    let (target, source) = (random(60, 2, 5), random(20, 2, 6));
    let copies: Vec<usize> = (0..60).map(|row| row % 4).collect();
    let repeated = take(&target, copies.iter().enumerate().flat_map(|(row, n)| std::iter::repeat_n(row, *n)));
    let kernel = Gaussian::new(0.5).unwrap();
    let mut params = params(Method::Random, 6);
    params.weights = Weights::Shares;
    let expected = select(&repeated, &source, &kernel, &params).unwrap();
    params.target_weights = Some(copies.iter().map(|n| *n as f64).collect());
    let weighted = select(&target, &source, &kernel, &params).unwrap();
    for (a, b) in weights(&weighted).iter().zip(weights(&expected)) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}

#[test]
fn random_rows_depend_only_on_the_seed_and_shorter_runs_are_prefixes() {
    let source = random(80, 3, 7);
    let run = |target: &Array2<f64>, n_prototypes: usize, seed: u64| {
        let mut params = params(Method::Random, n_prototypes);
        params.seed = seed;
        select(target, &source, &Gaussian::new(0.8).unwrap(), &params).unwrap()
    };
    let long = run(&source, 30, 11);
    assert_eq!((long.prototypes.len(), long.stopped), (30, Stopped::NPrototypes));
    for size in [1, 7, 29] {
        assert_eq!(long.prefix(size).unwrap(), run(&source, size, 11), "{size}");
    }
    assert_eq!(chosen(&run(&random(9, 3, 1), 30, 11)), chosen(&long), "the target must not matter");
    assert_ne!(chosen(&run(&source, 30, 12)), chosen(&long));
    let mut all = chosen(&run(&source, 80, 3));
    all.sort_unstable();
    assert_eq!(all, (0..80).collect::<Vec<_>>());
}

#[test]
fn a_random_run_ends_before_the_first_row_that_gains_too_little() {
    let source = random(80, 3, 7);
    let kernel = Gaussian::new(0.8).unwrap();
    for rule in EVERY_RULE {
        let mut params = params(Method::Random, 40);
        params.weights = rule;
        let full = select(&source, &source, &kernel, &params).unwrap();
        let first_is_free = !matches!(rule, Weights::Nonnegative | Weights::Own);
        let gains = full.prototypes.iter().map(|prototype| prototype.gain);
        let low = |(step, gain): (usize, f64)| (gain < 1e-4 && !(step == 0 && first_is_free)).then_some(step);
        let size = gains.enumerate().find_map(low).expect("some row gains little");
        params.n_prototypes = None;
        params.min_gain = Some(1e-4);
        let cut = select(&source, &source, &kernel, &params).unwrap();
        assert_eq!((cut.prototypes.len(), cut.stopped), (size, Stopped::MinGain), "{rule:?}");
        assert_eq!(full.prefix(size).unwrap().prototypes, cut.prototypes);
    }
}

#[test]
fn oversampling_keeps_the_heaviest_and_refits_them() {
    let digits = digits();
    let (target, source) = (take(&digits, 0..150), take(&digits, 100..220));
    let kernel = Gaussian::new(25.0).unwrap();
    for method in EVERY_METHOD {
        for rule in EVERY_RULE {
            if (method, rule) == (Method::PLasso, Weights::Own) {
                continue; // its weights depend on the penalty, which differs between the runs
            }
            for (factor, many) in [(1.5, 9), (2.0, 12), (3.25, 20), (1e9, 120)] {
                let mut params = params(method, many);
                params.weights = rule;
                let equal = rule == Weights::Equal || (method, rule) == (Method::L2c, Weights::Own);
                let telling = if equal { Weights::Nonnegative } else { rule };
                params.weights = telling;
                let long = select(&target, &source, &kernel, &params).unwrap();
                let mut positions: Vec<usize> = (0..long.prototypes.len()).collect();
                positions.sort_by(|a, b| long.prototypes[*b].weight.total_cmp(&long.prototypes[*a].weight));
                positions.truncate(6);
                positions.sort_unstable();
                let expected: Vec<usize> =
                    positions.iter().map(|position| long.prototypes[*position].source_index).collect();
                (params.n_prototypes, params.oversample, params.weights) = (Some(6), factor, rule);
                let kept = select(&target, &source, &kernel, &params).unwrap();
                assert_eq!(chosen(&kept), expected, "{method:?} {rule:?} {factor}");
                assert_eq!((kept.objective.len(), kept.stopped), (6, Stopped::NPrototypes));
                let ours = weights(&kept);
                for (a, b) in ours.iter().zip(expected_weights((&target, &source), &kernel, &expected, (method, rule)))
                {
                    assert!((a - b).abs() < 1e-7, "{method:?} {rule:?} {factor}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn oversampling_a_run_that_ends_early_says_why_it_ended() {
    let rows = Array2::from_shape_fn((90, 1), |(row, _)| (row % 3) as f64 * 9.0);
    let mut params = params(Method::ProtoDash, 5);
    params.oversample = 4.0;
    let kernel = Gaussian::new(1.0).unwrap();
    let optimal = select(&rows, &rows, &kernel, &params).unwrap();
    assert_eq!((optimal.prototypes.len(), optimal.stopped), (3, Stopped::Optimal));
    params.n_prototypes = Some(2);
    let kept = select(&rows, &rows, &kernel, &params).unwrap();
    assert_eq!((kept.prototypes.len(), kept.stopped), (2, Stopped::NPrototypes));
    (params.n_prototypes, params.min_gain) = (Some(5), Some(10.0));
    let nothing = select(&rows, &rows, &kernel, &params).unwrap();
    assert_eq!((nothing.prototypes.len(), nothing.stopped), (0, Stopped::MinGain));
}

#[test]
fn an_invalid_factor_is_rejected() {
    let rows = random(5, 2, 1);
    let refused = |n_prototypes: Option<usize>, oversample: f64| {
        let mut params = Params::new(2);
        (params.n_prototypes, params.oversample) = (n_prototypes, oversample);
        select(&rows, &rows, &Linear, &params).unwrap_err().to_string()
    };
    assert_eq!(refused(Some(2), 0.5), "oversample is 0.5; it must be a finite number, at least 1");
    assert_eq!(refused(Some(2), f64::NAN), "oversample is NaN; it must be a finite number, at least 1");
    assert_eq!(refused(Some(2), f64::INFINITY), "oversample is inf; it must be a finite number, at least 1");
    assert_eq!(
        refused(None, 2.0),
        "oversample is 2, which multiplies n_prototypes; n_prototypes must be given with it"
    );
}

/// Counts its calls, and stops at a step.
struct Watcher {
    told: Vec<(usize, usize)>,
    stop_at: usize,
}

impl Observer for Watcher {
    fn on_prototype(&mut self, step: usize, prototype: &Prototype, _: f64) -> ControlFlow<()> {
        self.told.push((step, prototype.source_index));
        if step == self.stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn an_observer_receives_each_kept_prototype_once_and_can_stop_the_run() {
    let rows = random(60, 3, 2);
    let kernel = Gaussian::new(0.7).unwrap();
    for method in EVERY_METHOD {
        for oversample in [1.0, 2.5] {
            let mut params = params(method, 6);
            params.oversample = oversample;
            let mut watcher = Watcher { told: Vec::new(), stop_at: usize::MAX };
            let selection: Selection = select_with(&rows, &rows, &kernel, &params, &mut watcher).unwrap();
            let told: Vec<usize> = watcher.told.iter().map(|(_, row)| *row).collect();
            assert_eq!(watcher.told.iter().map(|(step, _)| *step).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
            if method != Method::Swap || oversample > 1.0 {
                assert_eq!(told, chosen(&selection), "{method:?} {oversample}");
            }
            let mut watcher = Watcher { told: Vec::new(), stop_at: 3 };
            let stopped = select_with(&rows, &rows, &kernel, &params, &mut watcher).unwrap_err();
            assert_eq!((stopped, watcher.told.len()), (Error::Cancelled, 3), "{method:?} {oversample}");
        }
    }
}
