//! One test per bug, with the smallest data that reproduces it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::samples::{chosen, random, weights};
use ndarray::{Array2, ArrayView1, Axis, array};
use protodash::weights::convex as convex_weights;
use protodash::{
    Cosine, Gaussian, InverseMultiquadric, Kernel, Laplacian, Linear, Method, Observer, Params, Polynomial, Precision,
    Stage, Stopped, Unobserved, Weights, kernel_mean_in, p_lasso_path, select, select_with,
};

/// Rows 1 and 2 point nearly opposite ways. The column of such a pair propagates its rounding error, 1e-6 of itself, to
/// the Schur complements of others, which became negative as if the kernel were indefinite.
#[test]
fn nearly_opposite_rows_do_not_make_a_linear_kernel_indefinite() {
    let target = array![[2.0, 2.0], [0.0, 1.0]];
    let source = array![
        [0.0, 1.4267189675451408],
        [-0.7771795545240935, -0.7705410563023494],
        [1.9466478175667787, 1.930067413394364],
        [-1.004581728111024, 1.1480852371026176],
        [0.0, -0.7754685504444703]
    ];
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
        let mut params = Params::new(5);
        params.method = method;
        let selection = select(&target, &source, &Linear, &params).unwrap();
        assert_eq!(selection.stopped, Stopped::Optimal, "{method:?}");
        assert!(selection.explained().unwrap() > 1.0 - 1e-12, "{method:?}");
    }
}

/// Three rows span the plane; the second and third get no weight once the fourth is chosen. A row in the span of the
/// prototypes was never considered again, and the run was wrongly reported as optimal.
#[test]
fn a_row_in_the_span_of_the_prototypes_can_still_be_chosen() {
    let target = array![[1.0, 0.2]];
    let source = array![[1.0, 1.0], [1.0, -3.0], [5.0, 1.0]];
    let mut params = Params::new(3);
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
        params.method = method;
        let selection = select(&target, &source, &Linear, &params).unwrap();
        assert!((selection.explained().unwrap() - 1.0).abs() < 1e-12, "{method:?}: {:?}", chosen(&selection));
    }
}

/// Four points in space are affinely but not linearly independent under the linear kernel; with Σw = 1 all four may be
/// needed, but the fourth was rejected.
#[test]
fn convex_weights_use_one_point_more_than_there_are_columns() {
    let corners = array![[0.1, 0.1, 0.1], [1.0, 0.1, 0.1], [0.1, 1.0, 0.1], [0.1, 0.1, 1.0]];
    let centre = array![[0.325, 0.325, 0.325]];
    let mut params = Params::new(4);
    params.weights = Weights::Convex;
    let selection = select(&centre, &corners, &Linear, &params).unwrap();
    assert_eq!(selection.prototypes.len(), 4);
    assert!(weights(&selection).iter().all(|weight| (weight - 0.25).abs() < 1e-9), "{:?}", weights(&selection));
    assert!(selection.mmd2().unwrap() < 1e-12);
}

/// All methods, with weights that sum to 1.
fn convex(method: Method, n_prototypes: usize) -> Params {
    let mut params = Params::new(n_prototypes);
    (params.method, params.weights) = (method, Weights::Convex);
    params
}

/// A constant as large as the largest k(y, y) was added to the kernel under Σw = 1. One distant candidate made it so
/// large that all other rows looked alike, and a single row was reported as optimal.
#[test]
fn a_distant_candidate_does_not_hide_the_others_from_convex_weights() {
    let target = random(40, 3, 1);
    let near = random(60, 3, 2);
    let kernels: [&dyn Kernel<f64>; 2] = [&Linear, &Polynomial::new(2, 1.0, 1.0).unwrap()];
    for (kernel, distance) in kernels.into_iter().zip([1e9, 1e5]) {
        let mut far = near.clone();
        far.push_row(array![distance, -distance, 0.5 * distance].view()).unwrap();
        for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap, Method::Random] {
            // Enough prototypes that nothing is left to gain: then more rows to choose from cannot be worse.
            let best = |source: &Array2<f64>| {
                let n_prototypes = if method == Method::Random { source.nrows() } else { 40 };
                select(&target, source, kernel, &convex(method, n_prototypes)).unwrap()
            };
            let (without, with) = (best(&near), best(&far));
            let loss = without.objective_final() - with.objective_final();
            assert!(loss < 1e-9, "{method:?}: {loss:e} with {:?}", chosen(&with));
        }
    }
}

/// Under Σw = 1 the linear kernel does not depend on the origin, but kernel values do: with all rows 3·10⁵ spreads away
/// from it, they agreed to all digits compared, and the first row was reported as optimal.
#[test]
fn convex_weights_do_not_depend_on_the_origin() {
    let (target, source) = (random(30, 2, 3), random(50, 2, 4));
    let mean = target.mean_axis(Axis(0)).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap, Method::Random, Method::PLasso] {
        for offset in [3e5, 1e8, 1e12] {
            // An exact binary fraction, so that moving the rows does not round them.
            let moved = |rows: &Array2<f64>| rows.mapv(|value| (value * 4096.0).round() / 4096.0 + offset);
            let params = convex(method, if method == Method::PLasso { 1 } else { 20 });
            let selection = select(&moved(&target), &moved(&source), &Linear, &params).unwrap();
            if method == Method::PLasso {
                continue; // any single row is valid for the lasso: it must not fail
            }
            let weighted = selection.prototypes.iter().fold(array![0.0, 0.0], |sum, prototype| {
                sum + &source.row(prototype.source_index).mapv(|value| value * prototype.weight)
            });
            let apart = (&weighted - &mean).mapv(f64::abs).sum();
            assert!(apart < 1e-3, "{method:?} at {offset:e}: {apart:e}"); // the rounding to 1/4096
        }
    }
}

#[test]
fn the_convex_weights_of_a_matrix_survive_one_large_member() {
    let rows = array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0], [1e9, 3e8]];
    let mean = array![0.2, 0.1];
    let weights = convex_weights(rows.dot(&mean).view(), rows.dot(&rows.t()).view()).unwrap();
    let apart = (weights.iter().zip(rows.rows()).fold(-mean, |sum, (weight, row)| sum + &row.mapv(|x| x * weight)))
        .mapv(f64::abs)
        .sum();
    assert!(apart < 1e-9, "{weights:?}: {apart:e}");
}

/// How far rounding can separate two scores was taken from the largest kernel mean of any row. One large candidate made
/// all others tie, and they were chosen in file order.
#[test]
fn a_large_candidate_does_not_tie_the_others() {
    let near = random(60, 12, 6);
    let target = near.mapv(|value| value + 0.4);
    // It points away from the target, so it is never chosen.
    let mut far = near.clone();
    far.push_row(ArrayView1::from(&[-1e13; 12])).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap, Method::PLasso] {
        let mut params = Params::new(4);
        params.method = method;
        let (without, with) = (select(&target, &near, &Linear, &params), select(&target, &far, &Linear, &params));
        let (without, with) = (without.unwrap(), with.unwrap());
        assert_eq!((chosen(&with), with.stopped), (chosen(&without), without.stopped), "{method:?}");
    }
}

/// The end of the lasso's path is optimal for weights with any sum. With Σw = 1 it was still reported as optimal,
/// although another row would have helped.
#[test]
fn the_end_of_the_lasso_path_is_reported_as_optimal_only_if_it_is() {
    let mut n_exhausted = 0;
    for seed in 0..8 {
        let (target, source) = (random(30, 2, seed), random(40, 2, seed + 100).mapv(|value| 2.0 * value + 1.0));
        let kernel = Gaussian::new(0.7).unwrap();
        for weights in [Weights::Convex, Weights::Equal, Weights::Nonnegative, Weights::Own] {
            let mut params = Params::until_optimal();
            (params.method, params.weights) = (Method::PLasso, weights);
            let lasso = select(&target, &source, &kernel, &params).unwrap();
            params.method = Method::ProtoGreedy;
            let greedy = select(&target, &source, &kernel, &params).unwrap();
            let loss = greedy.objective_final() - lasso.objective_final();
            n_exhausted += usize::from(lasso.stopped == Stopped::Exhausted);
            match weights {
                Weights::Equal => assert_eq!(lasso.stopped, Stopped::Exhausted),
                Weights::Convex => assert_eq!(lasso.stopped == Stopped::Optimal, loss < 1e-9, "{seed}: {loss:e}"),
                _ => assert!(lasso.stopped == Stopped::Optimal && loss < 1e-9, "{seed}: {loss:e}"),
            }
        }
    }
    assert!(n_exhausted > 8, "{n_exhausted}");
}

/// The lasso was optimal under Σw = 1 if no slope exceeded a fraction of ‖μ‖ √Kⱼⱼ. Both are large if one row is far from the
/// origin, and the bound with them, although such differences do not matter when the weights sum to 1.
#[test]
fn a_large_row_does_not_make_the_lasso_optimal() {
    let mut n_refused = 0;
    for seed in 0..40 {
        // Heavy tails besides.
        let mut rows = random(40, 4, seed).mapv(|value| value + 100.0 * value.powi(9));
        rows.row_mut(seed as usize).fill(1e7);
        let mut params = Params::until_optimal();
        (params.method, params.weights) = (Method::PLasso, Weights::Convex);
        let lasso = select(&rows, &rows, &Linear, &params).unwrap();
        params.method = Method::ProtoGreedy;
        let greedy = select(&rows, &rows, &Linear, &params).unwrap();
        let (reached, best) = (lasso.mmd2().unwrap(), greedy.mmd2().unwrap());
        // What rounding leaves next to the far row, and a thousandth.
        let is_best = reached - best <= 1e-3 * reached + 1e-15 * lasso.mmd2_path()[0];
        assert!(lasso.stopped != Stopped::Optimal || is_best, "{seed}: {reached:e}, ProtoGreedy {best:e}");
        n_refused += usize::from(!is_best);
    }
    assert!(n_refused > 0, "every lasso was optimal: the test is vacuous");
}

/// A kernel for rows that are this far apart.
type KernelOfSize = fn(f64) -> Box<dyn Kernel<f32> + Send>;

/// The error bound of f32 assumed that rounding errors cancel. Rows that differ by the same amount in every column have
/// errors of one sign, far beyond that bound, and f32 chose a different row than f64.
#[test]
fn rounding_errors_of_one_sign_stay_within_the_bound_of_f32() {
    let kernels: [(usize, KernelOfSize); 3] = [
        (1024, |size| Box::new(Laplacian::new(size).unwrap())),
        (5000, |size| Box::new(Gaussian::new(size.sqrt()).unwrap())),
        (5000, |size| Box::new(InverseMultiquadric::new(size.sqrt()).unwrap())),
    ];
    for (n_columns, kernel) in &kernels {
        for step in 0..40_u16 {
            let value = 0.1 + 0.0123 * f32::from(step);
            let power = if *n_columns == 1024 { 1 } else { 2 };
            let kernel = kernel(*n_columns as f64 * f64::from(value).powi(power));
            let target = Array2::<f32>::zeros((3, *n_columns));
            let source =
                Array2::from_shape_fn((2, *n_columns), |(row, _)| if row == 0 { value } else { value * 1.000_001 });
            let single = kernel_mean_in(Precision::Single, &target, &source, &kernel).unwrap();
            let double = kernel_mean_in(Precision::Double, &target, &source, &kernel).unwrap();
            for (in_single, in_double) in single.means.iter().zip(&double.means) {
                let bound = single.absolute_error + single.relative_error * in_double;
                assert!((in_single - in_double).abs() <= bound, "{n_columns} of {value}: {in_single} {in_double}");
            }
            let best = |means: &[f64]| usize::from(means[1] > means[0]);
            let selection = select(&target, &source, &kernel, &Params::new(1)).unwrap();
            assert_eq!(chosen(&selection), [best(&double.means)], "{n_columns} of {value}");
        }
    }
}

/// Among many rows that differ by rounding and reach the penalty together, each rejection searched a list of all
/// rejected rows for every row: 89 seconds for 2,500 rows.
#[test]
fn near_copies_do_not_slow_down_the_lasso() {
    let rows = Array2::from_shape_fn((2500, 2), |(row, column)| (0.3 + column as f64) * (1.0 + row as f64 * 1e-15));
    let mut params = Params::until_optimal();
    params.method = Method::PLasso;
    let mut steps = Steps::default();
    let start = std::time::Instant::now();
    let selection = select_with(&rows, &rows, &Gaussian::new(1.0).unwrap(), &params, &mut steps).unwrap();
    assert!(selection.explained().unwrap() > 1.0 - 1e-9);
    // Rows are rejected together and not one in each step, of which each takes time in proportion to the rows.
    assert!(steps.0 < 250, "{} steps", steps.0);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Counts the steps of a search.
#[derive(Default)]
struct Steps(usize);

impl Observer for Steps {
    fn on_progress(&mut self, stage: Stage, _: u64, _: u64) -> ControlFlow<()> {
        self.0 += usize::from(stage == Stage::Search);
        ControlFlow::Continue(())
    }
}

/// Squares of values above 1e154 overflow, and those below 1e-154 underflow; the angle between rows is not affected.
#[test]
fn the_cosine_does_not_depend_on_the_size_of_rows() {
    let rows = random(40, 3, 8);
    let sizes = [1.0, 1e160, 1e-160, 1e154, 1e-154, 1e200, 1e-290];
    let scaled = Array2::from_shape_fn(rows.dim(), |(row, column)| rows[(row, column)] * sizes[row % sizes.len()]);
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::KMedoids] {
        let mut params = Params::new(5);
        params.method = method;
        let plain = select(&rows, &rows, &Cosine, &params).unwrap();
        let other = select(&scaled, &scaled, &Cosine, &params).unwrap();
        assert_eq!(chosen(&other), chosen(&plain), "{method:?}");
        assert!((other.objective_final() - plain.objective_final()).abs() < 1e-12, "{method:?}");
    }
}

/// With a kernel mean far above the similarities, the weight 1 of a single row came out as the difference of two numbers of
/// 1e18, which is 0.
#[test]
fn convex_weights_sum_to_one_where_the_target_is_far_away() {
    let (target, source) = (array![[999_994_705.746_649_6]], array![[999.829_059_767_385], [500.0]]);
    let kernel = Polynomial::new(3, 9.970_395_355_664_752e-7, 1.0).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap, Method::Random] {
        for n_prototypes in [1, 2] {
            let selection = select(&target, &source, &kernel, &convex(method, n_prototypes)).unwrap();
            let total: f64 = weights(&selection).iter().sum();
            assert!((total - 1.0).abs() < 1e-12, "{method:?}: {:?}", weights(&selection));
        }
    }
}

/// Two rows within 1e-6 of each other are dependent in the solver's precision, and whichever was chosen first kept the
/// weight, although the other one is nearer to the target by a millionth.
#[test]
fn the_better_of_two_near_copies_gets_the_weight() {
    let (target, source) = (array![[3.0]], array![[0.0], [1e-7]]);
    let kernel = Gaussian::new(1.0).unwrap();
    let mut params = Params::new(2);
    params.method = Method::Random;
    for seed in 0..4 {
        params.seed = seed;
        let selection = select(&target, &source, &kernel, &params).unwrap();
        let best = 0.5 * kernel.evaluate(&[3.0_f64], &[1e-7]).powi(2);
        let loss = 1.0 - selection.objective_final() / best;
        assert!(loss < 1e-12, "{:?} {:?}: {loss:e}", chosen(&selection), weights(&selection));
    }
}

/// Where a row left the lasso path, the weights of the others were still those computed together with it. For nearly
/// parallel rows its weight was so far from 0 that their slopes missed the penalty by a few parts in a million.
#[test]
fn weights_are_refitted_where_a_row_leaves_the_lasso_path() {
    let source = array![[10000.353096410314, 10000.655465666548], [20000.33363890682, 19998.39246513338]];
    let target = array![[98.78688740257427, 100.61772088040208]];
    let path = p_lasso_path(&target, &source, &Linear, &Params::until_optimal(), &mut Unobserved).unwrap();
    for breakpoint in path.breakpoints.iter().filter(|breakpoint| !breakpoint.support.is_empty()) {
        for (row, weight) in breakpoint.support.iter().zip(&breakpoint.weights).filter(|(_, weight)| **weight > 0.0) {
            let product = |other: &usize| source.row(*row).dot(&source.row(*other));
            let pairs = breakpoint.support.iter().zip(&breakpoint.weights);
            let mean = source.row(*row).dot(&target.row(0));
            let slope = mean - pairs.map(|(other, weight)| weight * product(other)).sum::<f64>();
            assert!((slope - breakpoint.penalty).abs() < 1e-8 * mean, "{row} of {weight}: {slope} {breakpoint:?}");
        }
    }
}

/// The centred polynomial of rows far from the origin is a difference of values of 1e37, and its rounding errors were
/// mistaken for an indefinite kernel; so were the subnormal numbers of a linear kernel of tiny rows.
#[test]
fn rounding_does_not_make_a_built_in_kernel_indefinite() {
    let far = random(60, 3, 5).mapv(|value| value + 1e6);
    let polynomial = Polynomial::new(3, 1.0 / 3.0, 1.0).unwrap();
    let tiny = random(60, 3, 5).mapv(|value| (value + 0.3) * 1e-160);
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap, Method::Random] {
        let selection = select(&far, &far, &polynomial, &convex(method, 8)).unwrap();
        assert!(selection.explained().unwrap() > 1.0 - 1e-9, "{method:?}");
        let mut params = Params::new(8);
        params.method = method;
        assert!(select(&tiny, &tiny, &Linear, &params).is_ok(), "{method:?}");
    }
}

/// Swap was as good as the methods it starts from only up to 1e-10, then up to 1e-13 unless it ended with the same rows.
#[test]
fn swap_is_never_worse_than_its_starts() {
    let mut n_same = 0;
    for seed in 0..30 {
        let (target, source) = (random(30, 3, seed), random(40, 3, seed + 100));
        let kernels: [&dyn Kernel<f64>; 2] = [&Gaussian::new(0.8).unwrap(), &Linear];
        for kernel in kernels {
            for (weights, size) in [(Weights::Nonnegative, 6), (Weights::Convex, 6), (Weights::Nonnegative, 40)] {
                let reached = |method: Method| {
                    let mut params = Params::new(size);
                    (params.method, params.weights) = (method, weights);
                    let selection = select(&target, &source, kernel, &params).unwrap();
                    let rows: BTreeSet<usize> = selection.prototypes.iter().map(|found| found.source_index).collect();
                    (rows, selection.objective_final())
                };
                let (rows, swap) = reached(Method::Swap);
                for start in [Method::ProtoDash, Method::ProtoGreedy] {
                    let (start_rows, least) = reached(start);
                    assert!(swap >= least, "{seed}, {weights:?}: {swap:e}, {start:?} {least:e}");
                    n_same += usize::from(start_rows == rows);
                }
            }
        }
    }
    assert!(n_same > 50, "swap ended with the rows of its start {n_same} times: the test is vacuous");
}

/// L2C took a row as equal to the best if it was within the rounding of the largest value, which one large row can make so
/// uncertain that all others were equal to it.
#[test]
fn a_large_row_of_uncertain_value_does_not_tie_with_small_ones() {
    // With μ of [0, 1e17] cancelled by its own similarity, [1, 0] again is 1.7e19 below a row of a new direction.
    let large = 1e10;
    let rows = array![[0.0, 0.0, 0.0], [large, 0.0, 0.0], [0.0, 1e17, 0.0], [large, 0.0, 0.0], [0.0, 0.0, large]];
    let mut params = Params::new(1);
    (params.method, params.weights, params.fixed) = (Method::L2c, Weights::Equal, vec![3, 0]);
    let target = ndarray::concatenate![Axis(0), rows, array![[0.0, 0.0, 0.0]]];
    let kernel = Polynomial::new(1, 1.0, 1.0).unwrap();
    assert_ne!(chosen(&select(&target, &rows, &kernel, &params).unwrap())[2], 1);
}

/// A row with a slope of 0.5 was left out of the path next to one with similarity 10⁴² to itself, but only 1 to it.
#[test]
fn small_rows_join_the_lasso_next_to_huge_ones() {
    let rows = array![[0.0], [-2e7]];
    let kernel = Polynomial::new(3, 0.3, 1.0).unwrap();
    let path = p_lasso_path(&rows, &rows, &kernel, &Params::until_optimal(), &mut Unobserved).unwrap();
    let last = path.breakpoints.last().unwrap();
    assert_eq!((last.penalty, last.support.len()), (0.0, 2), "{:?}", path.breakpoints);
    assert!(last.weights.iter().all(|weight| (weight - 0.5).abs() < 1e-9), "{:?}", path.breakpoints);
}

/// MMD² and `explained` were differences of raw energy and objective: 10⁸ spreads from the origin nothing was left of them.
/// Tolerance: 1e-10 of what the same rows have near the origin.
#[test]
fn convex_figures_do_not_depend_on_the_origin() {
    // Binary fractions, so that moving the rows rounds nothing.
    let rows = |n_rows: usize, seed: u64| random(n_rows, 2, seed).mapv(|value| (value * 4096.0).round() / 4096.0);
    let (target, source) = (rows(30, 3) * 4.0 + 1.0, rows(50, 4));
    let mean = target.mean_axis(Axis(0)).unwrap();
    for weights in [Weights::Convex, Weights::Equal, Weights::Shares] {
        for method in [Method::ProtoDash, Method::KMedoids, Method::Random] {
            for offset in [0.0, 2.0_f64.powi(24), 2.0_f64.powi(38)] {
                let mut params = Params::new(4);
                (params.method, params.weights) = (method, weights);
                let moved = |rows: &Array2<f64>| rows.mapv(|value| value + offset);
                let far = select(&moved(&target), &moved(&source), &Linear, &params).unwrap();
                let what = format!("{method:?} {weights:?} at {offset:e}");
                let mut before = None;
                for size in 1..=far.prototypes.len() {
                    let cut = far.prefix(size).unwrap();
                    let residual = cut.prototypes.iter().fold(-&mean, |sum, prototype| {
                        sum + &source.row(prototype.source_index).mapv(|value| value * prototype.weight)
                    });
                    let (ours, exact) = (cut.mmd2().unwrap(), residual.dot(&residual));
                    assert!((ours - exact).abs() <= 1e-10, "{what}: {ours} not {exact}");
                    let (share, energy) = (cut.explained().unwrap(), cut.target_energy.unwrap().value);
                    assert!(
                        (share - (1.0 - exact / energy)).abs() <= 1e-10 / energy.max(1.0) + 1e-15,
                        "{what}: {share}"
                    );
                    if let Some(before) = before.replace(exact) {
                        let gain = cut.prototypes[size - 1].gain;
                        assert!((gain - 0.5 * (before - exact)).abs() <= 1e-10, "{what}: {gain}");
                    }
                }
            }
        }
    }
}

/// A mean that is tiny next to the candidates left `explained` to rounding: here it was off by 10⁴.
#[test]
fn convex_figures_survive_a_mean_near_zero() {
    let other = -1.0 + 2e-10;
    let mean = 0.5 * (1.0 + other); // exact
    let (target, source) = (array![[1.0], [other]], array![[1.0], [-1.0], [3.0]]);
    let one = select(&target, &source, &Linear, &convex(Method::ProtoDash, 1)).unwrap();
    let away = weights(&one)[0] * source[(chosen(&one)[0], 0)] - mean;
    let expected = 1.0 - away * away / (mean * mean);
    assert!((one.explained().unwrap() / expected - 1.0).abs() < 1e-12);
    assert!((one.target_energy.unwrap().value / (mean * mean) - 1.0).abs() < 1e-12);
    let two = select(&target, &source, &Linear, &convex(Method::ProtoDash, 2)).unwrap();
    // The rounding of weights near ½ moves Σwz by 1e-16, which is 1e-6 of the mean: 1e-12 of its square.
    assert!((two.explained().unwrap() - 1.0).abs() < 1e-10, "{:?}", two.explained());
    assert!(two.mmd2().unwrap() < 1e-30 && two.error_bounds.mmd2() == 0.0);
    assert!((2.0 * two.objective_final() / (mean * mean) - 1.0).abs() < 1e-10);
}

/// Under other kernels there are no coordinates to compute it in: then it is unknown.
#[test]
fn a_share_lost_in_rounding_is_unknown() {
    let cubic = Polynomial::new(3, 1.0, 0.0).unwrap();
    let target = array![[1.0], [-1.0 + 1e-7]];
    let selection = select(&target, &array![[1.0], [-1.0]], &cubic, &convex(Method::ProtoDash, 2)).unwrap();
    let energy = selection.target_energy.unwrap().value;
    assert!(energy > 0.0 && energy < 1e-12, "{energy:e}");
    assert_eq!((selection.explained(), selection.certified()), (None, None));
    assert!(selection.error_bounds.objective > 1e-15 && selection.error_bounds.target_energy > 1e-15);
    let clear = select(&array![[1.0], [0.5]], &array![[1.0], [-1.0]], &cubic, &convex(Method::ProtoDash, 2)).unwrap();
    assert!(clear.explained().is_some_and(|share| share > 0.9) && clear.error_bounds.mmd2() == 0.0);
}

/// Limits on the weights were an error where they make every set worse than none: the target is opposite to the only other row.
#[test]
fn limits_that_only_an_empty_set_meets_leave_it_empty() {
    let (target, source) = (array![[1.0]], array![[2.0], [-1.0], [-3.0]]);
    let mut params = Params::new(3);
    params.max_weight = Some(0.4);
    let selection = select(&target, &source, &Linear, &params).unwrap();
    assert_eq!((selection.prototypes.len(), selection.stopped), (0, Stopped::Optimal));
    // Halves of two rows are better than none.
    params.max_weight = Some(0.5);
    let selection = select(&target, &source, &Linear, &params).unwrap();
    assert_eq!(chosen(&selection), [0, 1]);
}

/// Rows that are copies under the kernel but not in their values.
#[test]
fn limits_are_met_by_copies_under_the_kernel() {
    let source = array![
        [0.16415894031524658],
        [9.665662219049409e-5],
        [-6.72273599775508e-5],
        [-5.608575975202257e-6],
        [-0.00011547098984010518]
    ];
    for (max_weight, min_effective) in
        [(Some(0.32325281806188944), None), (Some(0.32325281806188944), Some(2.1)), (None, Some(3.5))]
    {
        for method in [Method::ProtoDash, Method::ProtoGreedy] {
            let mut params = Params::new(4);
            (params.method, params.max_weight, params.min_effective) = (method, max_weight, min_effective);
            params.target_weights = Some(vec![0.1, 2.33247584694622, 1.9593980487005576, 0.0, 0.0]);
            let selection = select(&source, &source, &protodash::Cosine, &params).unwrap();
            assert!(selection.prototypes.len() == 4 && selection.explained().unwrap() > 0.999, "{selection:?}");
        }
    }
}

/// A race computed residuals in f32 that f32 cannot represent, and failed. Now all pairs are computed.
#[test]
fn similarities_beyond_f32_are_not_raced() {
    let kernel = protodash::Polynomial::new(4, 1.0, 1.0).unwrap();
    for scale in [1.0_f32, 1e10] {
        let rows = array![[1.5_f32 * scale], [1.0 * scale], [-2.0 * scale]];
        let mut params = Params::new(2);
        params.means = protodash::Means::Racing;
        let raced = select(&rows, &rows, &kernel, &params).unwrap();
        params.means = protodash::Means::Full;
        assert_eq!(chosen(&raced), chosen(&select(&rows, &rows, &kernel, &params).unwrap()), "{scale}");
        let kind = if scale == 1.0 { protodash::Means::Racing } else { protodash::Means::Full };
        assert_eq!(raced.means.kind, kind);
    }
}

/// A row that rounding kept from joining the lasso was kept out until the penalty changed by more than the rounding of the row
/// that joined last, which for a row of size 10⁸ is never.
#[test]
fn a_large_row_does_not_keep_others_out_of_the_lasso() {
    let (target, source) =
        (array![[0.244694014217125]], array![[264364991.59947386], [1.249130024523534], [1.8618162963736344]]);
    let kernel = protodash::Polynomial::new(4, 0.3, 1.0).unwrap();
    let mut params = Params::new(1);
    params.n_prototypes = None;
    let path = protodash::p_lasso_path(&target, &source, &kernel, &params, &mut protodash::Unobserved).unwrap();
    let row = |row: usize| source.row(row).to_vec();
    for solution in &path.breakpoints {
        for other in 1..3 {
            let products = solution.support.iter().zip(&solution.weights);
            let product: f64 =
                products.map(|(member, weight)| weight * kernel.evaluate(&row(other), &row(*member))).sum();
            let gradient = kernel.evaluate(&row(other), &target.row(0).to_vec()) - product;
            assert!(gradient <= solution.penalty * (1.0 + 1e-9) + 1e-12, "row {other}: {gradient} at {solution:?}");
        }
    }
}

/// K-Medoids took an improvement for rounding if it was small next to the distance of an outlier.
#[test]
fn an_outlier_does_not_end_the_exchanges_of_medoids() {
    let rows = array![[999.99998], [1000.0000200000001], [1000.000020002458], [200993.93960661802]];
    let found =
        protodash::k_medoids(&rows, &Linear, &protodash::KMedoidsParams::new(2), &mut protodash::Unobserved).unwrap();
    let mut medoids = found.medoids.clone();
    medoids.sort_unstable();
    assert_eq!(medoids, [1, 3]); // row 1 lies between the other two
}

/// A target far outside of the source pulls all weight to one row, against a floor on the effective sample size.
#[test]
fn a_distant_target_does_not_undercut_the_floor() {
    let values = [98, 101, 101, 102, 101, 101, 100, 99, 99, 98, 102, 102, 100, 99, 102, 98, 100, 101, 98];
    let source = Array2::from_shape_fn((values.len(), 1), |(row, _)| values[row] as f32);
    let kernel = protodash::Polynomial::new(3, 1.0, 1.0).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        let mut params = Params::new(5);
        (params.method, params.weights, params.min_effective) = (method, Weights::Convex, Some(2.8867939032844525));
        let selection = select(&array![[28_597.51_f32]], &source, &kernel, &params).unwrap();
        let weights = weights(&selection);
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        assert!(
            1.0 / squares >= 2.8867 && (weights.iter().sum::<f64>() - 1.0).abs() < 1e-9,
            "{method:?}: {selection:?}"
        );
    }
}

/// Rows and their mirror images have a mean of 0 up to rounding, so the search may find no row, and the limits ask for two. The
/// path then had no weights for its first size.
#[test]
fn limits_add_rows_to_an_empty_search() {
    let half: Array2<f32> = array![
        [1.299_505_6, -1.119_333_1],
        [-1.493_798_4, 1.019_465_1],
        [-0.351_366_8, 0.193_958_25],
        [1.064_891_1, -0.210_001_25],
        [1.086_473_6, 1.055_882_5],
        [0.351_339_4, -0.049_202_118],
        [1.184_545_9, -1.142_280_1],
        [0.584_493, -1.064_130_2]
    ];
    let rows = Array2::from_shape_fn((16, 2), |(row, column)| half[[row / 2, column]] * [1.0, -1.0][row % 2]);
    for (max_weight, min_effective) in [(Some(0.5), None), (None, Some(1.9)), (Some(0.6), Some(1.5)), (None, Some(1.0))]
    {
        for weights in [Weights::Nonnegative, Weights::Convex] {
            for target in [rows.clone(), rows.slice(ndarray::s![..;3, ..]).to_owned()] {
                let mut params = Params::new(2);
                (params.weights, params.max_weight, params.min_effective) = (weights, max_weight, min_effective);
                let selection = select(&target, &rows, &Cosine, &params).unwrap();
                assert!(selection.prototypes.len() <= 2 && selection.objective.len() == selection.prototypes.len());
            }
        }
    }
}
