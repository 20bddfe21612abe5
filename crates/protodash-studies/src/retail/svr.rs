//! Support vector regression with a Gaussian kernel by LIBSVM's algorithm, which the paper used.

use libsvm_rs::predict::predict;
use libsvm_rs::train::svm_train;
use libsvm_rs::{KernelType, SvmModel, SvmNode, SvmParameter, SvmProblem, SvmType};
use ndarray::{ArrayView1, ArrayView2, Axis};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::observe::StudyObserver;

/// ε of the regression: smaller errors cost nothing. In standard deviations of the target variable.
const TOLERATED: f64 = 0.1;
/// Cache for kernel values, in MB.
const CACHE: f64 = 200.0;

/// Parameters of a regression.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct SvrParams {
    /// Cost of an error (C).
    pub(super) cost: f64,
    /// γ in exp(−γ d²).
    pub(super) gamma: f64,
}

/// A trained regression.
pub(super) struct Regression(SvmModel);

impl Regression {
    /// Fits `values` on `rows`.
    pub(super) fn fit(rows: ArrayView2<'_, f64>, values: &[f64], choice: SvrParams) -> Regression {
        // The library prints its iterations on stderr by default.
        libsvm_rs::set_quiet(true);
        let instances = rows.rows().into_iter().map(nodes).collect();
        let parameter = SvmParameter {
            svm_type: SvmType::EpsilonSvr,
            kernel_type: KernelType::Rbf,
            gamma: choice.gamma,
            c: choice.cost,
            p: TOLERATED,
            cache_size: CACHE,
            ..SvmParameter::default()
        };
        Regression(svm_train(&SvmProblem { labels: values.to_vec(), instances }, &parameter))
    }

    /// Predictions for all rows.
    pub(super) fn predict(&self, rows: ArrayView2<'_, f64>) -> Vec<f64> {
        rows.rows().into_iter().map(|row| predict(&self.0, &nodes(row))).collect()
    }
}

fn nodes(row: ArrayView1<'_, f64>) -> Vec<SvmNode> {
    row.iter().zip(1..).map(|(value, index)| SvmNode { index, value: *value }).collect()
}

/// How parameters are chosen: the best of a grid, then better neighbours of the best until there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ParameterSearch {
    /// The grid.
    pub(super) choices: Vec<SvrParams>,
    /// All costs and γs, ascending; neighbours are one step away in either or both.
    pub(super) costs: Vec<f64>,
    pub(super) gammas: Vec<f64>,
    pub(super) n_folds: usize,
    /// With more rows than this, a random sample is used.
    pub(super) n_rows: usize,
}

impl ParameterSearch {
    /// The parameters with the lowest RMSE on held-out rows, and that RMSE.
    pub(super) fn best(
        &self,
        rows: ArrayView2<'_, f64>,
        values: &[f64],
        seed: u64,
        observer: &dyn StudyObserver,
    ) -> Result<(SvrParams, f64)> {
        let order = shuffled(values.len(), seed);
        let order = &order[..order.len().min(self.n_rows)];
        self.least(|choice| {
            let mut squares = 0.0;
            for fold in 0..self.n_folds {
                if observer.is_stopped() {
                    return Err(Error::Stopped);
                }
                squares += self.held_out(rows, values, order, fold, choice);
            }
            Ok((squares / order.len() as f64).sqrt())
        })
    }

    /// The parameters with the lowest error on the search path; ties go to the first.
    fn least(&self, mut error: impl FnMut(SvrParams) -> Result<f64>) -> Result<(SvrParams, f64)> {
        let mut tried: Vec<SvrParams> = Vec::new();
        let mut best: Option<(SvrParams, f64)> = None;
        let mut next = self.choices.clone();
        while !next.is_empty() {
            let before = best;
            for choice in next {
                tried.push(choice);
                let error = error(choice)?;
                if best.is_none_or(|(_, least)| error < least) {
                    best = Some((choice, error));
                }
            }
            let moved = best.filter(|best| before != Some(*best));
            next = moved.map_or_else(Vec::new, |(choice, _)| self.beside(choice));
            next.retain(|choice| !tried.contains(choice));
        }
        best.ok_or(Error::Setting { name: "the number of choices", given: 0, allowed: "at least 1" })
    }

    /// The parameters at most one step away.
    fn beside(&self, SvrParams { cost, gamma }: SvrParams) -> Vec<SvrParams> {
        let costs = around(&self.costs, cost);
        let pairs = costs.iter().flat_map(|cost| around(&self.gammas, gamma).iter().map(|gamma| (*cost, *gamma)));
        pairs.map(|(cost, gamma)| SvrParams { cost, gamma }).collect()
    }

    /// Whether the parameters are at the edge of the search range, so that values outside might be better.
    pub(super) fn is_at_the_end(&self, SvrParams { cost, gamma }: SvrParams) -> bool {
        let is_end = |all: &[f64], value: f64| all.len() > 1 && [all.first(), all.last()].contains(&Some(&value));
        is_end(&self.costs, cost) || is_end(&self.gammas, gamma)
    }

    /// Sum of squared errors on one fold of a regression trained on the others.
    fn held_out(
        &self,
        rows: ArrayView2<'_, f64>,
        values: &[f64],
        order: &[usize],
        fold: usize,
        choice: SvrParams,
    ) -> f64 {
        let part = |held_out: bool| -> Vec<usize> {
            let is_part = |(place, _): &(usize, &usize)| (place % self.n_folds == fold) == held_out;
            order.iter().enumerate().filter(is_part).map(|(_, row)| *row).collect()
        };
        let (training, test) = (part(false), part(true));
        if training.is_empty() {
            return 0.0;
        }
        let of = |places: &[usize]| places.iter().map(|row| values[*row]).collect::<Vec<f64>>();
        let regression = Regression::fit(rows.select(Axis(0), &training).view(), &of(&training), choice);
        let predicted = regression.predict(rows.select(Axis(0), &test).view());
        of(&test).iter().zip(predicted).map(|(value, predicted)| (value - predicted).powi(2)).sum()
    }
}

/// The value with its neighbours in `all`.
fn around(all: &[f64], value: f64) -> &[f64] {
    all.iter().position(|one| *one == value).map_or(&[], |at| &all[at.saturating_sub(1)..all.len().min(at + 2)])
}

/// A random permutation of the numbers below `number`.
pub(super) fn shuffled(number: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..number).collect();
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    for place in 1..number {
        // u64 on every machine, so that the order does not depend on the word size.
        order.swap(place, generator.random_range(0..=place as u64) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;
    use crate::observe::UnobservedStudy;

    fn problem() -> (Array2<f64>, Vec<f64>) {
        let rows = Array2::from_shape_fn((24, 2), |(row, column)| match column {
            0 => (1.3 * row as f64).sin(),
            _ => (0.7 * row as f64).cos(),
        });
        let value = |row: usize| {
            let (x, y) = (rows[(row, 0)], rows[(row, 1)]);
            x * y + 0.5 * x * x + 0.1 * (5.0 * row as f64).sin()
        };
        let values = (0..24).map(value).collect();
        (rows, values)
    }

    #[test]
    fn predictions_equal_those_of_scikit_learn() {
        let (rows, values) = problem();
        let regression = Regression::fit(rows.view(), &values, SvrParams { cost: 10.0, gamma: 0.5 });
        let points = array![[0.0, 0.0], [0.5, -0.5], [-1.0, 1.0], [0.9, 0.2], [2.0, 2.0]];
        // sklearn.svm.SVR(C=10, gamma=0.5, epsilon=0.1, tol=1e-6), scikit-learn 1.9.1.
        let expected =
            [-0.036102028139191944, -0.17866674317005982, -0.30763385155573864, 0.5412875086432857, 0.8902107064080833];
        for (found, expected) in regression.predict(points.view()).into_iter().zip(expected) {
            assert!((found - expected).abs() < 2e-3, "{found} instead of {expected}");
        }
    }

    #[test]
    fn errors_within_the_tube_cost_nothing_and_no_others() {
        // KKT: errors are at most ε for rows that are not support vectors, and exactly ε for free support vectors.
        let (rows, values) = problem();
        let (regression, cost) = (Regression::fit(rows.view(), &values, SvrParams { cost: 10.0, gamma: 0.5 }), 10.0);
        let predicted = regression.predict(rows.view());
        let mut coefficients = vec![0.0; values.len()];
        for (place, vector) in regression.0.sv.iter().enumerate() {
            let at = |row: &usize| vector.iter().zip(rows.row(*row)).all(|(node, value)| node.value == *value);
            coefficients[(0..values.len()).find(at).unwrap()] = regression.0.sv_coef[0][place];
        }
        assert!(coefficients.iter().sum::<f64>().abs() < 1e-9);
        for (row, coefficient) in coefficients.iter().enumerate() {
            let error = values[row] - predicted[row];
            let tube = TOLERATED + 2e-3;
            match coefficient.abs() {
                0.0 => assert!(error.abs() <= tube, "row {row}: {error}"),
                bound if bound >= cost - 1e-9 => assert!(error * coefficient.signum() >= TOLERATED - 2e-3),
                _ => assert!((error - TOLERATED * coefficient.signum()).abs() < 2e-3, "row {row}: {error}"),
            }
        }
    }

    #[test]
    fn the_best_choice_has_the_least_error_on_held_out_rows() {
        let (rows, values) = problem();
        let choices = vec![SvrParams { cost: 1e-6, gamma: 0.5 }, SvrParams { cost: 10.0, gamma: 0.5 }];
        let search = ParameterSearch { choices, costs: vec![], gammas: vec![], n_folds: 4, n_rows: 100 };
        let (choice, error) = search.best(rows.view(), &values, 0, &UnobservedStudy).unwrap();
        assert_eq!(choice.cost, 10.0);
        assert!(error < 0.3, "{error}");
    }

    #[test]
    fn the_search_moves_to_better_neighbours_until_there_are_none() {
        let costs: Vec<f64> = (0..9).map(f64::from).collect();
        let gammas: Vec<f64> = (0..6).map(f64::from).collect();
        let choices = vec![SvrParams { cost: 0.0, gamma: 0.0 }, SvrParams { cost: 2.0, gamma: 2.0 }];
        let search = ParameterSearch { choices, costs, gammas, n_folds: 4, n_rows: 100 };
        let found = |low: (f64, f64)| {
            let mut n_tried = 0;
            let error = |choice: SvrParams| {
                n_tried += 1;
                Ok((choice.cost - low.0).powi(2) + (choice.gamma - low.1).powi(2))
            };
            let (choice, error) = search.least(error).unwrap();
            assert!(n_tried < 30, "{n_tried}");
            (choice.cost, choice.gamma, error, search.is_at_the_end(choice))
        };
        assert_eq!(found((7.0, 3.0)), (7.0, 3.0, 0.0, false));
        assert_eq!(found((2.0, 2.0)), (2.0, 2.0, 0.0, false));
        // Outside the search range.
        assert_eq!(found((4.0, 7.0)), (4.0, 5.0, 4.0, true));
        let stopped = search.least(|choice| if choice.cost > 2.0 { Err(Error::Stopped) } else { Ok(choice.cost) });
        assert_eq!(stopped.unwrap(), (SvrParams { cost: 0.0, gamma: 0.0 }, 0.0));
    }

    #[test]
    fn shuffling_keeps_every_number() {
        let mut order = shuffled(50, 3);
        assert_ne!(order, (0..50).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }
}
