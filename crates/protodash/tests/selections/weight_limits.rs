//! Weights within limits: optimality conditions, an independent solver, selections and errors.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use ndarray::{Array1, Array2, Axis, concatenate};
use protodash::objective::{gradient, objective};
use protodash::weights::{LimitError, WeightLimits, convex, limited_convex, limited_nonnegative, nonnegative};
use protodash::{Error, Gaussian, Linear, Method, Params, Selection, Stopped, Weights, select};

use crate::samples::random;

fn limits(max_weight: Option<f64>, min_effective: Option<f64>) -> WeightLimits {
    WeightLimits { max_weight, min_effective }
}

fn effective(weights: &[f64]) -> f64 {
    let (sum, squares) = (weights.iter().sum::<f64>(), weights.iter().map(|weight| weight * weight).sum::<f64>());
    sum * sum / squares
}

fn largest_share(weights: &[f64]) -> f64 {
    weights.iter().copied().fold(0.0, f64::max) / weights.iter().sum::<f64>()
}

/// Gaussian similarities of points, the last of them copies of the first, and means over a shifted target.
fn problem(n_members: usize, n_copies: usize, seed: u64) -> (Array1<f64>, Array2<f64>) {
    let points = random(n_members - n_copies, 3, seed);
    let copies = points.slice(ndarray::s![..n_copies, ..]);
    let points = concatenate(Axis(0), &[points.view(), copies]).unwrap();
    let target = random(60, 3, seed + 1000) + 0.3;
    let similarity = |x: ndarray::ArrayView1<'_, f64>, y: ndarray::ArrayView1<'_, f64>| {
        (-(&x - &y).mapv(|difference| difference * difference).sum() / 2.0).exp()
    };
    let gram = Array2::from_shape_fn((n_members, n_members), |(i, j)| similarity(points.row(i), points.row(j)));
    let mean = |i: usize| target.rows().into_iter().map(|row| similarity(points.row(i), row)).sum::<f64>() / 60.0;
    (Array1::from_shape_fn(n_members, mean), gram)
}

/// The limits tried on sets of `n_members`.
fn all_limits(n_members: usize) -> Vec<WeightLimits> {
    let n = n_members as f64;
    vec![
        limits(Some(1.0), None),
        limits(Some((2.5 / n).min(1.0)), None),
        limits(Some(1.0 / n), None),
        limits(None, Some(1.0)),
        limits(None, Some((0.5 * n).max(1.0))),
        limits(None, Some(0.97 * n)),
        limits(None, Some(n)),
        limits(Some((1.6 / n).min(1.0)), Some((0.8 * n).max(1.0))),
    ]
}

/// The same problem by an interior-point method with a second-order cone.
fn clarabel(means: &Array1<f64>, gram: &Array2<f64>, sum_to_one: bool, limits: WeightLimits) -> Array1<f64> {
    let n = means.len();
    let matrix = |rows: Vec<Vec<f64>>| CscMatrix::from(rows.as_slice());
    let quadratic = matrix(gram.rows().into_iter().map(|row| row.to_vec()).collect()).to_triu();
    let unit = |member: usize| (0..n).map(|other| f64::from(u8::from(other == member))).collect::<Vec<f64>>();
    let (mut rows, mut right, mut cones) = (Vec::new(), Vec::new(), Vec::new());
    if sum_to_one {
        rows.push(vec![1.0; n]);
        right.push(1.0);
        cones.push(SupportedConeT::ZeroConeT(1));
    }
    rows.extend((0..n).map(|member| unit(member).iter().map(|value| -value).collect()));
    let cap = limits.max_weight.unwrap_or(1.0);
    rows.extend((0..n).map(|member| unit(member).iter().map(|value| value - cap).collect()));
    right.extend(vec![0.0; 2 * n]);
    cones.push(SupportedConeT::NonnegativeConeT(2 * n));
    rows.push(vec![-1.0 / limits.min_effective.unwrap_or(1.0).sqrt(); n]);
    rows.extend((0..n).map(|member| unit(member).iter().map(|value| -value).collect()));
    right.extend(vec![0.0; n + 1]);
    cones.push(SupportedConeT::SecondOrderConeT(n + 1));
    let mut settings = DefaultSettingsBuilder::default();
    settings.verbose(false).tol_gap_abs(1e-12).tol_gap_rel(1e-12);
    let linear: Vec<f64> = means.iter().map(|mean| -mean).collect();
    let settings = settings.build().unwrap();
    let mut solver = DefaultSolver::new(&quadratic, &linear, &matrix(rows), &right, &cones, settings).unwrap();
    solver.solve();
    assert!(matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved));
    Array1::from(solver.solution.x)
}

#[test]
fn weights_within_limits_reach_the_maximum_that_clarabel_finds() {
    for (n_members, n_copies) in [(2, 0), (7, 0), (12, 3), (30, 5)] {
        for seed in 0..3 {
            let (means, gram) = problem(n_members, n_copies, seed);
            for limits in all_limits(n_members) {
                for sum_to_one in [false, true] {
                    let solve = if sum_to_one { limited_convex } else { limited_nonnegative };
                    let ours = solve(means.view(), gram.view(), limits).unwrap();
                    let name = format!("{n_members} members, seed {seed}, {limits:?}, {sum_to_one}");
                    let most = n_members as f64;
                    if limits.max_weight == Some(1.0 / most) || limits.min_effective == Some(most) {
                        // Only equal weights are possible; a cone without interior is beyond Clarabel's tolerances.
                        assert!(effective(&ours) >= most * (1.0 - 1e-12), "{name}: {ours:?}");
                        continue;
                    }
                    let theirs = clarabel(&means, &gram, sum_to_one, limits);
                    assert!(ours.iter().all(|weight| *weight >= 0.0), "{name}: {ours:?}");
                    assert!(largest_share(&ours) <= limits.max_weight.unwrap_or(1.0) + 1e-12, "{name}: {ours:?}");
                    let floor = limits.min_effective.unwrap_or(1.0);
                    assert!(effective(&ours) >= floor * (1.0 - 1e-10), "{name}: {}", effective(&ours));
                    assert!(!sum_to_one || (ours.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{name}: {ours:?}");
                    let value = |w: &Array1<f64>| objective(means.view(), gram.view(), w.view()).unwrap();
                    let (here, there) = (value(&Array1::from(ours)), value(&theirs));
                    // Clarabel meets the constraints to about 1e-8.
                    assert!((here - there).abs() < 1e-7, "{name}: {here}, clarabel {there}");
                }
            }
        }
    }
}

/// Checks μ − K w = λ w + ν with the signs of the bounds, for weights that sum to 1.
fn assert_optimal(name: &str, slopes: &Array1<f64>, shares: &[f64], (cap, floor): (f64, f64)) {
    let free: Vec<usize> = (0..shares.len()).filter(|j| shares[*j] > 0.0 && shares[*j] < cap * (1.0 - 1e-9)).collect();
    // Least squares for λ and ν over the free members.
    let count = free.len() as f64;
    let mean = |value: &dyn Fn(usize) -> f64| free.iter().map(|j| value(*j)).sum::<f64>() / count;
    let (mean_share, mean_slope) = (mean(&|j| shares[j]), mean(&|j| slopes[j]));
    let spread = mean(&|j| (shares[j] - mean_share).powi(2));
    let together = mean(&|j| (shares[j] - mean_share) * (slopes[j] - mean_slope));
    let is_slack = effective(shares) > floor * (1.0 + 1e-9);
    let ridge = if is_slack || spread < 1e-18 { 0.0 } else { together / spread };
    assert!(ridge >= -1e-8, "{name}: multiplier {ridge}");
    let level = mean_slope - ridge * mean_share;
    for (member, share) in shares.iter().enumerate() {
        let rest = slopes[member] - ridge * share - level;
        let is_right = match *share {
            0.0 => rest <= 1e-9,
            share if share < cap * (1.0 - 1e-9) => rest.abs() <= 1e-9,
            _ => rest >= -1e-9,
        };
        assert!(is_right, "{name}: member {member} with share {share} has slope {rest}");
    }
}

#[test]
fn weights_within_limits_meet_the_optimality_conditions() {
    for seed in 0..10 {
        let (means, gram) = problem(25, 0, seed);
        for limits in [limits(Some(0.1), None), limits(None, Some(14.0)), limits(Some(0.1), Some(14.0))] {
            let bounds = (limits.max_weight.unwrap_or(1.0), limits.min_effective.unwrap_or(1.0));
            let weights = limited_convex(means.view(), gram.view(), limits).unwrap();
            let slopes = gradient(means.view(), gram.view(), Array1::from(weights.clone()).view()).unwrap();
            assert_optimal(&format!("convex, seed {seed}, {limits:?}"), &slopes, &weights, bounds);
            let weights = limited_nonnegative(means.view(), gram.view(), limits).unwrap();
            let slopes = gradient(means.view(), gram.view(), Array1::from(weights.clone()).view()).unwrap();
            // Scaling all weights must not help: wᵀ(μ − K w) = 0.
            let along: f64 = weights.iter().zip(&slopes).map(|(weight, slope)| weight * slope).sum();
            assert!(along.abs() < 1e-12, "seed {seed}, {limits:?}: {along}");
            let total: f64 = weights.iter().sum();
            let shares: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
            assert_optimal(&format!("nonnegative, seed {seed}, {limits:?}"), &slopes, &shares, bounds);
        }
    }
}

#[test]
fn limits_that_do_not_bind_change_nothing() {
    for seed in 0..5 {
        let (means, gram) = problem(15, 0, seed);
        let loose = limits(Some(1.0), Some(1.0));
        let pairs = [
            (nonnegative(means.view(), gram.view()), limited_nonnegative(means.view(), gram.view(), loose)),
            (convex(means.view(), gram.view()), limited_convex(means.view(), gram.view(), loose)),
        ];
        for (plain, within) in pairs {
            for (plain, within) in plain.unwrap().iter().zip(within.unwrap()) {
                assert!((plain - within).abs() < 1e-8, "seed {seed}: {plain}, {within}");
            }
        }
    }
}

#[test]
fn means_that_are_all_negative_leave_no_weight() {
    let (means, gram) = (Array1::from(vec![-1.0, -2.0]), Array2::eye(2));
    let weights = limited_nonnegative(means.view(), gram.view(), limits(Some(0.5), None)).unwrap();
    assert_eq!(weights, [0.0, 0.0]);
    assert_eq!(limited_convex(means.view(), gram.view(), limits(Some(0.5), None)).unwrap(), [0.5, 0.5]);
}

fn limited_run(params: &Params) -> Selection {
    let (target, source) = (random(80, 2, 1) + 0.4, random(120, 2, 2));
    select(&target, &source, &Gaussian::new(0.5).unwrap(), params).unwrap()
}

#[test]
fn the_chosen_rows_stay_and_every_prefix_is_within_the_limits() {
    for weights in [Weights::Nonnegative, Weights::Convex] {
        let mut params = Params::new(12);
        params.weights = weights;
        let free = limited_run(&params);
        (params.max_weight, params.min_effective) = (Some(0.2), Some(7.0));
        let limited = limited_run(&params);
        let rows = |selection: &Selection| -> Vec<usize> {
            selection.prototypes.iter().map(|prototype| prototype.source_index).collect()
        };
        assert_eq!(rows(&free), rows(&limited));
        assert!(limited.objective_final() < free.objective_final());
        for size in 1..=12 {
            let (kept, free) = (limited.weights_at(size).unwrap(), free.weights_at(size).unwrap());
            let most = size as f64;
            assert!(largest_share(kept) <= (1.0 / most).max(0.2) + 1e-12, "{size}: {kept:?}");
            assert!(effective(kept) >= most.min(7.0) - 1e-9, "{size}: {kept:?}");
            assert!(limited.objective[size - 1] <= limited_run(&Params::new(size)).objective_final() + 1e-12);
            assert_eq!(kept.len(), free.len());
        }
        // A run for fewer is the prefix.
        params.n_prototypes = Some(9);
        let shorter = limited_run(&params);
        for (one, other) in shorter.weights_at(9).unwrap().iter().zip(limited.weights_at(9).unwrap()) {
            assert!((one - other).abs() < 1e-12);
        }
    }
}

#[test]
fn without_a_number_the_weights_are_optimal_over_all_source_rows() {
    let (target, source) = (random(60, 2, 3) + 0.5, random(90, 2, 4));
    let kernel = Gaussian::new(0.7).unwrap();
    let similarity = |x: ndarray::ArrayView1<'_, f64>, y: ndarray::ArrayView1<'_, f64>| {
        (-(&x - &y).mapv(|difference| difference * difference).sum() / (2.0 * 0.49)).exp()
    };
    let gram = Array2::from_shape_fn((90, 90), |(i, j)| similarity(source.row(i), source.row(j)));
    let mean = |i: usize| target.rows().into_iter().map(|row| similarity(source.row(i), row)).sum::<f64>() / 60.0;
    let means = Array1::from_shape_fn(90, mean);
    for weights in [Weights::Nonnegative, Weights::Convex] {
        let mut params = Params::until_optimal();
        params.weights = weights;
        let n_free = select(&target, &source, &kernel, &params).unwrap().prototypes.len();
        for limits in [limits(Some(0.03), None), limits(None, Some(60.0)), limits(Some(0.025), Some(50.0))] {
            (params.max_weight, params.min_effective) = (limits.max_weight, limits.min_effective);
            let found = select(&target, &source, &kernel, &params).unwrap();
            assert_eq!(found.stopped, Stopped::Optimal);
            assert!(found.prototypes.len() > n_free && found.prototypes.len() <= 90);
            let theirs = clarabel(&means, &gram, weights == Weights::Convex, limits);
            let there = objective(means.view(), gram.view(), theirs.view()).unwrap();
            assert!((found.objective_final() - there).abs() < 1e-8, "{limits:?}: {}, {there}", found.objective_final());
        }
    }
}

#[test]
fn a_number_beyond_the_optimum_is_filled_up_as_far_as_rows_help() {
    let mut params = Params::new(100);
    let free = limited_run(&params);
    assert_eq!(free.stopped, Stopped::Optimal);
    params.min_effective = Some(60.0);
    let limited = limited_run(&params);
    let n_prototypes = limited.prototypes.len();
    assert!(n_prototypes > free.prototypes.len() && (60..=100).contains(&n_prototypes), "{n_prototypes}");
    for (one, other) in free.prototypes.iter().zip(&limited.prototypes) {
        assert_eq!(one.source_index, other.source_index);
    }
}

#[test]
fn every_method_and_oversampling_respect_the_limits() {
    for method in [Method::ProtoGreedy, Method::Swap, Method::KMedoids, Method::Random, Method::Coverage] {
        let mut params = Params::new(8);
        (params.method, params.max_weight) = (method, Some(0.15));
        let weights = limited_run(&params).weights_at(8).unwrap().to_vec();
        assert!(largest_share(&weights) <= 0.15 + 1e-12, "{method:?}: {weights:?}");
    }
    let mut params = Params::new(8);
    (params.oversample, params.min_effective) = (2.0, Some(7.5));
    assert!(effective(limited_run(&params).weights_at(8).unwrap()) >= 7.5 - 1e-9);
}

#[test]
fn the_linear_kernel_far_from_the_origin_has_its_limits_too() {
    let rows = random(40, 2, 5);
    let mut params = Params::new(6);
    (params.weights, params.max_weight) = (Weights::Convex, Some(0.25));
    let here = select(&(&rows + 0.5), &rows, &Linear, &params).unwrap();
    let far = select(&(&rows + 1e6 + 0.5), &(&rows + 1e6), &Linear, &params).unwrap();
    let shares = |found: &Selection| found.weights_at(found.prototypes.len()).unwrap().to_vec();
    assert!(largest_share(&shares(&far)) <= 0.25 + 1e-9);
    assert!((here.mmd2().unwrap() - far.mmd2().unwrap()).abs() < 1e-6, "{:?} {:?}", here.mmd2(), far.mmd2());
}

#[test]
fn impossible_limits_are_errors_that_say_what_is_allowed() {
    let rows = random(20, 2, 0);
    let refused = |change: &dyn Fn(&mut Params)| {
        let mut params = Params::new(4);
        change(&mut params);
        select(&rows, &rows, &Gaussian::new(1.0).unwrap(), &params).unwrap_err()
    };
    assert_eq!(
        refused(&|params| params.max_weight = Some(0.2)).to_string(),
        "max_weight is 0.2, which is too low for 4 prototypes, whose shares of the total must add up to 1; it must be \
         at least 0.25"
    );
    assert_eq!(
        refused(&|params| params.min_effective = Some(4.5)).to_string(),
        "min_effective is 4.5, but 4 prototypes cannot have an effective sample size above 4"
    );
    assert!(refused(&|params| params.max_weight = Some(0.0)).to_string().contains("above 0 and at most 1"));
    assert!(refused(&|params| params.max_weight = Some(f64::NAN)).to_string().contains("above 0 and at most 1"));
    assert!(refused(&|params| params.min_effective = Some(0.5)).to_string().contains("at least 1"));
    let equal = refused(&|params| (params.max_weight, params.weights) = (Some(0.5), Weights::Equal));
    assert_eq!(equal, Error::Limits(LimitError::NotOptimised { weights: "equal" }));
    // The rows that min_gain leaves may be too few.
    let few = refused(&|params| {
        *params = Params::with_min_gain(0.05);
        params.min_effective = Some(15.0);
    });
    assert!(matches!(few, Error::Limits(LimitError::EffectiveTooHigh { members: 1..15, .. })), "{few}");
}

/// Rows that are copies of each other under the kernel have a Gram matrix of rank 1.
#[test]
fn weights_of_copies_meet_the_limits() {
    let signs = [1.0, 1.0, -1.0, -1.0, -1.0];
    for n_members in 4..=5 {
        let means = Array1::from_shape_fn(n_members, |member| 0.1077 * signs[member]);
        let gram = Array2::from_shape_fn((n_members, n_members), |(i, j)| signs[i] * signs[j]);
        for cap in [0.26, 0.32325281806188944, 0.5] {
            let weights = limited_nonnegative(means.view(), gram.view(), limits(Some(cap), None)).unwrap();
            assert!(largest_share(&weights) <= cap * (1.0 + 1e-9), "{n_members}, {cap}: {weights:?}");
            let net: f64 = weights.iter().zip(signs).map(|(weight, sign)| weight * sign).sum();
            assert!((net - 0.1077).abs() < 1e-9, "{n_members}, {cap}: {weights:?}"); // it explains everything
        }
    }
}
