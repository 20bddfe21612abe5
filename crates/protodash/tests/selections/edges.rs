//! Degenerate data, errors, criticisms and observers.

use std::ops::ControlFlow;

use crate::samples::{chosen, digits, random, weights};
use ndarray::{Array2, array};
use protodash::criticisms::{Among, CriticismParams, Definition};
use protodash::objective::{gradient, objective};
use protodash::weights::{convex, nonnegative};
use protodash::{
    Allocation, BaselineParams, Cosine, Error, Gaussian, Kernel, Labelled, Linear, MatrixProblem, MatrixRole, Method,
    Observer, Params, Polynomial, Precomputed, Prepared, Prototype, Role, Selection, Stage, Stopped, TargetEnergy,
    Unobserved, Weights, baseline, classify, covariate_shift, criticize, represent, represent_path, select,
    select_per_label, select_with,
};

#[test]
fn thousands_of_equal_rows_give_one_prototype() {
    let rows = Array2::from_shape_fn((5000, 3), |(row, _)| (row % 2) as f64);
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
        let mut params = Params::new(10);
        params.method = method;
        let selection = select(&rows, &rows, &Gaussian::new(1.0).unwrap(), &params).unwrap();
        assert_eq!(chosen(&selection), [0, 1], "{method:?}");
        assert_eq!(selection.stopped, Stopped::Optimal);
        assert!((selection.explained().unwrap() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn rows_that_differ_by_rounding_do_not_diverge() {
    let base = random(6, 4, 3);
    let rows =
        Array2::from_shape_fn((600, 4), |(row, column)| base[(row % 6, column)] * (1.0 + (row / 6) as f64 * 1e-15));
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
        let mut params = Params::new(50);
        params.method = method;
        let selection = select(&rows, &rows, &Gaussian::new(1.0).unwrap(), &params).unwrap();
        assert!(weights(&selection).iter().all(|weight| (0.0..=1.0).contains(weight)), "{method:?}");
        assert!(selection.explained().unwrap() > 1.0 - 1e-9);
        assert!(selection.prototypes.len() <= 12, "{} rows for 6", selection.prototypes.len());
    }
}

#[test]
fn one_row_represents_itself() {
    let row = array![[1.0, -2.0]];
    let selection = select(&row, &row, &Gaussian::new(1.0).unwrap(), &Params::new(1)).unwrap();
    assert_eq!((weights(&selection), selection.mmd2()), (vec![1.0], Some(0.0)));
}

#[test]
fn a_source_that_points_away_from_the_target_gives_no_prototypes() {
    let (target, source) = (array![[1.0], [2.0]], array![[-1.0], [-3.0]]);
    let selection = select(&target, &source, &Linear, &Params::new(2)).unwrap();
    assert!(selection.prototypes.is_empty());
    assert_eq!(
        (selection.stopped, selection.objective_final(), selection.explained()),
        (Stopped::Optimal, 0.0, Some(0.0))
    );
}

#[test]
fn zero_rows_under_linear_and_cosine_kernels_are_never_chosen() {
    let rows = array![[0.0, 0.0], [0.0, 0.0], [1.0, 2.0]];
    assert_eq!(chosen(&select(&rows, &rows, &Linear, &Params::new(3)).unwrap()), [2]);
    assert_eq!(chosen(&select(&rows, &rows, &Cosine, &Params::new(3)).unwrap()), [2]);
    let nothing = Array2::<f64>::zeros((4, 2));
    let selection = select(&nothing, &nothing, &Linear, &Params::new(2)).unwrap();
    assert_eq!((selection.prototypes.len(), selection.explained()), (0, None));
    // If weights must sum to 1, even a row that is similar to nothing gets weight.
    let mut params = Params::new(2);
    params.weights = Weights::Convex;
    assert_eq!(weights(&select(&nothing, &nothing, &Linear, &params).unwrap()), [1.0]);
}

#[test]
fn values_of_any_magnitude_give_finite_weights() {
    for size in [1e-30, 1e-12, 1e12, 1e30] {
        let rows = random(30, 3, 9) * size;
        for kernel in [&Linear as &dyn Kernel<f64>, &Polynomial::new(3, 1.0, 0.0).unwrap(), &Cosine] {
            let selection = select(&rows, &rows, kernel, &Params::new(5)).unwrap();
            assert!(weights(&selection).iter().all(|weight| weight.is_finite()), "{size}");
            assert!(!selection.prototypes.is_empty() && selection.explained().unwrap() > 0.1, "{size}");
        }
    }
}

#[test]
fn a_kernel_value_beyond_f64_is_an_error_that_names_the_row() {
    let rows = array![[1.0], [1e200]];
    let error = select(&rows, &rows, &Linear, &Params::new(1)).unwrap_err();
    assert_eq!(error, Error::KernelNotFinite { role: Role::Source, row: 1, value: "inf".into() });
}

#[test]
fn error_messages_say_what_was_given_and_what_is_allowed() {
    let rows = array![[0.0, 1.0], [2.0, 3.0]];
    let kernel = Gaussian::new(1.0).unwrap();
    let refused = |target: &Array2<f64>, source: &Array2<f64>, params: &Params| {
        select(target, source, &kernel, params).unwrap_err().to_string()
    };
    let empty = Array2::<f64>::zeros((0, 2));
    let two = Params::new(2);
    assert_eq!(refused(&empty, &rows, &two), "the target has 0 rows and 2 columns; both must be at least 1");
    assert_eq!(
        refused(&rows, &array![[1.0], [2.0]], &two),
        "the target has 2 columns and the source has 1; they must have the same number"
    );
    assert_eq!(
        refused(&rows, &array![[0.0, 1.0], [f64::NAN, 3.0]], &two),
        "the source has NaN in row 1, column 0; every value must be finite"
    );
    assert_eq!(
        refused(&array![[0.0, f64::INFINITY]], &rows, &two),
        "the target has inf in row 0, column 1; every value must be finite"
    );
    assert_eq!(refused(&rows, &rows, &Params::new(0)), "0 prototypes requested; at least 1 is needed");
    assert_eq!(refused(&rows, &rows, &Params::new(3)), "cannot choose 3 prototypes from 2 source rows");
    assert_eq!(
        refused(&rows, &rows, &Params::with_min_gain(f64::NAN)),
        "min_gain is NaN; it must be a finite number, at least 0"
    );
    let weighted = |weights: Vec<f64>| {
        let mut params = Params::new(1);
        params.target_weights = Some(weights);
        params
    };
    assert_eq!(
        refused(&rows, &rows, &weighted(vec![1.0])),
        "there is 1 target weight for 2 target rows; there must be one for each"
    );
    assert_eq!(
        refused(&rows, &rows, &weighted(vec![1.0, -2.0])),
        "target weight 1 is -2; weights must be finite and at least 0"
    );
    assert_eq!(
        refused(&rows, &rows, &weighted(vec![0.0, 0.0])),
        "all target weights are 0; at least one must be positive"
    );
}

/// A symmetric but indefinite similarity: detected when the run finds a violation.
#[test]
fn an_indefinite_kernel_is_an_error() {
    struct Indefinite;
    impl Kernel<f64> for Indefinite {
        fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
            if x == y { 1.0 } else { 1.5 }
        }
    }
    let rows = random(10, 2, 1);
    let error = select(&rows, &rows, &Indefinite, &Params::new(5)).unwrap_err();
    assert!(matches!(error, Error::NegativeSchurComplement { .. }), "{error}");
}

#[test]
fn a_precomputed_kernel_chooses_what_its_formula_chooses() {
    let (target, source) = (random(40, 3, 1), random(30, 3, 2));
    let kernel = Gaussian::new(0.8).unwrap();
    let similarity = |x: &Array2<f64>, y: &Array2<f64>| {
        Array2::from_shape_fn((x.nrows(), y.nrows()), |(i, j)| kernel.evaluate(&x.row(i).to_vec(), &y.row(j).to_vec()))
    };
    let (own, across, gram) =
        (similarity(&target, &target), similarity(&target, &source), similarity(&source, &source));
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
        let mut params = Params::new(8);
        params.method = method;
        let formula = select(&target, &source, &kernel, &params).unwrap();
        let precomputed = Precomputed::across(across.view(), gram.view()).unwrap().with_target(own.view()).unwrap();
        let matrices = select(&precomputed.target_rows(), &precomputed.source_rows(), &precomputed, &params).unwrap();
        assert_eq!(chosen(&formula), chosen(&matrices));
        assert!((formula.explained().unwrap() - matrices.explained().unwrap()).abs() < 1e-12);
        let formula = select(&source, &source, &kernel, &params).unwrap();
        let precomputed = Precomputed::new(gram.view()).unwrap();
        let matrices = select(&precomputed.target_rows(), &precomputed.source_rows(), &precomputed, &params).unwrap();
        assert_eq!(chosen(&formula), chosen(&matrices));
    }
    // Without the target's own matrix its energy is unknown, and requesting it is an error.
    let unknown = Precomputed::across(across.view(), gram.view()).unwrap();
    let (target_rows, source_rows) = (unknown.target_rows(), unknown.source_rows());
    let error = select(&target_rows, &source_rows, &unknown, &Params::new(2)).unwrap_err();
    assert!(matches!(error, Error::KernelNotFinite { role: Role::Target, .. }));
    let mut params = Params::new(2);
    params.target_energy = TargetEnergy::Skip;
    assert_eq!(select(&target_rows, &source_rows, &unknown, &params).unwrap().explained(), None);
}

#[test]
fn every_target_row_is_counted_once() {
    let digits = digits();
    let kernel = Gaussian::new(30.0).unwrap();
    let selection = select(&digits, &digits, &kernel, &Params::new(20)).unwrap();
    let representation = represent(&digits, &digits, &selection.prototypes, &kernel, &mut Unobserved).unwrap();
    assert_eq!(representation.n_represented.iter().sum::<usize>(), 1797);
    for (position, prototype) in selection.prototypes.iter().enumerate().filter(|(_, p)| p.weight > 0.0) {
        assert_eq!(representation.nearest[prototype.source_index], Some(position), "a prototype is nearest to itself");
    }
    let beyond = Prototype { source_index: 1797, weight: 1.0, share: 1.0, gain: 1.0 };
    let error = represent(&digits, &digits, &[beyond], &kernel, &mut Unobserved).unwrap_err();
    assert_eq!(error.to_string(), "the selection refers to source row 1797, but the source has 1797 rows");
}

/// Criticisms against direct implementations of their definitions.
#[test]
fn criticisms_agree_with_their_definitions() {
    let (target, source) = (random(50, 2, 21), random(40, 2, 22));
    let kernel = Gaussian::new(0.5).unwrap();
    let selection = select(&target, &source, &kernel, &Params::new(4)).unwrap();
    let row = |matrix: &Array2<f64>, i: usize| matrix.row(i).to_vec();
    let witness = |x: &[f64]| {
        let mean = (0..50).map(|i| kernel.evaluate(&row(&target, i), x)).sum::<f64>() / 50.0;
        let represented = |p: &Prototype| p.weight * kernel.evaluate(&row(&source, p.source_index), x);
        (mean - selection.prototypes.iter().map(represented).sum::<f64>()).abs()
    };
    for (among, rows) in [(Among::Source, &source), (Among::Target, &target)] {
        let mut params = CriticismParams::new(5);
        params.among = among;
        params.definition = Definition::Witness { diversity: 0.0 };
        let found = criticize(&target, &source, &selection.prototypes, &kernel, &params, &mut Unobserved).unwrap();
        let prototypes = chosen(&selection);
        let open = (0..rows.nrows()).filter(|i| among == Among::Target || !prototypes.contains(i));
        let mut expected: Vec<(usize, f64)> = open.map(|i| (i, witness(&row(rows, i)))).collect();
        expected.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.row, expected.0);
            assert!((found.score - expected.1).abs() < 1e-12);
        }
        params.definition = Definition::Distance;
        let found = criticize(&target, &source, &selection.prototypes, &kernel, &params, &mut Unobserved).unwrap();
        let distance = |x: &[f64]| {
            let similarity = |p: &Prototype| kernel.evaluate(&row(&source, p.source_index), x);
            (2.0 - 2.0 * selection.prototypes.iter().map(similarity).fold(0.0, f64::max)).sqrt()
        };
        let farthest = (0..rows.nrows()).map(|i| distance(&row(rows, i))).fold(0.0, f64::max);
        assert!((found[0].score - farthest).abs() < 1e-12);
    }
}

#[test]
fn the_determinant_keeps_criticisms_apart_and_copies_do_not_break_it() {
    // Twenty copies and near copies of one distant row, and one other: by the witness alone only the copies would be
    // chosen.
    let mut rows = Array2::zeros((60, 1));
    (0..30).for_each(|i| rows[(i, 0)] = i as f64 * 0.01);
    (30..50).for_each(|i| rows[(i, 0)] = 8.0 + (i % 10) as f64 * 0.001);
    (50..60).for_each(|i| rows[(i, 0)] = -6.0);
    let kernel = Gaussian::new(1.0).unwrap();
    let selection = select(&rows, &rows, &kernel, &Params::new(1)).unwrap();
    let found = |diversity: f64| {
        let mut params = CriticismParams::new(3);
        params.definition = Definition::Witness { diversity };
        let found = criticize(&rows, &rows, &selection.prototypes, &kernel, &params, &mut Unobserved).unwrap();
        found.iter().map(|criticism| rows[(criticism.row, 0)]).collect::<Vec<f64>>()
    };
    assert!(found(0.0).iter().all(|value| *value > 7.0));
    assert!(found(1.0).contains(&-6.0));
    // If more are requested than there are distinct rows, the search ends without an infinity.
    let mut params = CriticismParams::new(60);
    params.definition = Definition::Witness { diversity: 1.0 };
    let all = criticize(&rows, &rows, &selection.prototypes, &kernel, &params, &mut Unobserved).unwrap();
    assert!(all.len() < 60 && all.iter().all(|criticism| criticism.score.is_finite()));
}

#[test]
fn a_prototype_or_its_copy_is_never_a_criticism() {
    let rows = array![[0.0], [0.0], [0.1], [9.0], [9.0]];
    let kernel = Gaussian::new(1.0).unwrap();
    let selection = select(&rows, &rows, &kernel, &Params::new(2)).unwrap();
    assert_eq!(chosen(&selection), [0, 3]);
    for definition in [Definition::Witness { diversity: 1.0 }, Definition::Distance] {
        let mut params = CriticismParams::new(5);
        params.definition = definition;
        let found = criticize(&rows, &rows, &selection.prototypes, &kernel, &params, &mut Unobserved).unwrap();
        assert_eq!(found.iter().map(|criticism| criticism.row).collect::<Vec<_>>(), [2]);
    }
}

/// The calls an observer gets, and that it can cancel at any stage.
#[test]
fn an_observer_receives_every_stage_and_can_cancel_each() {
    #[derive(Default)]
    struct Listener {
        stages: Vec<Stage>,
        steps: Vec<usize>,
        dropped: usize,
        stop_at: Option<Stage>,
    }
    impl Observer for Listener {
        fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
            assert!(done <= total);
            self.stages.push(stage);
            if self.stop_at == Some(stage) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        fn on_prototype(&mut self, step: usize, _: &Prototype, _: f64) -> ControlFlow<()> {
            self.steps.push(step);
            ControlFlow::Continue(())
        }
        fn on_columns_dropped(&mut self, n_prototypes: usize, _: u64) -> ControlFlow<()> {
            self.dropped = n_prototypes;
            ControlFlow::Continue(())
        }
    }
    let (target, source) = (random(50, 3, 1), random(60, 3, 2));
    let kernel = Gaussian::new(0.5).unwrap();
    let mut params = Params::new(8);
    params.method = Method::Swap;
    params.column_memory = 5 * 60 * 8; // five columns
    let mut listener = Listener::default();
    select_with(&target, &source, &kernel, &params, &mut listener).unwrap();
    assert_eq!((listener.steps, listener.dropped), ((1..=8).collect::<Vec<_>>(), 5));
    listener.stages.dedup();
    // Swap starts from three sets, each with its own search, and then weighs L2C's rows.
    let exchanges = [Stage::Search, Stage::Swap].repeat(3);
    let stages = [vec![Stage::KernelMean, Stage::TargetEnergy], exchanges, vec![Stage::Search]].concat();
    assert_eq!(listener.stages, stages);
    for stop_at in [Stage::KernelMean, Stage::TargetEnergy, Stage::Search, Stage::Swap] {
        let mut listener = Listener { stop_at: Some(stop_at), ..Listener::default() };
        let stopped = select_with(&target, &source, &kernel, &params, &mut listener);
        assert_eq!(stopped.unwrap_err(), Error::Cancelled, "{stop_at}");
    }
}

#[test]
fn l2c_chooses_a_row_twice_that_occurs_twice() {
    // Two of three rows are equal, and only equal weights of 1/3 each reproduce the target.
    let rows = array![[0.0], [0.0], [9.0]];
    let mut params = Params::new(3);
    (params.method, params.weights) = (Method::L2c, Weights::Equal);
    let selection = select(&rows, &rows, &Gaussian::new(1.0).unwrap(), &params).unwrap();
    assert_eq!(chosen(&selection), [0, 2, 1]);
    assert!(selection.mmd2().unwrap() < 1e-15);
    // Thousands of copies are no problem.
    let many = Array2::from_shape_fn((3000, 2), |(row, _)| (row % 3) as f64);
    params.n_prototypes = Some(30);
    let selection = select(&many, &many, &Gaussian::new(0.2).unwrap(), &params).unwrap();
    assert_eq!(selection.prototypes.len(), 30);
    assert!(selection.mmd2().unwrap() < 1e-12);
}

#[test]
fn explained_is_unknown_if_the_energy_is_zero() {
    // The mean is 0, but one row with weight 1 is not.
    let rows = array![[-1.0], [1.0]];
    let mut params = Params::new(1);
    params.weights = Weights::Convex;
    let selection = select(&rows, &rows, &Linear, &params).unwrap();
    assert_eq!((selection.mmd2(), selection.explained()), (Some(1.0), None));
    // The empty set fits perfectly, but it explains nothing: there is nothing to explain.
    let none = select(&rows, &rows, &Linear, &Params::new(1)).unwrap();
    assert_eq!((none.prototypes.len(), none.mmd2(), none.explained()), (0, Some(0.0), None));
    // Nor is it known if all similarities underflow to 0.
    let tiny = array![[1e-300], [3e-300]];
    let none = select(&tiny, &tiny, &Linear, &Params::new(1)).unwrap();
    assert_eq!((none.prototypes.len(), none.explained()), (0, None));
}

#[test]
fn one_large_row_does_not_affect_the_others() {
    let target = array![[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.2, 0.9]];
    for large in [1.0, 1e6, 1e7] {
        let source = array![[-3.0, -2.0], [-1.0, 0.3], [0.5, 0.6], [large, large]];
        let mut params = Params::new(1);
        (params.method, params.weights) = (Method::L2c, Weights::Own);
        assert_eq!(chosen(&select(&target, &source, &Linear, &params).unwrap()), [2], "{large}");
    }
    // Rows whose mean is tiny compared with the terms of a larger row keep it.
    let rows = array![[1e7, 1.0], [-1e7, 1.0], [3.0, 1.0], [-3.0, 1.0]];
    let selection = select(&rows, &rows, &Linear, &Params::new(2)).unwrap();
    assert!((selection.objective_final() - 0.5).abs() < 1e-6, "{selection:?}");
}

#[test]
fn criticisms_reject_invalid_weights_and_kernels() {
    let rows = array![[0.0], [1.0], [2.0], [5.0]];
    let prototypes = [Prototype { source_index: 0, weight: 1.0, share: 1.0, gain: 0.0 }];
    let refused = |params: &CriticismParams| {
        criticize(&rows, &rows, &prototypes, &Gaussian::new(1.0).unwrap(), params, &mut Unobserved).unwrap_err()
    };
    let weighted = |weights: &[f64]| {
        let mut params = CriticismParams::new(1);
        params.target_weights = Some(weights.to_vec());
        params
    };
    assert_eq!(refused(&weighted(&[1.0])), Error::WrongNumberOfWeights { role: Role::Target, given: 1, rows: 4 });
    assert_eq!(refused(&weighted(&[0.0; 4])), Error::NoWeight { role: Role::Target });
    assert!(matches!(refused(&weighted(&[1.0, -1.0, 1.0, 1.0])), Error::BadWeight { role: Role::Target, row: 1, .. }));
    let mut of_nan = CriticismParams::new(1);
    of_nan.kernel_mean = Some(vec![f64::NAN; 4]);
    assert!(matches!(refused(&of_nan), Error::KernelNotFinite { .. }));
    // A target-by-source matrix does not contain the similarities of target rows to themselves.
    let gram = array![[1.0, 0.5], [0.5, 1.0]];
    let across = Precomputed::across(gram.view(), gram.view()).unwrap();
    let (target, source) = (across.target_rows(), across.source_rows());
    let mut params = CriticismParams::new(1);
    (params.definition, params.among) = (Definition::Distance, Among::Target);
    let error = criticize(&target, &source, &prototypes, &across, &params, &mut Unobserved).unwrap_err();
    assert!(matches!(error, Error::KernelNotFinite { role: Role::Target, .. }), "{error}");
}

fn prototype(source_index: usize) -> Prototype {
    Prototype { source_index, weight: 1.0, share: 1.0, gain: 0.1 }
}

#[test]
fn lists_of_the_wrong_length_are_rejected() {
    let (square, oblong, two, three) = (Array2::eye(2), Array2::zeros((2, 3)), array![0.5, 0.5], array![0.5, 0.5, 0.5]);
    let wrong = |name, given, expected| Error::WrongLength { name, given, expected };
    let mean = || wrong("the kernel mean", 3, 2);
    assert_eq!(objective(three.view(), square.view(), two.view()), Err(mean()));
    assert_eq!(objective(two.view(), square.view(), three.view()), Err(wrong("the weights", 3, 2)));
    assert_eq!(objective(two.view(), oblong.view(), two.view()), Err(Error::NotSquare { rows: 2, columns: 3 }));
    assert_eq!(gradient(three.view(), square.view(), two.view()), Err(mean()));
    assert_eq!(nonnegative(three.view(), square.view()), Err(mean()));
    assert_eq!(convex(three.view(), square.view()), Err(mean()));
    assert_eq!(mean().to_string(), "the kernel mean has 3 values; it must have 2");

    let (rows, kernel) = (random(4, 2, 1), Gaussian::new(1.0).unwrap());
    let along = |prototypes: &[Prototype], weights: &[&[f64]]| {
        represent_path(&rows, &rows, prototypes, weights, &kernel, &mut Unobserved).map(|path| path.n_represented.len())
    };
    assert_eq!(along(&[prototype(0)], &[&[1.0]]), Ok(1));
    assert_eq!(along(&[prototype(0)], &[&[1.0], &[1.0, 1.0]]), Err(wrong("the path of weights", 2, 1)));
    assert_eq!(along(&[prototype(0)], &[&[]]), Err(wrong("an entry of the path of weights", 0, 1)));

    let mut params = CriticismParams::new(1);
    params.kernel_mean = Some(vec![0.5; 3]);
    let criticized = criticize(&rows, &rows, &[prototype(0)], &kernel, &params, &mut Unobserved);
    assert_eq!(criticized, Err(wrong("the kernel mean", 3, 4)));
}

#[test]
fn prototypes_that_are_not_source_rows_are_rejected() {
    let (rows, kernel, labels) = (random(4, 2, 1), Gaussian::new(1.0).unwrap(), [0; 4]);
    let refused = Error::NotThisSource { source_index: 4, rows: 4 };
    let prototypes = [prototype(0), prototype(4)];
    let weights: [&[f64]; 1] = [&[1.0]];
    let params = CriticismParams::new(1);
    assert_eq!(represent(&rows, &rows, &prototypes, &kernel, &mut Unobserved).unwrap_err(), refused);
    assert_eq!(represent_path(&rows, &rows, &prototypes, &weights, &kernel, &mut Unobserved).unwrap_err(), refused);
    assert_eq!(criticize(&rows, &rows, &prototypes, &kernel, &params, &mut Unobserved).unwrap_err(), refused);
    assert_eq!(covariate_shift(&rows, &rows, &prototypes, None).unwrap_err(), refused);
    // A selection of more rows than the source has.
    let longer = random(9, 2, 1);
    let selection = select(&longer, &longer, &kernel, &Params::new(9)).unwrap();
    let labelled = Labelled { rows: &rows, labels: &labels };
    let error = classify(labelled, labelled, &selection, &kernel, &mut Unobserved).unwrap_err();
    assert!(matches!(error, Error::NotThisSource { rows: 4, .. }), "{error}");
    let prepared = Prepared::new(&rows, &rows, &kernel, &Params::new(1), &mut Unobserved).unwrap();
    let error = prepared.refit_weights(&selection, &mut Unobserved).unwrap_err();
    assert!(matches!(error, Error::NotThisSource { rows: 4, .. }), "{error}");
}

#[test]
fn labels_that_do_not_match_the_rows_are_rejected() {
    let (rows, kernel) = (random(4, 2, 1), Gaussian::new(1.0).unwrap());
    let selection = select(&rows, &rows, &kernel, &Params::new(2)).unwrap();
    let good = Labelled { rows: &rows, labels: &[0, 0, 1, 1] };
    let short = Labelled { rows: &rows, labels: &[0, 1] };
    let wrong = |role| Error::WrongNumberOfLabels { role, given: 2, rows: 4 };
    let classified = |target, source| classify(target, source, &selection, &kernel, &mut Unobserved).unwrap_err();
    assert_eq!(classified(short, good), wrong(Role::Target));
    assert_eq!(classified(good, short), wrong(Role::Source));
    let per_label = |target, source| {
        let (params, allocation) = (Params::new(2), Allocation::Equal.into());
        select_per_label(target, source, &kernel, &params, &allocation, &mut Unobserved).unwrap_err()
    };
    assert_eq!(per_label(short, good), wrong(Role::Target));
    assert_eq!(per_label(good, short), wrong(Role::Source));
}

#[test]
fn a_selection_with_prototypes_set_by_the_caller_does_not_panic() {
    let (rows, kernel) = (random(6, 2, 1), Gaussian::new(1.0).unwrap());
    let labelled = Labelled { rows: &rows, labels: &[0, 0, 0, 1, 1, 1] };
    let mut selection = select(&rows, &rows, &kernel, &Params::new(2)).unwrap();
    selection.prototypes.extend([prototype(3), prototype(5)]);
    let error = classify(labelled, labelled, &selection, &kernel, &mut Unobserved).unwrap_err();
    assert_eq!(error, Error::WrongLength { name: "the path of weights", given: 2, expected: 4 });
    // Fewer prototypes or objectives than the weights have: there is no such prefix.
    selection.prototypes.truncate(0);
    assert_eq!(selection.prefix(1), None);
    let mut selection = select(&rows, &rows, &kernel, &Params::new(3)).unwrap();
    selection.objective.clear();
    assert_eq!(selection.prefix(2), None);
    // More fixed rows than prototypes, more prototypes than rows, another number of source rows.
    let compared = |selection: &Selection, params: &BaselineParams| {
        baseline(&rows, &rows, selection, &kernel, params, &mut Unobserved).unwrap_err()
    };
    let (mut selection, params) = (select(&rows, &rows, &kernel, &Params::new(2)).unwrap(), BaselineParams::default());
    selection.n_fixed = 3;
    let error = compared(&selection, &params);
    assert_eq!(error, Error::InconsistentSelection { what: "fixed rows", given: 3, prototypes: 2 });
    assert!(error.to_string().starts_with("the selection has 2 prototypes, but 3 fixed rows; "), "{error}");
    selection.n_fixed = 0;
    selection.prototypes.extend((0..5).map(prototype));
    let many = |given| Error::InconsistentSelection { what: "source rows that could be chosen", given, prototypes: 7 };
    assert_eq!(compared(&selection, &params), many(6));
    let mut params = params;
    params.exclude = vec![4, 5];
    assert_eq!(compared(&selection, &params), many(4));
    selection.n_source = 7;
    assert_eq!(compared(&selection, &params), Error::OtherNumberOfRows { selected_from: 7, given: 6 });
}

#[test]
fn the_shapes_of_kernel_matrices_have_errors_that_name_the_matrix() {
    let gram = array![[1.0, 0.5], [0.5, 1.0]];
    let across = |matrix: Array2<f64>| Precomputed::across(matrix, gram.view());
    let refused = |found: protodash::Result<Precomputed<'_>>| found.unwrap_err().to_string();
    assert_eq!(
        refused(across(array![[1.0, 0.5, 0.2]])),
        "the kernel matrix of target and source has 3 columns for 2 source rows; it needs one for each"
    );
    let with_target = |target: Array2<f64>| across(array![[1.0, 0.5]]).unwrap().with_target(target);
    assert_eq!(
        refused(with_target(gram.clone())),
        "the kernel matrix of the target has 2 rows for 1 target row; it needs one for each"
    );
    let negative = refused(with_target(array![[-1.0]]));
    assert!(negative.starts_with("the kernel matrix of the target is not positive semi-definite: "), "{negative}");
    let oblong = refused(Precomputed::new(array![[1.0, 0.5]]));
    assert_eq!(oblong, "the kernel matrix has 1 row and 2 columns; it must be square");
    let error = across(array![[1.0, 0.5]]).unwrap().with_target(array![[f64::NAN]]).unwrap_err();
    let problem = MatrixProblem::NotFinite { row: 0, column: 0, value: "NaN".into() };
    assert_eq!(error, Error::KernelMatrix { matrix: MatrixRole::Target, problem });
}

#[test]
fn one_target_row_is_one_row_in_an_error() {
    let error = |n_target| Error::ClassWithoutSource { label: 3, n_target }.to_string();
    assert_eq!(error(1), "class 3 has 1 target row and no source row to represent it");
    assert_eq!(error(2), "class 3 has 2 target rows and no source row to represent them");
}

#[test]
fn a_negative_similarity_of_a_row_to_itself_has_its_own_error() {
    struct Negative;
    impl Kernel<f64> for Negative {
        fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
            if x == y && x[0] > 2.0 { -1.0 } else { 0.5 }
        }
    }
    let rows = array![[0.0], [1.0], [3.0]];
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap, Method::L2c] {
        let mut params = Params::new(2);
        params.method = method;
        let error = select(&rows, &rows, &Negative, &params).unwrap_err();
        assert_eq!(error, Error::NegativeDiagonal { row: 2, value: -1.0 }, "{method:?}");
    }
}
