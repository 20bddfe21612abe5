//! Fixed rows, excluded rows and continued runs, against the loops written out and against fresh runs.

use ndarray::{Array1, Array2, Axis};
use protodash::objective::{gradient, objective};
use protodash::weights::{convex, nonnegative};
use protodash::{
    Error, Gaussian, Kernel, Means, Method, Params, Precision, Scalar, Selection, Stopped, Weights, select,
};

use crate::samples::{chosen, one_hot, random, weights};

fn params(method: Method, n_prototypes: usize, fixed: &[usize], exclude: &[usize]) -> Params {
    let mut params = Params::new(n_prototypes);
    params.weights = method.default_weights();
    (params.method, params.fixed, params.exclude) = (method, fixed.to_vec(), exclude.to_vec());
    params
}

/// Changed parameters.
fn with(params: &Params, change: impl FnOnce(&mut Params)) -> Params {
    let mut params = params.clone();
    change(&mut params);
    params
}

/// Kernel means and Gram matrix of a source that represents a target.
fn values(target: &Array2<f64>, source: &Array2<f64>, kernel: &Gaussian) -> (Array1<f64>, Array2<f64>) {
    let similarity = |x: &Array2<f64>, y: &Array2<f64>| {
        Array2::from_shape_fn((x.nrows(), y.nrows()), |(i, j)| kernel.evaluate(&x.row(i).to_vec(), &y.row(j).to_vec()))
    };
    (similarity(target, source).mean_axis(Axis(0)).unwrap(), similarity(source, source))
}

/// The best weights of a set, and their objective.
fn best((means, gram): (&Array1<f64>, &Array2<f64>), set: &[usize], rule: Weights) -> (Vec<f64>, f64) {
    let (means, gram) = (means.select(Axis(0), set), gram.select(Axis(0), set).select(Axis(1), set));
    let solve = if rule == Weights::Convex { convex } else { nonnegative };
    let weights = solve(means.view(), gram.view()).unwrap();
    let value = objective(means.view(), gram.view(), Array1::from(weights.clone()).view()).unwrap();
    (weights, value)
}

#[test]
fn fixed_rows_come_first_and_every_step_takes_the_best_of_the_others() {
    for seed in 0..6 {
        let (target, source) = (random(40, 3, seed), random(30, 3, seed + 50));
        let kernel = Gaussian::new(0.7).unwrap();
        let (means, gram) = values(&target, &source, &kernel);
        let (fixed, exclude) = ([7, 0, 21], [3, 4, 5, 28]);
        for (method, rule) in [
            (Method::ProtoDash, Weights::Nonnegative),
            (Method::ProtoGreedy, Weights::Nonnegative),
            (Method::ProtoDash, Weights::Convex),
            (Method::ProtoGreedy, Weights::Convex),
        ] {
            let mut params = params(method, 6, &fixed, &exclude);
            params.weights = rule;
            let selection = select(&target, &source, &kernel, &params).unwrap();
            let rows = chosen(&selection);
            assert_eq!((selection.n_fixed, &rows[..3]), (3, &fixed[..]));
            assert!(rows.iter().all(|row| !exclude.contains(row)), "{rows:?}");
            for step in 3..rows.len() {
                let set = &rows[..step];
                let (weights, value) = best((&means, &gram), set, rule);
                let mut all = Array1::zeros(30);
                set.iter().zip(&weights).for_each(|(row, weight)| all[*row] = *weight);
                let slopes = gradient(means.view(), gram.view(), all.view()).unwrap();
                let score = |row: usize| match method {
                    Method::ProtoDash => slopes[row],
                    _ => best((&means, &gram), &[set, &[row]].concat(), rule).1 - value,
                };
                let allowed = (0..30).filter(|row| !set.contains(row) && !exclude.contains(row));
                let highest = allowed.map(score).fold(f64::NEG_INFINITY, f64::max);
                assert!(score(rows[step]) >= highest - 1e-10, "{method:?} {rule:?}, step {step}");
            }
            let (expected, value) = best((&means, &gram), &rows, rule);
            assert!((selection.objective_final() - value).abs() < 1e-10);
            for (one, other) in weights(&selection).iter().zip(&expected) {
                assert!((one - other).abs() < 1e-6, "{one} {other}");
            }
            let before = selection.explained_by_fixed().unwrap();
            let (_, of_fixed) = best((&means, &gram), &fixed, rule);
            let energy = selection.target_energy.unwrap().value;
            assert!((before - 2.0 * of_fixed / energy).abs() < 1e-9);
            assert!(before < selection.explained().unwrap());
        }
    }
}

/// A run that fixes what a free run chose first chooses the rest of it.
fn continues<T: Scalar>(rows: &Array2<T>, kernel: &dyn Kernel<T>, change: impl Fn(&mut Params)) {
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::L2c, Method::Random] {
        let mut whole = params(method, 12, &[], &[]);
        change(&mut whole);
        let free = select(rows, rows, kernel, &whole).unwrap();
        let mut rest = params(method, 8, &chosen(&free)[..4], &[]);
        change(&mut rest);
        let fixed = select(rows, rows, kernel, &rest).unwrap();
        assert_eq!(chosen(&free), chosen(&fixed), "{method:?}");
        for (one, other) in free.objective.iter().zip(&fixed.objective) {
            assert!((one - other).abs() < 1e-12, "{method:?}: {one} {other}");
        }
    }
}

#[test]
fn fixing_the_first_rows_of_a_run_gives_the_rest_of_it() {
    let rows = random(300, 4, 1);
    let single = rows.mapv(|value| value as f32);
    let kernel = Gaussian::new(0.9).unwrap();
    continues(&rows, &kernel, |_| {});
    continues(&rows, &kernel, |params| params.precision = Some(Precision::Single));
    continues(&single, &kernel, |_| {});
    continues(&rows, &kernel, |params| params.weights = Weights::Convex);
    continues(&rows, &kernel, |params| params.column_memory = 0);
}

#[test]
fn racing_agrees_with_the_full_mean() {
    let rows = random(6000, 3, 2);
    let kernel = Gaussian::new(0.6).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        let mut params = params(method, 8, &[17, 4000, 5], &[0, 1, 2, 3, 5999]);
        params.means = Means::Full;
        let full = select(&rows, &rows, &kernel, &params).unwrap();
        params.means = Means::Racing;
        let raced = select(&rows, &rows, &kernel, &params).unwrap();
        assert_eq!((full.means.kind, raced.means.kind), (Means::Full, Means::Racing));
        assert_eq!(chosen(&full), chosen(&raced));
        for (one, other) in full.objective.iter().zip(&raced.objective) {
            assert!((one - other).abs() < 1e-11, "{one} {other}");
        }
    }
}

#[test]
fn copies_of_fixed_rows_are_not_chosen_and_copies_of_excluded_rows_may_be() {
    let rows = one_hot(80, &[2, 3], 3);
    let copies = |row: usize| (0..80).filter(|other| rows.row(*other) == rows.row(row)).collect::<Vec<usize>>();
    let kernel = Gaussian::new(0.7).unwrap();
    let last = *copies(0).last().unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        let selection = select(&rows, &rows, &kernel, &params(method, 4, &[last], &[])).unwrap();
        assert!(chosen(&selection)[1..].iter().all(|row| !copies(0).contains(row)), "{method:?}");
        let free = select(&rows, &rows, &kernel, &params(method, 1, &[], &[])).unwrap();
        let first = chosen(&free)[0];
        let next = select(&rows, &rows, &kernel, &params(method, 1, &[], &[first])).unwrap();
        assert_eq!(chosen(&next)[0], copies(first)[1], "{method:?}");
    }
}

#[test]
fn a_minimum_gain_does_not_concern_fixed_rows() {
    let mut rows = random(60, 2, 4);
    rows.row_mut(9).fill(1e3); // far from all others, so that it represents only itself
    let kernel = Gaussian::new(0.5).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Random] {
        let mut params = params(method, 50, &[9], &[]);
        params.min_gain = Some(0.002);
        let selection = select(&rows, &rows, &kernel, &params).unwrap();
        assert_eq!((chosen(&selection)[0], selection.stopped), (9, Stopped::MinGain), "{method:?}");
        assert!(selection.prototypes[0].gain < 0.002);
        let allowed = selection.prototypes[1..].iter().all(|prototype| prototype.gain >= 0.002);
        assert!(allowed && selection.prototypes.len() > 1, "{method:?}");
    }
}

#[test]
fn oversampling_keeps_fixed_rows() {
    let rows = random(90, 2, 5);
    let mut params = params(Method::ProtoDash, 5, &[80, 3], &[1]);
    params.oversample = 3.0;
    let selection = select(&rows, &rows, &Gaussian::new(0.5).unwrap(), &params).unwrap();
    assert_eq!((selection.prototypes.len(), &chosen(&selection)[..2]), (7, &[80, 3][..]));
}

#[test]
fn wrong_rows_are_rejected_before_anything_starts() {
    let rows = random(6, 2, 6);
    let kernel = Gaussian::new(0.5).unwrap();
    let refused = |method, n, fixed: &[usize], exclude: &[usize]| {
        select(&rows, &rows, &kernel, &params(method, n, fixed, exclude)).unwrap_err()
    };
    let dash = Method::ProtoDash;
    assert_eq!(refused(dash, 1, &[6], &[]), Error::NoSuchRow { name: "fixed", row: 6, n_source: 6 });
    assert_eq!(
        refused(dash, 1, &[], &[9]).to_string(),
        "exclude names row 9, but the source has 6 rows; rows are counted from 0"
    );
    assert_eq!(refused(dash, 1, &[2, 2], &[]), Error::RepeatedRow { row: 2 });
    assert_eq!(refused(dash, 1, &[1, 2], &[2]), Error::FixedAndExcluded { row: 2 });
    let everything = Error::NothingToChoose { n_source: 6, n_fixed: 1, n_excluded: 5 };
    assert_eq!(refused(dash, 1, &[0], &[1, 2, 3, 4, 5, 5]), everything);
    assert_eq!(refused(dash, 4, &[0], &[1, 2]), Error::TooManyPrototypes { requested: 4, available: 3 });
    for method in [Method::Swap, Method::PLasso, Method::KMedoids, Method::Coverage, Method::KMeans] {
        assert!(matches!(refused(method, 1, &[0], &[]), Error::GivenRowsNotSupported { .. }), "{method:?}");
        assert!(matches!(refused(method, 1, &[], &[0]), Error::GivenRowsNotSupported { .. }), "{method:?}");
    }
}

/// A run for `few` continued to `many` is the fresh run for `many`, to the last bit.
fn resumes<T: Scalar>(rows: &Array2<T>, kernel: &dyn Kernel<T>, wanted: &Params, few: usize) -> Selection {
    let mut first = wanted.clone();
    first.n_prototypes = Some(few);
    let saved = select(rows, rows, kernel, &first).unwrap();
    let fresh = select(rows, rows, kernel, wanted).unwrap();
    let mut again = wanted.clone();
    again.resume = chosen(&saved)[saved.n_fixed..].to_vec();
    let continued = select(rows, rows, kernel, &again).unwrap();
    assert_eq!(continued, fresh, "{:?} {:?}", wanted.method, wanted.weights);
    continued
}

#[test]
fn a_continued_run_is_the_fresh_run_to_the_last_bit() {
    let rows = random(400, 3, 7);
    let single = rows.mapv(|value| value as f32);
    let kernel = Gaussian::new(0.6).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::L2c, Method::Random] {
        let wanted = params(method, 25, &[], &[]);
        resumes(&rows, &kernel, &wanted, 10);
        resumes(&single, &kernel, &wanted, 10);
        resumes(&rows, &kernel, &params(method, 25, &[4, 8], &[6]), 10);
        for weights in [Weights::Convex, Weights::Equal, Weights::Shares] {
            resumes(&rows, &kernel, &with(&wanted, |params| params.weights = weights), 24);
        }
        let until = with(&wanted, |params| (params.min_gain, params.n_prototypes) = (Some(1e-4), None));
        let stopped = resumes(&rows, &kernel, &until, 30);
        assert_eq!(stopped.stopped, Stopped::MinGain);
        resumes(&rows, &kernel, &wanted, 40); // a longer run than requested
    }
    let many = random(6000, 3, 8);
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        let wanted = with(&params(method, 9, &[], &[]), |params| params.means = Means::Racing);
        let raced = resumes(&many, &kernel, &wanted, 5);
        assert_eq!(raced.means.kind, Means::Racing);
    }
}
