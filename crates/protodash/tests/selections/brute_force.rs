//! Every fast path against its slow path: direct implementations of the paper's loops, and all subsets of tiny sets.

use crate::samples::{chosen, digits, one_hot, random, take};
use ndarray::{Array1, Array2};
use protodash::criticisms::{Among, CriticismParams, Definition};
use protodash::objective::{gradient, objective};
use protodash::weights::{convex, nonnegative};
use protodash::{
    Cosine, Gaussian, Hamming, Kernel, Laplacian, Linear, Matern32, Method, Params, Polynomial, Selection, Stopped,
    Unobserved, Weights, criticize, criticize_path, select,
};

/// A small problem with all kernel values.
struct Problem {
    name: String,
    target: Array2<f64>,
    source: Array2<f64>,
    kernel: Box<dyn Kernel<f64>>,
    kernel_mean: Array1<f64>,
    gram: Array2<f64>,
}

impl Problem {
    fn new(name: String, target: &Array2<f64>, source: &Array2<f64>, kernel: Box<dyn Kernel<f64>>) -> Self {
        let similarity = |x: &Array2<f64>, y: &Array2<f64>| {
            let (x, y) = (x.as_standard_layout(), y.as_standard_layout());
            let row = |matrix: &ndarray::CowArray<'_, f64, ndarray::Ix2>, i: usize| matrix.row(i).to_vec();
            Array2::from_shape_fn((x.nrows(), y.nrows()), |(i, j)| kernel.evaluate(&row(&x, i), &row(&y, j)))
        };
        let kernel_mean = similarity(target, source).mean_axis(ndarray::Axis(0)).unwrap();
        let gram = similarity(source, source);
        Problem { name, target: target.clone(), source: source.clone(), kernel, kernel_mean, gram }
    }

    fn select(&self, params: &Params) -> Selection {
        select(&self.target, &self.source, &*self.kernel, params).unwrap()
    }

    /// f(L), with the weights that reach it.
    fn best(&self, set: &[usize], rule: Weights) -> (f64, Array1<f64>) {
        let kernel_mean = self.kernel_mean.select(ndarray::Axis(0), set);
        let gram = self.gram.select(ndarray::Axis(0), set).select(ndarray::Axis(1), set);
        let solve = if rule == Weights::Convex { convex } else { nonnegative };
        let weights = Array1::from(solve(kernel_mean.view(), gram.view()).unwrap());
        (objective(kernel_mean.view(), gram.view(), weights.view()).unwrap(), weights)
    }

    /// μ − K w over the whole source, for weights on a set.
    fn gradient(&self, set: &[usize], weights: &Array1<f64>) -> Array1<f64> {
        let mut all = Array1::zeros(self.source.nrows());
        set.iter().zip(weights).for_each(|(&row, &weight)| all[row] = weight);
        gradient(self.kernel_mean.view(), self.gram.view(), all.view()).unwrap()
    }
}

/// Random, one-hot and real problems; target = source and cross-data; seven kernels.
fn problems() -> Vec<Problem> {
    let digits = digits();
    let mut problems = Vec::new();
    for seed in 0..18 {
        let (a, b) = (random(40, 3, seed), random(25, 3, seed + 100) + 0.4);
        let answers = one_hot(60, &[2, 3, 2], seed);
        let few = one_hot(30, &[2, 3, 2], seed + 100);
        let first = seed as usize * 90;
        let (some, other) = (take(&digits, first..first + 60), take(&digits, (0..40).map(|i| (first + 37 * i) % 1797)));
        let gaussian = |bandwidth: f64| Box::new(Gaussian::new(bandwidth).unwrap());
        let mut add = |name: &str, target: &Array2<f64>, source: &Array2<f64>, kernel: Box<dyn Kernel<f64>>| {
            problems.push(Problem::new(format!("{name} {seed}"), target, source, kernel));
        };
        add("random, gaussian", &a, &a, gaussian(0.5));
        add("random, wide gaussian", &a, &a, gaussian(2.0));
        add("random across, gaussian", &a, &b, gaussian(0.8));
        add("random across, laplacian", &b, &a, Box::new(Laplacian::new(1.0).unwrap()));
        add("random across, polynomial", &a, &b, Box::new(Polynomial::new(3, 0.5, 1.0).unwrap()));
        add("random, linear", &a, &a, Box::new(Linear));
        add("random across, cosine", &b, &a, Box::new(Cosine));
        add("one-hot, linear", &answers, &answers, Box::new(Linear));
        add("one-hot across, hamming", &answers, &few, Box::new(Hamming));
        add("digits, gaussian", &some, &some, gaussian(30.0));
        add("digits across, gaussian", &some, &other, gaussian(20.0));
        add("digits across, matern", &some, &other, Box::new(Matern32::new(40.0).unwrap()));
    }
    problems
}

/// Follows a run step by step and checks each choice against the score of every candidate.
///
/// A choice is correct if no candidate scores higher by more than rounding, so ties may go either way.
fn follow(problem: &Problem, selection: &Selection, score: impl Fn(&[usize], usize) -> f64) {
    let chosen = chosen(selection);
    for step in 0..chosen.len() {
        let set = &chosen[..step];
        let candidates = (0..problem.source.nrows()).filter(|row| !set.contains(row));
        let scores: Vec<(usize, f64)> = candidates.map(|row| (row, score(set, row))).collect();
        let (best, highest) = scores.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a }).unwrap();
        let ours = scores.iter().find(|(row, _)| *row == chosen[step]).unwrap().1;
        assert!(
            ours >= highest - 1e-9 * highest.abs().max(1e-6),
            "{}, step {step}: chose {} at {ours}, but {best} has {highest}",
            problem.name,
            chosen[step]
        );
    }
}

#[test]
fn protogreedy_is_the_plain_loop_over_every_candidate() {
    let problems = problems();
    assert!(problems.len() >= 200);
    for problem in &problems {
        let mut params = Params::new(6);
        params.method = Method::ProtoGreedy;
        for rule in [Weights::Nonnegative, Weights::Convex] {
            params.weights = rule;
            let selection = problem.select(&params);
            follow(problem, &selection, |set, row| problem.best(&[set, &[row]].concat(), rule).0);
            for (size, ours) in selection.objective.iter().enumerate() {
                let plain = problem.best(&chosen(&selection)[..=size], rule).0;
                assert!((ours - plain).abs() < 1e-9 * plain.abs().max(1e-3), "{}: {ours}, not {plain}", problem.name);
            }
        }
    }
}

#[test]
fn protodash_is_algorithm_2_written_out() {
    for problem in &problems() {
        let selection = problem.select(&Params::new(8));
        follow(problem, &selection, |set, row| {
            if set.is_empty() {
                let slope = problem.kernel_mean[row].max(0.0);
                return if slope > 0.0 { slope * slope / (2.0 * problem.gram[(row, row)]) } else { 0.0 };
            }
            problem.gradient(set, &problem.best(set, Weights::Nonnegative).1)[row]
        });
    }
}

#[test]
fn a_run_that_stops_as_optimal_leaves_no_positive_slope() {
    let mut stopped = 0;
    for problem in &problems() {
        for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
            let mut params = Params::new(problem.source.nrows());
            params.method = method;
            let selection = problem.select(&params);
            if selection.stopped == Stopped::Optimal {
                stopped += 1;
                let set = chosen(&selection);
                let slopes = problem.gradient(&set, &Array1::from(crate::samples::weights(&selection)));
                let steepest = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let scale = problem.kernel_mean.iter().fold(0.0_f64, |scale, mean| scale.max(mean.abs()));
                assert!(steepest <= 1e-9 * scale, "{}: {steepest} of {scale}", problem.name);
                // So no other set of any size has a larger objective.
                let everything: Vec<usize> = (0..problem.source.nrows()).collect();
                let all = problem.best(&everything, Weights::Nonnegative).0;
                assert!((all - selection.objective_final()).abs() <= 1e-9 * all, "{}", problem.name);
            }
        }
    }
    assert!(stopped > 300, "only {stopped} runs stopped at the optimum: the test is vacuous");
}

#[test]
fn swap_is_never_worse_than_greedy_and_no_single_swap_improves_it() {
    let mut better = 0;
    for problem in problems().iter().step_by(3) {
        for rule in [Weights::Nonnegative, Weights::Convex] {
            let mut params = Params::new(4);
            (params.method, params.weights) = (Method::ProtoGreedy, rule);
            let greedy = problem.select(&params);
            params.method = Method::Swap;
            let swapped = problem.select(&params);
            let (before, after) = (greedy.objective_final(), swapped.objective_final());
            for method in [Method::ProtoGreedy, Method::ProtoDash, Method::L2c] {
                params.method = method;
                let selection = problem.select(&params);
                let start = selection.objective_final();
                let is_exempt = method == Method::L2c && swapped.stopped == Stopped::Optimal;
                let least = if is_exempt { start - 1e-12 * start.abs() } else { start };
                assert!(after >= least, "{} {method:?}: {after:e} below {start:e}", problem.name);
            }
            better += usize::from(after > before * (1.0 + 1e-9));
            let set = chosen(&swapped);
            for position in 0..set.len() {
                for row in (0..problem.source.nrows()).filter(|row| !set.contains(row)) {
                    let mut exchanged = set.clone();
                    exchanged[position] = row;
                    let value = problem.best(&exchanged, rule).0;
                    assert!(value <= after + 1e-8 * after.abs(), "{}: {row} at {position} gives {value}", problem.name);
                }
            }
        }
    }
    assert!(better > 10, "swap improved on greedy {better} times: the test is vacuous");
}

#[test]
fn the_certificate_holds_against_the_best_of_all_subsets() {
    for seed in 0..12 {
        let (target, source) = (random(9, 2, seed), random(8, 2, seed + 50) * 1.5);
        for (target, source) in [(&source, &source), (&target, &source)] {
            let kernel = Box::new(Gaussian::new(0.7).unwrap());
            let problem = Problem::new(format!("tiny {seed}"), target, source, kernel);
            for size in 1..=4 {
                let best = subsets(8, size).into_iter().map(|set| problem.best(&set, Weights::Nonnegative).0);
                let best = best.fold(0.0, f64::max);
                for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
                    let mut params = Params::new(size);
                    params.method = method;
                    let selection = problem.select(&params);
                    let (reached, explained) = (selection.objective_final(), selection.explained().unwrap());
                    let energy = selection.target_energy.unwrap().value;
                    assert!(reached <= best + 1e-12 && best <= 0.5 * energy + 1e-12);
                    assert!(reached >= explained * best - 1e-12, "{method:?}: {reached} < {explained} · {best}");
                }
            }
        }
    }
}

fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    (0_u32..1 << n)
        .filter(|bits| bits.count_ones() as usize == size)
        .map(|bits| (0..n).filter(|row| bits >> row & 1 == 1).collect())
        .collect()
}

#[test]
fn recomputed_columns_change_nothing_to_the_last_bit() {
    for problem in problems().iter().step_by(2) {
        for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
            let mut params = Params::new(7);
            params.method = method;
            let kept = problem.select(&params);
            // Memory for no column, and for three.
            for column_memory in [0, 8 * 3 * problem.source.nrows() as u64] {
                params.column_memory = column_memory;
                assert_eq!(problem.select(&params), kept, "{} {method:?}", problem.name);
            }
        }
    }
}

#[test]
fn l2c_is_the_plain_loop_over_every_candidate_with_equal_weights() {
    let mut fell = 0;
    for problem in &problems() {
        let equal = |set: &[usize]| {
            let share = 1.0 / set.len() as f64;
            let means: f64 = set.iter().map(|row| problem.kernel_mean[*row]).sum();
            let pairs: f64 = set.iter().flat_map(|i| set.iter().map(|j| problem.gram[(*i, *j)])).sum();
            means * share - 0.5 * pairs * share * share
        };
        let mut params = Params::new(12);
        (params.method, params.weights) = (Method::L2c, Weights::Equal);
        let selection = problem.select(&params);
        assert_eq!((selection.prototypes.len(), selection.stopped), (12, Stopped::NPrototypes), "{}", problem.name);
        follow(problem, &selection, |set, row| equal(&[set, &[row]].concat()));
        let rows = chosen(&selection);
        for (size, ours) in selection.objective.iter().enumerate() {
            assert!((ours - equal(&rows[..=size])).abs() < 1e-12, "{}", problem.name);
        }
        fell += usize::from(selection.objective.windows(2).any(|pair| pair[1] < pair[0]));
    }
    assert!(fell > 20, "the objective fell in only {fell} runs: continuing after a fall is not tested");
}

#[test]
fn l2c_is_the_published_greedy_choice() {
    // The authors' score: 2/n Σ K[:, j] − (2 Σ_{i ∈ S} K_ij + K_jj)/(|S| + 1), the first of the largest.
    let rows = take(&digits(), 0..150);
    let problem = Problem::new("digits".to_owned(), &rows, &rows, Box::new(Gaussian::new(25.0).unwrap()));
    let mut selected: Vec<usize> = Vec::new();
    for _ in 0..40 {
        let score = |j: usize| {
            let crowd: f64 = selected.iter().map(|i| problem.gram[(*i, j)]).sum();
            2.0 * problem.gram.column(j).sum() / 150.0
                - (2.0 * crowd + problem.gram[(j, j)]) / (selected.len() as f64 + 1.0)
        };
        let open = (0..150).filter(|row| !selected.contains(row));
        selected.push(open.reduce(|best, row| if score(row) > score(best) { row } else { best }).unwrap());
    }
    let mut params = Params::new(40);
    params.method = Method::L2c;
    assert_eq!(chosen(&problem.select(&params)), selected);
}

#[test]
fn witness_criticisms_maximise_witness_and_log_determinant_step_by_step() {
    for problem in problems().iter().filter(|problem| problem.name.contains("gaussian")) {
        let mut params = Params::new(3);
        params.method = Method::L2c;
        let selection = problem.select(&params);
        let prototypes = chosen(&selection);
        let witness = |row: usize| {
            let pairs = prototypes.iter().zip(&selection.prototypes);
            let represented: f64 = pairs.map(|(other, one)| one.weight * problem.gram[(row, *other)]).sum();
            (problem.kernel_mean[row] - represented).abs()
        };
        let value = |set: &[usize]| {
            let gram = Array2::from_shape_fn((set.len(), set.len()), |(i, j)| problem.gram[(set[i], set[j])]);
            set.iter().map(|row| witness(*row)).sum::<f64>() + determinant(gram).ln()
        };
        let mut asked = CriticismParams::new(5);
        asked.definition = Definition::Witness { diversity: 1.0 };
        let (target, source) = (&problem.target, &problem.source);
        let found =
            criticize(target, source, &selection.prototypes, &*problem.kernel, &asked, &mut Unobserved).unwrap();
        let found: Vec<usize> = found.iter().map(|criticism| criticism.row).collect();
        assert_eq!(found.len(), 5, "{}", problem.name);
        for size in 0..found.len() {
            let with = |row: usize| value(&[&found[..size], &[row]].concat());
            let open = (0..source.nrows()).filter(|row| !prototypes.contains(row) && !found[..size].contains(row));
            let best = open.map(with).fold(f64::NEG_INFINITY, f64::max);
            assert!(with(found[size]) >= best - 1e-6, "{} {size}: {} {best}", problem.name, with(found[size]));
        }
    }
}

/// By Gaussian elimination with partial pivoting.
#[test]
fn criticisms_of_each_size_are_those_of_a_run_for_that_size() {
    let mut source = random(150, 2, 51);
    // A copy of the first row: neither is a criticism of a set that has it.
    let first = source.row(0).to_owned();
    source.row_mut(149).assign(&first);
    let target = random(90, 2, 52);
    let kernel = Gaussian::new(0.6).unwrap();
    let whole = select(&target, &source, &kernel, &Params::new(9)).unwrap();
    let sizes = [1, 2, 5, 9];
    let weights: Vec<&[f64]> = sizes.iter().filter_map(|size| whole.weights_at(*size)).collect();
    for definition in [Definition::default(), Definition::Witness { diversity: 0.0 }, Definition::Distance] {
        for among in [Among::Source, Among::Target] {
            let mut asked = CriticismParams::new(4);
            (asked.definition, asked.among) = (definition, among);
            let path = criticize_path(&target, &source, &whole.prototypes, &weights, &kernel, &asked, &mut Unobserved)
                .unwrap();
            for (size, found) in sizes.into_iter().zip(&path) {
                let run = select(&target, &source, &kernel, &Params::new(size)).unwrap();
                let alone = criticize(&target, &source, &run.prototypes, &kernel, &asked, &mut Unobserved).unwrap();
                assert_eq!(found, &alone);
                assert_eq!(found.len(), 4);
            }
        }
    }
    let nothing =
        criticize_path(&target, &source, &whole.prototypes, &[], &kernel, &CriticismParams::new(4), &mut Unobserved);
    assert_eq!(nothing, Ok(Vec::new()));
}

fn determinant(mut matrix: Array2<f64>) -> f64 {
    let n = matrix.nrows();
    let mut determinant = 1.0;
    for step in 0..n {
        let size = |row: &usize| matrix[(*row, step)].abs();
        let pivot = (step..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap();
        if pivot != step {
            (0..n).for_each(|column| matrix.swap((pivot, column), (step, column)));
            determinant = -determinant;
        }
        determinant *= matrix[(step, step)];
        for row in step + 1..n {
            let factor = matrix[(row, step)] / matrix[(step, step)];
            (step..n).for_each(|column| matrix[(row, column)] -= factor * matrix[(step, column)]);
        }
    }
    determinant
}
