//! Quotas and budgets, against a greedy loop that finds out by enumeration which rows leave all constraints within reach.

use ndarray::{Array1, Array2, Axis};
use protodash::objective::{gradient, objective};
use protodash::weights::nonnegative;
use protodash::{
    Budget, Choice, ConstraintError, Error, Gaussian, Kernel, Method, Params, Quota, Scalar, Selection, Stopped,
    Weights, select,
};

use crate::samples::{chosen, random};

const N: usize = 12;

fn quota(name: &str, rows: &[usize], at_least: usize, at_most: Option<usize>) -> Quota {
    Quota { name: name.to_owned(), rows: rows.to_vec(), at_least, at_most }
}

/// Kernel means and Gram matrix of rows that represent themselves.
struct Values {
    means: Array1<f64>,
    gram: Array2<f64>,
}

impl Values {
    fn new(rows: &Array2<f64>, kernel: &Gaussian) -> Values {
        let similarity = |(i, j): (usize, usize)| kernel.evaluate(&rows.row(i).to_vec(), &rows.row(j).to_vec());
        let gram = Array2::from_shape_fn((rows.nrows(), rows.nrows()), similarity);
        Values { means: gram.mean_axis(Axis(0)).unwrap(), gram }
    }

    /// The objective of a set, and the gradient of every row at its weights.
    fn of(&self, set: &[usize]) -> (f64, Array1<f64>) {
        let (means, gram) = (self.means.select(Axis(0), set), self.gram.select(Axis(0), set).select(Axis(1), set));
        let weights = nonnegative(means.view(), gram.view()).unwrap();
        let value = objective(means.view(), gram.view(), Array1::from(weights.clone()).view()).unwrap();
        let mut all = Array1::zeros(self.means.len());
        set.iter().zip(&weights).for_each(|(row, weight)| all[*row] = *weight);
        (value, gradient(self.means.view(), self.gram.view(), all.view()).unwrap())
    }
}

/// All sets that meet the constraints, as bits.
fn feasible_sets(params: &Params) -> Vec<usize> {
    let bits = |rows: &[usize]| rows.iter().map(|row| 1_usize << row).sum::<usize>();
    let count = |set: usize| set.count_ones() as usize;
    let (fixed, excluded) = (bits(&params.fixed), bits(&params.exclude));
    let is_feasible = |set: &usize| {
        let cost = |budget: &Budget| (0..N).filter(|row| set >> row & 1 == 1).map(|row| budget.costs[row]).sum::<f64>();
        set & fixed == fixed
            && set & excluded == 0
            && count(*set) <= params.n_prototypes.unwrap() + params.fixed.len()
            && params.budget.as_ref().is_none_or(|budget| cost(budget) <= budget.limit)
            && params.quotas.iter().all(|quota| {
                let n_rows = count(set & bits(&quota.rows));
                n_rows >= quota.at_least && quota.at_most.is_none_or(|at_most| n_rows <= at_most)
            })
    };
    (0..1 << N).filter(is_feasible).collect()
}

/// The greedy loop, with the first row chosen by its gain alone if asked to.
fn naive(values: &Values, params: &Params, feasible: &[usize], best_first: bool) -> Vec<usize> {
    let mut set = params.fixed.clone();
    loop {
        let bits = set.iter().map(|row| 1_usize << row).sum::<usize>();
        let open = (0..N).filter(|row| {
            let with = bits | 1 << row;
            with != bits && feasible.iter().any(|set| set & with == with)
        });
        let open: Vec<usize> = open.collect();
        let (value, slopes) = if set.is_empty() { (0.0, values.means.clone()) } else { values.of(&set) };
        let gain = |row: usize| values.of(&[&set[..], &[row]].concat()).0 - value;
        let is_first = set.len() == params.fixed.len();
        let cost = |row: usize| params.budget.as_ref().map_or(1.0, |budget| budget.costs[row]);
        let score = |row: usize| match params.method {
            _ if is_first && best_first => gain(row),
            Method::ProtoDash if !set.is_empty() => slopes[row] / cost(row).sqrt(),
            _ => gain(row) / cost(row),
        };
        let best = |rows: &[usize], score: &dyn Fn(usize) -> f64| {
            rows.iter().copied().reduce(|one, other| if score(other) > score(one) { other } else { one })
        };
        let rising: Vec<usize> = open.iter().copied().filter(|row| slopes[*row] > 1e-9).collect();
        let needs = |row: usize| {
            let short = |quota: &&Quota| set.iter().filter(|other| quota.rows.contains(other)).count() < quota.at_least;
            params.quotas.iter().filter(short).any(|quota| quota.rows.contains(&row))
        };
        let needed: Vec<usize> = open.iter().copied().filter(|row| needs(*row)).collect();
        match best(&rising, &score).or_else(|| best(&needed, &|row| slopes[row])) {
            Some(row) => set.push(row),
            None => return set,
        }
    }
}

fn agrees<T: Scalar>(rows: &Array2<T>, values: &Values, params: &Params) -> Selection {
    let kernel = Gaussian::new(0.6).unwrap();
    let selection = select(rows, rows, &kernel, params).unwrap();
    let feasible = feasible_sets(params);
    let mut expected = naive(values, params, &feasible, false);
    if params.budget.is_some() {
        let other = naive(values, params, &feasible, true);
        if values.of(&other).0 > values.of(&expected).0 + 1e-10 {
            expected = other;
        }
    }
    assert_eq!(chosen(&selection), expected, "{params:?}");
    assert!((selection.objective_final() - values.of(&expected).0).abs() < 1e-9);
    selection
}

/// Problems with and without each kind of constraint, fixed and excluded rows.
fn problems() -> Vec<Params> {
    let mut problems = Vec::new();
    let costs: Vec<f64> = (0..N).map(|row| [1.0, 2.5, 7.0, 0.5][row * 7 % 4] + row as f64 / 8.0).collect();
    let quotas = [
        vec![quota("a", &[0, 1, 2, 3], 3, None), quota("b", &[4, 5, 6], 1, Some(1))],
        vec![quota("a", &[0, 1, 2, 3, 4, 5], 0, Some(1)), quota("b", &[9, 10], 2, None)],
        vec![quota("a", &[11, 2, 7], 2, Some(2)), quota("b", &[0, 1], 1, None), quota("c", &[3, 4, 5], 0, Some(0))],
        Vec::new(),
    ];
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        for quotas in &quotas {
            for limit in [None, Some(9.5), Some(16.0), Some(30.0)] {
                for (fixed, exclude) in [(vec![], vec![]), (vec![10, 2], vec![8, 9]), (vec![6], vec![11])] {
                    let mut params = Params::new(5);
                    (params.method, params.quotas, params.fixed) = (method, quotas.clone(), fixed);
                    params.exclude = exclude;
                    params.budget = limit.map(|limit| Budget { costs: costs.clone(), limit });
                    problems.push(params);
                }
            }
        }
    }
    problems
}

#[test]
fn every_step_takes_the_best_row_that_leaves_the_constraints_within_reach() {
    let (mut n_solved, mut n_rejected) = (0, 0);
    for seed in 0..3 {
        let single = random(N, 2, seed).mapv(|value| value as f32);
        let rows = single.mapv(f64::from);
        let values = Values::new(&rows, &Gaussian::new(0.6).unwrap());
        for params in problems() {
            if feasible_sets(&params).iter().all(|set| set.count_ones() as usize <= params.fixed.len()) {
                let found = select(&rows, &rows, &Gaussian::new(0.6).unwrap(), &params);
                assert!(matches!(found, Err(Error::Constraint(_))), "{params:?}: {found:?}");
                n_rejected += 1;
                continue;
            }
            n_solved += 1;
            let selection = agrees(&rows, &values, &params);
            let of_single = agrees(&single, &values, &params);
            assert_eq!(chosen(&selection), chosen(&of_single));
            let report = selection.constraints.as_ref();
            assert_eq!(report.is_some(), !params.quotas.is_empty() || params.budget.is_some());
            for count in report.map_or(&[][..], |report| &report.quotas) {
                assert!(count.n_prototypes >= count.at_least, "{params:?}");
                assert!(count.at_most.is_none_or(|at_most| count.n_prototypes <= at_most));
            }
            if let Some((spent, limit)) = report.and_then(|report| report.spent) {
                assert!(spent <= limit * (1.0 + 1e-12), "{spent} {limit}");
            }
        }
    }
    assert!(n_solved > 150 && n_rejected > 3, "{n_solved} {n_rejected}");
}

#[test]
fn any_number_of_threads_gives_the_same_result() {
    let rows = random(3000, 3, 5);
    let mut params = Params::new(12);
    params.quotas = vec![quota("a", &(0..40).collect::<Vec<_>>(), 5, None), quota("b", &[2990, 2991], 2, Some(2))];
    for (method, has_budget) in [(Method::ProtoDash, false), (Method::ProtoGreedy, true), (Method::Random, true)] {
        params.method = method;
        let costs = (0..3000).map(|row| 1.0 + (row % 17) as f64).collect();
        params.budget = has_budget.then_some(Budget { costs, limit: 60.0 });
        let kernel = Gaussian::new(0.5).unwrap();
        let run = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| select(&rows, &rows, &kernel, &params).unwrap())
        };
        assert_eq!(run(1), run(3), "{method:?}");
    }
}

#[test]
fn a_row_that_gains_nothing_is_added_only_if_a_quota_needs_it() {
    // Rows 1 to 3 are copies of row 0, and row 4 is far from the target.
    let (target, source) = (ndarray::array![[0.0], [0.2]], ndarray::array![[0.1], [0.1], [0.1], [0.1], [900.0], [0.3]]);
    let kernel = Gaussian::new(1.0).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        for weights in [Weights::Nonnegative, Weights::Convex] {
            let mut params = Params::new(4);
            (params.method, params.weights) = (method, weights);
            params.quotas = vec![quota("copies", &[1, 2, 3], 2, None), quota("far", &[4], 1, None)];
            let selection = select(&target, &source, &kernel, &params).unwrap();
            let rows = chosen(&selection);
            assert!(rows.contains(&4) && rows.iter().filter(|row| (1..4).contains(*row)).count() >= 2, "{rows:?}");
            assert!(selection.prototypes.iter().all(|prototype| prototype.weight >= 0.0));
            if weights == Weights::Convex {
                continue; // under Σw = 1 even a far row can take weight from one that has too much
            }
            let far = selection.prototypes.iter().find(|prototype| prototype.source_index == 4).unwrap();
            assert!(far.weight < 1e-12);
        }
    }
}

#[test]
fn weights_are_limited_within_quotas_if_the_number_is_given() {
    let rows = random(80, 2, 4);
    let (target, kernel) = (random(60, 2, 5) + 0.4, Gaussian::new(0.5).unwrap());
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Random] {
        let mut params = Params::new(10);
        params.method = method;
        params.quotas = vec![quota("few", &[3, 50, 51, 52], 3, Some(3))];
        let free = select(&target, &rows, &kernel, &params).unwrap();
        (params.max_weight, params.min_effective) = (Some(0.2), Some(7.0));
        let limited = select(&target, &rows, &kernel, &params).unwrap();
        assert_eq!(chosen(&free), chosen(&limited), "{method:?}");
        assert_eq!(limited.constraints.as_ref().unwrap().quotas[0].n_prototypes, 3);
        let weights = limited.weights_at(10).unwrap();
        let (sum, squares) = (weights.iter().sum::<f64>(), weights.iter().map(|weight| weight * weight).sum::<f64>());
        assert!(sum * sum / squares >= 7.0 - 1e-9 && weights.iter().all(|weight| *weight <= (0.2 + 1e-12) * sum));
        // The price is that of the quotas, not of the limits.
        let mut unconstrained = params.clone();
        unconstrained.quotas.clear();
        let plain = select(&target, &rows, &kernel, &unconstrained).unwrap();
        assert_eq!(limited.constraints.as_ref().unwrap().objective_without, plain.objective_final());
        // Rows that the limits would add are not added, even if no other row raises the objective.
        params.n_prototypes = Some(60);
        let most = select(&target, &rows, &kernel, &params).unwrap();
        let n_few = chosen(&most).iter().filter(|row| [3, 50, 51, 52].contains(row)).count();
        assert_eq!(n_few, 3, "{method:?}");
        params.n_prototypes = None;
        params.min_gain = None;
        let refused = select(&target, &rows, &kernel, &params).unwrap_err().to_string();
        assert!(refused.contains("without a number of prototypes") || refused.contains("n_prototypes"), "{refused}");
    }
}

#[test]
fn equal_costs_and_wide_quotas_change_nothing() {
    let rows = random(200, 3, 8);
    let kernel = Gaussian::new(0.7).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Random] {
        let mut params = Params::new(9);
        params.method = method;
        let free = select(&rows, &rows, &kernel, &params).unwrap();
        params.budget = Some(Budget { costs: vec![3.0; 200], limit: 27.0 });
        params.quotas = vec![quota("all", &(0..200).collect::<Vec<_>>(), 1, Some(9))];
        let constrained = select(&rows, &rows, &kernel, &params).unwrap();
        assert_eq!(free.prototypes, constrained.prototypes, "{method:?}");
        let report = constrained.constraints.as_ref().unwrap();
        assert_eq!(report.explained_without, free.explained());
        assert_eq!((report.spent, report.quotas[0].n_prototypes), (Some((27.0, 27.0)), 9));
        // A budget for one row less.
        params.budget = Some(Budget { costs: vec![3.0; 200], limit: 26.0 });
        let shorter = select(&rows, &rows, &kernel, &params).unwrap();
        assert_eq!((shorter.prototypes.len(), shorter.stopped), (8, Stopped::Constraints), "{method:?}");
    }
}

#[test]
fn one_expensive_row_wins_over_a_cheap_row_of_little_use() {
    // Nine rows at 0, and one far away: it is cheap, but leaves too little for any of the nine.
    let mut rows = Array2::zeros((10, 1));
    rows[[9, 0]] = 50.0;
    let mut costs = vec![100.0; 10];
    costs[9] = 0.5;
    let kernel = Gaussian::new(1.0).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        let mut params = Params::new(2);
        (params.method, params.budget) = (method, Some(Budget { costs: costs.clone(), limit: 100.0 }));
        let selection = select(&rows, &rows, &kernel, &params).unwrap();
        assert_eq!((chosen(&selection), selection.stopped), (vec![0], Stopped::Constraints), "{method:?}");
    }
}

#[test]
fn what_cannot_be_met_is_an_error_that_says_which() {
    let rows = random(8, 2, 3);
    let refused = |change: &dyn Fn(&mut Params)| {
        let mut params = Params::new(3);
        change(&mut params);
        select(&rows, &rows, &Gaussian::new(1.0).unwrap(), &params).unwrap_err().to_string()
    };
    let quotas = |quotas: Vec<Quota>| refused(&|params| params.quotas = quotas.clone());
    let fr = |at_least, at_most| quota("c=FR", &[0, 1, 2, 3], at_least, at_most);
    let costs =
        |costs: Vec<f64>, limit| refused(&|params| params.budget = Some(Budget { costs: costs.clone(), limit }));
    let cheap = || Some(Budget { costs: vec![1.0; 8], limit: 2.0 });
    assert_eq!(quotas(vec![fr(5, None)]), "c=FR: at least 5 rows requested, but only 4 can be chosen");
    assert_eq!(
        quotas(vec![fr(2, Some(1))]),
        "c=FR: at least 2 and at most 1 rows requested; the minimum is above the maximum"
    );
    assert_eq!(
        quotas(vec![fr(2, None), quota("c=DE", &[5, 6], 2, None)]),
        "c=FR:2, c=DE:2: 4 rows needed, but only 3 can be chosen"
    );
    assert_eq!(
        quotas(vec![fr(1, None), quota("sex=F", &[3], 1, None)]),
        "source row 3 counts towards c=FR and sex=F; quotas must not share rows: use one column for all"
    );
    assert_eq!(
        refused(&|params| (params.quotas, params.fixed) = (vec![fr(0, Some(1))], vec![0, 1])),
        "c=FR: at most 1 rows requested, but 2 are fixed"
    );
    assert_eq!(
        quotas(vec![quota("c=FR", &[8], 1, None)]),
        "a quota names row 8, but the source has 8 rows; rows are counted from 0"
    );
    assert_eq!(costs(vec![1.0; 7], 5.0), "7 costs given for 8 source rows; one is needed for each row");
    for (value, text) in [(-1.0, "-1"), (0.0, "0"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let mut given = vec![1.0; 8];
        given[4] = value;
        assert_eq!(costs(given, 5.0), format!("the cost of source row 4 is {text}; costs must be finite and above 0"));
    }
    assert_eq!(costs(vec![0.3; 8], 0.25), "the budget is 0.25, but the cheapest row costs at least 0.3");
    assert_eq!(costs(vec![1.0; 8], f64::NAN), "budget is NaN; it must be a finite number above 0");
    assert_eq!(
        refused(&|params| (params.quotas, params.budget) = (vec![fr(3, None)], cheap())),
        "the budget is 2, but the cheapest rows that meet the minima cost at least 3"
    );
    assert_eq!(
        refused(&|params| (params.fixed, params.budget) = (vec![0, 1, 2], cheap())),
        "the budget is 2, but the fixed rows cost at least 3"
    );
    for method in Method::ALL.iter().map(|(method, ..)| *method) {
        let refuses = !matches!(method, Method::ProtoDash | Method::ProtoGreedy | Method::Random);
        let mut params = Params::new(3);
        (params.method, params.quotas) = (method, vec![fr(1, None)]);
        let found = select(&rows, &rows, &Gaussian::new(1.0).unwrap(), &params);
        let expected = Error::Constraint(ConstraintError::Method { method: method.name() });
        assert_eq!(found.err(), refuses.then_some(expected), "{method:?}");
    }
    assert!(refused(&|params| (params.oversample, params.quotas) = (2.0, vec![fr(1, None)])).contains("oversample"));
    assert!(refused(&|params| (params.weights, params.budget) = (Weights::Convex, cheap())).contains("convex"));
    assert!(refused(&|params| (params.min_gain, params.quotas) = (Some(0.1), vec![fr(1, None)])).contains("min_gain"));
}
