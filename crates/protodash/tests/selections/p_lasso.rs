//! The lasso path: optimality along it, an independent solver, its end, ties, and selections from it.

use crate::samples::{chosen, digits, one_hot, random, take, weights};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SupportedConeT};
use ndarray::{Array1, Array2, Axis, array, concatenate};
use protodash::weights::nonnegative;
use protodash::{
    Breakpoint, Cosine, Error, Gaussian, Hamming, Kernel, Laplacian, LassoPath, Linear, Method, Params, Polynomial,
    Precomputed, Stopped, Unobserved, Weights, kernel_mean, p_lasso_path, select,
};

struct Problem {
    name: String,
    target: Array2<f64>,
    source: Array2<f64>,
    kernel: Box<dyn Kernel<f64>>,
    kernel_mean: Array1<f64>,
    gram: Array2<f64>,
}

impl Problem {
    fn new(name: &str, target: &Array2<f64>, source: &Array2<f64>, kernel: Box<dyn Kernel<f64>>) -> Self {
        let row = |row: usize| source.row(row).to_vec();
        let n = source.nrows();
        let gram = Array2::from_shape_fn((n, n), |(i, j)| kernel.evaluate(&row(i), &row(j)));
        let kernel_mean = Array1::from(kernel_mean(target, source, &*kernel).unwrap());
        Problem { name: name.to_owned(), target: target.clone(), source: source.clone(), kernel, kernel_mean, gram }
    }

    fn path(&self, n_prototypes: Option<usize>) -> LassoPath {
        let mut params = Params::new(1);
        params.n_prototypes = n_prototypes;
        p_lasso_path(&self.target, &self.source, &*self.kernel, &params, &mut Unobserved).unwrap()
    }

    /// All weights of a solution, 0 outside its support.
    fn spread(&self, solution: &Breakpoint) -> Array1<f64> {
        let mut weights = Array1::zeros(self.source.nrows());
        solution.support.iter().zip(&solution.weights).for_each(|(row, weight)| weights[*row] = *weight);
        weights
    }

    /// How far a solution violates the KKT conditions: g ≤ λ, w ≥ 0, and g = λ where w > 0.
    fn violation(&self, solution: &Breakpoint) -> f64 {
        let weights = self.spread(solution);
        let gradient = &self.kernel_mean - &self.gram.dot(&weights);
        let rows = gradient.iter().zip(&weights);
        let excess =
            rows.map(|(g, w)| (g - solution.penalty).max(-w).max(if *w > 0.0 { solution.penalty - g } else { 0.0 }));
        excess.fold(0.0, f64::max) / self.kernel_mean.iter().fold(0.0, |largest: f64, mean| largest.max(mean.abs()))
    }

    fn objective(&self, weights: &Array1<f64>) -> f64 {
        self.kernel_mean.dot(weights) - 0.5 * weights.dot(&self.gram.dot(weights))
    }
}

/// Random, one-hot and real rows, with ties, copies and dependent rows among them; seven kernels.
fn problems() -> Vec<Problem> {
    let digits = digits();
    let mut problems = Vec::new();
    for seed in 0..6 {
        let (a, b) = (random(40, 3, seed), random(25, 3, seed + 100) + 0.4);
        let (answers, few) = (one_hot(60, &[2, 3, 2], seed), one_hot(30, &[2, 3, 2], seed + 100));
        let twice = concatenate(Axis(0), &[b.view(), b.view()]).unwrap();
        let first = seed as usize * 250;
        let (some, other) = (take(&digits, first..first + 80), take(&digits, (0..60).map(|i| (first + 37 * i) % 1797)));
        let gaussian = |bandwidth: f64| Box::new(Gaussian::new(bandwidth).unwrap());
        let mut add = |name: &str, target: &Array2<f64>, source: &Array2<f64>, kernel: Box<dyn Kernel<f64>>| {
            problems.push(Problem::new(&format!("{name} {seed}"), target, source, kernel));
        };
        add("random, gaussian", &a, &a, gaussian(0.5));
        add("random, wide gaussian", &a, &a, gaussian(2.0));
        add("random across, gaussian", &a, &b, gaussian(0.8));
        add("random across, copies, gaussian", &a, &twice, gaussian(0.8));
        add("random across, laplacian", &b, &a, Box::new(Laplacian::new(1.0).unwrap()));
        add("random across, polynomial", &a, &b, Box::new(Polynomial::new(3, 0.5, 1.0).unwrap()));
        add("random, linear", &b, &a, Box::new(Linear));
        add("random across, cosine", &b, &a, Box::new(Cosine));
        add("one-hot, linear", &answers, &answers, Box::new(Linear));
        add("one-hot, hamming", &answers, &answers, Box::new(Hamming));
        add("one-hot across, hamming", &answers, &few, Box::new(Hamming));
        add("digits, gaussian", &some, &some, gaussian(30.0));
        add("digits across, gaussian", &some, &other, gaussian(20.0));
    }
    problems
}

#[test]
fn every_solution_of_the_path_is_optimal_at_breakpoints_and_between() {
    let mut left = 0;
    for problem in &problems() {
        let path = problem.path(None);
        // A row whose Schur complement against the support is below 1e-12 of its diagonal never enters, so its gradient
        // may exceed the penalty by the root of that; wide Gaussians have such rows.
        let allowed = if problem.name.contains("wide") { 1e-6 } else { 1e-9 };
        assert!(path.is_complete && path.breakpoints.last().unwrap().penalty == 0.0, "{}", problem.name);
        for (step, pair) in path.breakpoints.windows(2).enumerate() {
            assert!(pair[1].penalty <= pair[0].penalty && pair[1].norm >= pair[0].norm - 1e-12, "{}", problem.name);
            left += usize::from(pair[0].support.iter().any(|row| !pair[1].support.contains(row)));
            for part in [0.0, 0.3, 0.5, 0.9, 1.0] {
                let penalty = pair[0].penalty + part * (pair[1].penalty - pair[0].penalty);
                let solution = path.at_penalty(penalty).unwrap();
                let violation = problem.violation(&solution);
                assert!(violation < allowed, "{}, step {step}, part {part}: {violation:e}", problem.name);
                let objective = problem.objective(&problem.spread(&solution));
                assert!(
                    (solution.objective - objective).abs() < allowed * objective.abs().max(1e-3),
                    "{}",
                    problem.name
                );
            }
        }
    }
    assert!(left > 100, "rows left the path {left} times: the test is vacuous");
}

#[test]
fn the_end_of_the_path_has_the_nonnegative_weights_of_the_whole_source() {
    for problem in &problems() {
        let path = problem.path(None);
        let end = path.breakpoints.last().unwrap();
        let best = Array1::from(nonnegative(problem.kernel_mean.view(), problem.gram.view()).unwrap());
        let (ours, theirs) = (problem.objective(&problem.spread(end)), problem.objective(&best));
        assert!((ours - theirs).abs() < 1e-11 * theirs, "{}: {ours} {theirs}", problem.name);
        // In feature space both are the same point, even if the weights are not unique.
        let difference = &problem.spread(end) - &best;
        assert!(difference.dot(&problem.gram.dot(&difference)).abs() < 1e-10 * theirs, "{}", problem.name);
    }
}

/// max l(w), w ≥ 0, Σw ≤ ε, by an interior point method.
fn clarabel(problem: &Problem, norm: f64) -> Array1<f64> {
    let n = problem.source.nrows();
    let mut quadratic: Vec<Vec<f64>> = problem.gram.rows().into_iter().map(|row| row.to_vec()).collect();
    quadratic.iter_mut().enumerate().for_each(|(i, row)| row.iter_mut().take(i).for_each(|value| *value = 0.0));
    let linear: Vec<f64> = problem.kernel_mean.iter().map(|mean| -mean).collect();
    let row = |i: usize| (0..n).map(|j| if i == n { 1.0 } else { -f64::from(u8::from(i == j)) }).collect::<Vec<_>>();
    let constraints: Vec<Vec<f64>> = (0..=n).map(row).collect();
    let mut bounds = vec![0.0; n];
    bounds.push(norm);
    let mut settings = DefaultSettingsBuilder::default();
    settings.verbose(false).tol_gap_abs(1e-13).tol_gap_rel(1e-13).tol_feas(1e-13);
    let settings = settings.build().unwrap();
    let cones = [SupportedConeT::NonnegativeConeT(n + 1)];
    let mut solver = DefaultSolver::new(
        &CscMatrix::from(&quadratic),
        &linear,
        &CscMatrix::from(&constraints),
        &bounds,
        &cones,
        settings,
    )
    .unwrap();
    solver.solve();
    Array1::from(solver.solution.x.clone())
}

#[test]
fn an_independent_solver_agrees_under_a_bounded_norm() {
    for problem in problems().iter().step_by(2) {
        let path = problem.path(None);
        let largest = path.breakpoints.last().unwrap().norm;
        for part in [0.05, 0.2, 0.5, 0.8, 0.95, 1.3] {
            let ours = path.at_norm(part * largest).unwrap();
            let theirs = clarabel(problem, part * largest);
            let (own, other) = (problem.objective(&problem.spread(&ours)), problem.objective(&theirs));
            assert!((own - other).abs() < 1e-8 * other.abs(), "{}, {part}: {own} {other}", problem.name);
            let difference = &problem.spread(&ours) - &theirs;
            assert!(difference.dot(&problem.gram.dot(&difference)).abs() < 1e-8, "{}, {part}", problem.name);
            assert!((ours.norm - (part * largest).min(largest)).abs() < 1e-9 * largest, "{}", problem.name);
        }
    }
}

#[test]
fn a_selection_has_exactly_the_requested_number_or_names_the_closest() {
    let (mut met, mut passed) = (0, 0);
    for problem in &problems() {
        let path = problem.path(None);
        let numbers = path.numbers();
        let largest = *numbers.last().unwrap();
        for wanted in 1..=problem.source.nrows().min(largest + 2) {
            let mut params = Params::new(wanted);
            (params.method, params.weights) = (Method::PLasso, Weights::Own);
            let result = select(&problem.target, &problem.source, &*problem.kernel, &params);
            if wanted > largest {
                let selection = result.unwrap();
                assert_eq!(selection.stopped, Stopped::Optimal, "{}", problem.name);
                assert_eq!(chosen(&selection), path.breakpoints.last().unwrap().support, "{}", problem.name);
            } else if numbers.contains(&wanted) {
                met += 1;
                let selection = result.unwrap();
                let first = path.breakpoints.iter().find(|breakpoint| breakpoint.support.len() == wanted).unwrap();
                assert_eq!(chosen(&selection), first.support, "{}", problem.name);
                assert!(weights(&selection).iter().all(|weight| *weight > 0.0), "{}, {wanted}", problem.name);
                let norm = weights(&selection).iter().sum();
                let lasso = problem.spread(&path.at_norm(norm).unwrap());
                for prototype in &selection.prototypes {
                    let difference = prototype.weight - lasso[prototype.source_index];
                    assert!(difference.abs() < 1e-7 * norm, "{}, {wanted}: {difference:e}", problem.name);
                }
            } else {
                passed += 1;
                let below = numbers.iter().copied().filter(|number| *number < wanted).max();
                let above = numbers.iter().copied().find(|number| *number > wanted).unwrap();
                let expected = Error::UnreachableNumber { requested: wanted, below, above };
                assert_eq!(result.unwrap_err(), expected, "{}", problem.name);
            }
        }
    }
    assert!(met > 1000 && passed > 5, "{met} met, {passed} skipped: the test is vacuous");
}

#[test]
fn tied_rows_enter_together_and_the_error_names_the_closest_numbers() {
    // Four corners of a square; by symmetry, the centre of the target is equally near to all of them.
    let corners = array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
    let mut params = Params::new(2);
    params.method = Method::PLasso;
    let kernel = Gaussian::new(1.0).unwrap();
    let error = select(&corners, &corners, &kernel, &params).unwrap_err();
    assert_eq!(error.to_string(), "no lasso penalty gives exactly 2 prototypes; the smallest possible number is 4");
    let with_outlier = array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [9.0, 9.0]];
    assert_eq!(
        select(&corners, &with_outlier, &kernel, &params).unwrap_err(),
        Error::UnreachableNumber { requested: 2, below: None, above: 4 }
    );
    // One row enters alone, then four together.
    let with_centre = array![[0.5, 0.5], [0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
    params.n_prototypes = Some(3);
    assert_eq!(
        select(&with_centre, &with_centre, &kernel, &params).unwrap_err().to_string(),
        "no lasso penalty gives exactly 3 prototypes; the closest possible numbers are 1 and 5"
    );
}

#[test]
fn rows_that_differ_by_rounding_do_not_make_the_path_cycle() {
    let base = random(6, 4, 3);
    let rows =
        Array2::from_shape_fn((600, 4), |(row, column)| base[(row % 6, column)] * (1.0 + (row / 6) as f64 * 1e-15));
    let problem = Problem::new("rounding", &rows, &rows, Box::new(Gaussian::new(1.0).unwrap()));
    let path = problem.path(None);
    assert!(path.is_complete && path.breakpoints.len() < 100, "{} breakpoints", path.breakpoints.len());
    for breakpoint in &path.breakpoints {
        assert!(problem.violation(breakpoint) < 1e-9);
        assert!(breakpoint.weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
    }
}

/// The gradient of the larger row rounds to more than the penalty at which the smaller one joins. The larger row, whose
/// weight rises there, was dropped; the path went on as if it had none.
#[test]
fn a_large_row_keeps_its_weight_when_a_nearly_parallel_small_one_joins() {
    let problems = [
        Problem::new(
            "a line",
            &Array2::from_shape_fn((10, 1), |(row, _)| if row < 3 { 200_000.0 } else { -200_000.0 }),
            &array![[-92_674.253_409_003_07], [-5_698.240_448_713_828]],
            Box::new(Polynomial::new(3, 0.3, 1.0).unwrap()),
        ),
        Problem::new(
            "heavy tails",
            &array![[199_524.431_711_058_42, 2_462_227.764_291_569_6], [547_124_489.362_921_2, -132_299.580_663_379_3]],
            &array![[199_524.431_711_058_42, 2_462_227.764_291_569_6], [547_124_489.362_921_2, -132_299.580_663_379_3]],
            Box::new(Polynomial::new(4, 0.3, 1.0).unwrap()),
        ),
    ];
    for problem in problems {
        for breakpoint in problem.path(None).breakpoints {
            assert!(problem.violation(&breakpoint) < 1e-9, "{}: {breakpoint:?}", problem.name);
        }
    }
}

#[test]
fn recomputed_columns_give_the_same_path_to_the_last_bit() {
    for problem in problems().iter().step_by(5) {
        let kept = problem.path(None);
        for column_memory in [0, 8 * 3 * problem.source.nrows() as u64] {
            let mut params = Params::new(1);
            (params.n_prototypes, params.column_memory) = (None, column_memory);
            let again = p_lasso_path(&problem.target, &problem.source, &*problem.kernel, &params, &mut Unobserved);
            assert_eq!(again.unwrap(), kept, "{}", problem.name);
        }
    }
}

#[test]
fn without_a_positive_mean_the_path_is_empty() {
    let (target, source) = (array![[1.0], [2.0]], array![[-1.0], [-3.0], [0.0]]);
    let problem = Problem::new("away", &target, &source, Box::new(Linear));
    let path = problem.path(None);
    assert_eq!((path.breakpoints.len(), path.breakpoints[0].penalty, path.numbers()), (1, 0.0, vec![0]));
    let mut params = Params::new(2);
    params.method = Method::PLasso;
    let selection = select(&target, &source, &Linear, &params).unwrap();
    assert_eq!((selection.prototypes.len(), selection.stopped), (0, Stopped::Optimal));
}

#[test]
fn the_first_breakpoints_of_two_rows_are_as_worked_out_by_hand() {
    // K = [[1, ½], [½, 1]] and μ = (1, ¾). Alone, w₁ = 1 − λ and g₂ = ¾ − ½(1 − λ) = ¼ + ½λ, which meets λ at ½.
    // From there w = u − λd with u = K⁻¹μ = (5/6, 1/3), d = K⁻¹1 = (2/3, 2/3): the end is (5/6, 1/3).
    let gram = array![[1.0, 0.5], [0.5, 1.0]];
    let target_by_source = array![[1.0, 0.75]];
    let kernel = Precomputed::across(target_by_source.view(), gram.view()).unwrap();
    let mut params = Params::new(1);
    params.n_prototypes = None;
    let path = p_lasso_path(&kernel.target_rows(), &kernel.source_rows(), &kernel, &params, &mut Unobserved).unwrap();
    let penalties: Vec<f64> = path.breakpoints.iter().map(|breakpoint| breakpoint.penalty).collect();
    assert_eq!(penalties.len(), 3);
    for (found, expected) in penalties.iter().zip([1.0, 0.5, 0.0]) {
        assert!((found - expected).abs() < 1e-15);
    }
    assert_eq!(
        path.breakpoints.iter().map(|b| b.support.clone()).collect::<Vec<_>>(),
        [vec![0], vec![0, 1], vec![0, 1]]
    );
    for (found, expected) in path.breakpoints[2].weights.iter().zip([5.0 / 6.0, 1.0 / 3.0]) {
        assert!((found - expected).abs() < 1e-15);
    }
}
