//! Coverage: against k-medoids, which it begins with, and against every exchange tried one by one.

use crate::samples::{chosen, digits, one_hot, random, take};
use ndarray::{Array1, Array2, Axis};
use proptest::prelude::*;
use protodash::bandwidth::{Metric, median};
use protodash::objective::objective;
use protodash::weights::{convex, nonnegative};
use protodash::{
    Cosine, Distance, Error, Gaussian, Hamming, InverseMultiquadric, Kernel, Laplacian, Method, Params, Polynomial,
    Selection, Stopped, Weights, select,
};

fn kernels() -> Vec<Box<dyn Kernel<f64> + Send>> {
    vec![
        Box::new(InverseMultiquadric::new(0.4).unwrap()),
        // So wide that some medoids have no weight.
        Box::new(Gaussian::new(2.0).unwrap()),
        Box::new(Laplacian::new(1.0).unwrap()),
        Box::new(Polynomial::new(2, 1.0, 0.5).unwrap()),
        Box::new(Cosine),
        Box::new(Hamming),
    ]
}

fn distance(kernel: &dyn Kernel<f64>, x: &[f64], y: &[f64]) -> f64 {
    let pairs = || x.iter().zip(y);
    match Distance::of(kernel) {
        Distance::Euclidean => pairs().map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt(),
        Distance::Manhattan => pairs().map(|(x, y)| (x - y).abs()).sum(),
        Distance::Hamming => pairs().filter(|(x, y)| x != y).count() as f64 / x.len() as f64,
        Distance::Cosine => 1.0 - kernel.evaluate(x, y),
        _ => (kernel.evaluate(x, x) + kernel.evaluate(y, y) - 2.0 * kernel.evaluate(x, y)).max(0.0).sqrt(),
    }
}

/// A small problem with everything written out.
struct Written<'a> {
    rows: &'a Array2<f64>,
    row_weights: Array1<f64>,
    kernel: &'a dyn Kernel<f64>,
    kernel_mean: Array1<f64>,
    gram: Array2<f64>,
    is_convex: bool,
}

impl<'a> Written<'a> {
    fn new(rows: &'a Array2<f64>, kernel: &'a dyn Kernel<f64>, params: &Params) -> Self {
        let n_rows = rows.nrows();
        let row = |index: usize| rows.row(index).to_slice().unwrap();
        let gram = Array2::from_shape_fn((n_rows, n_rows), |(i, j)| kernel.evaluate(row(i), row(j)));
        let weights = params.target_weights.clone().unwrap_or_else(|| vec![1.0; n_rows]);
        let row_weights = Array1::from(weights);
        let kernel_mean = row_weights.dot(&gram) / row_weights.sum();
        let is_convex = params.weights == Weights::Convex;
        Written { rows, row_weights, kernel, kernel_mean, gram, is_convex }
    }

    /// The mean distance to the nearest of a set.
    fn distance(&self, set: &[usize]) -> f64 {
        let row = |index: usize| self.rows.row(index).to_slice().unwrap();
        let nearest =
            |o: usize| set.iter().map(|&m| distance(self.kernel, row(o), row(m))).fold(f64::INFINITY, f64::min);
        let sum: f64 = (0..self.rows.nrows()).map(|o| self.row_weights[o] * nearest(o)).sum();
        sum / self.row_weights.sum()
    }

    /// f(L).
    fn objective(&self, set: &[usize]) -> f64 {
        let kernel_mean = self.kernel_mean.select(Axis(0), set);
        let gram = self.gram.select(Axis(0), set).select(Axis(1), set);
        let solve = if self.is_convex { convex } else { nonnegative };
        let weights = Array1::from(solve(kernel_mean.view(), gram.view()).unwrap());
        objective(kernel_mean.view(), gram.view(), weights.view()).unwrap()
    }
}

fn run(rows: &Array2<f64>, kernel: &dyn Kernel<f64>, params: &Params, method: Method) -> Selection {
    let mut params = params.clone();
    params.method = method;
    select(rows, rows, kernel, &params).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn keeps_the_distance_and_leaves_no_exchange_that_helps(
        (n_rows, n_prototypes) in (2..28_usize, 1..7_usize),
        seed in 0..1000_u64,
        (categorical, is_convex, weighted) in any::<(bool, bool, bool)>(),
        slack in prop::sample::select(vec![0.0, 0.01, 0.2]),
    ) {
        let rows = if categorical { one_hot(n_rows, &[3, 2, 4], seed) } else { random(n_rows, 3, seed) };
        let mut params = Params::new(n_prototypes.min(n_rows));
        (params.seed, params.coverage_slack) = (seed, slack);
        params.weights = if is_convex { Weights::Convex } else { Weights::Nonnegative };
        params.target_weights = weighted.then(|| (0..n_rows).map(|row| (1 + row % 4) as f64).collect());
        for kernel in kernels() {
            let written = Written::new(&rows, &*kernel, &params);
            let start = chosen(&run(&rows, &*kernel, &params, Method::KMedoids));
            let found = run(&rows, &*kernel, &params, Method::Coverage);
            let set = chosen(&found);
            let (limit, reached) = ((1.0 + slack) * written.distance(&start), written.objective(&set));
            let rounding = 1e-9 * reached.abs().max(1e-3);
            prop_assert!(written.distance(&set) <= limit + 1e-9);
            prop_assert!(reached >= written.objective(&start) - rounding);
            prop_assert!((found.objective_final() - reached).abs() <= rounding);
            for position in 0..set.len() {
                for candidate in (0..n_rows).filter(|row| !set.contains(row)) {
                    let mut exchanged = set.clone();
                    exchanged[position] = candidate;
                    let rise = written.objective(&exchanged) - reached;
                    let helps = rise > rounding && written.distance(&exchanged) <= limit - 1e-9;
                    prop_assert!(!helps, "{candidate} for {} of {set:?} adds {rise:e}", set[position]);
                }
            }
        }
    }
}

#[test]
fn fits_the_digits_better_than_k_medoids_at_the_same_distance() {
    let digits = digits();
    let kernel = InverseMultiquadric::new(0.25 * median(&digits, &digits, Metric::Euclidean, 0).unwrap()).unwrap();
    for n_prototypes in [10, 30] {
        let params = Params::new(n_prototypes);
        let written = Written::new(&digits, &kernel, &params);
        let (start, found) =
            (run(&digits, &kernel, &params, Method::KMedoids), run(&digits, &kernel, &params, Method::Coverage));
        assert_eq!(found.prototypes.len(), n_prototypes);
        let [before, after] = [&start, &found].map(|selection| written.distance(&chosen(selection)));
        assert!(after <= 1.01 * before + 1e-12, "{after} {before}");
        let [before, after] = [&start, &found].map(|selection| selection.mmd2().unwrap());
        assert!(after < 0.97 * before, "{after} {before}");
        // Each of the first few gains more than the next: prefixes are good sets.
        assert!(found.objective.windows(2).all(|pair| pair[1] > pair[0]));
        let gains: Vec<f64> = found.prototypes.iter().take(10).map(|prototype| prototype.gain).collect();
        assert!(gains.windows(2).all(|pair| pair[0] >= pair[1] * (1.0 - 1e-9)), "{gains:?}");
    }
}

#[test]
fn threads_and_memory_change_nothing() {
    let digits = take(&digits(), 0..600);
    let kernel = InverseMultiquadric::new(12.0).unwrap();
    let (target, source) = (take(&digits, 0..350), take(&digits, 200..600));
    let mut params = Params::new(12);
    params.method = Method::Coverage;
    for (target, source) in [(&digits, &digits), (&target, &source)] {
        params.column_memory = 4 << 30;
        let expected = select(target, source, &kernel, &params).unwrap();
        for (n_threads, column_memory) in [(1, 4 << 30), (3, 4 << 30), (2, 1 << 20), (2, 0)] {
            params.column_memory = column_memory;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let found = pool.install(|| select(target, source, &kernel, &params).unwrap());
            assert_eq!(found, expected, "{n_threads} {column_memory}");
        }
    }
}

#[test]
fn covers_the_target_not_the_source() {
    // The target is one end of the source: k-medoids of the source would spread over all of it.
    let source = Array2::from_shape_fn((60, 1), |(row, _)| row as f64);
    let target = Array2::from_shape_fn((40, 1), |(row, _)| row as f64 / 4.0);
    let mut params = Params::new(3);
    params.method = Method::Coverage;
    let found = select(&target, &source, &InverseMultiquadric::new(2.0).unwrap(), &params).unwrap();
    assert!(chosen(&found).iter().all(|row| *row <= 10), "{:?}", chosen(&found));
}

#[test]
fn a_number_must_be_given_and_slack_must_not_be_negative() {
    let rows = random(9, 2, 1);
    let kernel = Gaussian::new(1.0).unwrap();
    let mut params = Params::until_optimal();
    params.method = Method::Coverage;
    assert_eq!(select(&rows, &rows, &kernel, &params).unwrap_err(), Error::NumberOfMedoidsNeeded);
    for slack in [-0.1, f64::NAN, f64::INFINITY] {
        (params.n_prototypes, params.coverage_slack) = (Some(2), slack);
        let error = select(&rows, &rows, &kernel, &params).unwrap_err().to_string();
        assert!(error.contains("coverage_slack") && error.contains("at least 0"), "{error}");
    }
}

#[test]
fn copies_leave_room_for_other_rows_and_too_many_end_at_the_optimum() {
    let rows = Array2::from_shape_fn((12, 1), |(row, _)| (row / 4) as f64);
    let mut params = Params::new(5);
    params.method = Method::Coverage;
    let found = select(&rows, &rows, &Gaussian::new(1.0).unwrap(), &params).unwrap();
    let mut set = chosen(&found);
    set.sort_unstable();
    assert_eq!((set, found.stopped), (vec![0, 4, 8], Stopped::Optimal));
}

#[test]
fn a_minimum_gain_ends_at_a_prefix() {
    let digits = take(&digits(), 0..300);
    let kernel = InverseMultiquadric::new(12.0).unwrap();
    let mut params = Params::new(20);
    params.method = Method::Coverage;
    let all = select(&digits, &digits, &kernel, &params).unwrap();
    params.min_gain = Some(all.prototypes[8].gain * 0.999);
    let found = select(&digits, &digits, &kernel, &params).unwrap();
    assert_eq!((chosen(&found), found.stopped), (chosen(&all)[..9].to_vec(), Stopped::MinGain));
}
